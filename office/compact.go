package office

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"bullpen/office/wake"
)

// rangesMost is how many summarised ranges a channel may have.
const rangesMost = 200

// CompactCall is office_compact: a leader replaces a range of a channel that it
// can read by a summary that it has written. The originals go to the archive;
// their numbers are never used again, and lead to the summary.
type CompactCall struct {
	Channel  string
	From, To int64
	Summary  string
}

func (p CompactCall) run(d *decision, t *Turn) Result {
	c := d.s.Colleagues[t.Colleague]
	if !c.Role.leads() {
		return refused("only leaders and the boss compact channels")
	}
	if refusal := d.checkText(p.Summary); refusal != "" {
		return refused(refusal)
	}
	ids, err := d.s.readable(Reader{Colleague: c.ID, Person: t.Person}, p.Channel)
	if err != nil {
		return refused(err.Error())
	}
	if len(ids) != 1 {
		return refused("one channel at a time can be compacted; name it")
	}
	m, err := d.compact(d.s.Channels[ids[0]], p.From, p.To, p.Summary, Author{Kind: ByColleague, ID: string(c.ID), Name: c.Name})
	if err != nil {
		return refused(err.Error())
	}
	return Result{Text: fmt.Sprintf("[office] %s to %s are archived; %s stands for them.",
		Anchor{m.Channel, m.Covers.From}, Anchor{m.Channel, m.Covers.To}, m.Anchor())}
}

// compact puts a summary in the place of a range, widened by the ranges of
// summaries within it.
func (d *decision) compact(ch *Channel, from, to int64, text string, by Author) (*Message, error) {
	to = min(to, ch.Last)
	if from < 1 || from > to {
		return nil, fmt.Errorf("there is nothing from %d to %d in #%s, whose newest number is %d", from, to, ch.Name, ch.Last)
	}
	var kept []Range
	for again := true; again; {
		again, kept = false, kept[:0]
		for _, r := range ch.Ranges {
			if r.To < from || r.From > to {
				if r.Summary < from || r.Summary > to {
					kept = append(kept, r)
					continue
				}
			}
			if r.From < from || r.To > to {
				from, to, again = min(from, r.From), max(to, r.To), true
			}
		}
	}
	if from <= ch.Archived {
		from = ch.Archived + 1
	}
	if from > to {
		return nil, fmt.Errorf("this part of #%s is archived already", ch.Name)
	}
	if len(kept) >= rangesMost {
		return nil, fmt.Errorf("#%s has %d summaries already; compact a range that holds some of them", ch.Name, len(kept))
	}
	for a := range d.s.needed() {
		if a.Channel == ch.ID && from <= a.Seq && a.Seq <= to {
			return nil, fmt.Errorf("%s still waits to be read by somebody or to be shown somewhere; compact what is before it", a)
		}
	}
	r := Range{From: from, To: to, Summary: ch.Last + 1}
	next := *ch
	next.Ranges = append(slices.Clone(kept), r)
	slices.SortFunc(next.Ranges, func(a, b Range) int { return int(a.From - b.From) })
	d.put(PutChannel{next})
	m := &Message{
		Channel: ch.ID, Author: by, Wake: wake.Wake{Kind: wake.Nobody}, Covers: &Range{From: from, To: to},
		Text: fmt.Sprintf("Summary of %s to %s:\n\n%s", Anchor{ch.ID, from}, Anchor{ch.ID, to}, strings.TrimSpace(text)),
	}
	d.store(m)
	d.compacted = true
	d.audit(Audit{By: by.Name, What: fmt.Sprintf("compact %s to %s", Anchor{ch.ID, from}, Anchor{ch.ID, to}), Outcome: m.Anchor().String()})
	return m, nil
}

// compactRange is a person who compacts a channel.
type compactRange struct {
	Channel  ChannelID
	From, To int64
	Summary  string
	By       PersonID
}

func (r compactRange) decide(d *decision) (any, error) {
	who, ch := d.s.People[r.By], d.s.Channels[r.Channel]
	switch {
	case who == nil || !who.Owner && !who.Admin:
		return nil, fmt.Errorf("only the owner and the admins may compact a channel")
	case ch == nil || ch.Gone || ch.Kind != GeneralChannel && ch.Kind != GroupChannel:
		return nil, fmt.Errorf("there is no channel %q to compact; there are %s", r.Channel, d.s.channelNames())
	}
	if refusal := d.checkText(r.Summary); refusal != "" {
		return nil, fmt.Errorf("%s", refusal)
	}
	m, err := d.compact(ch, r.From, r.To, r.Summary, Author{Kind: ByPerson, ID: string(who.ID), Name: who.Name})
	if err != nil {
		return nil, err
	}
	return receiptOf(m), nil
}

// Compact replaces a range of a channel by a summary that a person has written;
// the receipt says where the summary stands. The originals go to the archive.
func (o *Office) Compact(ctx context.Context, ch ChannelID, from, to int64, summary string, by PersonID) (Receipt, error) {
	out, err := o.do(ctx, compactRange{Channel: ch, From: from, To: to, Summary: summary, By: by})
	if err != nil {
		return Receipt{}, err
	}
	return out.(Receipt), nil
}
