package main

import (
	"io"
	"slices"
	"strings"

	"lamina/api/registry"

	_ "lamina/api/aead"     // registers its drivers
	_ "lamina/api/skcipher" // the same
)

// driverEntry is one driver of the request layer in the output of list --api --json.
type driverEntry struct {
	Name         string         `json:"name"`
	Driver       string         `json:"driver"`
	Type         registry.Type  `json:"type"`
	Priority     int            `json:"priority"`
	SelfTest     registry.State `json:"selftest"`
	Error        string         `json:"error,omitempty"` // why the self-test failed
	Users        int            `json:"users"`
	Internal     bool           `json:"internal"`
	Asynchronous bool           `json:"async"`
	BlockSize    int            `json:"block_size"`
	ChunkSize    int            `json:"chunk_size"`
	IVSize       int            `json:"iv_size"`
	MinKeySize   int            `json:"min_key_size"`
	MaxKeySize   int            `json:"max_key_size"`
	MaxAuthSize  int            `json:"max_auth_size,omitempty"` // of AEADs
}

func newDriverEntry(e registry.Entry) driverEntry {
	d := driverEntry{
		Name:         e.Name,
		Driver:       e.Driver,
		Type:         e.Type,
		Priority:     e.Priority,
		SelfTest:     e.State,
		Users:        e.Users,
		Internal:     e.Internal,
		Asynchronous: e.Asynchronous,
		BlockSize:    e.BlockSize,
		ChunkSize:    e.ChunkSize,
		IVSize:       e.IVSize,
		MinKeySize:   e.MinKeySize,
		MaxKeySize:   e.MaxKeySize,
		MaxAuthSize:  e.MaxAuthSize,
	}
	if e.Err != nil {
		d.Error = e.Err.Error()
	}
	return d
}

// listDrivers writes the drivers whose own name or that of their algorithm begins with prefix.
func listDrivers(w io.Writer, prefix string, asJSON bool) error {
	entries := slices.DeleteFunc(registry.List(), func(e registry.Entry) bool {
		return !strings.HasPrefix(e.Name, prefix) && !strings.HasPrefix(e.Algorithm.Driver, prefix)
	})
	if !asJSON {
		return registry.Fprint(w, entries)
	}
	drivers := make([]driverEntry, 0, len(entries))
	for _, e := range entries {
		drivers = append(drivers, newDriverEntry(e))
	}
	return writeJSON(w, drivers)
}
