package scatter_test

import (
	"bytes"
	"fmt"
	"net"

	"lamina/api/scatter"
)

// A message from the network is a list as it is.
func ExampleList() {
	buffers := net.Buffers{[]byte("hea"), []byte("der and te"), []byte("xt")}
	list := scatter.List(buffers)
	header := make([]byte, 6)
	list.Gather(header, 0)
	fmt.Printf("%d bytes, %s\n", list.Len(), header)

	list.Scatter([]byte("HEAD"), 0)
	fmt.Printf("%s\n", bytes.Join(buffers, nil))

	text, ok := list.Piece(11, 2)
	fmt.Printf("%s, %v\n", text, ok)
	_, ok = list.Piece(11, 4)
	fmt.Println(ok)
	// Output:
	// 15 bytes, header
	// HEADer and text
	// te, true
	// false
}

// A cursor reads on where it was.
func ExampleCursor() {
	c := scatter.List{[]byte("one t"), []byte("wo thr"), []byte("ee")}.Start()
	word := make([]byte, 3)
	c.Gather(word)
	fmt.Printf("%s\n", word)
	c.Skip(1)
	c.Gather(word)
	fmt.Printf("%s\n", word)
	c.Skip(1)
	for {
		run := c.Run()
		if len(run) == 0 {
			break
		}
		fmt.Printf("%s\n", run)
		c.Advance(len(run))
	}
	// Output:
	// one
	// two
	// thr
	// ee
}

// A function that needs whole blocks, here one that reverses each 4 bytes, works on a message whose blocks cross
// from one segment to the next.
func ExampleWalk() {
	src := scatter.List{[]byte("ab"), []byte("cde"), []byte("fgh")}
	out := make([]byte, 8)
	dst := scatter.List{out[:7], out[7:]}

	var walk scatter.Walk
	walk.Start(dst.Start(), src.Start(), src.Len(), 4, 1)
	for {
		to, from := walk.Next()
		if len(from) == 0 {
			break
		}
		for i := 0; i < len(from); i += 4 {
			to[i], to[i+1], to[i+2], to[i+3] = from[i+3], from[i+2], from[i+1], from[i]
		}
	}
	fmt.Printf("%s\n", out)
	// Output: dcbahgfe
}

// Moving a message by one byte is not in place.
func ExampleOverlap() {
	memory := make([]byte, 100)
	src := scatter.List{memory[:50]}
	fmt.Println(scatter.Overlap(scatter.List{memory[:20], memory[20:50]}, 50, src, 50))
	fmt.Println(scatter.Overlap(scatter.List{memory[1:51]}, 50, src, 50))
	// Output:
	// false
	// true
}
