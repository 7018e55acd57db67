package office

import (
	"context"
	"fmt"
)

// Inspector is a Store that can look through what is its own alone: its indexes, its
// pages, its structures.
type Inspector interface {
	// Inspect names what of the store's own matter does not fit the record.
	Inspect(ctx context.Context) (findings []string, err error)
}

// checkStore has the store look through what is its own.
func (v *verifier) checkStore(ctx context.Context) error {
	in, ok := v.store.(Inspector)
	if !ok {
		return nil
	}
	found, err := in.Inspect(ctx)
	v.findings = append(v.findings, found...)
	return err
}

// checkShown: a delivery stands in one frame at most, and one that waits in none.
func (v *verifier) checkShown(ctx context.Context) error {
	waits := map[int64]bool{}
	for _, it := range v.snap.Items {
		if it.Turn == 0 {
			waits[it.ID] = true
		}
	}
	shown := map[int64]int64{} // the entry that shows a delivery
	for _, c := range v.snap.Colleagues {
		for _, in := range v.contexts(&c) {
			entries, err := v.store.Transcript(ctx, in, 0)
			if err != nil {
				return fmt.Errorf("reading the transcript of %s: %w", c.Name, err)
			}
			v.checkMark(&c, in, entries)
			for _, e := range entries {
				v.checkFrame(&c, e, waits, shown)
			}
		}
	}
	return nil
}

func (v *verifier) checkFrame(c *Colleague, e Entry, waits map[int64]bool, shown map[int64]int64) {
	if e.N > v.snap.Meta.Entry {
		v.say("entry %d of %s's transcript is in the record, and the counter stands at %d", e.N, c.Name, v.snap.Meta.Entry)
	}
	for _, id := range e.Items {
		switch other, again := shown[id]; {
		case again:
			v.say("delivery %d was shown to %s by entries %d and %d", id, c.Name, other, e.N)
		case waits[id]:
			v.say("delivery %d waits for %s, and entry %d has shown it", id, c.Name, e.N)
		case id > v.snap.Meta.Item:
			v.say("entry %d shows delivery %d, and the counter stands at %d", e.N, id, v.snap.Meta.Item)
		}
		shown[id] = e.N
	}
}

// checkQuestions: what is asked is asked somewhere, and of whom a call waits for has
// that call.
func (v *verifier) checkQuestions() {
	for _, q := range v.snap.Questions {
		if v.channels[q.Conv.Channel] == nil {
			v.say("a question (%s) is asked in %s, which is no channel", q.Kind, q.Conv.Channel)
		}
		if q.From == "" {
			continue
		}
		if c := v.colleagues[q.From]; c == nil || c.Gone {
			v.say("a question (%s) is of colleague %s, who is not on the roster", q.Kind, q.From)
		}
		if q.Late || q.Turn == 0 {
			continue
		}
		if t := v.turns[q.Turn]; t == nil {
			v.say("a question (%s) of turn %d is open, and the turn is not", q.Kind, q.Turn)
		}
	}
}

// checkHolds: what is held by the depth limit has a question that lets it go.
func (v *verifier) checkHolds() {
	asked := map[Conversation]bool{}
	for _, q := range v.snap.Questions {
		asked[q.Conv] = asked[q.Conv] || q.Kind == ChainQuestion
	}
	for _, it := range v.snap.Items {
		if it.Turn == 0 && it.Hop && !asked[it.Conv] {
			v.say("delivery %d of %s is held by the depth limit, and nobody is asked", it.ID, it.Message)
		}
	}
}
