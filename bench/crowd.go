//go:build linux

package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// crowd is what many colleagues cost who have nothing to do: a hundred offices of a
// hundred each, in one process.
func crowd(ctx context.Context, b *bench) error {
	const offices, each = 100, 100
	for i := range offices {
		dir := filepath.Join(b.dir, ".bullpen", "offices", fmt.Sprintf("o%03d", i))
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return err
		}
		var yaml strings.Builder
		fmt.Fprintf(&yaml, "office: {name: Office %d}\nagents:\n", i)
		for j := range each {
			fmt.Fprintf(&yaml, "  worker%d: {model: demo, description: \"does work number %d for the team\"}\n", j, j)
		}
		if err := os.WriteFile(filepath.Join(dir, "office.yaml"), []byte(yaml.String()), 0o600); err != nil {
			return err
		}
	}
	began := time.Now()
	p, err := b.start(b.bullpen, "up", "--all")
	if err != nil {
		return err
	}
	defer p.close()
	if err := p.saw(ctx, ": open", offices); err != nil {
		return err
	}
	opened := time.Since(began)
	if err := pause(ctx, settled); err != nil {
		return err
	}
	if err := p.quiet(ctx); err != nil {
		return err
	}
	rss, err := p.memory("VmRSS")
	if err != nil {
		return err
	}
	b.add(row{
		name: "i  10,000 idle colleagues, 100 offices", value: fmt.Sprintf("%.0f MB", rss), target: "< 200 MB", met: judged(rss < 200),
		beside: fmt.Sprintf("resident before their files fall asleep; all open after %.1f s", opened.Seconds()),
	})
	return nil
}
