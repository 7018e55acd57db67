package main

import (
	"context"
	"errors"
	"io"

	"bullpen/bridge"
	"bullpen/config"
	"bullpen/office"
	"bullpen/office/model/openai"
)

// openAIKey is asked for if a colleague's model is OpenAI's.
var openAIKey = map[string]string{"OPENAI_API_KEY": "The key of OpenAI (platform.openai.com, API keys)"}

// modelOfAll gives the colleagues their model; a new office is asked for it.
func (g *guide) modelOfAll(ctx context.Context, fresh bool) (err error) {
	model := g.model
	for {
		if model == "" && fresh && !g.yes {
			if model, err = g.ask.Ask("The colleagues' model, as provider:model-id (demo needs no key and is no language model)", "demo"); err != nil {
				return ended(err)
			}
		}
		if model == "" {
			return nil
		}
		var refused *config.Refused
		err := g.setModel(ctx, model)
		if !errors.As(err, &refused) || g.yes || !fresh || g.model != "" {
			return err
		}
		g.say("%v", err)
		model = ""
	}
}

// setModel writes a model to all colleagues, and tries the key that it needs.
func (g *guide) setModel(ctx context.Context, model string) error {
	provider, id := config.SplitModel(model)
	if provider == "openai" {
		if err := g.secrets(openAIKey, nil); err != nil {
			return err
		}
	}
	setup, err := g.file().Read(ctx)
	if err != nil {
		return err
	}
	var edits []office.Edit
	for _, c := range setup.Colleagues {
		edits = append(edits, office.SetColleague{Name: c.Name, Fields: map[string]any{"model": model}})
	}
	if _, err := g.file().Edit(ctx, edits...); err != nil || provider != "openai" {
		return err
	}
	return g.tryKey(ctx, id)
}

// tryKey tries the key of OpenAI until it is taken, or left for later. A key
// that cannot be tried is kept.
func (g *guide) tryKey(ctx context.Context, id string) error {
	for {
		cfg, err := load(g.dir, io.Discard)
		if err != nil {
			return err
		}
		f := examineKey(ctx, cfg.Providers["openai"], id)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		g.say("%s", findingLine(f))
		if f.Grade != bridge.Problem {
			return nil
		}
		if g.yes {
			return &exitError{exitConfig, errors.New("the colleagues have their model, and its key is not taken; bullpen doctor tells the same again")}
		}
		answer, err := g.ask.Ask("Another key (k), or later (l)", "k")
		if err != nil {
			return ended(err)
		}
		if answer == "l" {
			return nil
		}
		if err := g.secrets(openAIKey, sortedKeys(openAIKey)); err != nil {
			return err
		}
	}
}

// examineKey asks OpenAI for its models. Only a key that is refused is a problem.
func examineKey(ctx context.Context, p config.Provider, id string) bridge.Finding {
	ctx, cancel := context.WithTimeout(ctx, lookTime)
	defer cancel()
	f := bridge.Finding{Part: "provider openai", Sentence: "it takes the key, and has " + id}
	lacks, err := openai.Lacks(ctx, openai.Config{BaseURL: p.BaseURL, APIKey: p.APIKey.Reveal()}, []string{id})
	switch {
	case errors.Is(err, openai.ErrNoList):
		f.Sentence = "it answers; it does not list its models"
	case errors.Is(err, openai.ErrKey):
		f.Grade, f.Sentence, f.Mend = bridge.Problem, err.Error(), "copy it once more, or make a new one at platform.openai.com, API keys"
	case err != nil:
		f.Grade, f.Sentence, f.Mend = bridge.Warning, "the key could not be tried, and is kept: "+err.Error(), "bullpen doctor tries it again"
	case len(lacks) > 0:
		f.Grade, f.Sentence, f.Mend = bridge.Warning, "it takes the key, and does not list "+id, "look at the spelling"
	}
	return f
}
