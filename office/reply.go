package office

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"
)

// Reply is the model's answer of one step. It is committed before any of its
// calls runs.
type Reply struct {
	Ref   TurnRef
	Text  string
	Calls []PreparedCall
	Extra json.RawMessage
	// Usage is what the request used, and failed tries before it.
	Usage []Usage
}

// PreparedCall is a call with what the registry of tools knows about it.
type PreparedCall struct {
	ToolCall
	Class CallClass
	// Verb is what an OfficeCall asks the office to do, nil for other classes.
	Verb Verb
	// Need is what the tool asks of its caller, checked again at the call.
	Need Need
	// Refused is the result of a call that cannot be run at all: an unknown
	// tool, arguments that do not fit.
	Refused string
}

// Result is what one call returned.
type Result struct {
	Text   string `json:"text"`
	Failed bool   `json:"failed,omitempty"`
	// Structure is what it says for programs, bounded; nil where that is nothing.
	Structure json.RawMessage `json:"structure,omitempty"`
	// Question has to be decided before there is a result; empty: this is it.
	Question string `json:"-"`
	// Shows says that it shows messages, which go back to the queue unless an answer
	// follows.
	Shows bool `json:"-"`
}

// Progress is what a runner goes on with.
type Progress struct {
	// Entries were added to the turn's transcript by this commit, in order.
	Entries []Entry
	// Open are the keys of the calls that the runner must run now, in order.
	Open []int
	// Waits says that the next call waits for a person: see Office.Await.
	Waits bool
	// Step counts the recorded answers.
	Step int
	// Colleague is whose turn it is, as it is now: its role or its model may have
	// changed since the turn began.
	Colleague Colleague
	// Ended says that the turn is over.
	Ended bool
}

// current is the open turn that ref names, as a copy to be changed and put.
func (d *decision) current(ref TurnRef) (*Turn, error) {
	t := d.s.Turns[ref.Turn]
	if t == nil || t.Attempt != ref.Attempt {
		return nil, fmt.Errorf("turn %d, attempt %d: %w", ref.Turn, ref.Attempt, ErrStale)
	}
	c := *t
	return &c, nil
}

func (d *decision) progress(t *Turn) Progress {
	p := Progress{Entries: d.grown[t.ID], Step: t.Step, Ended: t.State != TurnOpen, Colleague: *d.s.Colleagues[t.Colleague]}
	delete(d.grown, t.ID)
	for _, c := range t.Calls {
		if c.waits() {
			p.Waits = len(p.Open) == 0
			break // what is behind it waits with it
		}
		if !c.Done {
			p.Open = append(p.Open, c.Key)
		}
	}
	return p
}

// decide records the answer. With calls, the office's own run at once, up to
// the first that must run outside; without, the turn ends.
func (r Reply) decide(d *decision) (any, error) {
	t, err := d.current(r.Ref)
	if err != nil {
		return nil, err
	}
	if open := slices.ContainsFunc(t.Calls, func(c Call) bool { return !c.Done }); open {
		return nil, fmt.Errorf("turn %d: an answer was recorded while calls of the one before are open", t.ID)
	}
	t.Step++
	t.Unseen, t.Reads, t.Waiting, t.Stuck = nil, nil, time.Time{}, time.Time{}
	calls := make([]ToolCall, len(r.Calls))
	for i, c := range r.Calls {
		calls[i] = c.ToolCall
	}
	d.entry(t, Entry{Kind: EntryReply, Text: r.Text, Calls: calls, Extra: r.Extra})
	d.tellStep(t, len(r.Calls))
	d.book(t, r.Usage)
	if len(r.Calls) == 0 {
		d.end(t, TurnDone, "", r.Text)
		return d.progress(t), nil
	}
	t.Answered = false
	t.Calls = make([]Call, len(r.Calls))
	for i, c := range r.Calls {
		t.Calls[i] = Call{Key: i, ID: c.ID, Name: c.Name, Class: c.Class}
	}
	if t.Step >= d.s.Limits.Steps {
		d.end(t, TurnFailed, fmt.Sprintf("it went on calling tools for %d steps, which is the limit of one turn", t.Step), "")
		return d.progress(t), nil
	}
	if why, over := d.overBudget(d.s.Colleagues[t.Colleague]); over {
		d.end(t, TurnFailed, why, "")
		return d.progress(t), nil
	}
	d.advance(t, r.Calls)
	return d.progress(t), nil
}

