package office

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"time"

	"bullpen/internal/fault"
)

const (
	// headPause is how long the loop waits before it asks a store again that
	// did not say what became of a commit; it doubles up to headPauseMax.
	headPause    = 50 * time.Millisecond
	headPauseMax = 2 * time.Second
)

// errLookAgain sends a verb back to look in the record: what it looked for came
// in meanwhile.
var errLookAgain = errors.New("the record must be asked again")

// loop is the one goroutine that decides. It ends when Close says so or when
// the office belongs to another process.
func (o *Office) loop(ctx context.Context) {
	defer close(o.done)
	defer o.feed.wake() // who waits for a change learns that there will be none
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	for {
		timer.Reset(o.untilDeadline())
		var jobs []job
		select {
		case j := <-o.jobs:
			if o.looked(j) {
				continue
			}
			jobs = o.crowd.gather(j, o.jobs)
		case <-timer.C:
			jobs = []job{{req: tick{}, reply: make(chan answer, 1)}}
		case <-o.fenced:
			o.cancelRun()
			return
		case <-o.stop:
			return
		}
		if err := o.take(context.WithoutCancel(ctx), jobs); err != nil {
			o.lose(err)
			o.log.Error("the office stops", "err", err)
			o.cancelRun()
			return
		}
	}
}

// longestSleep bounds the loop's wait for a deadline, so that a clock that was
// set is noticed.
const longestSleep = time.Hour

// untilDeadline is how long nothing happens by itself.
func (o *Office) untilDeadline() time.Duration {
	at := o.state.nextDeadline(o.now())
	if at.IsZero() {
		return longestSleep
	}
	return min(max(at.Sub(o.now()), time.Millisecond), longestSleep)
}

// take decides jobs as one batch, commits it and lets its effects leave. When
// the commit fails the state is loaded afresh and the jobs are tried singly, so
// that one bad one fails alone. The error is not nil when the office is lost.
func (o *Office) take(ctx context.Context, jobs []job) error {
	// What is committed stands here until anything is decided, so nobody who only looks
	// waits for the disk.
	if jobs = slices.DeleteFunc(jobs, o.looked); len(jobs) == 0 {
		return nil
	}
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
	for i, j := range jobs {
		err := o.tryTogether(ctx, []job{j})
		if err == nil {
			continue
		}
		answerAll([]job{j}, answer{err: err})
		if lost := o.reload(ctx, err); lost != nil {
			answerAll(jobs[i+1:], answer{err: lost})
			return lost
		}
	}
	return nil
}

// tryTogether answers the jobs only if all of it became durable.
func (o *Office) tryTogether(ctx context.Context, jobs []job) error {
	d := newDecision(o.state, o.now(), rand.Text)
	d.watched = o.events.watched()
	answers := make([]answer, len(jobs))
	for i, j := range jobs {
		d.event = j.event
		if err := decideSafely(d, j.req, &answers[i]); err != nil {
			d.forget()
			return err
		}
	}
	var took time.Duration
	changes := d.batch()
	if len(changes) > 0 {
		began := time.Now()
		if err := o.commit(ctx, changes); err != nil {
			d.forget()
			return err
		}
		took = time.Since(began)
	}
	o.placed.follow(d.posted, changes)
	o.leave(d)
	for i, j := range jobs {
		j.reply <- answers[i]
	}
	o.crowd.answered(len(jobs), took)
	return nil
}

// looked answers a job that only looks.
func (o *Office) looked(j job) bool {
	if j.look == nil {
		return false
	}
	j.reply <- answer{out: j.look(o.state)}
	return true
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
	b := Batch{N: o.batch + 1, ID: rand.Text(), Changes: changes}
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

// settleCommit asks the store until it says whether b is in the record. A store
// that was only away is given b once more: its absence costs its time, and nobody
// has to say a thing twice.
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
		case !errors.Is(cause, ErrUnreachable):
			return fmt.Errorf("the office could not store this: %w", cause)
		default:
			cause = o.store.Commit(ctx, o.lease, b)
			if cause == nil || errors.Is(cause, ErrFenced) {
				return cause
			}
		}
		select {
		case <-time.After(pause):
		case <-o.patience.Done():
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
		case <-o.patience.Done():
			return fmt.Errorf("the office closed before its record could be read: %w", err)
		}
	}
}

