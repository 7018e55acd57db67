package office

import "context"

// checkRanges: the parts of a channel that summaries stand for lie one behind the
// other, within the channel, and each has its summary as long as that is not too old
// itself. That no number is missing beside them is looked at with the channel.
func (v *verifier) checkRanges() {
	for _, id := range keys(v.channels) {
		ch := v.channels[id]
		if ch.Archived > ch.Last {
			v.say("%s is archived up to number %d, and its count is %d", id, ch.Archived, ch.Last)
		}
		before := int64(0)
		for _, r := range ch.Ranges {
			if r.From < 1 || r.From > r.To || r.To > ch.Last {
				v.say("a summary stands for %d to %d of %s, whose count is %d", r.From, r.To, id, ch.Last)
			}
			if r.From <= before {
				v.say("two summaries stand for number %d of %s", r.From, id)
			}
			before = max(before, r.To)
			v.checkSummary(ch, r)
		}
	}
}

func (v *verifier) checkSummary(ch *Channel, r Range) {
	if ch.gone(r.Summary) {
		return // it became too old, or has been summarised as well
	}
	at := Anchor{Channel: ch.ID, Seq: r.Summary}
	switch c, ok := v.covers[at]; {
	case !ok:
		v.say("%s, which stands for %d to %d, is not in the record or is no summary", at, r.From, r.To)
	case c.From != r.From || c.To != r.To:
		v.say("%s says that it stands for %d to %d, and its channel that it does for %d to %d", at, c.From, c.To, r.From, r.To)
	}
}

// contexts are those of a colleague of which there may be a transcript.
func (v *verifier) contexts(c *Colleague) []ContextID {
	people := map[PersonID]bool{"": true}
	for _, p := range v.snap.People {
		people[p.ID] = true
	}
	for p := range c.Contexts { // also of people who have left
		people[p] = true
	}
	var all []ContextID
	for _, p := range keys(people) {
		all = append(all, ContextID{Colleague: c.ID, Person: p})
	}
	return all
}

// checkMark: a context begins behind an entry that has been written, with a summary
// that is there. What was before may have left the record.
func (v *verifier) checkMark(c *Colleague, in ContextID, entries []Entry) {
	m := c.Contexts[in.Person]
	if m.From > v.snap.Meta.Entry {
		v.say("a context of %s begins behind entry %d, and the counter stands at %d", c.Name, m.From, v.snap.Meta.Entry)
	}
	if m.Summary == 0 || c.Gone { // the transcripts of one who has left go with time
		return
	}
	for _, e := range entries {
		if e.N == m.Summary {
			return
		}
	}
	v.say("a context of %s begins with the summary in entry %d, which is not in its transcript", c.Name, m.Summary)
}

// VerifyFiles names what is owed to platforms and cannot be shown there any more,
// since its file is not kept. It changes nothing.
func VerifyFiles(ctx context.Context, store Store, files FileStore) (findings []string, err error) {
	snap, err := store.Load(ctx)
	if err != nil {
		return nil, err
	}
	v := &verifier{store: store, snap: snap}
	for _, s := range snap.Sends {
		for i, f := range s.Files {
			if f.Portal != "" || f.Whole || f.Refused != "" || len(s.Parts)+i < s.Part {
				continue
			}
			kept, err := files.Open(f.ID)
			if err != nil {
				v.say("%s is owed to %s with the file %s, which cannot be had: %v", s.Message, s.Portal, f.Name, err)
				continue
			}
			_ = kept.Close() // it was only looked at
		}
	}
	return v.findings, nil
}
