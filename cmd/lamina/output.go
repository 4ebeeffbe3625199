package main

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
)

// output is where a command writes: a temporary file beside the one that was asked for, which takes its name in commit
// and is removed by abort, so that the name never stands for half a file. Abort may be called at any time, by another
// goroutine too; whichever of commit and abort comes first counts.
type output struct {
	path  string
	force bool // whether commit may replace a file

	mu   sync.Mutex
	temp *os.File // nil for standard output, and once committed or aborted
}

// createOutput makes the temporary file for path, with the permissions perm less the umask. Without force, a file that
// is there already is an error, here at the start and again in commit.
func createOutput(path string, perm fs.FileMode, force bool) (*output, error) {
	if err := checkTarget(path, force); err != nil {
		return nil, err
	}
	dir, base := filepath.Split(path)
	name := filepath.Join(dir, "."+base+"."+rand.Text()[:8]+".tmp")
	temp, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	if err != nil {
		return nil, err
	}
	return &output{path: path, force: force, temp: temp}, nil
}

// checkTarget refuses names that must not be written to. A device would be replaced by a file, not written to.
func checkTarget(path string, force bool) error {
	if info, err := os.Stat(path); err == nil {
		switch {
		case info.IsDir():
			return fmt.Errorf("%s is a directory; -o names the file to write", path)
		case !info.Mode().IsRegular():
			return fmt.Errorf("%s is not a regular file; -o - writes to standard output", path)
		}
	}
	_, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err == nil && !force:
		return existsError(path)
	}
	return err
}

func existsError(path string) error {
	return fmt.Errorf("%s exists; -f overwrites it, -o chooses another name", path)
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	f := o.temp
	o.mu.Unlock()
	if f == nil {
		return 0, fs.ErrClosed
	}
	return f.Write(p)
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
		return err
	}
	syncDir(filepath.Dir(o.path))
	return nil
}

func (o *output) rename(temp string) error {
	if o.force {
		return os.Rename(temp, o.path)
	}
	// A hard link fails where a file has appeared meanwhile, and a rename would replace it. Not every file system has
	// links.
	err := os.Link(temp, o.path)
	if err == nil {
		return os.Remove(temp)
	}
	if _, statErr := os.Lstat(o.path); !errors.Is(statErr, fs.ErrNotExist) {
		return existsError(o.path)
	}
	return os.Rename(temp, o.path)
}

// abort removes the temporary file, unless commit has come first.
func (o *output) abort() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.temp == nil {
		return
	}
	o.temp.Close()
	os.Remove(o.temp.Name())
	o.temp = nil
}

// syncDir brings the new name to the disk, where directories can be opened for that and the file system has it.
func syncDir(dir string) {
	if d, err := os.Open(dir); err == nil {
		d.Sync()
		d.Close()
	}
}
