package main

import (
	"fmt"

	"github.com/spf13/cobra"
)

func validateCommand() *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use:   "validate",
		Short: "Check office.yaml without starting anything",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			dir, err := officeDir(dir)
			if err != nil {
				return err
			}
			cfg, err := load(dir, cmd.ErrOrStderr())
			if err != nil {
				return err
			}
			if _, err := newModels(cfg); err != nil {
				return &exitError{exitConfig, err}
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s is in order: office %q with %d colleagues and %d people.\n",
				dir, cfg.Setup.Name, len(cfg.Setup.Colleagues), len(cfg.Setup.People))
			return err
		},
	}
	dirFlag(cmd, &dir)
	return cmd
}
