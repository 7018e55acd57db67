// Package agent runs a colleague's turns: it asks the model, makes each answer
// durable before any of its calls runs, runs the calls, and goes on until the
// model stops. What a turn means for the office (what joins it, what becomes of
// its final text) is decided by the office; this package carries it out.
package agent

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"reflect"
	"time"

	"bullpen/office"
	"bullpen/office/agent/prompt"
	"bullpen/office/agent/tool"
	"bullpen/office/model"
)

// Bounds of a turn's dealings with the outside.
const (
	// answerTime is how long one model request may take.
	answerTime = 10 * time.Minute
	// recordPause is the first pause before a record is tried again that the
	// store could not take; it doubles up to recordPauseMax.
	recordPause    = 100 * time.Millisecond
	recordPauseMax = 5 * time.Second
)

// Models finds the model that a reference of office.yaml (provider:model-id)
// names. The error tells a person what is wrong with the reference.
type Models func(ref string) (model.Model, error)

// Runner runs turns. Its fields are set before its first use; it may run any
// number of turns at once.
type Runner struct {
	Models Models
	Tools  *tool.Registry
	// Prompt composes the system prompt of a colleague.
	Prompt func(ctx context.Context, o *office.Office, c *office.Colleague) (prompt.Prompt, error)
	// Shell gives a colleague's shell, which keeps to its workspace; nil where there
	// is none.
	Shell func(ctx context.Context, c *office.Colleague, workspace string) (tool.Shell, error)
	// Folder is where the colleagues' folders are, in the office's own: a workspace is
	// Folder/<name>/workspace, or what the colleague's Cwd names.
	Folder string
	// Window is how many tokens the model of a reference takes in, 0 if that is
	// unknown. nil: nothing is known of any.
	Window func(ref string) int
	Log    *slog.Logger

	cooling cooling
	memo    memo
	homes   homes
}

var (
	_ office.Runner   = (*Runner)(nil)
	_ office.Archiver = (*Runner)(nil)
)

// turn is one attempt in progress.
type turn struct {
	*Runner
	o     *office.Office
	start office.TurnStart
	log   *slog.Logger
	env   tool.Env
	// entries is the transcript, last the number of its newest entry, mark where it
	// begins, and memory what was read of the memory files then. messages is the
	// transcript as the model gets it; calls are those of the last answer.
	entries  []office.Entry
	last     int64
	mark     office.ContextMark
	memory   string
	messages []model.Message
	// full says that the last request nearly filled its model's window.
	full  bool
	clock *clock
	vigil *vigil
	// stale says that the colleague's settings have changed since its prompt was composed.
	stale bool
	// used is what the requests of this step were billed for.
	used   []office.Usage
	calls  []office.PreparedCall
	steps  int // recorded answers so far
	system string
	tools  []model.Tool
}

// Run runs one attempt. See office.Runner.
func (r *Runner) Run(running context.Context, o *office.Office, start office.TurnStart) {
	ctx, cancel := context.WithCancelCause(running)
	defer cancel(nil)
	t := &turn{
		Runner: r, o: o, start: start, clock: newClock(start.Limits.TurnTime, func() { cancel(errTurnTime) }),
		log: r.Log.With("colleague", start.Colleague.Name, "turn", start.Turn.ID, "attempt", start.Turn.Attempt),
	}
	defer t.clock.timer.Stop()
	t.vigil = newVigil(start.Limits.StuckAfter)
	defer t.watch(running, cancel)()
	err := t.run(ctx)
	switch {
	case errors.Is(context.Cause(ctx), errStuck): // the office has begun another attempt
	case err == nil, errors.Is(err, office.ErrStale), errors.Is(err, office.ErrClosed):
	case errors.Is(context.Cause(ctx), errTurnTime):
		t.fail(running, fmt.Sprintf("it took longer than %s, which is the limit of one turn", start.Limits.TurnTime))
	case ctx.Err() != nil:
		// The office closes: the turn is left to be attempted again.
	default:
		t.fail(running, err.Error())
	}
}

var (
	errTurnTime = errors.New("the turn's time is up")
	errStuck    = errors.New("there was no sign of life")
)

// watch gives the attempt up when there is no sign of life, however little its
// goroutine listens: the office fences it off and begins another one. The
// function that it returns ends the watch.
func (t *turn) watch(ctx context.Context, cancel context.CancelCauseFunc) (end func()) {
	over, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		select {
		case <-over:
		case <-t.vigil.lost:
			t.log.Warn("no sign of life; the turn is attempted again", "after", t.vigil.limit)
			if err := t.o.Stuck(ctx, t.start.Turn.Ref()); err != nil && !errors.Is(err, office.ErrStale) {
				t.log.Error("a turn without a sign of life could not be given up", "err", err)
				return
			}
			cancel(errStuck)
		}
	}()
	return func() { t.vigil.end(); close(over); <-ended }
}

