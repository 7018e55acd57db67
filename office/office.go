package office

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

// Runner runs a colleague's turns. The office starts Run on a goroutine of its
// own for each attempt and waits for it at Close. Run returns when the turn has
// ended, when one of its records is refused as stale, or when ctx ends; a turn
// that it leaves open otherwise fails.
type Runner interface {
	// Run runs one attempt of a turn to its end.
	Run(ctx context.Context, o *Office, start TurnStart)
}

// Options are what an office needs from its process.
type Options struct {
	Store  Store
	Setup  Setup
	Runner Runner
	Log    *slog.Logger     // nil: nothing is logged
	Now    func() time.Time // nil: time.Now
	// Program is how the process was started, for the sentence that refuses a
	// second owner.
	Program string
}

// Office is an office that this process owns.
type Office struct {
	store  Store
	lease  Lease
	runner Runner
	log    *slog.Logger
	now    func() time.Time

	jobs  chan job
	stop  chan struct{} // closed by Close, when no turn runs any more
	done  chan struct{} // closed when the loop has returned
	epoch atomic.Int64  // counts reloads of the state

	// Of the loop alone.
	state *State
	batch int64

	feed feed

	runs      sync.WaitGroup
	runCtx    context.Context
	cancelRun context.CancelFunc
	closeOnce sync.Once
	closeErr  error
	lost      atomic.Pointer[error] // why the loop gave up
}

// job is a request on its way through the loop, or a look at the state.
type job struct {
	req   request
	look  func(*State)
	reply chan answer
}

type answer struct {
	out any
	err error
}

// Open makes this process the owner of the office in the store, brings the
// record in line with the setup, takes up the turns that a predecessor left,
// and starts the loop. The error is a *HeldError while another process owns it.
// ctx bounds opening alone.
func Open(ctx context.Context, opt Options) (*Office, error) {
	o := &Office{
		store: opt.Store, runner: opt.Runner, log: opt.Log, now: opt.Now,
		jobs: make(chan job), stop: make(chan struct{}), done: make(chan struct{}),
	}
	if o.log == nil {
		o.log = slog.New(slog.DiscardHandler)
	}
	if o.now == nil {
		o.now = time.Now
	}
	host, err := os.Hostname()
	if err != nil {
		host = "this machine"
	}
	o.lease, err = o.store.Acquire(ctx, Holder{Host: host, PID: os.Getpid(), Since: o.now(), Program: opt.Program})
	if err != nil {
		return nil, err
	}
	// Turns outlive the call that opened the office; Close ends them.
	o.runCtx, o.cancelRun = context.WithCancel(context.WithoutCancel(ctx))
	if err := o.load(ctx, opt.Setup); err != nil {
		o.cancelRun()
		return nil, errors.Join(err, o.store.Release(context.WithoutCancel(ctx), o.lease))
	}
	first := []job{{req: configure{opt.Setup}}, {req: recoverTurns{}}}
	for i := range first {
		first[i].reply = make(chan answer, 1)
	}
	o.take(o.runCtx, first)
	for _, j := range first {
		if a := <-j.reply; a.err != nil {
			o.cancelRun()
			o.runs.Wait()
			return nil, errors.Join(fmt.Errorf("opening office %s: %w", opt.Setup.ID, a.err), o.store.Release(context.WithoutCancel(ctx), o.lease))
		}
	}
	go o.loop(o.runCtx)
	return o, nil
}

// load reads the live state afresh.
func (o *Office) load(ctx context.Context, setup Setup) error {
	snap, err := o.store.Load(ctx)
	if err != nil {
		return fmt.Errorf("reading the office's record: %w", err)
	}
	if snap.Head.Lease != o.lease {
		return ErrFenced
	}
	closing := o.state != nil && o.state.Closing
	o.state, o.batch = restore(setup, snap), snap.Head.N
	o.state.Closing = closing
	o.state.epoch = o.epoch.Add(1)
	o.feed.start(o.state.Meta.Message)
	return nil
}

// Close stops the office in order: no turn starts any more; running ones have
// until ctx ends, then they are left for the next owner to attempt again; the
// lease is released. It may be called more than once.
func (o *Office) Close(ctx context.Context) error {
	o.closeOnce.Do(func() {
		_, err := o.do(context.WithoutCancel(ctx), park{})
		if errors.Is(err, ErrClosed) || errors.Is(err, ErrFenced) {
			err = nil
		}
		ended := make(chan struct{})
		go func() { o.runs.Wait(); close(ended) }()
		select {
		case <-ended:
		case <-ctx.Done():
		}
		o.cancelRun()
		<-ended
		close(o.stop)
		<-o.done
		o.closeErr = errors.Join(err, o.store.Release(context.WithoutCancel(ctx), o.lease))
	})
	return o.closeErr
}

// Done is closed when the office has stopped, by Close or because it lost its
// ownership; Err says which.
func (o *Office) Done() <-chan struct{} { return o.done }

// Err is why the office stopped by itself, or nil.
func (o *Office) Err() error {
	if e := o.lost.Load(); e != nil {
		return *e
	}
	return nil
}

// do hands a request to the loop and waits for its outcome. When ctx ends
// first the request may still be carried out.
func (o *Office) do(ctx context.Context, r request) (any, error) {
	a := o.submit(ctx, job{req: r, reply: make(chan answer, 1)})
	return a.out, a.err
}

// look runs f on the loop, on the state as committed. f must not keep what it
// is given.
func (o *Office) look(ctx context.Context, f func(*State)) error {
	return o.submit(ctx, job{look: f, reply: make(chan answer, 1)}).err
}

func (o *Office) submit(ctx context.Context, j job) answer {
	select {
	case o.jobs <- j:
	case <-o.done:
		return answer{err: o.closedErr()}
	case <-ctx.Done():
		return answer{err: ctx.Err()}
	}
	select {
	case a := <-j.reply:
		return a
	case <-ctx.Done():
		return answer{err: ctx.Err()}
	}
}

func (o *Office) closedErr() error {
	if err := o.Err(); err != nil {
		return err
	}
	return ErrClosed
}

func newBatchID() string { return rand.Text() }