// advance runs the office's own calls in order up to the first open call of
// another class; when all calls have results the turn stands at a boundary.
func (d *decision) advance(t *Turn, calls []PreparedCall) {
	for i := range t.Calls {
		c := &t.Calls[i]
		if c.Done {
			continue
		}
		if c.Question == "" {
			d.tellCall(EventToolStarted, t, *c, false)
		}
		res, ok := d.runCall(t, *c, find(calls, c.Key))
		if res.Question != "" {
			t.Calls = slices.Clone(t.Calls)
			t.Calls[i].Question = res.Question
		}
		if !ok || res.Question != "" {
			d.put(PutTurn{*t})
			d.steps(t)
			return
		}
		d.result(t, i, res)
	}
	d.boundary(t)
	d.put(PutTurn{*t})
	d.steps(t)
}

// runCall gives the result of a call as far as the office can: not of one that
// waits for a person, and not of one that runs outside.
func (d *decision) runCall(t *Turn, c Call, p *PreparedCall) (res Result, ok bool) {
	switch {
	case c.Answer != nil:
		return *c.Answer, true
	case c.waits() || p == nil:
		return Result{}, false
	case p.Refused != "":
		return Result{Text: p.Refused, Failed: true}, true
	case d.mayCall(t, p) != "":
		return Result{Text: d.mayCall(t, p), Failed: true}, true
	case d.needsLeave(t, c):
		return d.askLeave(t, p), true
	case p.Verb == nil:
		return Result{}, false
	default:
		return p.Verb.run(d, t), true
	}
}

// find is the prepared call with a key: its position in the answer.
func find(calls []PreparedCall, key int) *PreparedCall {
	if key < len(calls) {
		return &calls[key]
	}
	return nil
}

func (d *decision) result(t *Turn, i int, res Result) {
	t.Calls = slices.Clone(t.Calls)
	t.Calls[i].Done = true
	d.tellCall(EventToolEnded, t, t.Calls[i], res.Failed)
	e := d.entry(t, Entry{Kind: EntryResult, CallID: t.Calls[i].ID, Text: res.Text, Failed: res.Failed, Structure: bounded(res.Structure)})
	if res.Shows {
		t.Reads = append(slices.Clone(t.Reads), CallRead{N: e.N, ID: e.CallID})
	}
}

// callResult records what a call returned that ran outside the office. Calls are
// those of the whole answer, so that the office's own behind it can run.
type callResult struct {
	Ref   TurnRef
	Key   int
	Res   Result
	Calls []PreparedCall
}

func (r callResult) decide(d *decision) (any, error) {
	t, err := d.current(r.Ref)
	if err != nil {
		return nil, err
	}
	if r.Key < 0 || r.Key >= len(t.Calls) {
		return nil, fmt.Errorf("turn %d has no call %d at this step", t.ID, r.Key)
	}
	if t.Calls[r.Key].waits() {
		return nil, fmt.Errorf("turn %d: call %d waits for a person and has not run", t.ID, r.Key)
	}
	if !t.Calls[r.Key].Done { // else: written once already
		d.result(t, r.Key, r.Res)
		d.advance(t, r.Calls)
	}
	return d.progress(t), nil
}

// proceed is how a later attempt goes on: at the first open call, or, where
// none is open, at the boundary.
type proceed struct {
	Ref   TurnRef
	Calls []PreparedCall
}

func (r proceed) decide(d *decision) (any, error) {
	t, err := d.current(r.Ref)
	if err != nil {
		return nil, err
	}
	d.advance(t, r.Calls)
	return d.progress(t), nil
}

// fail ends a turn that cannot go on.
type fail struct {
	Ref    TurnRef
	Reason string
	Usage  []Usage // of requests that came to nothing
	// Left says that its runner returned; while the office closes that is in order.
	Left bool
}

func (r fail) decide(d *decision) (any, error) {
	t, err := d.current(r.Ref)
	if err != nil {
		return nil, err
	}
	if r.Left && d.s.Closing {
		return d.progress(t), nil // it is parked, for the next owner
	}
	d.book(t, r.Usage)
	d.end(t, TurnFailed, r.Reason, "")
	return d.progress(t), nil
}

// waiting says until when a turn waits for its model's account.
type waiting struct {
	Ref   TurnRef
	Until time.Time
}

func (r waiting) decide(d *decision) (any, error) {
	t, err := d.current(r.Ref)
	if err != nil {
		return nil, err
	}
	t.Waiting = r.Until.UTC().Truncate(time.Millisecond)
	d.put(PutTurn{*t})
	return nil, nil
}