// fail ends the turn, as soon as the store can take it.
func (t *turn) fail(ctx context.Context, reason string) {
	t.log.Warn("a turn failed", "reason", reason)
	_, err := t.record(ctx, func(ctx context.Context) (office.Progress, error) {
		return office.Progress{}, t.o.Fail(ctx, t.start.Turn.Ref(), reason, t.used)
	})
	if err != nil && !errors.Is(err, office.ErrStale) && ctx.Err() == nil {
		t.log.Error("a failed turn could not be ended", "err", err)
	}
}

// run is the loop of steps. The error is the sentence that whoever asked is told.
func (t *turn) run(ctx context.Context) error {
	closeWorkspace, err := t.open()
	if err != nil {
		return err
	}
	defer closeWorkspace()
	p, err := t.resume(ctx)
	for err == nil && !p.Ended {
		switch {
		case p.Waits:
			p, err = t.await(ctx)
		case len(p.Open) > 0:
			p, err = t.runCalls(ctx, p)
		default:
			p, err = t.step(ctx)
		}
	}
	if err == nil {
		t.memo.keep(t.start.Turn.Context(), kept{mark: t.mark, memory: t.memory, entries: t.entries, last: t.last, full: t.full})
	}
	return err
}

// open makes the workspace ready.
func (t *turn) open() (closeIt func(), err error) {
	root, dir, err := t.workspace(&t.start.Colleague)
	if err != nil {
		return nil, err
	}
	if t.start.Colleague.Role == office.Leader {
		if err := leadingNotes(root); err != nil {
			_ = root.Close()
			return nil, err
		}
	}
	t.env = tool.Env{Office: t.o, Colleague: t.start.Colleague, Person: t.start.Turn.Person, Turn: t.start.Turn.Ref(), Workspace: root, Alive: t.vigil.sign}
	if t.Shell != nil {
		t.env.Shell = func(ctx context.Context) (tool.Shell, error) { return t.Shell(ctx, &t.start.Colleague, dir) }
	}
	return func() { _ = root.Close() }, nil
}

// leadingNotes puts the notes on leading into a leader's workspace.
func leadingNotes(workspace *os.Root) error {
	if old, err := workspace.ReadFile(office.LeadingNotes); err == nil && string(old) == prompt.LeadingNotes {
		return nil
	}
	if err := workspace.WriteFile(office.LeadingNotes, []byte(prompt.LeadingNotes), 0o600); err != nil {
		return fmt.Errorf("the notes on leading cannot be put into the workspace: %w", err)
	}
	return nil
}

// resume reads the transcript and, in a later attempt, goes on at the first
// open call.
func (t *turn) resume(ctx context.Context) (office.Progress, error) {
	t.steps = t.start.Turn.Step
	t.mark = t.start.Colleague.Contexts[t.start.Turn.Person]
	t.mark.Fresh = false // that is of the next turn
	if err := t.compose(ctx); err != nil {
		return office.Progress{}, err
	}
	entries, err := t.transcript(ctx)
	if err != nil {
		return office.Progress{}, fmt.Errorf("the transcript cannot be read: %w", err)
	}
	if err := t.take(ctx, entries); err != nil {
		return office.Progress{}, err
	}
	if t.start.Turn.Attempt == 1 {
		return office.Progress{}, nil
	}
	t.calls = t.lastCalls(ctx, entries)
	return t.proceed(ctx)
}

// compose makes the prompt and the tools those of the colleague as it is now. The
// memory files in it are those that were read when the context began.
func (t *turn) compose(ctx context.Context) error {
	composed, err := t.Prompt(ctx, t.o, &t.start.Colleague)
	if err != nil {
		return fmt.Errorf("the prompt cannot be composed: %w", err)
	}
	in := t.start.Turn.Context()
	var known bool
	if t.memory, known = t.memo.memory(in, t.mark); !known {
		if t.memory, err = prompt.Memory(t.env.Workspace, string(in.Person)); err != nil {
			return fmt.Errorf("the memory files cannot be read: %w", err)
		}
		t.memo.keep(in, kept{mark: t.mark, memory: t.memory})
	}
	composed = composed.With("memory", t.memory)
	t.system, t.tools, t.stale = composed.Text, t.Tools.For(&t.start.Colleague), false
	t.log.Debug("turn", "prompt", prompt.Version, "sha256", composed.Hash())
	return nil
}

