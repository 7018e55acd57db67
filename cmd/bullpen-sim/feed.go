package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"

	"bullpen/internal/sim/slack"
)

// feed prints what is new in the workspace: messages, changes, reactions, deletions.
type feed struct {
	srv *slack.Server
	out io.Writer

	mu    sync.Mutex
	shown map[string]map[string]slack.Entry // by channel and ts, as printed
}

func newFeed(srv *slack.Server, out io.Writer) *feed {
	return &feed{srv: srv, out: out, shown: map[string]map[string]slack.Entry{}}
}

// run prints until stop is closed.
func (f *feed) run(stop <-chan struct{}) {
	for {
		next := f.srv.Changed()
		f.print()
		select {
		case <-next:
		case <-stop:
			return
		}
	}
}

// print prints what happened since it was last called.
func (f *feed) print() {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, id := range f.srv.Channels() {
		before := f.shown[id]
		now := map[string]slack.Entry{}
		for _, e := range f.srv.Transcript(id) {
			now[e.TS] = e
			old, known := before[e.TS]
			f.difference(id, old, e, known)
		}
		for _, ts := range slices.Sorted(maps.Keys(before)) {
			if _, there := now[ts]; !there {
				fmt.Fprintf(f.out, "%s %s (deleted)\n", f.srv.ChannelName(id), ts)
			}
		}
		f.shown[id] = now
	}
}

func (f *feed) difference(channel string, old, e slack.Entry, known bool) {
	place := f.srv.ChannelName(channel)
	if !known || old.Shown() != e.Shown() || old.Author != e.Author || buttonLine(old) != buttonLine(e) {
		fmt.Fprintln(f.out, format(place, e))
	}
	for _, name := range slices.Sorted(maps.Keys(e.Reactions)) {
		if len(e.Reactions[name]) > len(old.Reactions[name]) {
			fmt.Fprintf(f.out, "%s %s :%s: by %s\n", place, e.TS, name, f.names(e.Reactions[name]))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(old.Reactions)) {
		if len(e.Reactions[name]) < len(old.Reactions[name]) {
			fmt.Fprintf(f.out, "%s %s :%s: taken back\n", place, e.TS, name)
		}
	}
}

// names turns user ids into handles.
func (f *feed) names(ids []string) string {
	named := slices.Clone(ids)
	for _, u := range f.srv.People() {
		if i := slices.Index(named, u.ID); i >= 0 {
			named[i] = u.Name
		}
	}
	return strings.Join(named, ", ")
}

// format is "#general 1790000000.000001 Kim: text", with the thread before the name and notes behind
// it; further lines of the text are indented.
func format(place string, e slack.Entry) string {
	var b strings.Builder
	b.WriteString(place + " " + e.TS + " ")
	if e.ThreadTS != "" && e.ThreadTS != e.TS {
		b.WriteString("[thread " + e.ThreadTS + "] ")
	}
	b.WriteString(e.Author)
	for _, note := range []struct {
		on   bool
		text string
	}{
		{e.Edited, "edited"},
		{e.EphemeralTo != "", "only for " + e.EphemeralTo},
		{e.Misplaced, "misplaced: no client shows this in its thread"},
		{len(e.Rings) > 0, "rings " + strings.Join(e.Rings, ", ")},
	} {
		if note.on {
			b.WriteString(" (" + note.text + ")")
		}
	}
	b.WriteString(": " + strings.ReplaceAll(e.Shown(), "\n", "\n    "))
	if line := buttonLine(e); line != "" {
		b.WriteString("\n    " + line)
	}
	return b.String()
}

// buttonLine names the action ids, for /click.
func buttonLine(e slack.Entry) string {
	var parts []string
	for _, x := range e.Buttons {
		parts = append(parts, "["+x.Label+"] /click "+x.ActionID)
	}
	return strings.Join(parts, "  ")
}
