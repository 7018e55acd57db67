package main

import (
	"context"
	"reflect"
	"slices"
	"strings"
	"sync"

	"bullpen/bridge"
	"bullpen/config"
	"bullpen/internal/obs"
	"bullpen/office"
)

// declared is office.yaml as a running office follows it. Beside what the office
// itself takes from it, it keeps the newest configuration for what is made while
// the office runs, and says what only a restart takes up.
type declared struct {
	file     *config.File
	bridge   *bridge.Bridge
	redactor *obs.Redactor

	mu      sync.Mutex
	started *config.Config // what the parts that are not made again were made of
	newest  *config.Config
	told    []string
}

var _ office.Declaration = (*declared)(nil)

func newDeclared(cfg *config.Config, env func(string) (string, bool), b *bridge.Bridge, r *obs.Redactor) *declared {
	d := &declared{bridge: b, redactor: r, started: cfg, newest: cfg}
	d.file = config.OpenFile(cfg.Dir, env, d.take)
	return d
}

// take keeps a configuration that is in order.
func (d *declared) take(cfg *config.Config) office.Setup {
	d.redactor.Add(secrets(cfg))
	d.mu.Lock()
	defer d.mu.Unlock()
	d.newest = cfg
	return setup(cfg)
}

// config is the newest configuration that was in order.
func (d *declared) config() *config.Config {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.newest
}

// Edit writes edits; see [config.File.Edit]. What they change of the parts that
// are not made again was changed by whoever asked for them.
func (d *declared) Edit(ctx context.Context, edits ...office.Edit) (office.Setup, error) {
	before := len(needRestart(d.started, d.config()))
	s, err := d.file.Edit(ctx, edits...)
	if err == nil && before == 0 {
		d.mu.Lock()
		d.started = d.newest
		d.mu.Unlock()
	}
	return s, err
}

// Read reads office.yaml, and tells the person at the console of what it changes
// that a running office does not take up.
func (d *declared) Read(ctx context.Context) (office.Setup, error) {
	s, err := d.file.Read(ctx)
	if err != nil {
		return s, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if keys := needRestart(d.started, d.newest); !slices.Equal(keys, d.told) {
		if d.told = keys; len(keys) > 0 {
			d.bridge.Notice("office.yaml: what changed in " + strings.Join(keys, ", ") + " holds after the office is started again")
		}
	}
	return s, nil
}

// needRestart names the keys of office.yaml that differ and that a running office
// does not take up.
func needRestart(a, b *config.Config) []string {
	// Everything else is the office's own, or is asked for when it is needed.
	parts := []struct {
		key string
		of  func(*config.Config) any
	}{
		{key: "adapters.discord", of: discordApart},
		{key: "adapters.slack", of: slackApart},
		{key: "adapters.telegram", of: telegramApart},
		{key: "office.channels", of: func(c *config.Config) any { return settled(c.Channels) }},
		{key: "office.limits.shutdown_grace", of: func(c *config.Config) any { return c.ShutdownGrace }},
		{key: "sandbox", of: func(c *config.Config) any { return c.Sandbox }},
		{key: "store.redis", of: func(c *config.Config) any { return c.Redis }},
	}
	var keys []string
	for _, p := range parts {
		if !reflect.DeepEqual(p.of(a), p.of(b)) {
			keys = append(keys, p.key)
		}
	}
	return keys
}

// settled are the channels that are shown otherwise than by default.
func settled(channels map[string]config.Channel) map[string]config.Channel {
	some := map[string]config.Channel{}
	for name, c := range channels {
		if c != (config.Channel{}) {
			some[name] = c
		}
	}
	return some
}