// meet takes in how the colleague is now; its next step is one of these settings.
func (t *turn) meet(c office.Colleague) {
	if c.ID == "" || reflect.DeepEqual(c.ColleagueSetup, t.start.Colleague.ColleagueSetup) {
		return
	}
	t.start.Colleague, t.env.Colleague, t.stale = c, c, true
}

// proceed goes on at the first open call.
func (t *turn) proceed(ctx context.Context) (office.Progress, error) {
	return t.record(ctx, func(ctx context.Context) (office.Progress, error) {
		return t.o.Proceed(ctx, t.start.Turn.Ref(), t.calls)
	})
}

// await waits for the person that the next call waits for. The wait has a limit
// of its own, so the turn's clock stands still.
func (t *turn) await(ctx context.Context) (office.Progress, error) {
	t.clock.stand()
	walk := t.vigil.stand()
	err := t.o.Await(ctx, t.start.Turn.Ref())
	walk()
	t.clock.walk()
	if err != nil {
		return office.Progress{}, err
	}
	return t.proceed(ctx)
}

// lastCalls prepares the calls of this turn's last recorded answer.
func (t *turn) lastCalls(ctx context.Context, entries []office.Entry) []office.PreparedCall {
	for i := len(entries) - 1; i >= 0; i-- {
		if e := entries[i]; e.Kind == office.EntryReply && e.Turn == t.start.Turn.ID {
			return t.prepare(ctx, e.Calls)
		}
	}
	return nil
}

func (t *turn) prepare(ctx context.Context, calls []office.ToolCall) []office.PreparedCall {
	prepared := make([]office.PreparedCall, len(calls))
	for i, c := range calls {
		prepared[i] = t.Tools.PrepareIn(ctx, t.env, c)
	}
	return prepared
}

// step asks the model once and records its answer.
func (t *turn) step(ctx context.Context) (office.Progress, error) {
	if t.stale {
		if err := t.compose(ctx); err != nil {
			return office.Progress{}, err
		}
	}
	resp, err := t.ask(ctx)
	if err != nil {
		return office.Progress{}, err
	}
	calls := make([]office.ToolCall, len(resp.Calls))
	for i, c := range resp.Calls {
		calls[i] = office.ToolCall{ID: c.ID, Name: c.Name, Args: c.Args, Broken: c.Broken}
	}
	t.calls = t.prepare(ctx, calls)
	return t.record(ctx, func(ctx context.Context) (office.Progress, error) {
		return t.o.RecordReply(ctx, office.Reply{Ref: t.start.Turn.Ref(), Text: resp.Text, Calls: t.calls, Extra: resp.Extra, Usage: t.used})
	})
}

// runCalls runs the next open call and records what it returned.
func (t *turn) runCalls(ctx context.Context, p office.Progress) (office.Progress, error) {
	key := p.Open[0]
	if t.calls[key].Class == office.EffectCall { // its tool has a time limit of its own
		defer t.vigil.stand()()
	}
	env := t.env
	env.Call = fmt.Sprintf("%d.%d.%d", t.start.Turn.ID, p.Step, key)
	res := t.Tools.Run(ctx, env, t.calls[key])
	if ctx.Err() != nil {
		return office.Progress{}, ctx.Err()
	}
	return t.record(ctx, func(ctx context.Context) (office.Progress, error) {
		return t.o.RecordResult(ctx, t.start.Turn.Ref(), key, res, t.calls)
	})
}

// record commits something and takes in what the office adds to the
// transcript. A store that cannot take it now is tried again until the turn's
// time is up: what the model said is worth waiting for.
func (t *turn) record(ctx context.Context, commit func(context.Context) (office.Progress, error)) (office.Progress, error) {
	defer t.vigil.stand()() // a store that is away is no colleague's fault
	for pause := recordPause; ; pause = min(2*pause, recordPauseMax) {
		p, err := commit(ctx)
		switch {
		case err == nil:
			t.meet(p.Colleague)
			t.steps = max(t.steps, p.Step)
			return p, t.take(ctx, p.Entries)
		case errors.Is(err, office.ErrStale), errors.Is(err, office.ErrClosed), errors.Is(err, office.ErrFenced), ctx.Err() != nil:
			return p, err
		}
		t.log.Warn("a record could not be stored; it is tried again", "err", err)
		if err := wait(ctx, pause); err != nil {
			return p, err
		}
	}
}

func wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
