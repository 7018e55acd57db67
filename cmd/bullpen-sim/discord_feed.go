package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"

	"bullpen/internal/sim/discord"
)

// dcFeed prints what is new on the server: messages, changes, reactions, deletions.
type dcFeed struct {
	srv *discord.Server
	out io.Writer

	mu    sync.Mutex
	shown map[string]map[string]discord.Entry // by channel and message, as printed
}

func (f *dcFeed) run(stop <-chan struct{}) {
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

func (f *dcFeed) print() {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, id := range f.srv.Channels() {
		place, before := f.srv.ChannelName(id), f.shown[id]
		now := map[string]discord.Entry{}
		for _, e := range f.srv.Transcript(id) {
			now[e.ID] = e
			old, known := before[e.ID]
			f.difference(place, old, e, known)
		}
		for _, gone := range slices.Sorted(maps.Keys(before)) {
			if _, there := now[gone]; !there {
				fmt.Fprintln(f.out, place, gone, "(deleted)")
			}
		}
		f.shown[id] = now
	}
}

func (f *dcFeed) difference(place string, old, e discord.Entry, known bool) {
	if line := dcLine(place, e); !known || dcLine(place, old) != line {
		fmt.Fprintln(f.out, line)
	}
	for _, emoji := range slices.Sorted(maps.Keys(e.Reactions)) {
		if len(e.Reactions[emoji]) > len(old.Reactions[emoji]) {
			fmt.Fprintln(f.out, place, e.ID, emoji, "by", strings.Join(e.Reactions[emoji], ", "))
		}
	}
	for _, emoji := range slices.Sorted(maps.Keys(old.Reactions)) {
		if len(e.Reactions[emoji]) < len(old.Reactions[emoji]) {
			fmt.Fprintln(f.out, place, e.ID, emoji, "taken back")
		}
	}
}

// dcLine is "#dev 123 Alice [APP] (answers 122): text"; further lines are indented.
func dcLine(place string, e discord.Entry) string {
	var b strings.Builder
	b.WriteString(place + " " + e.ID + " " + e.Author)
	if e.App {
		b.WriteString(" [APP]")
	}
	for _, note := range []struct {
		on   bool
		text string
	}{
		{e.ReplyTo != "", "answers " + e.ReplyTo},
		{e.OnlyFor != "", "only for " + e.OnlyFor},
		{e.Edited, "edited"},
		{e.Loading, "thinking…"},
		{len(e.Pings) > 0, "pings " + strings.Join(e.Pings, ", ")},
	} {
		if note.on {
			b.WriteString(" (" + note.text + ")")
		}
	}
	b.WriteString(": " + strings.ReplaceAll(e.Shown(), "\n", "\n    "))
	for _, name := range e.Files {
		b.WriteString("\n    <" + name + ">")
	}
	for _, x := range e.Buttons {
		if !x.Disabled {
			fmt.Fprintf(&b, "\n    [%s] /sim press %s %s", x.Label, e.ID, x.CustomID)
		}
	}
	return b.String()
}
