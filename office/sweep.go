package office

import (
	"context"
	"encoding/json"
	"fmt"
	"time"
)

// keepRecord moves what is too old out of the record, now and then, until ctx
// ends. It runs beside the loop, which decides each of its small commits between
// others.
func (o *Office) keepRecord(ctx context.Context) {
	timer := time.NewTimer(sweepFirst) // a start has other work
	defer timer.Stop()
	for {
		select {
		case <-timer.C:
		case <-o.sweepSoon:
		case <-o.done:
			return
		case <-ctx.Done():
			return
		}
		if err := o.Sweep(ctx); err != nil && ctx.Err() == nil {
			o.log.Warn("what is too old could not be moved out of the record", "err", err)
		}
		timer.Reset(sweepEvery)
	}
}

// Sweep moves what is too old, and what summaries stand for, from the record to
// the archive: first there, then out of here. A large backlog is left for the
// next sweep. Without an archive only what nobody needs any more leaves.
func (o *Office) Sweep(ctx context.Context) error {
	if err := o.sweepLog(ctx, OldQuery{Log: LogSeen, Before: o.now().Add(-seenLife)}); err != nil {
		return err
	}
	if o.shelf == nil {
		return nil
	}
	plan, err := look(ctx, o, func(s *State) sweepPlan { return s.sweepPlan() })
	if err != nil || plan.keep <= 0 {
		return err
	}
	before := o.now().Add(-plan.keep)
	for _, log := range []Log{LogTurns, LogUsage, LogAudit} {
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
	return o.sweepMessages(ctx, before)
}

// sweepPlan is what there may be to move.
type sweepPlan struct {
	keep     time.Duration
	contexts []oldContext
	ranges   []oldRange
}

type oldContext struct {
	ContextID
	through int64
}

type oldRange struct {
	channel ChannelID
	Range
}

func (s *State) sweepPlan() sweepPlan {
	p := sweepPlan{keep: s.Limits.Retention}
	for _, id := range keys(s.Colleagues) {
		for _, person := range keys(s.Colleagues[id].Contexts) {
			if m := s.Colleagues[id].Contexts[person]; m.From > 0 {
				p.contexts = append(p.contexts, oldContext{ContextID{id, person}, m.From})
			}
		}
	}
	for _, id := range keys(s.Channels) {
		for _, r := range s.Channels[id].Ranges {
			if !r.Archived {
				p.ranges = append(p.ranges, oldRange{id, r})
			}
		}
	}
	return p
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
		if q.Log != LogSeen { // of which nobody wants to read
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
		row, err := json.Marshal(struct {
			Message
			Text string `json:"text"`
		}{messages[i], messages[i].Text})
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
