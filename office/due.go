package office

import (
	"context"
	"encoding/json"
	"fmt"
	"time"
)

// due is when something of the record may be too old. The zero value is at once.
type due struct {
	// at is when the oldest of what was there will be.
	at time.Time
	// batch was the last when that was found out, fresh is when the first of what
	// came after it may be.
	batch int64
	fresh time.Time
}

// now says whether it is time to look. It asks the live state, never the record.
func (x due) now(ctx context.Context, o *Office) bool {
	now := o.now()
	if !now.Before(x.at) {
		return true
	}
	if now.Before(x.fresh) {
		return false
	}
	batch, err := look(ctx, o, func(*State) int64 { return o.batch })
	return err == nil && batch != x.batch
}

// dueStep is how exactly the age of what cannot be asked for its time is found out.
const dueStep = time.Hour

// nextDue looks, at the end of a sweep, when there will be something to do again.
func (o *Office) nextDue(ctx context.Context, plan sweepPlan) (due, error) {
	began := o.now()
	var spent bool
	batch, err := look(ctx, o, func(s *State) int64 {
		spent = len(s.sweepPlan(began).spent) > 0
		return o.batch
	})
	if err != nil || spent { // at once: their summaries have just left
		return due{}, err
	}
	x := due{at: began.Add(farOff), batch: batch, fresh: began.Add(min(seenLife, earlyLife))}
	for log, life := range passing {
		at, err := o.probe(ctx, OldQuery{Log: log}, began, life)
		if err != nil {
			return due{}, err
		}
		x.sooner(at)
	}
	if o.shelf == nil || plan.keep <= 0 {
		return x, nil
	}
	for _, log := range agingLogs {
		at, err := o.probe(ctx, OldQuery{Log: log}, began, plan.keep)
		if err != nil {
			return due{}, err
		}
		x.sooner(at)
	}
	for _, in := range plan.contexts {
		at, err := o.oldestEntry(ctx, in, began)
		if err != nil {
			return due{}, err
		}
		x.sooner(at.Add(plan.keep))
	}
	page, err := o.store.Messages(ctx, MessageQuery{Limit: 1})
	if err != nil {
		return due{}, err
	}
	for _, m := range page.Messages {
		x.sooner(m.At.Add(plan.keep))
	}
	return x, nil
}

func (x *due) sooner(at time.Time) {
	if at.Before(x.at) {
		x.at = at
	}
}

// farOff is when nothing is due that is there now.
const farOff = 100 * 365 * 24 * time.Hour

// probe finds out when the oldest row of a log will be too old, which not every
// row tells: it asks whether there are any before a time, for ever closer times.
func (o *Office) probe(ctx context.Context, q OldQuery, began time.Time, life time.Duration) (time.Time, error) {
	q.Limit = 1
	there := func(before time.Time) (bool, error) {
		q.Before = before
		rows, err := o.store.Old(ctx, q)
		return len(rows) > 0, err
	}
	if any, err := there(began.Add(time.Millisecond)); err != nil || !any {
		return began.Add(farOff), err
	}
	none, some := began.Add(-life), began // nothing is before none, something before some
	for some.Sub(none) > dueStep {
		mid := none.Add(some.Sub(none) / 2)
		any, err := there(mid)
		switch {
		case err != nil:
			return time.Time{}, err
		case any:
			some = mid
		default:
			none = mid
		}
	}
	return none.Add(life), nil
}

// oldestEntry is when the oldest entry of a context was written that may leave.
func (o *Office) oldestEntry(ctx context.Context, in oldContext, began time.Time) (time.Time, error) {
	rows, err := o.store.Old(ctx, OldQuery{Log: LogEntries, Before: began.Add(time.Millisecond), In: in.ContextID, Through: in.through, Limit: 1})
	if err != nil || len(rows) == 0 {
		return began.Add(farOff), err
	}
	var e Entry
	if err := json.Unmarshal(rows[0].Value, &e); err != nil {
		return time.Time{}, fmt.Errorf("an entry of a transcript: %w", err)
	}
	return e.At, nil
}
