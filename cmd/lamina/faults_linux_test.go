package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"lamina/lib/cobblestone"
)

// fileLimit is the variable that tells the test binary, standing in for the program, how long a file it may write.
const fileLimit = "LAMINA_TEST_FILE_LIMIT"

func init() {
	limit, err := strconv.ParseUint(os.Getenv(fileLimit), 10, 64)
	if err != nil {
		return
	}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: limit, Max: limit}); err != nil {
		panic(err)
	}
}

// limited runs commands as a process that cannot make a file longer than limit bytes: what a full disk is to it, to the
// byte.
func limited(t *testing.T, limit int) func(args ...string) result {
	return func(args ...string) result {
		t.Helper()
		cmd := exec.Command(os.Args[0], args...)
		cmd.Env = append(os.Environ(), "LAMINA_TEST_RUN_MAIN=1", fileLimit+"="+strconv.Itoa(limit))
		var stdout, stderr bytes.Buffer
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		err := cmd.Run()
		var exit *exec.ExitError
		if err != nil && !errors.As(err, &exit) {
			t.Fatal(err)
		}
		return result{cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()}
	}
}

// A disk that is full after any number of bytes of output, up to the last.
func TestFullDisk(t *testing.T) {
	f := newFolder(t)
	plaintext, sealed := f.sealed(t)
	in := newFolder(t)
	files := map[string]string{"seal": in.write(t, "a", plaintext), "open": in.write(t, "b", sealed)}
	for command, size := range map[string]int{"seal": len(sealed), "open": len(plaintext)} {
		for _, n := range []int{0, 1, cobblestone.HeaderSize, cobblestone.ChunkSize, sealedChunk + 5, bufferSize - 1, bufferSize,
			bufferSize + 1, size - 1} {
			f.leavesAll(t, f.path("out")+": file too large", limited(t, n), command, files[command])
		}
		limited(t, size)(command, "-k", f.key, "-o", f.path("out"), files[command]).succeeds(t)
		if err := os.Remove(f.path("out")); err != nil {
			t.Fatal(err)
		}
	}
	const keyFile = 2*keySize + 1
	for _, n := range []int{0, 1, keyFile - 1} {
		limited(t, n)("keygen", "-o", f.path("new")).fails(t, f.path("new")+": file too large")
		f.holds(t)
	}
	limited(t, keyFile)("keygen", "-o", f.path("new")).succeeds(t)
}

// A disk that is really full: a file system in memory with room for less than the output.
func TestFullFileSystem(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=128k"); err != nil {
		t.Skipf("no file system of a chosen size: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, 0); err != nil {
			t.Error(err)
		}
	})
	f := folder{dir, filepath.Join(dir, "key")}
	lamina(t, "", "keygen", "-o", f.key).succeeds(t)
	const full = "no space left on device"
	free := func() uint64 {
		var s syscall.Statfs_t
		if err := syscall.Statfs(dir, &s); err != nil {
			t.Fatal(err)
		}
		return s.Bfree
	}
	before := free()
	plaintext, _ := newFolder(t).sealed(t)
	f.leavesAll(t, f.path("out")+": "+full, reading(func() io.Reader { return bytes.NewReader(plaintext) }), "seal")
	other := newFolder(t)
	if err := os.WriteFile(f.key, other.read(t, "key"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, sealed := other.sealed(t)
	f.leavesAll(t, f.path("out")+": "+full, reading(func() io.Reader { return bytes.NewReader(sealed) }), "open")
	if got := free(); got != before {
		t.Errorf("%d blocks are free, where %d were before", got, before)
	}
	// What fits is written, and then there is no room for another key.
	lamina(t, string(patterned(int(before-1)*os.Getpagesize()-100)), "seal", "-k", f.key, "-", "-o", f.path("fits")).succeeds(t)
	for free() > 0 {
		f.write(t, "rest"+strconv.Itoa(int(free())), []byte("x"))
	}
	names := f.names(t)
	lamina(t, "", "keygen", "-o", f.path("new")).fails(t, f.path("new")+": "+full)
	if after := f.names(t); !slices.Equal(after, names) {
		t.Errorf("keygen left %q, where there were %q", after, names)
	}
}

// Standard output on a full disk.
func TestFullStandardOutput(t *testing.T) {
	f := newFolder(t)
	plaintext, sealed := f.sealed(t)
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip(err)
	}
	defer full.Close()
	for _, args := range [][]string{
		{"keygen"}, {"seal", "-k", f.key, "-j", "1", "-"}, {"seal", "-k", f.key, "-j", "3", "-"},
		{"open", "-k", f.key, "-j", "1", "-"}, {"open", "-k", f.key, "-j", "3", "-"},
	} {
		stdin := plaintext
		if args[0] == "open" {
			stdin = sealed
		}
		var stderr bytes.Buffer
		status := run(args, bytes.NewReader(stdin), full, &stderr)
		result{status, "", stderr.String()}.fails(t, "no space left on device")
		f.holds(t)
	}
}

// A name is never that of a part of a file, not even for a moment: nothing is written to under the name that was asked for.
func TestNameOnlyWhole(t *testing.T) {
	in := newFolder(t)
	plaintext, sealed := in.sealed(t)
	in.write(t, "a", plaintext)
	in.write(t, "b", sealed)
	for _, args := range [][]string{
		{"keygen"},
		{"seal", "-k", in.key, in.path("a")},
		{"open", "-k", in.key, in.path("b")},
		{"open", "-f", "-k", in.key, in.path("b")},
	} {
		f := newFolder(t)
		if slices.Contains(args, "-f") {
			f.write(t, "out", []byte("precious"))
		}
		changes := watch(t, f.dir)
		lamina(t, "", append(args, "-o", f.path("out"))...).succeeds(t)
		names := changes()
		if slices.Contains(names, "out") {
			t.Errorf("%v: the file was written to when it had its name already", args)
		}
		if len(names) == 0 {
			t.Errorf("%v: nothing was seen to be written to", args)
		}
	}
}

// watch returns a function that returns the names in dir that were written to since watch was called.
func watch(t *testing.T, dir string) func() []string {
	t.Helper()
	fd, err := syscall.InotifyInit1(syscall.IN_CLOEXEC | syscall.IN_NONBLOCK)
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { syscall.Close(fd) })
	if _, err := syscall.InotifyAddWatch(fd, dir, syscall.IN_MODIFY); err != nil {
		t.Skip(err)
	}
	return func() (names []string) {
		buf := make([]byte, 64<<10)
		n, err := syscall.Read(fd, buf)
		if errors.Is(err, syscall.EAGAIN) {
			return nil
		}
		if err != nil {
			t.Fatal(err)
		}
		for buf = buf[:n]; len(buf) > 0; {
			size := binary.NativeEndian.Uint32(buf[syscall.SizeofInotifyEvent-4:])
			name := buf[syscall.SizeofInotifyEvent:][:size]
			names = append(names, strings.TrimRight(string(name), "\x00"))
			buf = buf[syscall.SizeofInotifyEvent+size:]
		}
		return names
	}
}
