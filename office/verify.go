package office

import (
	"context"
	"fmt"
)

// Verify looks a whole record through for what must always hold of it and
// names what does not. It changes nothing and needs no lease; of a record that
// is being written to it may name what only just changed.
func Verify(ctx context.Context, store Store) (findings []string, err error) {
	snap, err := store.Load(ctx)
	if err != nil {
		return nil, fmt.Errorf("reading the record: %w", err)
	}
	v := &verifier{
		store: store, snap: snap, channels: map[ChannelID]*Channel{}, colleagues: map[ColleagueID]*Colleague{}, turns: map[int64]*Turn{},
		covers: map[Anchor]Range{},
	}
	v.index()
	if err := v.checkChannels(ctx); err != nil {
		return nil, err
	}
	v.checkRanges()
	v.checkTurns()
	v.checkItems()
	if err := v.checkSends(ctx); err != nil {
		return nil, err
	}
	v.checkCounters()
	v.checkQuestions()
	v.checkHolds()
	if err := v.checkShown(ctx); err != nil {
		return nil, err
	}
	for _, t := range snap.Turns {
		if err := v.checkTranscript(ctx, &t); err != nil {
			return nil, err
		}
	}
	return v.findings, v.checkStore(ctx)
}

type verifier struct {
	store      Store
	snap       *Snapshot
	channels   map[ChannelID]*Channel
	colleagues map[ColleagueID]*Colleague
	turns      map[int64]*Turn
	last       int64            // the highest Message.No
	covers     map[Anchor]Range // by the summary in the record that stands for it
	findings   []string
}

func (v *verifier) say(format string, args ...any) {
	v.findings = append(v.findings, fmt.Sprintf(format, args...))
}

func (v *verifier) index() {
	for i := range v.snap.Channels {
		v.channels[v.snap.Channels[i].ID] = &v.snap.Channels[i]
	}
	for i := range v.snap.Colleagues {
		v.colleagues[v.snap.Colleagues[i].ID] = &v.snap.Colleagues[i]
	}
	for i := range v.snap.Turns {
		v.turns[v.snap.Turns[i].ID] = &v.snap.Turns[i]
	}
}

// verifyPage is how many messages are looked at together.
const verifyPage = 500

// checkChannels: the numbers of a channel have no gap, up to its last.
func (v *verifier) checkChannels(ctx context.Context) error {
	next := map[ChannelID]int64{}
	for after := int64(0); ; {
		page, err := v.store.Messages(ctx, MessageQuery{After: after, Limit: verifyPage})
		if err != nil {
			return fmt.Errorf("reading messages: %w", err)
		}
		for i := range page.Messages {
			m := &page.Messages[i]
			after = m.No
			if m.Covers != nil {
				v.covers[m.Anchor()] = *m.Covers
			}
			ch := v.channels[m.Channel]
			switch {
			case ch == nil:
				v.say("message %s stands in a channel that there is not", m.Anchor())
			case m.Seq != next[m.Channel]+1 && !ch.allGone(next[m.Channel]+1, m.Seq-1):
				v.say("in %s number %d follows %d", m.Channel, m.Seq, next[m.Channel])
			}
			next[m.Channel] = m.Seq
		}
		if len(page.Messages) < verifyPage {
			v.last = after
			break
		}
	}
	for id, ch := range v.channels {
		if next[id] != ch.Last && !ch.allGone(next[id]+1, ch.Last) {
			v.say("%s ends with number %d, and its count is %d", id, next[id], ch.Last)
		}
	}
	return nil
}

// checkTurns: one open turn a colleague, and each belongs to somebody.
func (v *verifier) checkTurns() {
	runs := map[ColleagueID]int64{}
	for _, t := range v.snap.Turns {
		if c := v.colleagues[t.Colleague]; c == nil || c.Gone {
			v.say("turn %d is of colleague %s, who is not on the roster", t.ID, t.Colleague)
		}
		if other := runs[t.Colleague]; other != 0 {
			v.say("turns %d and %d of colleague %s are open at once", other, t.ID, t.Colleague)
		}
		runs[t.Colleague] = t.ID
	}
}

