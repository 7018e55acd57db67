package office

import (
	"context"
	"encoding/json"
	"fmt"
	"time"
)

// keepRecord moves what is too old out of the record, now and then, until ctx
// ends. It runs beside the loop, which decides each of its small commits between
// others. It leaves a record alone in which nothing can be due.
func (o *Office) keepRecord(ctx context.Context) {
	timer := time.NewTimer(sweepFirst) // a start has other work
	defer timer.Stop()
	var next due
	for {
		asked := false
		select {
		case <-timer.C:
		case <-o.sweepSoon:
			asked = true
		case <-o.done:
			return
		case <-ctx.Done():
			return
		}
		if asked || next.now(ctx, o) {
			var err error
			if next, err = o.sweep(ctx); err != nil && ctx.Err() == nil {
				o.log.Warn("what is too old could not be moved out of the record", "err", err)
			}
		}
		timer.Reset(sweepEvery)
	}
}

// sweep moves what is too old, and what summaries stand for, from the record to
// the archive: first there, then out of here. A large backlog is left for the
// next sweep. Without an archive only what nobody needs any more leaves. It says
// when there may be something to do again.
func (o *Office) sweep(ctx context.Context) (next due, err error) {
	began := o.now()
	plan, err := look(ctx, o, func(s *State) sweepPlan { return s.sweepPlan(began) })
	if err != nil {
		return next, err
	}
	for log, life := range passing {
		if err := o.sweepLog(ctx, OldQuery{Log: log, Before: began.Add(-life)}); err != nil {
			return next, err
		}
	}
	if o.shelf != nil && plan.keep > 0 {
		if err := o.sweepOld(ctx, plan, began.Add(-plan.keep)); err != nil {
			return next, err
		}
	}
	return o.nextDue(ctx, plan)
}

// sweepOld moves what was written before a time, and what summaries stand for.
func (o *Office) sweepOld(ctx context.Context, plan sweepPlan, before time.Time) error {
	for _, log := range agingLogs {
		if err := o.sweepLog(ctx, OldQuery{Log: log, Before: before}); err != nil {
			return err
		}
	}
	for _, in := range plan.contexts {
		if err := o.sweepLog(ctx, OldQuery{Log: LogEntries, Before: before, In: in.ContextID, Through: in.through}); err != nil {
			return err
		}
	}
	for _, r := range plan.ranges {
		if err := o.sweepRange(ctx, r); err != nil {
			return err
		}
	}
	if err := o.sweepMessages(ctx, before); err != nil {
		return err
	}
	for _, r := range plan.spent {
		if err := o.sweepSpent(ctx, r); err != nil {
			return err
		}
	}
	return nil
}

// passing are the logs that nobody wants to read: their rows leave, and are not
// archived, when they cannot matter any more.
var passing = map[Log]time.Duration{LogSeen: seenLife, LogEarly: earlyLife}

// agingLogs are those of which rows leave the record once they are old enough.
var agingLogs = []Log{LogTurns, LogUsage, LogAudit}

// sweepPlan is what there may be to move.
type sweepPlan struct {
	keep     time.Duration
	contexts []oldContext
	ranges   []oldRange
	spent    []oldRange
}

type oldContext struct {
	ContextID
	through int64
}

type oldRange struct {
	channel ChannelID
	Range
}

func (s *State) sweepPlan(now time.Time) sweepPlan {
	p := sweepPlan{keep: s.Limits.Retention}
	for _, id := range keys(s.Colleagues) {
		p.contexts = append(p.contexts, s.oldContexts(s.Colleagues[id], now)...)
	}
	for _, id := range keys(s.Channels) {
		ch := s.Channels[id]
		for _, r := range ch.Ranges {
			switch {
			case !r.Archived:
				p.ranges = append(p.ranges, oldRange{id, r})
			case r.Summary <= ch.Archived:
				p.spent = append(p.spent, oldRange{id, r})
			}
		}
	}
	return p
}

// oldContexts are the parts of a colleague's transcripts that no model is shown
// any more: what is before their marks, and all of one who left long ago.
func (s *State) oldContexts(c *Colleague, now time.Time) []oldContext {
	var found []oldContext
	if c.Gone && !c.Left.IsZero() && s.Limits.Retention > 0 && now.Sub(c.Left) > s.Limits.Retention {
		found = append(found, oldContext{ContextID{Colleague: c.ID}, s.Meta.Entry})
		for _, person := range keys(s.People) {
			found = append(found, oldContext{ContextID{c.ID, person}, s.Meta.Entry})
		}
		return found
	}
	for _, person := range keys(c.Contexts) {
		if m := c.Contexts[person]; m.From > 0 {
			found = append(found, oldContext{ContextID{c.ID, person}, m.From})
		}
	}
	return found
}

