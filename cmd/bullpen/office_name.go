package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"bullpen/config"
)

// nameLine is office.name where it stands on a line of its own, with what follows
// it on that line.
var nameLine = regexp.MustCompile(`(?m)^(office:[^\n]*\n(?:[ \t]+[^\n]*\n|[ \t]*#[^\n]*\n|\n)*?[ \t]+name:)[ \t]+(?:"(?:[^"\\\n]|\\.)*"|'(?:[^'\n]|'')*'|[^\s#"'>|&*!%@{\[]\S*(?:[ \t]+[^\s#]\S*)*)([ \t]*(?:[ \t]#[^\n]*)?)$`)

// setName writes an office's name into its office.yaml. Only that line changes;
// the file is replaced when it says what is meant, and not before.
func setName(dir, name string) error {
	name = strings.TrimSpace(name)
	if name == "" || strings.ContainsAny(name, "\n\r") {
		return &exitError{exitConfig, errors.New("an office's name is one line of text: give it one")}
	}
	path := filepath.Join(dir, config.FileName)
	text, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("read the configuration: %w", err)
	}
	byHand := fmt.Errorf("the name could not be found in %s: write it there yourself, as office: {name: %s}", path, strconv.Quote(name))
	at := nameLine.FindSubmatchIndex(text)
	if at == nil {
		return byHand
	}
	changed := string(text[:at[3]]) + " " + strconv.Quote(name) + string(text[at[4]:])
	// The whole is tried in a folder of the same name, beside the office's.
	trial, err := os.MkdirTemp(filepath.Dir(dir), ".rename-")
	if err != nil {
		return fmt.Errorf("the new configuration cannot be tried: %w", err)
	}
	defer func() { _ = os.RemoveAll(trial) }()
	fresh := filepath.Join(trial, config.FileName)
	if err := os.WriteFile(fresh, []byte(changed), 0o600); err != nil {
		return fmt.Errorf("the new configuration cannot be tried: %w", err)
	}
	if cfg, err := config.Load(trial, anything); err != nil || cfg.Setup.Name != name {
		return errors.Join(byHand, err)
	}
	return os.Rename(fresh, path)
}

// anything is an environment in which everything is set: what a name is does not
// depend on secrets.
func anything(string) (string, bool) { return "set", true }
