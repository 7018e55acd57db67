package main

import (
	"context"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"

	"bullpen/bridge/command"
	"bullpen/config"
	"bullpen/office/model/openai"
	"bullpen/office/wake"
)

const (
	// listFor is how long a maker's list of models is taken as true, listAgain how
	// long one that did not tell is not asked again.
	listFor, listAgain = 10 * time.Minute, time.Minute
	// listTime is how long a maker may take to tell its models: somebody waits.
	listTime = 2 * time.Second
	// modelsListed is how many models of one maker are listed to people.
	modelsListed = 200
)

// knownModels knows the models of the makers in the newest configuration. It is
// safe for concurrent use.
type knownModels struct {
	newest func() *config.Config

	mu   sync.Mutex
	told map[string]listed // by maker
}

// listed is what a maker told of its models; none: it did not.
type listed struct {
	of    config.Provider
	ids   []string
	until time.Time
}

func newKnownModels(newest func() *config.Config) *knownModels {
	return &knownModels{newest: newest, told: map[string]listed{}}
}

// ids are the models that a maker lists; nil if it lists none, or not now.
func (k *knownModels) ids(ctx context.Context, name string, p config.Provider) []string {
	k.mu.Lock()
	old, ok := k.told[name]
	k.mu.Unlock()
	if ok && reflect.DeepEqual(old.of, p) && time.Now().Before(old.until) {
		return old.ids
	}
	ctx, cancel := context.WithTimeout(ctx, listTime)
	defer cancel()
	ids, err := openai.List(ctx, openai.Config{BaseURL: p.BaseURL, APIKey: p.APIKey.Reveal()})
	now := listed{of: p, ids: ids, until: time.Now().Add(listFor)}
	if err != nil { // what is wrong with it, bullpen doctor says
		now.until = time.Now().Add(listAgain)
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.told[name] = now
	return ids
}

// list lists the models that can be had, all makers asked at once.
func (k *knownModels) list(ctx context.Context) []command.Model {
	cfg := k.newest()
	names := slices.Sorted(maps.Keys(cfg.Providers))
	found := make([][]command.Model, len(names))
	var asking sync.WaitGroup
	for i, name := range names {
		asking.Go(func() {
			ids := k.ids(ctx, name, cfg.Providers[name])
			for _, id := range ids[:min(len(ids), modelsListed)] {
				found[i] = append(found[i], command.Model{Ref: name + ":" + id})
			}
		})
	}
	asking.Wait()
	return append(slices.Concat(found...), command.Model{Ref: "demo", Note: "built in, and no language model"})
}

// check refuses a model that cannot be had. A maker that does not tell its models
// is believed to have it.
func (k *knownModels) check(ctx context.Context, ref string) error {
	cfg := k.newest()
	name, id := config.SplitModel(ref)
	if name == "demo" {
		return nil
	}
	p, ok := cfg.Providers[name]
	if !ok {
		makers := append(slices.Sorted(maps.Keys(cfg.Providers)), "demo")
		if near := wake.Nearest(name, makers); near != "" {
			return fmt.Errorf("office.yaml has no provider %q; did you mean %s?", name, near)
		}
		return fmt.Errorf("office.yaml has no provider %q; there are %s", name, strings.Join(makers, ", "))
	}
	if id == "" || strings.ContainsAny(ref, " \t\r\n") {
		return fmt.Errorf("write provider:model-id, like %s:gpt-5", name)
	}
	ids := k.ids(ctx, name, p)
	if len(ids) == 0 || slices.Contains(ids, id) {
		return nil
	}
	for _, c := range cfg.Setup.Colleagues {
		if c.Model == ref { // in use, whatever its maker lists
			return nil
		}
	}
	if near := wake.Nearest(id, ids); near != "" {
		return fmt.Errorf("%s has no model %q; did you mean %s:%s?", name, id, name, near)
	}
	return fmt.Errorf("%s has no model %q; it has %s. One that it does not list can be written into office.yaml", name, id, some(ids))
}

// some are the first few of names.
func some(names []string) string {
	const few = 8
	if len(names) > few {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:few], ", "), len(names)-few)
	}
	return strings.Join(names, ", ")
}
