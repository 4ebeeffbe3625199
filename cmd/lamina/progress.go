package main

import (
	"io"
	"path/filepath"
	"time"

	"github.com/schollz/progressbar/v3"
)

// progress shows on a terminal how far the work has come and how long the rest will take. Elsewhere it shows nothing.
// Of input that is read it also shows how fast, and is written to what is read.
type progress struct {
	bar *progressbar.ProgressBar // nil to show nothing
}

// startProgress shows progress through size bytes; -1 means that nobody knows how many there are.
func startProgress(stderr io.Writer, name string, size int64, quiet bool) *progress {
	if quiet || !isTerminal(stderr) {
		return &progress{}
	}
	return &progress{progressbar.NewOptions64(size,
		progressbar.OptionSetWriter(stderr),
		progressbar.OptionSetDescription(filepath.Base(name)),
		progressbar.OptionShowBytes(true),
		progressbar.OptionShowCount(),
		progressbar.OptionSetPredictTime(true),
		progressbar.OptionSetWidth(30),
		progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionClearOnFinish(),
	)}
}

// startSteps shows progress through a number of steps.
func startSteps(stderr io.Writer, name string, steps int) *progress {
	if !isTerminal(stderr) {
		return &progress{}
	}
	return &progress{progressbar.NewOptions(steps,
		progressbar.OptionSetWriter(stderr),
		progressbar.OptionSetDescription(name),
		progressbar.OptionSetPredictTime(true),
		progressbar.OptionSetWidth(30),
		progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionClearOnFinish(),
	)}
}

// step says that one step is done.
func (p *progress) step() {
	if p.bar != nil {
		p.bar.Add(1) // what it cannot show does not stop the work
	}
}

func (p *progress) Write(b []byte) (int, error) {
	if p.bar != nil {
		p.bar.Add(len(b)) // what it cannot show does not stop the work
	}
	return len(b), nil
}

// stop removes the bar from the screen.
func (p *progress) stop() {
	if p.bar != nil {
		p.bar.Clear()
	}
}
