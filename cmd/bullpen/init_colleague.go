package main

import (
	"context"
	"fmt"
	"strings"

	"bullpen/config"
	"bullpen/office"
	"bullpen/office/wake"
)

// checkColleague looks at the name of the first colleague that was told
// beforehand, before anything is made.
func (g *guide) checkColleague() error {
	g.colleague = strings.TrimPrefix(g.colleague, "@")
	if g.colleague == "" {
		return nil
	}
	if err := wake.CheckName(g.colleague); err != nil {
		return fmt.Errorf("--colleague: %w", err)
	}
	return nil
}

// firstColleague gives the colleague at the front desk of a new office the name
// and the description that somebody wants. Everybody else stays as they are.
func (g *guide) firstColleague(ctx context.Context, cfg *config.Config, fresh bool) error {
	if !fresh {
		if g.colleague != "" || g.description != "" {
			g.say("--colleague and --description are for a new office; nobody here is changed.")
		}
		return nil
	}
	was, does := cfg.Setup.FrontDesk, ""
	for _, c := range cfg.Setup.Colleagues {
		if c.Name == was {
			does = c.Description
		}
	}
	for {
		name, description, err := g.askColleague(was, does)
		if err != nil {
			return err
		}
		_, err = g.file().Edit(ctx, office.RenameColleague{From: was, To: name},
			office.SetColleague{Name: name, Fields: map[string]any{"description": description}})
		switch {
		case err == nil:
			return nil
		case ctx.Err() != nil:
			return err
		case g.yes || g.colleague != "" && g.description != "":
			return &exitError{exitConfig, fmt.Errorf("the first colleague stays @%s: %w", was, err)}
		}
		g.say("%v", err)
		g.colleague, g.description = "", "" // to be asked for
	}
}

// askColleague asks for what was not told beforehand.
func (g *guide) askColleague(name, description string) (string, string, error) {
	for _, q := range []struct {
		told     string
		question string
		answer   *string
	}{
		{g.colleague, "What is your first colleague called", &name},
		{g.description, "What is that colleague there for", &description},
	} {
		switch {
		case q.told != "":
			*q.answer = q.told
		case !g.yes:
			said, err := g.ask.Ask(q.question, *q.answer)
			if err != nil {
				return "", "", ended(err)
			}
			*q.answer = said
		}
	}
	return wake.Canonical(strings.TrimPrefix(name, "@")), description, nil
}
