package main

import (
	"context"
	"fmt"
	"sync"

	"bullpen/config"
	"bullpen/office"
	"bullpen/office/agent"
	"bullpen/office/agent/prompt"
	"bullpen/office/model"
	"bullpen/office/model/demo"
	"bullpen/office/model/openai"
)

// newModels makes the models that an office's colleagues name. config has
// checked that each reference names demo or a provider.
func newModels(cfg *config.Config) (agent.Models, error) {
	made := map[string]model.Model{"demo": demo.Model{}}
	for _, c := range cfg.Setup.Colleagues {
		for _, ref := range append([]string{c.Model}, c.Fallback...) {
			if made[ref] != nil {
				continue
			}
			m, err := newModel(cfg, ref)
			if err != nil {
				return nil, fmt.Errorf("%s's model %s: %w", c.Name, ref, err)
			}
			made[ref] = m
		}
	}
	var mu sync.Mutex
	return func(ref string) (model.Model, error) {
		mu.Lock()
		defer mu.Unlock()
		if made[ref] == nil { // of somebody who was hired, or configured, since
			m, err := newModel(cfg, ref)
			if err != nil {
				return nil, fmt.Errorf("there is no model %s: %w; write one of a provider in office.yaml, or demo", ref, err)
			}
			made[ref] = m
		}
		return made[ref], nil
	}, nil
}

func newModel(cfg *config.Config, ref string) (model.Model, error) {
	name, id := config.SplitModel(ref)
	if name == "demo" {
		return demo.Model{}, nil
	}
	p, ok := cfg.Providers[name]
	if !ok {
		return nil, fmt.Errorf("office.yaml has no provider %s", name)
	}
	return openai.New(openai.Config{BaseURL: p.BaseURL, APIKey: p.APIKey.Reveal(), Model: id})
}

// windows tells how many tokens a reference's model takes in, as far as office.yaml
// says it.
func windows(cfg *config.Config) func(ref string) int {
	return func(ref string) int {
		name, _ := config.SplitModel(ref)
		return cfg.Providers[name].Window
	}
}

// prompts composes a colleague's prompt from the office as it is.
func prompts(ctx context.Context, o *office.Office, c *office.Colleague) (prompt.Prompt, error) {
	v, err := o.View(ctx)
	if err != nil {
		return prompt.Prompt{}, err
	}
	in := prompt.Input{
		Office: v.Name, About: v.Description, Name: c.Name, Role: string(c.Role), Leads: c.Role == office.Leader, Notes: office.LeadingNotes,
		Description: c.Description, ReportsTo: c.ReportsTo, Custom: c.Prompt,
	}
	for _, other := range v.Colleagues {
		if other.ReportsTo == c.Name {
			in.Reports = append(in.Reports, other.Name)
		}
	}
	return prompt.Compose(in), nil
}
