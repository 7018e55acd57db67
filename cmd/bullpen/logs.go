package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/signal"
	"strings"
	"syscall"

	"bullpen/adapters/shell"
	"bullpen/office"

	"github.com/spf13/cobra"
)

// followable lets the command that shows logs follow the office's events as well.
func followable(cmd *cobra.Command) {
	var on bool
	var f shell.Follow
	flags := cmd.Flags()
	flags.BoolVarP(&on, "follow", "f", false, "follow the office's events: messages, deliveries, turns, tools, holds, questions, usage")
	flags.StringSliceVar(&f.Sources, "source", nil, "with -f: only events from there: office, colleague, console or a platform; several with commas")
	flags.StringSliceVar(&f.Kinds, "kind", nil, "with -f: only events of these kinds, like message,delivery")
	flags.StringSliceVar(&f.Colleagues, "colleague", nil, "with -f: only events about these colleagues")
	_ = cmd.RegisterFlagCompletionFunc("kind", cobra.FixedCompletions(kindNames(), cobra.ShellCompDirectiveNoFileComp))
	cmd.Long += "\n\nWith -f it follows the office's events until you stop it, or the office closes. Each says when, from where, of what kind, about whom, and what in words; with --json each is a line of JSON. " +
		"Kinds: " + strings.Join(kindNames(), ", ") + "."
	show := cmd.RunE
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		switch {
		case on && len(args) > 0:
			return &exitError{exitConfig, fmt.Errorf("-f follows events and takes nothing like %q; see %s --help", args[0], cmd.CommandPath())}
		case on:
			return followEvents(cmd, f)
		case len(f.Sources)+len(f.Kinds)+len(f.Colleagues) > 0:
			return &exitError{exitConfig, errors.New("--source, --kind and --colleague choose among events; add -f to follow them")}
		}
		return show(cmd, args)
	}
}

func kindNames() []string {
	var names []string
	for _, k := range office.EventKinds {
		names = append(names, string(k))
	}
	return names
}

// followEvents prints events until the office closes or somebody stops it.
func followEvents(cmd *cobra.Command, f shell.Follow) error {
	dir, err := cmd.Flags().GetString("dir")
	if err != nil {
		return err
	}
	asJSON, err := cmd.Flags().GetBool("json")
	if err != nil {
		return err
	}
	at, err := officeDir(dir)
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(cmd.Context(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	out := cmd.OutOrStdout()
	a, err := shell.Watch(ctx, at, f, func(line json.RawMessage) error {
		if asJSON {
			_, err := fmt.Fprintf(out, "%s\n", line)
			return err
		}
		return printEvent(out, line)
	})
	if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		return nil // somebody has seen enough
	}
	if err := failed(at, a, err); err != nil {
		return err
	}
	_, err = fmt.Fprintln(cmd.ErrOrStderr(), "The office has closed.")
	return err
}

func printEvent(out io.Writer, line json.RawMessage) error {
	var e office.Event
	if err := json.Unmarshal(line, &e); err != nil {
		return fmt.Errorf("an event cannot be read: %w", err)
	}
	who := e.Colleague
	if who != "" {
		who += " "
	}
	_, err := fmt.Fprintf(out, "%s %-9s %-12s %s%s\n", e.At.Local().Format("15:04:05.000"), e.Source, e.Kind, who, e.Text)
	return err
}