// sweepLog moves what a query finds, in small commits.
func (o *Office) sweepLog(ctx context.Context, q OldQuery) error {
	q.Limit = oldRows
	for range oldRounds {
		rows, err := o.store.Old(ctx, q)
		if err != nil || len(rows) == 0 {
			return err
		}
		r := drop{Log: q.Log, In: q.In}
		var values []json.RawMessage
		for _, row := range rows {
			r.Keys, values = append(r.Keys, row.Key), append(values, row.Value)
		}
		if _, passes := passing[q.Log]; !passes { // of which nobody wants to read
			if err := o.shelf.Append(ctx, string(q.Log), values); err != nil {
				return err
			}
		}
		if _, err := o.do(ctx, r); err != nil {
			return err
		}
		if len(rows) < q.Limit {
			return nil
		}
	}
	return nil
}

// sweepRange archives the messages that a summary stands for.
func (o *Office) sweepRange(ctx context.Context, r oldRange) error {
	for from := r.From; ; {
		page, err := o.store.Messages(ctx, MessageQuery{Channels: []ChannelID{r.channel}, From: from, To: r.To, Limit: oldRows})
		if err != nil {
			return err
		}
		gone := drop{}
		if len(page.Messages) < oldRows {
			gone.Ranges = map[ChannelID][]Range{r.channel: {r.Range}}
		}
		if len(page.Messages) > 0 {
			from = page.Messages[len(page.Messages)-1].Seq + 1
		}
		if _, err := o.moveMessages(ctx, gone, page.Messages); err != nil || gone.Ranges != nil {
			return err
		}
	}
}

// sweepMessages archives messages that are older than the office keeps them.
func (o *Office) sweepMessages(ctx context.Context, before time.Time) error {
	after := int64(0)
	for range oldRounds {
		page, err := o.store.Messages(ctx, MessageQuery{After: after, Limit: oldRows})
		if err != nil {
			return err
		}
		old := page.Messages
		for i := range old {
			if !old[i].At.Before(before) {
				old = old[:i]
				break
			}
		}
		if len(old) == 0 {
			return nil
		}
		after = old[len(old)-1].No
		if _, err := o.moveMessages(ctx, drop{}, old); err != nil {
			return err
		}
		if len(old) < oldRows {
			return nil
		}
	}
	return nil
}

// moveMessages archives messages, with what they said before, and drops them.
func (o *Office) moveMessages(ctx context.Context, r drop, messages []Message) (dropped int, err error) {
	var rows []json.RawMessage
	for i := range messages {
		row, places, err := o.archived(ctx, &messages[i])
		r.Places = append(r.Places, places...)
		if err != nil {
			return 0, fmt.Errorf("archiving %s: %w", messages[i].Anchor(), err)
		}
		rows = append(rows, row)
	}
	r.Messages = messages
	if len(rows) > 0 {
		if err := o.shelf.Append(ctx, "messages", rows); err != nil {
			return 0, err
		}
	}
	out, err := o.do(ctx, r)
	if err != nil {
		return 0, err
	}
	return out.(int), nil
}

// archived is a message as it stands in the archive: with what platforms call it
// and what it said before.
func (o *Office) archived(ctx context.Context, m *Message) (json.RawMessage, []Native, error) {
	places, err := o.store.Natives(ctx, m.Anchor())
	if err != nil {
		return nil, nil, err
	}
	var before []Revision
	if m.Edited || m.Deleted {
		for _, n := range places {
			revs, err := o.store.Revisions(ctx, n.Portal, n.ID)
			if err != nil {
				return nil, nil, err
			}
			before = append(before, revs...)
		}
	}
	row, err := json.Marshal(struct {
		Message
		Text   string     `json:"text"`
		Places []Native   `json:"places,omitempty"`
		Before []Revision `json:"before,omitempty"`
	}{*m, m.Text, places, before})
	return row, places, err
}

// sweepSpent forgets what platforms call the messages of a range whose summary
// has left the record as well, and then the range.
func (o *Office) sweepSpent(ctx context.Context, r oldRange) error {
	for seq := r.From; seq <= r.To; {
		var gone drop
		for ; seq <= r.To && len(gone.Places) < oldRows; seq++ {
			places, err := o.store.Natives(ctx, Anchor{Channel: r.channel, Seq: seq})
			if err != nil {
				return err
			}
			gone.Places = append(gone.Places, places...)
		}
		if seq > r.To {
			gone.Spent = map[ChannelID][]Range{r.channel: {r.Range}}
		}
		if _, err := o.do(ctx, gone); err != nil {
			return err
		}
	}
	return nil
}
