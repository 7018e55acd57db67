package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"

	"bullpen/config"

	"github.com/spf13/cobra"
)

// dirFlag adds --dir and --office, which name the office's folder, to a command.
func dirFlag(cmd *cobra.Command, dir *string) {
	cmd.Flags().StringVar(dir, "dir", "", "the office's folder (default the office main)")
	cmd.Flags().Func("office", "the office's id: a folder of ~/.bullpen/offices, or of $BULLPEN_HOME/offices", func(id string) error {
		found, err := officeNamed(id)
		*dir = found
		return err
	})
}

// officeDir is the folder of --dir, or the default one.
func officeDir(dir string) (string, error) {
	if dir != "" {
		return filepath.Abs(dir)
	}
	all, err := officesDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(all, "main"), nil
}

// homeVariable names the folder that holds all that bullpen keeps for its user.
const homeVariable = "BULLPEN_HOME"

// home is that folder: ~/.bullpen unless the environment says otherwise.
func home() (string, error) {
	if dir := os.Getenv(homeVariable); dir != "" {
		return filepath.Abs(dir)
	}
	dir, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("your home folder cannot be found, so name the folder for offices in %s, or one office's with --dir: %w", homeVariable, err)
	}
	return filepath.Join(dir, ".bullpen"), nil
}

// officesDir is the folder of which each folder is an office.
func officesDir() (string, error) {
	dir, err := home()
	return filepath.Join(dir, "offices"), err
}

// idRule is what an office's id looks like. It is the name of its folder and part
// of its keys.
var idRule = regexp.MustCompile(`^[a-z0-9][a-z0-9_-]{0,99}$`)

// checkID refuses what cannot be an office's id.
func checkID(id string) error {
	if !idRule.MatchString(id) {
		return &exitError{exitConfig, fmt.Errorf("%q cannot be an office's id: write a letter or digit, then letters, digits, _ and -, all small, 100 at most", id)}
	}
	return nil
}

// officeNamed is the folder of an office that there is.
func officeNamed(id string) (string, error) {
	if err := checkID(id); err != nil {
		return "", err
	}
	all, err := officesDir()
	if err != nil {
		return "", err
	}
	dir := filepath.Join(all, id)
	if !isOffice(dir) {
		return "", &exitError{exitConfig, fmt.Errorf("there is no office %s in %s; bullpen office list shows which there are, and bullpen office create %s makes it", id, all, id)}
	}
	return dir, nil
}

func isOffice(dir string) bool {
	_, err := os.Lstat(filepath.Join(dir, config.FileName))
	return err == nil
}

// officeIDs are the ids of all offices there are, sorted.
func officeIDs() ([]string, error) {
	all, err := officesDir()
	if err != nil {
		return nil, err
	}
	folders, err := os.ReadDir(all)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("the folder of all offices cannot be read: %w", err)
	}
	var ids []string
	for _, f := range folders {
		if idRule.MatchString(f.Name()) && isOffice(filepath.Join(all, f.Name())) {
			ids = append(ids, f.Name())
		}
	}
	slices.Sort(ids)
	return ids, nil
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
