package aesxts_test

import (
	"crypto/rand"
	"encoding/binary"
	"fmt"

	"lamina/lib/aesxts"
)

// A disk has numbered sectors, and a read or a write covers any number of consecutive ones.
func ExampleKey_EncryptSectors() {
	key := make([]byte, 64) // AES-256, twice
	rand.Read(key)
	var k aesxts.Key
	if err := k.Init(key); err != nil {
		fmt.Println(err)
		return
	}
	defer k.Wipe()

	const sectorSize = 512
	disk := make([]byte, 8*sectorSize)
	copy(disk[5*sectorSize:], "in the sixth sector")
	k.EncryptSectors(disk, disk, 1000, sectorSize) // all eight, in place

	sector := disk[5*sectorSize:][:sectorSize]
	k.DecryptSectors(sector, sector, 1005, sectorSize) // one of them
	fmt.Printf("%s\n", sector[:19])
	// Output: in the sixth sector
}

// A data unit of any length from 16 bytes on keeps its length. One that is not in memory at once goes through
// in pieces: the tweak that Encrypt leaves continues it.
func ExampleKey_Encrypt() {
	k, err := aesxts.New([]byte("first example key" + "second key: not 1"[:15]))
	if err != nil {
		fmt.Println(err)
		return
	}
	text := []byte("a data unit that is no multiple of sixteen bytes long")

	whole := make([]byte, len(text))
	var tweak [aesxts.TweakSize]byte
	binary.LittleEndian.PutUint64(tweak[:], 42)
	k.Encrypt(whole, text, &tweak)

	pieces := make([]byte, len(text))
	binary.LittleEndian.PutUint64(tweak[:], 42)
	k.Encrypt(pieces[:32], text[:32], &tweak)
	k.Encrypt(pieces[32:], text[32:], &tweak)

	fmt.Println(len(whole) == len(text), string(whole) == string(pieces))
	// Output: true true
}
