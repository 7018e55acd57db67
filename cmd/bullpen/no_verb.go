package main

import (
	"fmt"
	"strings"

	"bullpen/office/wake"

	"github.com/spf13/cobra"
)

// noVerb says that a word is no command below cmd, and which one was meant perhaps:
// one of its own, or one of a root's that has this name.
func noVerb(cmd *cobra.Command, word string) error {
	of := ""
	if cmd.HasParent() {
		of = " of " + cmd.Name()
	}
	said := fmt.Sprintf("there is no command %q%s", word, of)
	paths := map[string]string{}
	var names []string
	note := func(c *cobra.Command) {
		if c.IsAvailableCommand() && paths[c.Name()] == "" {
			paths[c.Name()] = c.CommandPath()
			names = append(names, c.Name())
		}
	}
	for _, c := range cmd.Commands() {
		note(c)
	}
	for _, root := range cmd.Root().Commands() {
		for _, c := range root.Commands() {
			if c.Name() == word {
				note(c)
			}
		}
	}
	said += ";"
	if near := wake.Nearest(word, names); near != "" {
		said += " did you mean " + paths[near] + "?"
	}
	return &exitError{exitConfig, fmt.Errorf("%s %s --help lists them", said, cmd.CommandPath())}
}

// onlyVerbs are the arguments of what has commands below it and does nothing itself.
func onlyVerbs(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return noVerb(cmd, args[0])
	}
	return nil
}

// wrongFlag says what is wrong with a flag; a command that there is not is told
// first, since its flags cannot be known.
func wrongFlag(cmd *cobra.Command, given []string, err error) error {
	if cmd.HasSubCommands() {
		if _, rest, findErr := cmd.Root().Find(given); findErr == nil && len(rest) > 0 && !strings.HasPrefix(rest[0], "-") {
			return noVerb(cmd, rest[0])
		}
	}
	return &exitError{exitConfig, fmt.Errorf("%w; see %s --help", err, cmd.CommandPath())}
}
