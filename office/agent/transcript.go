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

// transcript reads what the model is to see of the past.
func (t *turn) transcript(ctx context.Context) ([]office.Entry, error) {
	for limit := transcriptEntries; ; limit *= 2 {
		entries, err := t.o.Transcript(ctx, t.start.Turn.Context(), limit)
		if err != nil || len(entries) < limit {
			return entries, err
		}
		if entries, ok := whole(entries); ok {
			return entries, nil
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
	for _, e := range entries {
		t.messages = append(t.messages, messageOf(e))
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
