package office

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"

	"bullpen/internal/fault"
)

const (
	// maxJobs is how many requests one batch may hold.
	maxJobs = 256
	// headPause is how long the loop waits before it asks a store again that
	// did not say what became of a commit; it doubles up to headPauseMax.
	headPause    = 50 * time.Millisecond
	headPauseMax = 2 * time.Second
)

// errLookAgain sends a verb back to look in the record: the state was loaded
// afresh since it looked.
var errLookAgain = errors.New("the record must be asked again")

// loop is the one goroutine that decides. It ends when Close says so or when
// the office belongs to another process.
func (o *Office) loop(ctx context.Context) {
	defer close(o.done)
	for {
		select {
		case j := <-o.jobs:
			if err := o.take(context.WithoutCancel(ctx), o.gather(j)); err != nil {
				o.lost.Store(&err)
				o.log.Error("the office stops", "err", err)
				o.cancelRun()
				return
			}
		case <-o.stop:
			return
		}
	}
}

// gather takes what waits beside the first job, so that all of it shares one commit.
func (o *Office) gather(first job) []job {
	jobs := []job{first}
	for len(jobs) < maxJobs {
		select {
		case j := <-o.jobs:
			jobs = append(jobs, j)
		default:
			return jobs
		}
	}
	return jobs
}

// take decides jobs as one batch, commits it and lets its effects leave. When
// the commit fails the state is loaded afresh and the jobs are tried singly, so
// that one bad one fails alone. The error is not nil when the office is lost.
func (o *Office) take(ctx context.Context, jobs []job) error {
	err := o.tryTogether(ctx, jobs)
	if err == nil {
		return nil
	}
	if lost := o.reload(ctx, err); lost != nil {
		answerAll(jobs, answer{err: lost})
		return lost
	}
	if len(jobs) == 1 {
		answerAll(jobs, answer{err: err})
		return nil
	}
	for _, j := range jobs {
		err := o.tryTogether(ctx, []job{j})
		if err == nil {
			continue
		}
		answerAll([]job{j}, answer{err: err})
		if lost := o.reload(ctx, err); lost != nil {
			return lost
		}
	}
	return nil
}

// tryTogether answers the jobs only if all of it became durable.
func (o *Office) tryTogether(ctx context.Context, jobs []job) error {
	d := newDecision(o.state, o.now())
	answers := make([]answer, len(jobs))
	for i, j := range jobs {
		if j.req == nil {
			continue
		}
		if err := decideSafely(d, j.req, &answers[i]); err != nil {
			return err
		}
	}
	if changes := d.batch(); len(changes) > 0 {
		if err := o.commit(ctx, changes); err != nil {
			return err
		}
	}
	o.leave(d)
	for i, j := range jobs {
		if j.look != nil {
			j.look(o.state)
		}
		j.reply <- answers[i]
	}
	return nil
}

// decideSafely turns a panic of a rule into an error of its request. What the
// request had put by then must not stay: the error makes the loop reload.
func decideSafely(d *decision, r request, a *answer) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("deciding %T failed: %v\n%s", r, p, debug.Stack())
		}
	}()
	a.out, a.err = d.request(r)
	return nil
}

// commit makes changes durable. When the store does not say how a commit ended
// nothing else is decided until it has.
func (o *Office) commit(ctx context.Context, changes []Change) error {
	b := Batch{N: o.batch + 1, ID: newBatchID(), Changes: changes}
	fault.Point("commit.before")
	err := o.store.Commit(ctx, o.lease, b)
	if err != nil && !errors.Is(err, ErrFenced) {
		err = o.settleCommit(ctx, b, err)
	}
	if err != nil {
		return err
	}
	o.batch = b.N
	fault.Point("commit.after")
	return nil
}

// settleCommit asks the store until it says whether b is in the record.
func (o *Office) settleCommit(ctx context.Context, b Batch, cause error) error {
	for pause := headPause; ; pause = min(2*pause, headPauseMax) {
		head, err := o.store.Head(ctx)
		switch {
		case err != nil:
			o.log.Warn("the store does not answer", "err", err)
		case head.Lease != o.lease:
			return ErrFenced
		case head.N == b.N && head.ID == b.ID:
			return nil
		default:
			return fmt.Errorf("the office could not store this: %w", cause)
		}
		select {
		case <-time.After(pause):
		case <-o.runCtx.Done():
			return fmt.Errorf("the office closed before its store answered: %w", cause)
		}
	}
}

// reload goes back to the record after a failed batch.
func (o *Office) reload(ctx context.Context, cause error) error {
	if errors.Is(cause, ErrFenced) {
		return cause
	}
	o.log.Error("a batch failed", "err", cause)
	for pause := headPause; ; pause = min(2*pause, headPauseMax) {
		err := o.load(ctx, o.state.Setup)
		if err == nil {
			return nil
		}
		if errors.Is(err, ErrFenced) {
			return err
		}
		o.log.Warn("the record cannot be read", "err", err)
		select {
		case <-time.After(pause):
		case <-o.runCtx.Done():
			return fmt.Errorf("the office closed before its record could be read: %w", err)
		}
	}
}

// leave lets the effects of a committed batch out: turns start, watchers wake.
func (o *Office) leave(d *decision) {
	o.feed.add(d.posted)
	for _, start := range d.begun {
		if o.state.Turns[start.Turn.ID] != nil {
			o.run(start)
		}
	}
	if len(d.posted)+len(d.begun)+len(d.ended) > 0 {
		o.feed.wake()
	}
}

// run starts one attempt of a turn.
func (o *Office) run(start TurnStart) {
	o.runs.Add(1)
	go func() {
		defer o.runs.Done()
		reason := "its runner gave up"
		defer func() {
			if p := recover(); p != nil {
				o.log.Error("a turn's runner failed", "turn", start.Turn.ID, "panic", p, "stack", string(debug.Stack()))
				reason = "an internal error; the log has the details"
			}
			// A turn that nobody runs any more must not stay open.
			if o.runCtx.Err() == nil {
				_, err := o.do(o.runCtx, fail{Ref: start.Turn.Ref(), Reason: reason})
				if err != nil && !errors.Is(err, ErrStale) && o.runCtx.Err() == nil {
					o.log.Error("a turn could not be ended", "turn", start.Turn.ID, "err", err)
				}
			}
		}()
		o.runner.Run(o.runCtx, o, start)
	}()
}

func answerAll(jobs []job, a answer) {
	for _, j := range jobs {
		j.reply <- a
	}
}
