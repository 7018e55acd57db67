package main

import (
	"slices"
	"strings"

	"bullpen/internal/sim/slack"
)

// slackSource shows a workspace to the feed.
type slackSource struct{ *slack.Server }

func (s slackSource) places() []place {
	var out []place
	for _, id := range s.Channels() {
		p := place{id: id, name: s.ChannelName(id)}
		for _, e := range s.Transcript(id) {
			p.items = append(p.items, item{
				id: e.TS, line: format(p.name, e), same: strings.Join([]string{e.Shown(), e.Author, buttonLine(e)}, "\x00"),
				reactions: e.Reactions,
			})
		}
		out = append(out, p)
	}
	return out
}

func (s slackSource) reaction(name string) string { return ":" + name + ":" }

// names turns user ids into handles.
func (s slackSource) names(ids []string) string {
	named := slices.Clone(ids)
	for _, u := range s.People() {
		if i := slices.Index(named, u.ID); i >= 0 {
			named[i] = u.Name
		}
	}
	return strings.Join(named, ", ")
}

func (slackSource) deletions() bool { return true }

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
		{e.Growing, "is writing"},
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
