package main

import (
	"context"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"sync"

	"bullpen/config"
	"bullpen/office"
	"bullpen/office/agent"
	"bullpen/office/agent/prompt"
	"bullpen/office/model"
	"bullpen/office/model/demo"
	"bullpen/office/model/openai"
)

// newModels makes the models that an office's colleagues name, as the newest
// configuration has it. Those named now are made at once, so that a mistake shows
// at the start; others when somebody who was hired or configured since needs them,
// and again where their provider has changed.
func newModels(newest func() *config.Config) (agent.Models, error) {
	type thing struct {
		model.Model
		of config.Provider
	}
	var mu sync.Mutex
	made := map[string]thing{}
	find := func(ref string) (model.Model, error) {
		mu.Lock()
		defer mu.Unlock()
		cfg := newest()
		name, _ := config.SplitModel(ref)
		if old, ok := made[ref]; ok && reflect.DeepEqual(old.of, cfg.Providers[name]) {
			return old.Model, nil
		}
		m, err := newModel(cfg, ref)
		if err != nil {
			return nil, fmt.Errorf("there is no model %s: %w; write one of a provider in office.yaml, or demo", ref, err)
		}
		made[ref] = thing{m, cfg.Providers[name]}
		return m, nil
	}
	all := newest().Setup.Colleagues
	if b := newest().Setup.Boss; b != nil {
		all = append(slices.Clone(all), office.ColleagueSetup{Name: "the boss", Model: b.Model, Fallback: b.Fallback})
	}
	for _, c := range all {
		for _, ref := range append([]string{c.Model}, c.Fallback...) {
			if _, err := find(ref); err != nil {
				return nil, fmt.Errorf("%s: %w", c.Name, err)
			}
		}
	}
	return find, nil
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
func windows(newest func() *config.Config) func(ref string) int {
	return func(ref string) int {
		name, _ := config.SplitModel(ref)
		return newest().Providers[name].Window
	}
}

// prompts composes a colleague's prompt from the office as it is.
func prompts(ctx context.Context, o *office.Office, c *office.Colleague) (prompt.Prompt, error) {
	team, err := o.TeamOf(ctx, c)
	if err != nil {
		return prompt.Prompt{}, err
	}
	in := prompt.Input{
		Office: team.Name, About: team.Description, Name: c.Name, Role: string(c.Role), Leads: c.Role == office.Leader, Notes: office.LeadingNotes,
		Description: c.Description, ReportsTo: c.ReportsTo, Custom: c.Prompt, Reports: team.Reports,
	}
	env := maps.Clone(team.Env)
	if env == nil {
		env = map[string]string{}
	}
	maps.Copy(env, c.Env)
	in.Env = slices.Sorted(maps.Keys(env))
	if c.Role == office.Boss {
		in.BossFor = team.BossFor
	}
	return prompt.Compose(in), nil
}
