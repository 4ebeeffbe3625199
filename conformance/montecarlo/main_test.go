package main

import (
	"testing"

	"lamina/internal/montecarlo"
)

// TestTable holds that the table is what this program prints.
func TestTable(t *testing.T) {
	if testing.Short() {
		t.Skip("takes some seconds")
	}
	if got, want := table(), montecarlo.Table(); got != want {
		t.Errorf("the table is not what the program prints, which is:\n%s\nbut:\n%s", got, want)
	}
}
