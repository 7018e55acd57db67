package agent

import (
	"context"

	"bullpen/office"
	"bullpen/office/model"
)

// transcriptEntries is how many of a context's newest entries a turn begins
// with; a turn that has more of its own gets all of those. The cut never falls
// between a call and its result: see whole.
const transcriptEntries = 400

// transcript gives what the model is to see of the past: from what is at hand of
// the context's last turn, or else from the record.
func (t *turn) transcript(ctx context.Context) ([]office.Entry, error) {
	in := t.start.Turn.Context()
	if entries, full, ok := t.memo.transcript(in, t.mark, t.start.Prev); ok {
		t.full = full
		return append(entries, t.start.Entries...), nil
	}
	for limit := transcriptEntries; ; limit *= 2 {
		entries, err := t.o.Transcript(ctx, in, limit)
		if err != nil {
			return nil, err
		}
		if len(entries) < limit || entries[0].N <= t.mark.From {
			return t.mark.Shown(entries), nil
		}
		if entries, ok := whole(entries); ok {
			return t.mark.Shown(entries), nil
		}
	}
}

// whole drops entries from the front until one begins a turn: a transcript
// that begins with the result of a call that is not in it is refused by
// providers. It is false when no turn begins in entries.
func whole(entries []office.Entry) ([]office.Entry, bool) {
	for i := 1; i < len(entries); i++ {
		if e := entries[i]; e.Kind == office.EntryFrame && entries[i-1].Turn != e.Turn {
			return entries[i:], true
		}
	}
	return nil, false
}

// take adds entries to what the model gets, and puts long messages of frames, and
// files, into the workspace.
func (t *turn) take(ctx context.Context, entries []office.Entry) error {
	t.show(entries)
	for _, e := range entries {
		for _, a := range e.Files {
			if e.Turn != t.start.Turn.ID {
				continue // of an earlier turn: it was written then
			}
			if err := t.saveInbox(ctx, a); err != nil {
				return err
			}
		}
	}
	return nil
}

// show adds entries to what the model gets.
func (t *turn) show(entries []office.Entry) {
	for _, e := range entries {
		t.entries = append(t.entries, e)
		t.last = max(t.last, e.N)
		t.messages = append(t.messages, messageOf(e))
	}
}

// messageOf is an entry in the model's terms.
func messageOf(e office.Entry) model.Message {
	switch e.Kind {
	case office.EntryReply:
		m := model.Message{Role: model.RoleAssistant, Text: e.Text, Extra: e.Extra}
		for _, c := range e.Calls {
			m.Calls = append(m.Calls, model.Call{ID: c.ID, Name: c.Name, Args: c.Args, Broken: c.Broken})
		}
		return m
	case office.EntryResult:
		return model.Message{Role: model.RoleTool, Text: e.Text, CallID: e.CallID, Failed: e.Failed}
	default:
		return model.Message{Role: model.RoleUser, Text: e.Text}
	}
}