// leave lets the effects of a committed batch out: turns start, watchers wake. What a
// turn was writing is over before its answer leaves.
func (o *Office) leave(d *decision) {
	for _, start := range d.begun {
		o.drafts.begin(start.Turn.Ref())
	}
	for _, ref := range d.ended {
		o.drafts.end(ref.Turn)
	}
	for _, a := range d.audits {
		o.audited(a)
	}
	o.feed.add(d.posted)
	o.happened.add(d.news, happeningsKept, func(h *Happening, n int64) { h.N = n })
	o.events.add(d.told())
	for _, l := range d.lost {
		o.archive(l.ID)
	}
	for _, ref := range d.stopped {
		o.stopRun(ref)
	}
	for _, start := range d.begun {
		if t := o.state.Turns[start.Turn.ID]; t != nil && t.Attempt == start.Turn.Attempt {
			o.run(start)
		}
	}
	for _, id := range d.stopped {
		o.stopRun(id)
	}
	if d.compacted {
		select {
		case o.sweepSoon <- struct{}{}:
		default: // it is asked for already
		}
	}
	for _, id := range d.settled {
		o.bells.ring(id)
	}
	for _, x := range d.going {
		if cur := o.state.Sends[x.ID]; o.sender != nil && cur != nil && cur.Attempt == x.Attempt && cur.State == x.State {
			o.send(x)
		}
	}
	if len(d.posted)+len(d.begun)+len(d.ended) > 0 {
		o.feed.wake()
	}
}

// run starts one attempt of a turn.
func (o *Office) run(start TurnStart) {
	ctx, cancel := context.WithCancel(o.runCtx)
	o.cancelMu.Lock()
	o.cancels[start.Turn.Ref()] = cancel
	o.cancelMu.Unlock()
	o.runs.Add(1)
	go func() {
		defer o.runs.Done()
		defer o.stopRun(start.Turn.Ref())
		reason := "its runner gave up"
		defer func() {
			if p := recover(); p != nil {
				o.log.Error("a turn's runner failed", "turn", start.Turn.ID, "panic", p, "stack", string(debug.Stack()))
				reason = "an internal error; the log has the details"
			}
			// A turn that nobody runs any more must not stay open.
			if o.runCtx.Err() == nil && o.drafts.writes(start.Turn.Ref()) {
				o.insist(fail{Ref: start.Turn.Ref(), Reason: reason, Left: true})
			}
		}()
		o.runner.Run(ctx, o, start)
	}()
}

// stopRun ends the context of the runner of one attempt.
func (o *Office) stopRun(turn TurnRef) {
	o.cancelMu.Lock()
	defer o.cancelMu.Unlock()
	if cancel := o.cancels[turn]; cancel != nil {
		cancel()
		delete(o.cancels, turn)
	}
}

// send carries out one attempt of a send and tells the office how it ended.
func (o *Office) send(s Send) {
	o.runs.Add(1)
	go func() {
		defer o.runs.Done()
		v := o.sendSafely(s)
		v.Send, v.Attempt = s.ID, s.Attempt
		o.insist(v)
	}()
}

// insist hands in what must become part of the record, again as long as the
// store cannot take it and the office is open.
func (o *Office) insist(r request) {
	for pause := headPause; ; pause = min(2*pause, headPauseMax) {
		_, err := o.do(context.WithoutCancel(o.runCtx), r)
		if err == nil || errors.Is(err, ErrStale) || errors.Is(err, ErrClosed) || errors.Is(err, ErrFenced) {
			return
		}
		o.log.Warn("something could not be stored; it is tried again", "what", fmt.Sprintf("%T", r), "err", err)
		select {
		case <-time.After(pause):
		case <-o.patience.Done():
			return
		}
	}
}

// sendSafely makes an unknown end of a panic.
func (o *Office) sendSafely(s Send) (v Verdict) {
	defer func() {
		if p := recover(); p != nil {
			o.log.Error("a send failed", "send", s.ID, "panic", p, "stack", string(debug.Stack()))
			v = Verdict{Kind: Uncertain}
		}
	}()
	if !o.tenure.valid() {
		return Verdict{Kind: NotSent} // it may be another process's to send
	}
	fault.Point("send.before")
	v = o.sender.Send(o.runCtx, o, s)
	fault.Point("send.after")
	return v
}

func answerAll(jobs []job, a answer) {
	for _, j := range jobs {
		j.reply <- a
	}
}
