package office

import (
	"context"
	"time"
)

// Post takes in what a person says: it is stored, its wakes are read from the
// text and decided, and the receipt says what became of each. The same event
// again gives the first receipt and changes nothing. When it returns without
// error the message survives a crash.
func (o *Office) Post(ctx context.Context, p Post) (Receipt, error) {
	r, again, err := o.seen(ctx, p.Event)
	if err != nil || again {
		return r, err
	}
	out, err := o.do(ctx, postRequest{p})
	if err != nil {
		return Receipt{}, err
	}
	return out.(Receipt), nil
}

// seen looks an event up in the record.
func (o *Office) seen(ctx context.Context, event string) (Receipt, bool, error) {
	if event == "" {
		return Receipt{}, false, nil
	}
	a, ok, err := o.store.Seen(ctx, event)
	if err != nil || !ok {
		return Receipt{}, false, err
	}
	m, _, err := o.identified(ctx, a)
	if err != nil {
		return Receipt{}, false, err
	}
	r := receiptOf(m)
	r.Again = true
	return r, true, nil
}

// Messages reads a page of the record, without regard to who asks.
func (o *Office) Messages(ctx context.Context, q MessageQuery) (MessagePage, error) {
	return o.store.Messages(ctx, q)
}

// Transcript reads the newest entries of a context, oldest first; limit 0 reads all.
func (o *Office) Transcript(ctx context.Context, in ContextID, limit int) ([]Entry, error) {
	return o.store.Transcript(ctx, in, limit)
}

// RecordReply makes the model's answer durable before any of its calls runs.
// Without calls it ends the turn. ErrStale: the attempt is over.
func (o *Office) RecordReply(ctx context.Context, r Reply) (Progress, error) {
	return o.progress(ctx, r)
}

// RecordResult records what call key of the last answer returned. calls are
// those of the whole answer: the office's own that follow run in the same commit.
func (o *Office) RecordResult(ctx context.Context, ref TurnRef, key int, res Result, calls []PreparedCall) (Progress, error) {
	return o.progress(ctx, callResult{Ref: ref, Key: key, Res: res, Calls: calls})
}

// Proceed is how a later attempt goes on: at the first open call of the last
// recorded answer, whose calls are given.
func (o *Office) Proceed(ctx context.Context, ref TurnRef, calls []PreparedCall) (Progress, error) {
	return o.progress(ctx, proceed{Ref: ref, Calls: calls})
}

// Fail ends a turn that cannot go on; whoever asked is told the reason.
// used is what requests cost that came to nothing.
func (o *Office) Fail(ctx context.Context, ref TurnRef, reason string, used []Usage) error {
	_, err := o.progress(ctx, fail{Ref: ref, Reason: reason, Usage: used})
	return err
}

// Waiting shows until when a turn waits for its model's exhausted account.
func (o *Office) Waiting(ctx context.Context, ref TurnRef, until time.Time) error {
	_, err := o.do(ctx, waiting{ref, until})
	return err
}

func (o *Office) progress(ctx context.Context, r request) (Progress, error) {
	out, err := o.do(ctx, r)
	if err != nil {
		return Progress{}, err
	}
	return out.(Progress), nil
}
