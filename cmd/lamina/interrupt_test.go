//go:build unix

package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"strings"
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
		if !errors.As(err, &exit) || exit.ExitCode() != exitInterrupted || !strings.Contains(stderr.String(), "nothing written") {
			t.Errorf("%v: %v, %q", sig, err, stderr.String())
		}
		f.holds(t)
	}
}

// Signals that were ignored when the program started, as under nohup and in the background of a script, do not end it.
func TestIgnoredSignal(t *testing.T) {
	f := newFolder(t)
	cmd := exec.Command("sh", "-c", `trap "" HUP INT; exec "$0" "$@"`,
		os.Args[0], "seal", "-k", f.key, "-", "-o", f.path("out"))
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
	waitForFile(t, f)
	for _, sig := range []syscall.Signal{syscall.SIGHUP, syscall.SIGINT} {
		if err := cmd.Process.Signal(sig); err != nil {
			t.Fatal(err)
		}
		for range 20 {
			if _, err := stdin.Write(patterned(1 << 18)); err != nil {
				t.Fatalf("after %v: %v, %q", sig, err, stderr.String())
			}
		}
	}
	if err := stdin.Close(); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil || stderr.Len() > 0 {
		t.Errorf("%v, %q", err, stderr.String())
	}
	f.holds(t, "out")
}

// A signal that comes when the file has its name already does not end the program with another word.
func TestLateSignal(t *testing.T) {
	f := newFolder(t)
	out, err := createOutput(f.path("a"), 0o600, false)
	if err != nil {
		t.Fatal(err)
	}
	if err := out.commit(); err != nil {
		t.Fatal(err)
	}
	var stderr bytes.Buffer
	signals := make(chan os.Signal)
	stop := abortOn(signals, out, &stderr)
	signals <- os.Interrupt
	stop()
	if stderr.Len() > 0 {
		t.Errorf("it said %q", stderr.String())
	}
	f.holds(t, "a")
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
