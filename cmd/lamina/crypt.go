package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"lamina/lib/cobblestone"
)

// sealedSuffix is what seal adds to a file's name and open takes off.
const sealedSuffix = ".lamina"

// cryptOptions are the flags of seal and open.
type cryptOptions struct {
	key     string
	output  string
	force   bool
	quiet   bool
	workers int
}

func (o *cryptOptions) register(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVarP(&o.key, "key", "k", "", "file with the key")
	f.StringVarP(&o.output, "output", "o", "", "file to write; - is standard output")
	f.BoolVarP(&o.force, "force", "f", false, "overwrite the output if it exists")
	f.BoolVarP(&o.quiet, "quiet", "q", false, "show no progress")
	f.IntVarP(&o.workers, "jobs", "j", 0, "chunks worked on at the same time (default one for each core)")
}

func newSeal() *cobra.Command {
	var o cryptOptions
	cmd := &cobra.Command{
		Use:   "seal -k KEY FILE",
		Short: "Seal a file",
		Long: `seal encrypts and authenticates FILE with the key in KEY, and writes FILE.lamina (or what -o says). The format is
Cobblestone-256 of c2sp.org/chunked-encryption: chunks of 16 KiB under AES-256-GCM, with a key of their own for each file.

FILE may be -, for standard input; then the output is standard output unless -o names a file. The output is written under a
temporary name in its folder and gets its name only when it is complete and on the disk. FILE is left as it is, and must
stay as it is: if its size or its time changes meanwhile, that is an error, because what was sealed might not be all of it.
To seal what is being written to all the same, pipe it: cat FILE | lamina seal -k KEY -

The output has the permissions of FILE (600 if that is standard input) less the umask. Where -f replaces a file, it has
only those of them that the replaced file had too.`,
		Example: `  lamina keygen -o my.key
  lamina seal -k my.key report.pdf
  tar c photos | lamina seal -k my.key - -o photos.tar.lamina`,
		Args: oneFile,
		RunE: func(cmd *cobra.Command, args []string) error {
			target := args[0] + sealedSuffix
			if args[0] == "-" {
				target = "-"
			}
			return o.transfer(cmd, args[0], target, sealStream)
		},
	}
	o.register(cmd)
	return cmd
}

func newOpen() *cobra.Command {
	var o cryptOptions
	cmd := &cobra.Command{
		Use:   "open -k KEY FILE.lamina",
		Short: "Open a sealed file",
		Long: `open checks and decrypts a file made by seal, with the same key, and writes it without the ending .lamina (or to what -o
says). If the key is wrong, or a single bit of the file was changed, added or is missing, it says where and leaves no output behind.

The output has the permissions of FILE.lamina (600 if that is standard input) less the umask. Where -f replaces a file, it
has only those of them that the replaced file had too.

FILE may be -, for standard input; then the output is standard output unless -o names a file. To standard output only chunks
that were found authentic are written, but they are written before the chunks after them have been seen: what comes out
before an error is the true beginning of the file, and no more. Let nothing act on it before the exit status is 0.`,
		Example: `  lamina open -k my.key report.pdf.lamina
  lamina open -k my.key report.pdf.lamina -o /tmp/report.pdf
  lamina open -k my.key photos.tar.lamina -o - | tar x`,
		Args: oneFile,
		RunE: func(cmd *cobra.Command, args []string) error {
			target, ok := strings.CutSuffix(args[0], sealedSuffix)
			switch {
			case args[0] == "-":
				target = "-"
			case o.output != "":
			case filepath.Base(args[0]) == sealedSuffix:
				return fmt.Errorf("%s has nothing before %s; name the output with -o", args[0], sealedSuffix)
			case !ok:
				return fmt.Errorf("%s does not end in %s; name the output with -o", args[0], sealedSuffix)
			}
			return o.transfer(cmd, args[0], target, openStream)
		},
	}
	o.register(cmd)
	return cmd
}

func oneFile(_ *cobra.Command, args []string) error {
	switch {
	case len(args) != 1:
		return fmt.Errorf("it takes one file, got %d (- is standard input)", len(args))
	case args[0] == "":
		return errors.New("the name of the file is empty (- is standard input)")
	}
	return nil
}

// stream turns all of src into dst. Its errors say which file it was, except those of dst.
type stream func(dst io.Writer, src io.Reader, name string, key []byte, workers int) error

func sealStream(dst io.Writer, src io.Reader, name string, key []byte, workers int) error {
	w, err := cobblestone.NewWriter(dst, key, nil, cobblestone.Workers(workers))
	if err != nil {
		return err
	}
	defer w.Abort()
	if _, err := w.ReadFrom(src); err != nil {
		return err
	}
	return w.Close()
}

func openStream(dst io.Writer, src io.Reader, name string, key []byte, workers int) error {
	r, err := cobblestone.NewReader(src, key, nil, cobblestone.Workers(workers))
	if err != nil {
		return explain(name, err)
	}
	defer r.Close()
	_, err = r.WriteTo(dst)
	return explain(name, err)
}

