package main

import (
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// TestHelpExamples holds that every command says what it does, with an example, and that help prints both.
func TestHelpExamples(t *testing.T) {
	var check func(cmd *cobra.Command)
	check = func(cmd *cobra.Command) {
		for _, sub := range cmd.Commands() {
			check(sub)
		}
		if !cmd.Runnable() {
			return
		}
		if cmd.Short == "" || cmd.Long == "" || !strings.Contains(cmd.Example, cmd.CommandPath()) {
			t.Errorf("%s: a description or an example of a call is missing", cmd.CommandPath())
		}
		got := lamina(t, "", append([]string{"help"}, strings.Fields(cmd.CommandPath())[1:]...)...)
		got.succeeds(t)
		if !strings.Contains(got.stdout, cmd.Example) {
			t.Errorf("help for %s does not show its example", cmd.CommandPath())
		}
	}
	check(newRoot())
}

func TestCompletion(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		got := lamina(t, "", "completion", shell)
		got.succeeds(t)
		if !strings.Contains(got.stdout, "lamina") {
			t.Errorf("completion %s: %.100q", shell, got.stdout)
		}
	}
	for line, want := range map[string]string{
		"speed --impl g":              "generic",
		"speed --impl generic,":       "generic,generic",
		"speed --part l":              "limit",
		"speed --mode xt":             "xts",
		"speed --key-size 1":          "192",
		"records --op s":              "seal",
		"records udp --impl g":        "generic",
		"pl":                          "plot",
		"plot --op seal,o":            "seal,open",
		"test --impl ":                "generic",
		"speed --part gcm --part lim": "limit",
	} {
		got := lamina(t, "", append([]string{"__complete"}, strings.Split(line, " ")...)...)
		got.succeeds(t)
		if !strings.Contains("\n"+got.stdout, "\n"+want) {
			t.Errorf("%s: no %q among\n%s", line, want, got.stdout)
		}
	}
}
