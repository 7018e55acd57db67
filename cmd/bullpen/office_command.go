package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"bullpen/config"

	"github.com/spf13/cobra"
)

func officeCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "office",
		Short: "Make, list, rename and delete offices",
		Long: "Make, list, rename and delete the offices in ~/.bullpen/offices, or in $BULLPEN_HOME/offices. " +
			"An office is a folder there; the folder's name is the office's id.",
		Args: onlyVerbs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(officeCreateCommand(), officeListCommand(), officeRenameCommand(), officeDeleteCommand())
	return cmd
}

func officeCreateCommand() *cobra.Command {
	var name string
	cmd := &cobra.Command{
		Use:   "create ID",
		Short: "Make an office with a first office.yaml",
		Args:  exactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			dir, err := createOffice(cmd.Context(), args[0], name)
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "The office %s is in %s. Open it with: bullpen up --office %s\n", args[0], dir, args[0])
			return err
		},
	}
	cmd.Flags().StringVar(&name, "name", "", "what people call it (default its id)")
	return cmd
}

// createOffice makes the folder of an office that there is not yet.
func createOffice(ctx context.Context, id, name string) (dir string, err error) {
	if err := checkID(id); err != nil {
		return "", err
	}
	all, err := officesDir()
	if err != nil {
		return "", err
	}
	dir = filepath.Join(all, id)
	if isOffice(dir) {
		return "", &exitError{exitConfig, fmt.Errorf("there is an office %s already, in %s", id, dir)}
	}
	if name == "" {
		name = id
	}
	if err := config.Scaffold(dir); err != nil {
		return "", err
	}
	if err := setName(ctx, dir, name); err != nil {
		// What was made for a name that cannot be is nobody's yet.
		_ = os.Remove(filepath.Join(dir, config.FileName))
		_ = os.Remove(dir)
		return "", err
	}
	return dir, nil
}

func officeRenameCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "rename ID NAME",
		Short: "Change what people call an office; its id stays",
		Args:  exactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			dir, err := officeNamed(args[0])
			if err != nil {
				return err
			}
			cfg, err := load(dir, cmd.ErrOrStderr())
			if err != nil {
				return err
			}
			if err := setName(cmd.Context(), dir, args[1]); err != nil {
				return err
			}
			said := fmt.Sprintf("The office %s is called %q now.", args[0], args[1])
			if _, held, err := holder(cmd.Context(), cfg); err == nil && held {
				said += " It is running, and takes the name on when it is opened the next time."
			}
			_, err = fmt.Fprintln(cmd.OutOrStdout(), said)
			return err
		},
	}
}

// exactArgs is cobra's, with the exit status of a mistake on the command line.
func exactArgs(n int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if err := cobra.ExactArgs(n)(cmd, args); err != nil {
			return &exitError{exitConfig, fmt.Errorf("%w; see %s --help", err, cmd.CommandPath())}
		}
		return nil
	}
}
