package main

import (
	"crypto/rand"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"
)

// keySize is the size of the input key of Cobblestone-256 in bytes.
const keySize = 32

// maxKeyFile is more than any spelling of a key takes, so that a wrong file is not read whole.
const maxKeyFile = 256

func newKeygen() *cobra.Command {
	var path string
	cmd := &cobra.Command{
		Use:   "keygen",
		Short: "Make a key for seal and open",
		Long: "keygen makes a random 32-byte key and writes it as one line of 64 hexadecimal digits, to a new file that\n" +
			"only its owner can read, or to standard output. It never overwrites a file. Whoever has the key can open what\n" +
			"was sealed with it; without it nobody can, so keep a copy.",
		Example: "  lamina keygen -o my.key",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return generateKey(path, cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	cmd.Flags().StringVarP(&path, "output", "o", "-", "file to write the key to; - is standard output")
	return cmd
}

func generateKey(path string, stdout, stderr io.Writer) error {
	key := make([]byte, keySize)
	rand.Read(key) // never fails
	line := hex.EncodeToString(key) + "\n"
	if path == "-" {
		_, err := io.WriteString(stdout, line)
		return err
	}
	err := writeFile(path, 0o600, false, stderr, func(f io.Writer) error {
		_, err := io.WriteString(f, line)
		return err
	})
	var exists existsError
	if errors.As(err, &exists) {
		return fmt.Errorf("%s exists; keygen overwrites no file, because a lost key cannot be had back", path)
	}
	return err
}

// readKey reads a key of keySize bytes written as hexadecimal or base64 text. It also returns which file that was.
func readKey(path string) ([]byte, fs.FileInfo, error) {
	if path == "" {
		return nil, nil, errors.New("no key: give -k FILE (lamina keygen -o FILE makes one)")
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, fmt.Errorf("key: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, nil, fmt.Errorf("key: %w", err)
	}
	data, err := io.ReadAll(io.LimitReader(f, maxKeyFile+1))
	if err != nil {
		return nil, nil, fmt.Errorf("key: %w", err)
	}
	key, ok := parseKey(string(data))
	if len(data) > maxKeyFile || !ok {
		return nil, nil, fmt.Errorf("key: %s is not a key file: it must be one line with %d bytes in hexadecimal or base64",
			path, keySize)
	}
	return key, info, nil
}

func parseKey(text string) ([]byte, bool) {
	text = strings.TrimSpace(text)
	if strings.ContainsAny(text, "\r\n") {
		return nil, false // base64 skips them
	}
	decoders := []func(string) ([]byte, error){
		hex.DecodeString,
		base64.StdEncoding.Strict().DecodeString,
		base64.RawStdEncoding.Strict().DecodeString,
		base64.URLEncoding.Strict().DecodeString,
		base64.RawURLEncoding.Strict().DecodeString,
	}
	for _, decode := range decoders {
		if key, err := decode(text); err == nil && len(key) == keySize {
			return key, true
		}
	}
	return nil, false
}
