//go:build unix

package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
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
	heedSignals()
	os.Exit(m.Run())
}

// heedSignals has the programs that tests start heed signals which this process was started to ignore, as under nohup:
// what a process ignores, those it starts ignore too, but not what it handles.
func heedSignals() {
	for _, sig := range endingSignals {
		if signal.Ignored(sig) {
			signal.Notify(make(chan os.Signal, 1), sig)
		}
	}
}

// endingSignals are those that end the program.
var endingSignals = []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP}

// A signal in the middle of the work removes the temporary file, and leaves what stood under the name.
func TestInterrupt(t *testing.T) {
	for _, command := range []string{"seal", "open"} {
		for _, sig := range endingSignals {
			for _, j := range jobs {
				t.Run(fmt.Sprint(command, "/", sig, "/", j), func(t *testing.T) {
					f := newFolder(t)
					checkInterrupt(t, f, sig, command, "-j", j)
					f.holds(t)
					f.write(t, "out", []byte("precious"))
					checkInterrupt(t, f, sig, command, "-j", j, "-f")
					f.holds(t, "out")
					if got := f.read(t, "out"); string(got) != "precious" {
						t.Errorf("%d bytes of what was there are left", len(got))
					}
				})
			}
		}
	}
}

// checkInterrupt starts a command that gets the beginning of its input and then waits for more, and sends it a signal when
// it has a temporary file.
func checkInterrupt(t *testing.T, f folder, sig syscall.Signal, args ...string) {
	t.Helper()
	files := len(f.names(t))
	data, sealed := f.sealed(t)
	if args[0] == "open" {
		data = sealed[:len(sealed)-1]
	}
	cmd := exec.Command(os.Args[0], append(args, "-k", f.key, "-", "-o", f.path("out"))...)
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
	if _, err := stdin.Write(data); err != nil {
		t.Fatal(err)
	}
	waitForFile(t, f, files+1)
	if err := cmd.Process.Signal(sig); err != nil {
		t.Fatal(err)
	}
	err = cmd.Wait()
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != exitInterrupted || !strings.Contains(stderr.String(), "nothing written") {
		t.Errorf("%v: %v, %q", sig, err, stderr.String())
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
	waitForFile(t, f, 2)
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

// waitForFile waits until the folder holds n files.
func waitForFile(t *testing.T, f folder, n int) {
	t.Helper()
	for range 1000 {
		if len(f.names(t)) == n {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal("no temporary file appeared")
}
