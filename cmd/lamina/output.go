package main

import (
	"bufio"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"sync"
)

// bufferSize is how much is gathered before it is written to a file.
const bufferSize = 256 << 10

// writeFile makes a file of what write writes, which is there only if all went well, and whole: see output and
// createOutput. A signal that ends the program leaves nothing behind.
func writeFile(path string, perm fs.FileMode, force bool, stderr io.Writer, write func(io.Writer) error) error {
	signals := catchSignals() // before there is a file that a signal could leave behind
	defer signal.Stop(signals)
	out, err := createOutput(path, perm, force)
	if err != nil {
		return err
	}
	defer abortOn(signals, out, stderr)()
	defer out.abort()
	buffered := bufio.NewWriterSize(out, bufferSize)
	if err := write(buffered); err != nil {
		return err
	}
	if err := buffered.Flush(); err != nil {
		return err
	}
	return out.commit()
}

// output is where a command writes: a temporary file beside the one that was asked for, which takes its name in commit
// and is removed by abort, so that the name never stands for half a file. Abort may be called at any time, by another
// goroutine too; whichever of commit and abort comes first counts. Errors are about the file that was asked for: nobody
// has heard of the temporary one.
type output struct {
	path  string
	force bool // whether commit may replace a file

	mu   sync.Mutex
	temp *os.File // nil once committed or aborted
}

// createOutput makes the temporary file for path, with the permissions perm less the umask, and less those that a file
// it will replace does not have. Without force, a file that is there already is an error, here at the start and again in
// commit.
func createOutput(path string, perm fs.FileMode, force bool) (*output, error) {
	most, err := checkTarget(path, force)
	if err != nil {
		return nil, err
	}
	// The base of path is no part of the name: with more added to it, it might become longer than a name may be.
	name := filepath.Join(filepath.Dir(path), ".lamina."+rand.Text()+".tmp")
	temp, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm&most)
	if err != nil {
		return nil, errorAbout(path, err)
	}
	return &output{path: path, force: force, temp: temp}, nil
}

// checkTarget refuses names that must not be written to, and returns the permissions that what is written there may have
// at most. A device would be replaced by a file, not written to.
func checkTarget(path string, force bool) (most fs.FileMode, err error) {
	most = fs.ModePerm
	if info, err := os.Stat(path); err == nil {
		switch {
		case info.IsDir():
			return 0, fmt.Errorf("%s is a directory; -o names the file to write", path)
		case !info.Mode().IsRegular():
			return 0, fmt.Errorf("%s is not a regular file; -o - writes to standard output", path)
		}
		most = info.Mode().Perm()
	}
	_, err = os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return most, nil
	case err == nil && !force:
		return 0, existsError(path)
	}
	return most, err
}

// errorAbout returns err, which is about the temporary file, with path in its place.
func errorAbout(path string, err error) error {
	var file *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &file):
		return &fs.PathError{Op: file.Op, Path: path, Err: file.Err}
	case errors.As(err, &link):
		return &fs.PathError{Op: link.Op, Path: path, Err: link.Err}
	}
	return err
}

// existsError is the error for the name of a file that is there already.
type existsError string

func (path existsError) Error() string {
	return fmt.Sprintf("%s exists; -f overwrites it, -o chooses another name", string(path))
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	f := o.temp
	o.mu.Unlock()
	if f == nil {
		return 0, fs.ErrClosed
	}
	n, err := f.Write(p)
	return n, errorAbout(o.path, err)
}

// commit brings the file to the disk and gives it its name. After an error there is no file.
func (o *output) commit() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.temp == nil {
		return fs.ErrClosed
	}
	name := o.temp.Name()
	err := o.temp.Sync()
	if closeErr := o.temp.Close(); err == nil {
		err = closeErr
	}
	o.temp = nil
	if err == nil {
		err = o.rename(name)
	}
	if err != nil {
		os.Remove(name)
		return errorAbout(o.path, err)
	}
	syncDir(filepath.Dir(o.path))
	return nil
}

func (o *output) rename(temp string) error {
	if o.force {
		return os.Rename(temp, o.path)
	}
	// A hard link fails where a file has appeared meanwhile, and a rename would replace it.
	if err := os.Link(temp, o.path); err == nil {
		return os.Remove(temp)
	}
	return renameToNew(temp, o.path)
}

// renameToNew renames temp to path, which must be free, where the file system has no hard links. An empty file keeps
// others from taking the name, and is what the rename replaces.
func renameToNew(temp, path string) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	switch {
	case errors.Is(err, fs.ErrExist):
		return existsError(path)
	case err != nil:
		return err
	}
	f.Close()
	if err = os.Rename(temp, path); err != nil {
		os.Remove(path)
	}
	return err
}

// abort removes the temporary file and reports that it did, unless commit or another abort has come first.
func (o *output) abort() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.temp == nil {
		return false
	}
	o.temp.Close()
	os.Remove(o.temp.Name())
	o.temp = nil
	return true
}

// syncDir brings the new name to the disk, where directories can be opened for that and the file system has it.
func syncDir(dir string) {
	if d, err := os.Open(dir); err == nil {
		d.Sync()
		d.Close()
	}
}
