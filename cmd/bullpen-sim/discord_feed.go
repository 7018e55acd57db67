package main

import (
	"fmt"
	"strings"

	"bullpen/internal/sim/discord"
)

// dcSource shows the server to the feed.
type dcSource struct{ *discord.Server }

func (s dcSource) places() []place {
	var out []place
	for _, id := range s.Channels() {
		p := place{id: id, name: s.ChannelName(id)}
		for _, e := range s.Transcript(id) {
			p.items = append(p.items, item{id: e.ID, line: dcLine(p.name, e), same: dcLine("", e), reactions: e.Reactions})
		}
		out = append(out, p)
	}
	return out
}

func (dcSource) reaction(emoji string) string { return emoji }

func (dcSource) names(users []string) string { return strings.Join(users, ", ") }

func (dcSource) deletions() bool { return true }

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