// checkItems: what waits or is held has its message, its colleague and its turn.
func (v *verifier) checkItems() {
	held := map[int64]bool{}
	for _, it := range v.snap.Items {
		name := fmt.Sprintf("delivery %d of %s", it.ID, it.Message)
		if it.Body == nil {
			v.say("%s has no message", name)
		}
		if c := v.colleagues[it.To]; c == nil || c.Gone {
			v.say("%s is for colleague %s, who is not on the roster", name, it.To)
		}
		if it.Turn == 0 {
			continue
		}
		held[it.Turn] = true
		if t := v.turns[it.Turn]; t == nil {
			v.say("%s is held by turn %d, which is not open", name, it.Turn)
		} else if t.Colleague != it.To {
			v.say("%s is held by turn %d of another colleague", name, it.Turn)
		}
	}
	for id, t := range v.turns {
		if !held[id] && !t.Onboarding {
			v.say("turn %d is open and holds nothing", id)
		}
	}
}

// checkSends: what is owed has its message and its place.
func (v *verifier) checkSends(ctx context.Context) error {
	portals := map[PortalID]bool{}
	for _, p := range v.snap.Portals {
		portals[p.ID] = true
	}
	for _, s := range v.snap.Sends {
		if !portals[s.Portal] {
			v.say("%s is owed to %s, which is no place of this office", s.Message, s.Portal)
		}
		if s.Part < 0 || s.Part >= s.Total() {
			v.say("%s is owed from part %d of %d", s.Message, s.Part, s.Total())
		}
		page, err := v.store.Messages(ctx, MessageQuery{Channels: []ChannelID{s.Message.Channel}, From: s.Message.Seq, To: s.Message.Seq, Limit: 1})
		if err != nil {
			return fmt.Errorf("reading %s: %w", s.Message, err)
		}
		if len(page.Messages) == 0 {
			v.say("%s is owed to %s and is not in the record", s.Message, s.Portal)
		}
	}
	for _, x := range v.snap.Parked {
		if !portals[x.In.Portal] {
			v.say("an event waits for %s, which is no place of this office", x.In.Portal)
		}
	}
	return nil
}

// checkCounters: what is numbered next has a number that nothing has yet.
func (v *verifier) checkCounters() {
	m := v.snap.Meta
	if v.last > m.Message {
		v.say("message number %d is in the record, and the counter stands at %d", v.last, m.Message)
	}
	for _, it := range v.snap.Items {
		if it.ID > m.Item {
			v.say("delivery %d is in the record, and the counter stands at %d", it.ID, m.Item)
		}
	}
	for _, t := range v.snap.Turns {
		if t.ID > m.Turn {
			v.say("turn %d is in the record, and the counter stands at %d", t.ID, m.Turn)
		}
	}
	for viewer, no := range v.snap.Cursors {
		if no > m.Message {
			v.say("%s has shown up to message number %d, and the counter stands at %d", viewer, no, m.Message)
		}
	}
}

// checkTranscript: of an open turn every call but those still open has exactly
// one result.
func (v *verifier) checkTranscript(ctx context.Context, t *Turn) error {
	entries, err := v.store.Transcript(ctx, t.Context(), 0)
	if err != nil {
		return fmt.Errorf("reading the transcript of turn %d: %w", t.ID, err)
	}
	open := 0
	for _, c := range t.Calls {
		if !c.Done {
			open++
		}
	}
	calls, results := 0, 0
	for _, e := range entries {
		if e.Turn != t.ID {
			continue
		}
		calls += len(e.Calls)
		if e.Kind == EntryResult {
			results++
		}
	}
	if calls != results+open {
		v.say("turn %d has %d calls, %d results and %d open calls", t.ID, calls, results, open)
	}
	return nil
}
