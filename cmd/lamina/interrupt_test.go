//go:build unix

package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"syscall"
	"testing"
	"time"
)

// TestMain lets the test binary stand in for the program, so that signals can be sent to it.
func TestMain(m *testing.M) {
	if os.Getenv("LAMINA_TEST_RUN_MAIN") != "" {
		main()
	}
	os.Exit(m.Run())
}

// A signal in the middle of the work removes the temporary file.
func TestInterrupt(t *testing.T) {
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		f := newFolder(t)
		cmd := exec.Command(os.Args[0], "seal", "-k", f.key, "-", "-o", f.path("out"))
		cmd.Env = append(os.Environ(), "LAMINA_TEST_RUN_MAIN=1")
		stdin, err := cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := stdin.Write(patterned(1 << 20)); err != nil {
			t.Fatal(err)
		}
		waitForFile(t, f)
		if err := cmd.Process.Signal(sig); err != nil {
			t.Fatal(err)
		}
		err = cmd.Wait()
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != exitInterrupted {
			t.Errorf("%v: %v, %q", sig, err, stderr.String())
		}
		f.holds(t)
	}
}

// waitForFile waits until the folder holds a file beside the key.
func waitForFile(t *testing.T, f folder) {
	t.Helper()
	for range 1000 {
		if entries, err := os.ReadDir(f.dir); err == nil && len(entries) > 1 {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal("no temporary file appeared")
}
