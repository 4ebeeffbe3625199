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
	"github.com/spf13/pflag"
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run executes one command line and returns the exit status.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	root := newRoot()
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	root.SetArgs(doubleDashes(root, args))
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
			"of AES and its modes this machine has, whether they are right and how fast they are. Long flags may have one\n" +
			"dash or two.",
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.AddCommand(newList(), newTest(), newSpeed(), newRecords(), newPlot(), newKeygen(), newSeal(), newOpen())
	addCompletions(root)
	return root
}

// doubleDashes lets long flags be written with one dash, as the go command and its kin have them: -json for --json.
// Left alone, -json would be read as -j with the value son. What is the value of a flag stays as it is.
func doubleDashes(root *cobra.Command, args []string) []string {
	// Cobra adds these only when it executes a command, which is too late to find them. The second remembers root's
	// output.
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd(args...)
	cmd, _, err := root.Find(args)
	if err != nil {
		return args
	}
	cmd.InitDefaultHelpFlag()
	flags := cmd.Flags()
	out := slices.Clone(args)
	for i := 0; i < len(out) && out[i] != "--"; i++ {
		if isLongFlag(flags, out[i]) {
			out[i] = "-" + out[i]
		}
		if takesNext(flags, out[i]) {
			i++
		}
	}
	return out
}

// isLongFlag reports whether arg is a long flag with one dash.
func isLongFlag(flags *pflag.FlagSet, arg string) bool {
	name, ok := strings.CutPrefix(arg, "-")
	name, _, _ = strings.Cut(name, "=")
	return ok && len(name) > 1 && flags.Lookup(name) != nil
}

// takesNext reports whether the argument after arg is the value of a flag in arg: a long one with two dashes, or the
// last of a group of letters.
func takesNext(flags *pflag.FlagSet, arg string) bool {
	if name, ok := strings.CutPrefix(arg, "--"); ok {
		flag := flags.Lookup(name) // there is none with = in its name
		return flag != nil && flag.NoOptDefVal == ""
	}
	letters, ok := strings.CutPrefix(arg, "-")
	for i := 0; ok && i < len(letters); i++ {
		flag := flags.ShorthandLookup(letters[i : i+1])
		if flag == nil {
			return false
		}
		if flag.NoOptDefVal == "" {
			return i == len(letters)-1 // if it is not the last, the rest is its value
		}
	}
	return false
}
