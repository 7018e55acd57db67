package office

import (
	"context"
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

// Sender sends what the office owes a platform. The office calls Send on a
// goroutine of its own, one at a time for each portal, after the commit that
// says so, and waits for it at Close. Send either sends part s.Part of the
// message, so that the request leaves before s.LeaveBy, or, if s.State is
// SendLooking, looks whether an earlier attempt arrived. It always ends with a
// verdict, also when ctx ends.
type Sender interface {
	// Send carries out one attempt.
	Send(ctx context.Context, o *Office, s Send) Verdict
}

// Options are what an office needs from its process.
type Options struct {
	Store  Store
	Setup  Setup
	Runner Runner
	// Sender carries the outbox to the platforms; nil: there are none.
	Sender Sender
	// Archive takes what leaves the record; nil: messages and logs are kept for ever.
	Archive Archive
	// Split cuts a message into the parts that a portal's platform can show; nil:
	// every message is one part. It must be a function of its arguments alone.
	Split func(*Portal, *Message) []string
	// Files keeps what colleagues send; nil: they can send none.
	Files FileStore
	// Declaration is where changes of the roster and of channels are written; nil:
	// they are refused, but of colleagues whom only the record knows.
	Declaration Declaration
	// CheckModel refuses a model that cannot be had, in a sentence that names the
	// nearest ones; it is asked before anybody is hired or configured with one. nil:
	// every name will do.
	CheckModel func(ctx context.Context, ref string) error
	// Audited is told of every line of the audit log, in order, once it is in the
	// record. It must be quick: the office waits for it. nil: nobody is told.
	Audited func(Audit)
	Log     *slog.Logger     // nil: nothing is logged
	Now     func() time.Time // nil: time.Now
	// Program is how the process was started, for the sentence that refuses a
	// second owner.
	Program string
}

// Office is an office that this process owns.
type Office struct {
	store  Store
	lease  Lease
	runner Runner
	sender Sender
	split  func(*Portal, *Message) []string
	files  FileStore
	// audited is never nil.
	audited func(Audit)
	log     *slog.Logger
	now     func() time.Time

	declaration Declaration
	checkModel  func(ctx context.Context, ref string) error // may be nil
	amending    chan struct{}                               // holds whoever changes the declaration: one at a time

	jobs chan job
	stop chan struct{} // closed by Close, when no turn runs any more
	done chan struct{} // closed when the loop has returned

	// Of the loop alone.
	state *State
	batch int64
	crowd crowd

	feed     feed
	happened trail[Happening]
	events   events
	drafts   drafts
	placed   placed
	bells    bells
	shelf    Archive
	// sweepSoon asks for what is too old to be looked for at once.
	sweepSoon chan struct{}

	tenure   tenure
	fenced   chan struct{} // closed when the office is found to be another process's
	loseOnce sync.Once
	// keeping waits for what renews the lease, until the office has closed.
	keeping     sync.WaitGroup
	stopKeeping context.CancelFunc

	cancelMu sync.Mutex
	cancels  map[TurnRef]context.CancelFunc // of the attempts' runners

	runs      sync.WaitGroup
	runCtx    context.Context
	cancelRun context.CancelFunc
	patience  context.Context // how long a store that does not answer is asked again
	giveUp    context.CancelFunc
	closeOnce sync.Once
	closeErr  error
	lost      atomic.Pointer[error] // why the loop gave up
}

// job is a request on its way through the loop, or a look at the state.
type job struct {
	req   request
	event string // see WithEvent
	look  func(*State) any
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
		declaration: opt.Declaration, checkModel: opt.CheckModel, amending: make(chan struct{}, 1),
		store: opt.Store, runner: opt.Runner, sender: opt.Sender, split: opt.Split, files: opt.Files, audited: opt.Audited, log: opt.Log, now: opt.Now,
		cancels: map[TurnRef]context.CancelFunc{}, fenced: make(chan struct{}), stopKeeping: func() {},
		shelf: opt.Archive, sweepSoon: make(chan struct{}, 1),
		jobs: make(chan job), stop: make(chan struct{}), done: make(chan struct{}),
	}
	if o.log == nil {
		o.log = slog.New(slog.DiscardHandler)
	}
	if o.audited == nil {
		o.audited = func(Audit) {}
	}
	if o.now == nil {
		o.now = time.Now
	}
	host, err := os.Hostname()
	if err != nil {
		host = "this machine"
	}
	asked := time.Now()
	o.lease, err = o.store.Acquire(ctx, Holder{Host: host, PID: os.Getpid(), Since: o.now(), Program: opt.Program})
	if err != nil {
		return nil, err
	}
	if r, ok := o.store.(Renewer); ok {
		o.tenure.limited, o.tenure.ttl = true, r.LeaseTTL()
		o.tenure.extend(asked)
	}
	// Turns outlive the call that opened the office; Close ends them.
	o.runCtx, o.cancelRun = context.WithCancel(context.WithoutCancel(ctx))
	o.patience, o.giveUp = context.WithCancel(context.WithoutCancel(ctx))
	if err := o.load(ctx, opt.Setup); err != nil {
		o.cancelRun()
		return nil, errors.Join(err, o.store.Release(context.WithoutCancel(ctx), o.lease))
	}
	first := []job{{req: takeOver{opt.Setup}}}
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
	for id, c := range o.state.Colleagues {
		if c.Gone {
			o.archive(id)
		}
	}
	go o.loop(o.runCtx)
	o.keeping.Go(func() { o.keepRecord(o.runCtx) })
	if r, ok := o.store.(Renewer); ok {
		ctx, stop := context.WithCancel(context.WithoutCancel(ctx))
		o.stopKeeping = stop
		o.keeping.Go(func() { o.keepLease(ctx, r) })
	}
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
	old := o.state
	o.state, o.batch = restore(setup, snap), snap.Head.N
	o.placed.clear()
	if old != nil {
		o.state.keep(old)
	}
	if o.split != nil {
		o.state.split = o.split
	}
	for _, x := range snap.Parked {
		if err := o.recallThread(ctx, x.In); err != nil {
			return err
		}
	}
	o.feed.start(o.state.Meta.Message)
	return nil
}

// Close stops the office in order: no turn starts any more; running ones have
// until ctx ends, then they are left for the next owner to attempt again; the
// lease is released. It may be called more than once.
func (o *Office) Close(ctx context.Context) error {
	o.closeOnce.Do(func() {
		// Whatever waits for a store that does not answer gives up with ctx.
		defer context.AfterFunc(ctx, o.giveUp)()
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
		o.stopKeeping()
		o.keeping.Wait()
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
	a := o.submit(ctx, job{req: r, event: eventOf(ctx), reply: make(chan answer, 1)})
	return a.out, a.err
}

// look runs f on the loop, on the state as committed. What f returns must share
// nothing with the state that is ever altered.
func look[T any](ctx context.Context, o *Office, f func(*State) T) (T, error) {
	a := o.submit(ctx, job{look: func(s *State) any { return f(s) }, reply: make(chan answer, 1)})
	found, _ := a.out.(T) // the zero value, where there is an error
	return found, a.err
}

// lookFor is look for what may not be there, or may not be told: the error is why.
func lookFor[T any](ctx context.Context, o *Office, f func(*State) (T, error)) (T, error) {
	type found struct {
		what T
		err  error
	}
	x, err := look(ctx, o, func(s *State) (x found) {
		x.what, x.err = f(s)
		return x
	})
	if err == nil {
		err = x.err
	}
	return x.what, err
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
