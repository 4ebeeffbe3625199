// Command lamina seals and opens files, and shows what the library does on this machine: which implementations it
// has, whether they are right, and how fast they are.
//
//	lamina keygen -o my.key
//	lamina seal -k my.key report.pdf
//	lamina open -k my.key report.pdf.lamina
//
// Run it without arguments for the list of commands.
package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run executes one command line and returns the exit status.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	root := newRoot()
	root.SetArgs(doubleDashes(root, args))
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	cmd, err := root.ExecuteC()
	if err == nil {
		return 0
	}
	fmt.Fprintf(stderr, "%s: %v\n", cmd.CommandPath(), err)
	return 1
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "lamina",
		Short: "AES-GCM with this machine's widest instructions",
		Long: "lamina seals and opens files with the library of the same name, and shows which implementations\n" +
			"of AES-GCM this machine has, whether they are right and how fast they are. Long flags may have one dash or two.",
		SilenceErrors:     true,
		SilenceUsage:      true,
		CompletionOptions: cobra.CompletionOptions{HiddenDefaultCmd: true},
	}
	root.AddCommand(newList(), newTest(), newSpeed(), newKeygen(), newSeal(), newOpen())
	return root
}

// doubleDashes lets long flags be written with one dash, as the go command and its kin have them: -json for --json.
// Left alone, -json would be read as -j with the value son.
func doubleDashes(root *cobra.Command, args []string) []string {
	cmd, _, err := root.Find(args)
	if err != nil {
		return args
	}
	out := slices.Clone(args)
	for i, arg := range out {
		if arg == "--" {
			break
		}
		name, _, _ := strings.Cut(strings.TrimPrefix(arg, "-"), "=")
		if strings.HasPrefix(arg, "-") && len(name) > 1 && cmd.Flags().Lookup(name) != nil {
			out[i] = "-" + arg
		}
	}
	return out
}
