package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"bullpen/config"

	"github.com/spf13/cobra"
)

// dirFlag adds --dir, the office's folder, to a command.
func dirFlag(cmd *cobra.Command, dir *string) {
	cmd.Flags().StringVar(dir, "dir", "", "the office's folder (default ~/.bullpen/offices/main)")
}

// officeDir is the folder of --dir, or the default one.
func officeDir(dir string) (string, error) {
	if dir != "" {
		return filepath.Abs(dir)
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("your home folder cannot be found, so name the office's folder with --dir: %w", err)
	}
	return filepath.Join(home, ".bullpen", "offices", "main"), nil
}

// load reads the configuration and tells what is worth knowing about it.
func load(dir string, notices io.Writer) (*config.Config, error) {
	cfg, err := config.Load(dir, os.LookupEnv)
	var problems *config.Problems
	if errors.As(err, &problems) {
		for _, p := range *problems {
			if p.Notice {
				fmt.Fprintln(notices, "notice:", p)
			}
		}
		return nil, &exitError{exitConfig, fmt.Errorf("the office in %s cannot be opened as it is configured:\n%w", dir, err)}
	}
	if err != nil {
		return nil, &exitError{exitConfig, err}
	}
	for _, p := range cfg.Notices {
		fmt.Fprintln(notices, "notice:", p)
	}
	return cfg, nil
}
