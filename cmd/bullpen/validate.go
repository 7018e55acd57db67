package main

import (
	"fmt"
	"io"

	"bullpen/config"

	"github.com/spf13/cobra"
)

// validate checks the office in dir as it is configured and says that it is in
// order, or in the error all that is not.
func validate(dir string, notices io.Writer) (string, error) {
	cfg, err := load(dir, notices)
	if err != nil {
		return "", err
	}
	if _, err := newModels(func() *config.Config { return cfg }); err != nil {
		return "", &exitError{exitConfig, err}
	}
	return fmt.Sprintf("%s is in order: office %q with %d colleagues and %d people.",
		dir, cfg.Setup.Name, len(cfg.Setup.Colleagues), len(cfg.Setup.People)), nil
}

func validateCommand() *cobra.Command {
	var dir string
	var schema bool
	cmd := &cobra.Command{
		Use:   "validate",
		Short: "Check office.yaml without starting anything",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if schema {
				text, err := config.JSONSchema()
				if err == nil {
					_, err = cmd.OutOrStdout().Write(text)
				}
				return err
			}
			dir, err := officeDir(dir)
			if err != nil {
				return err
			}
			text, err := validate(dir, cmd.ErrOrStderr())
			if err != nil {
				return err
			}
			_, err = fmt.Fprintln(cmd.OutOrStdout(), text)
			return err
		},
	}
	dirFlag(cmd, &dir)
	cmd.Flags().BoolVar(&schema, "schema", false, "print the JSON Schema of office.yaml instead, for editors")
	return cmd
}
