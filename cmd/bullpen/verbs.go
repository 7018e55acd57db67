package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"text/tabwriter"

	"bullpen/adapters/console"
	"bullpen/adapters/shell"
	"bullpen/bridge/command"

	"github.com/spf13/cobra"
)

// addVerbs adds the office's commands: those of the office itself as they are
// and below bullpen office, the others below their roots. What the program has
// under a name of its own stays as it is.
func addVerbs(root *cobra.Command) {
	for _, t := range command.NewSet().Trees(command.Shell) {
		under := child(root, string(t.Root))
		if under == nil {
			under = &cobra.Command{
				Use: string(t.Root), Short: t.Help, Args: onlyVerbs,
				RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
			}
			root.AddCommand(under)
		}
		for _, c := range t.Commands {
			if child(under, c.Name) == nil {
				under.AddCommand(verb(c))
			}
			if (t.Root == command.OfficeRoot || c.Direct) && child(root, c.Name) == nil && c.Name != "help" {
				root.AddCommand(verb(c))
			}
		}
	}
	for _, under := range []*cobra.Command{root, child(root, string(command.OfficeRoot))} {
		followable(child(under, "logs"))
	}
}

func child(cmd *cobra.Command, name string) *cobra.Command {
	i := slices.IndexFunc(cmd.Commands(), func(c *cobra.Command) bool { return c.Name() == name })
	if i < 0 {
		return nil
	}
	return cmd.Commands()[i]
}

// verb is a command of the running office on the command line.
func verb(c *command.Command) *cobra.Command {
	var dir string
	var asJSON, yes bool
	options := map[string]*string{}
	cmd := &cobra.Command{
		Use:   strings.TrimPrefix(c.Usage(""), string(c.Root)+" "),
		Short: strings.TrimSuffix(c.Help, "."),
		Long:  strings.TrimSpace(c.Help + " " + c.More),
		Args:  cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			words := append([]string{string(c.Root), c.Name}, args...)
			for _, a := range c.Args {
				if v := options[a.Name]; v != nil && cmd.Flags().Changed(flagName(a.Name)) {
					words = append(words, a.Name+"="+*v)
				}
			}
			return runVerb(cmd, dir, words, yes, asJSON)
		},
		ValidArgsFunction: func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
			return completeArg(cmd, dir, c, len(args), typed), cobra.ShellCompDirectiveNoFileComp
		},
	}
	dirFlag(cmd, &dir)
	cmd.Flags().BoolVar(&asJSON, "json", false, "answer in JSON, for programs")
	if c.Dangerous() {
		cmd.Flags().BoolVar(&yes, "yes", false, "do it without asking")
	}
	for _, a := range c.Args {
		if a.Option {
			options[a.Name] = cmd.Flags().String(flagName(a.Name), "", a.Help)
			_ = cmd.RegisterFlagCompletionFunc(flagName(a.Name), func(cmd *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
				return ask(cmd, dir, c, a.Name, typed), cobra.ShellCompDirectiveNoFileComp
			})
		}
	}
	return cmd
}

func flagName(arg string) string { return strings.ReplaceAll(arg, "_", "-") }

// completeArg lists what the nth word may be.
func completeArg(cmd *cobra.Command, dir string, c *command.Command, n int, typed string) []string {
	for _, a := range c.Args {
		if a.Option {
			continue
		}
		if n == 0 {
			return ask(cmd, dir, c, a.Name, typed)
		}
		n--
	}
	return nil
}

// ask asks the running office what an argument may be; nothing if it does not run.
func ask(cmd *cobra.Command, dir string, c *command.Command, arg, typed string) []string {
	at, err := officeDir(dir)
	if err != nil {
		return nil
	}
	q := shell.Complete{Root: c.Root, Name: c.Name, Arg: arg, Prefix: typed}
	a, err := shell.Ask(context.WithoutCancel(cmd.Context()), at, shell.Request{Complete: &q})
	if err != nil {
		return nil
	}
	return a.Choices
}

// runVerb asks the running office and shows its answer.
func runVerb(cmd *cobra.Command, dir string, words []string, yes, asJSON bool) error {
	at, err := officeDir(dir)
	if err != nil {
		return err
	}
	a, err := shell.Ask(cmd.Context(), at, shell.Request{Words: words, Yes: yes})
	if err == nil && a.Confirm {
		if !confirmed(cmd, a.Text) {
			return &exitError{exitConfig, errors.New("nothing was done; add --yes to do it")}
		}
		a, err = shell.Ask(cmd.Context(), at, shell.Request{Words: words, Yes: true})
	}
	if err := failed(at, a, err); err != nil {
		return err
	}
	return show(cmd, a, asJSON)
}

// failed is why the running office in a folder has not done what it was asked; nil
// if it has.
func failed(at string, a shell.Answer, err error) error {
	switch {
	case errors.Is(err, shell.ErrNotRunning):
		return &exitError{exitNotRunning, fmt.Errorf("the office in %s is not running; start it with: bullpen up --dir %s", at, at)}
	case err != nil:
		return err
	case a.Error != "":
		return &exitError{exits[a.Kind], errors.New(a.Error)}
	default:
		return nil
	}
}

// exits are the statuses for why something was not done.
var exits = map[shell.Kind]int{shell.Failed: exitFailed, shell.Usage: exitConfig, shell.Refused: exitRefused}

// confirmed asks whoever sits at a terminal; nobody else can say yes afterwards.
func confirmed(cmd *cobra.Command, what string) bool {
	fmt.Fprintln(cmd.ErrOrStderr(), what)
	if !console.IsTerminal(os.Stdin, os.Stdout) {
		return false
	}
	fmt.Fprint(cmd.ErrOrStderr(), "Do it? [y/N] ")
	var said string
	_, _ = fmt.Fscanln(os.Stdin, &said)
	return strings.EqualFold(said, "y") || strings.EqualFold(said, "yes")
}

// show prints an answer: as a table where it is one.
func show(cmd *cobra.Command, a shell.Answer, asJSON bool) error {
	out := cmd.OutOrStdout()
	if asJSON {
		if len(a.Data) == 0 {
			var err error
			if a.Data, err = json.Marshal(map[string]string{"text": a.Text}); err != nil {
				return err
			}
		}
		_, err := fmt.Fprintln(out, string(a.Data))
		return err
	}
	if a.Table == nil {
		_, err := fmt.Fprintln(out, a.Text)
		return err
	}
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, strings.ToUpper(strings.Join(a.Table.Head, "\t")))
	for _, row := range a.Table.Rows {
		for i, cell := range row {
			row[i] = strings.Join(strings.Fields(cell), " ")
		}
		fmt.Fprintln(w, strings.TrimRight(strings.Join(row, "\t"), "\t "))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, line := range a.Table.Foot {
		if _, err := fmt.Fprintln(out, line); err != nil {
			return err
		}
	}
	return nil
}
