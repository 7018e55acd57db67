// Package wake reads whom a message wakes: the colleagues, the level or the
// channel it addresses, and the people who get a copy in their mailbox.
//
// It holds the wake grammar in three places where a message can carry one: the
// text of a person ([Read]), the list of a tool call ([ParseList]) and the
// mentions a platform has resolved ([Span]). It also holds the rules for names,
// because what may be a name and what ends a name in a text are one decision,
// and it resolves a wake to the colleagues it reaches ([Audience]).
//
// Everything here is a pure function of its arguments. Nothing keeps state,
// performs I/O or alters a text; all offsets are bytes of the text as given.
package wake

import (
	"slices"
	"strings"
)

// Kind says what sort of audience a [Wake] addresses.
type Kind string

// The kinds of wake. The empty Kind of a zero Wake means Nobody too.
const (
	Nobody  Kind = "nobody"  // no colleague; the message is only stored
	Names   Kind = "names"   // the colleagues in Wake.Names
	Level   Kind = "level"   // the rung Wake.Level and every rung above it
	Channel Kind = "channel" // the members of Wake.Channel
)

// Wake is what a message addresses. The zero value addresses nobody.
//
// At most one of Names, Level and Channel is set, and Kind says which. People
// may stand beside any of them: a person gets a copy and is not woken.
type Wake struct {
	Kind    Kind     `json:"kind,omitempty"`
	Names   []string `json:"names,omitempty"`   // colleague ids in order of first appearance, no repeats
	Level   string   `json:"level,omitempty"`   // "member" or "leader"
	Channel string   `json:"channel,omitempty"` // channel id
	People  []string `json:"people,omitempty"`  // person ids in order of first appearance, no repeats
}

// Empty reports whether w addresses no colleague, level or channel, and no
// person either.
func (w Wake) Empty() bool {
	return w.sleeps() && len(w.People) == 0
}

// sleeps reports whether w wakes no colleague at all.
func (w Wake) sleeps() bool {
	return len(w.Names) == 0 && w.Level == "" && w.Channel == ""
}

// Address writes w as the tokens that address it, for frames and receipts:
// "@alice @bob", "$leader", "#dev @kim", or "nobody". An id that d does not know
// is shown as the id; d may be nil. The result is always one line: a person's
// name that is not made like a colleague's is shortened and quoted, so that it
// cannot pass for anything else.
func (w Wake) Address(d *Directory) string {
	if w.Empty() {
		return string(Nobody)
	}
	var tokens []string
	for _, id := range w.Names {
		tokens = append(tokens, d.token(colleague, id))
	}
	if w.Level != "" {
		tokens = append(tokens, d.token(level, w.Level))
	}
	if w.Channel != "" {
		tokens = append(tokens, d.token(channel, w.Channel))
	}
	for _, id := range w.People {
		tokens = append(tokens, d.token(person, id))
	}
	return strings.Join(tokens, " ")
}

// target is one thing that a token or a span addresses.
type target struct {
	class class
	id    string
}

// combine unites the targets of one message, in order of appearance, into a
// wake. Names combine; a level or a channel stands alone; a person may stand
// beside anything.
func combine(targets []target, d *Directory) (Wake, error) {
	var w Wake
	var waking []target
	seen := make(map[target]bool, len(targets))
	for _, t := range targets {
		if seen[t] {
			continue
		}
		seen[t] = true
		switch t.class {
		case person:
			w.People = append(w.People, t.id)
			continue
		case colleague:
			w.Kind = Names
			w.Names = append(w.Names, t.id)
		case level:
			w.Kind, w.Level = Level, t.id
		case channel:
			w.Kind, w.Channel = Channel, t.id
		}
		waking = append(waking, t)
	}
	if conflicting(waking) {
		return Wake{}, conflict(waking, d)
	}
	if len(waking) == 0 {
		w.Kind = Nobody
	}
	return w, nil
}

// conflicting reports whether a level or a channel stands beside something else.
func conflicting(waking []target) bool {
	return len(waking) > 1 && slices.ContainsFunc(waking, func(t target) bool {
		return t.class != colleague
	})
}

func conflict(waking []target, d *Directory) *Conflict {
	c := &Conflict{Tokens: make([]string, len(waking))}
	for i, t := range waking {
		c.Tokens[i] = d.token(t.class, t.id)
	}
	return c
}
