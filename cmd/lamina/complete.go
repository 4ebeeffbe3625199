package main

import (
	"strings"

	"github.com/spf13/cobra"

	"lamina/arch"
)

// completions are the values that a shell offers for flags, by their names. Flags of the same name mean the same in all
// commands.
var completions = map[string]func() []string{
	"impl": func() []string {
		var names []string
		for _, im := range arch.Impls() {
			names = append(names, im.String())
		}
		return names
	},
	"key-size": func() []string { return []string{"128", "192", "256"} },
	"op":       func() []string { return speedOps },
	"mode":     modeNames,
	"part":     func() []string { return speedParts },
}

// addCompletions has the shell complete the flags of cmd, and of all commands under it.
func addCompletions(cmd *cobra.Command) {
	for flag, values := range completions {
		if cmd.Flags().Lookup(flag) != nil {
			must(cmd.RegisterFlagCompletionFunc(flag, completeList(values)))
		}
	}
	for _, sub := range cmd.Commands() {
		addCompletions(sub)
	}
}

// completeList completes the last value of a list whose values have commas between them.
func completeList(values func() []string) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
		before := typed[:strings.LastIndexByte(typed, ',')+1]
		var list []cobra.Completion
		for _, v := range values() {
			list = append(list, before+v)
		}
		return list, cobra.ShellCompDirectiveNoFileComp
	}
}
