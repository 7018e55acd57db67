package office

import (
	"context"
	"fmt"
	"strings"
)

// summaryMost bounds a summary of a transcript, in characters.
const summaryMost = 24_000

// Summarised replaces the oldest part of a turn's transcript by a summary. The
// entries stay in the record; models are shown the summary instead.
type Summarised struct {
	Ref TurnRef
	// Through is the last entry that the summary covers.
	Through int64
	Text    string
	Usage   []Usage // what making it used
}

func (r Summarised) decide(d *decision) (any, error) {
	t, err := d.current(r.Ref)
	if err != nil {
		return nil, err
	}
	old := d.s.Colleagues[t.Colleague].Contexts[t.Person]
	switch {
	case r.Through <= old.From || r.Through > d.s.Meta.Entry:
		return nil, fmt.Errorf("turn %d: entry %d is none that a summary can end with", t.ID, r.Through)
	case strings.TrimSpace(r.Text) == "":
		return nil, fmt.Errorf("turn %d: the summary is empty", t.ID)
	}
	e := d.entry(t, Entry{Kind: EntrySummary, Text: cut(r.Text, summaryMost)})
	// A fresh start that was asked for meanwhile still comes with the next turn.
	d.mark(t.Context(), ContextMark{From: r.Through, Summary: e.N, Fresh: old.Fresh})
	d.book(t, r.Usage)
	return d.progress(t), nil
}

// Summarise makes a summary part of a turn's transcript; the progress has its
// entry. ErrStale: the attempt is over.
func (o *Office) Summarise(ctx context.Context, s Summarised) (Progress, error) {
	return o.progress(ctx, s)
}

// Shown are the entries of a context that its model is shown, in the order in
// which it is: a summary of what was before stands first. entries are the
// context's newest ones in the order of the record.
func (m ContextMark) Shown(entries []Entry) []Entry {
	shown := make([]Entry, 0, len(entries))
	for _, e := range entries {
		if m.Summary != 0 && e.N == m.Summary {
			shown = append([]Entry{e}, shown...)
		} else if e.N > m.From && e.Kind != EntrySummary {
			shown = append(shown, e)
		}
	}
	return shown
}