// explain says in the words of someone who opens a file what was wrong with it.
func explain(name string, err error) error {
	var chunk *cobblestone.ChunkError
	switch {
	case errors.Is(err, cobblestone.ErrKey):
		return fmt.Errorf("%s: wrong key, or the first %d bytes are damaged", name, cobblestone.HeaderSize)
	case errors.As(err, &chunk) && errors.Is(err, cobblestone.ErrDamaged):
		return fmt.Errorf("%s: chunk %d is damaged, or the file was cut short in it, or something follows the end of what "+
			"was sealed", name, chunk.Chunk)
	case errors.As(err, &chunk) && errors.Is(err, cobblestone.ErrTruncated):
		return fmt.Errorf("%s: chunk %d is missing or cut short: the file is not complete", name, chunk.Chunk)
	case errors.Is(err, cobblestone.ErrTruncated):
		return fmt.Errorf("%s: too short for a sealed file", name)
	}
	return err
}

// transfer runs do from the file source to the file target, or to what -o says.
func (o *cryptOptions) transfer(cmd *cobra.Command, source, target string, do stream) error {
	if o.output != "" {
		target = o.output
	}
	if o.workers < 0 {
		return fmt.Errorf("-j %d: it must be 1 or more, or 0 for one for each core", o.workers)
	}
	key, keyInfo, err := readKey(o.key)
	if err != nil {
		return err
	}
	defer clear(key)
	in, err := openInput(source, cmd.InOrStdin())
	if err != nil {
		return err
	}
	defer in.Close()
	progress := startProgress(cmd.ErrOrStderr(), source, in.size, o.quiet)
	defer progress.stop()
	src := io.TeeReader(in, progress)
	dst := cmd.OutOrStdout()
	if err := checkDistinct(target, dst, in, keyInfo); err != nil {
		return err
	}
	if target == "-" {
		if isTerminal(dst) && !o.force {
			return errors.New("standard output is a terminal; -o names a file, -f writes to the terminal all the same")
		}
		return do(dst, src, in.name, key, o.workers)
	}
	return writeFile(target, in.perm, o.force, cmd.ErrOrStderr(), func(dst io.Writer) error {
		return do(dst, src, in.name, key, o.workers)
	})
}

// checkDistinct refuses to write to what is read: the key, without which nothing sealed with it can be opened any more,
// and the input.
func checkDistinct(target string, stdout io.Writer, in *input, key fs.FileInfo) error {
	name, info := target, statStream(stdout)
	if target == "-" {
		name = "standard output"
	} else if info, _ = os.Stat(target); info == nil {
		return nil // a new file
	}
	switch {
	case sameFile(info, key):
		return fmt.Errorf("%s is the key; it must not be written to", name)
	case sameFile(info, in.info):
		return fmt.Errorf("%s is both the file to read and the file to write", name)
	}
	return nil
}

// sameFile reports whether a and b, nil for what is no file, are the same regular file. A terminal may well be
// read and written.
func sameFile(a, b fs.FileInfo) bool {
	return a != nil && b != nil && a.Mode().IsRegular() && os.SameFile(a, b)
}

// statStream returns which file a standard stream is, or nil.
func statStream(stream any) fs.FileInfo {
	f, ok := stream.(*os.File)
	if !ok {
		return nil
	}
	info, err := f.Stat()
	if err != nil {
		return nil
	}
	return info
}

// input is a file or standard input.
type input struct {
	src   io.Reader
	name  string
	stdin bool
	file  *os.File    // src, if it is a file, as standard input may be too; or nil
	info  fs.FileInfo // of file when it was opened; or nil
	size  int64       // -1 if it is not known
	perm  fs.FileMode
}

// Read reads on. The end of a file is an end only if the file is still what it was when it was opened: otherwise what was
// read may lack what was added, or be partly old and partly new, and nobody would ever know.
func (in *input) Read(p []byte) (int, error) {
	n, err := in.src.Read(p)
	if err == io.EOF && in.changed() {
		err = fmt.Errorf("%s changed while it was read", in.name)
	}
	return n, err
}

// changed reports whether a regular file has changed since it was opened.
func (in *input) changed() bool {
	if in.info == nil || !in.info.Mode().IsRegular() {
		return false
	}
	now, err := in.file.Stat()
	return err != nil || now.Size() != in.info.Size() || !now.ModTime().Equal(in.info.ModTime())
}

func openInput(path string, stdin io.Reader) (*input, error) {
	if path == "-" {
		// What comes from nobody knows where is for its owner's eyes.
		file, _ := stdin.(*os.File)
		info := statStream(stdin)
		return &input{src: stdin, name: "standard input", stdin: true, file: file, info: info, size: -1, perm: 0o600}, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && info.IsDir() {
		err = fmt.Errorf("%s is a directory; pack it into one file first, for instance with tar", path)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	in := &input{src: f, name: path, file: f, info: info, size: -1, perm: info.Mode().Perm()}
	if info.Mode().IsRegular() {
		in.size = info.Size()
	}
	return in, nil
}

// Close closes the file, but not standard input.
func (in *input) Close() error {
	if in.stdin {
		return nil
	}
	return in.file.Close()
}

func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
