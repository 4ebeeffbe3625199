package main

import (
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
)

// exitInterrupted is the exit status after a signal, as a shell reports SIGINT.
const exitInterrupted = 130

// catchSignals catches the signals that end the program, except those that whoever started it wants ignored, as nohup
// does.
func catchSignals() chan os.Signal {
	signals := make(chan os.Signal, 1)
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		if !signal.Ignored(s) {
			signal.Notify(signals, s)
		}
	}
	return signals
}

// abortOn makes a signal remove out's temporary file and end the program. A signal that comes after the file was
// committed or aborted does nothing: the program is about to end, and says itself how it went. The function that abortOn
// returns ends this, and does not return if a signal is ending the program.
func abortOn(signals <-chan os.Signal, out *output, stderr io.Writer) func() {
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		select {
		case s := <-signals:
			if out.abort() {
				fmt.Fprintf(stderr, "\nlamina: stopped by signal (%v); nothing written\n", s)
				os.Exit(exitInterrupted)
			}
		case <-done:
		}
	}()
	return func() {
		close(done)
		<-ended
	}
}
