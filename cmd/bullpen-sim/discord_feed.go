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

// dcFeed prints what is new on the server.
type dcFeed struct {
	srv *discord.Server
	out io.Writer

	mu    sync.Mutex
	shown map[string]string // by message, as printed
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
		place := f.srv.ChannelName(id)
		for _, e := range f.srv.Transcript(id) {
			if line := dcLine(place, e); f.shown[id+e.ID] != line {
				f.shown[id+e.ID] = line
				fmt.Fprintln(f.out, line)
			}
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
	for _, emoji := range slices.Sorted(maps.Keys(e.Reactions)) {
		b.WriteString("\n    " + emoji + " " + strings.Join(e.Reactions[emoji], ", "))
	}
	for _, x := range e.Buttons {
		if !x.Disabled {
			fmt.Fprintf(&b, "\n    [%s] /sim press %s %s", x.Label, e.ID, x.CustomID)
		}
	}
	return b.String()
}
