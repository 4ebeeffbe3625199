package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"lamina/arch"
)

// listEntry is one implementation in the output of list -json.
type listEntry struct {
	Name      string `json:"name"`
	Needs     string `json:"needs"`
	Priority  int    `json:"priority"`
	Available bool   `json:"available"`
	Chosen    bool   `json:"chosen"`
}

func newList() *cobra.Command {
	var asJSON, api bool
	cmd := &cobra.Command{
		Use:   "list [--api [PREFIX]]",
		Short: "List the implementations and which one this CPU uses",
		Long: "list shows every implementation this program was built with, best first: what it needs of the CPU,\n" +
			"whether this CPU has it under this operating system, and which one is chosen.\n\n" +
			"With --api it shows the drivers of the request layer instead, in the form of Linux's /proc/crypto, after it has run\n" +
			"their self-tests: all, or those whose name or whose algorithm's name begins with PREFIX.",
		Example: "  lamina list\n  lamina list --json\n  lamina list --api rfc4106",
		Args: func(cmd *cobra.Command, args []string) error {
			if api {
				return cobra.MaximumNArgs(1)(cmd, args)
			}
			return cobra.NoArgs(cmd, args)
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case api:
				return listDrivers(cmd.OutOrStdout(), strings.Join(args, ""), asJSON)
			case asJSON:
				return writeJSON(cmd.OutOrStdout(), implementations())
			}
			return printList(cmd.OutOrStdout(), implementations())
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "write JSON")
	cmd.Flags().BoolVar(&api, "api", false, "list the drivers of the request layer")
	return cmd
}

func implementations() []listEntry {
	best := arch.Best().String()
	var entries []listEntry
	for _, info := range arch.All() {
		entries = append(entries, listEntry{
			Name:      info.Name,
			Needs:     info.Needs,
			Priority:  info.Priority,
			Available: info.Available,
			Chosen:    info.Name == best,
		})
	}
	return entries
}

func printList(w io.Writer, entries []listEntry) error {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "implementation\tpriority\tthis CPU\tneeds")
	for _, e := range entries {
		state := "no"
		switch {
		case e.Chosen:
			state = "yes, chosen"
		case e.Available:
			state = "yes"
		}
		needs := e.Needs
		if needs == "" {
			needs = "nothing"
		}
		fmt.Fprintf(tw, "%s\t%d\t%s\t%s\n", e.Name, e.Priority, state, needs)
	}
	return tw.Flush()
}

func writeJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}
