package office

import "context"

// HappeningKind says what happened.
type HappeningKind string

// The kinds of happening.
const (
	// TurnBegan: a colleague runs; Given are the messages that started it.
	TurnBegan HappeningKind = "turn-began"
	// TurnJoined: Given joined a turn that runs.
	TurnJoined HappeningKind = "turn-joined"
	// TurnStep: a turn goes on; Doing is the tool that it runs now, empty while it thinks.
	TurnStep HappeningKind = "turn-step"
	// TurnEnded: State says how; Given are the messages that it has dealt with.
	TurnEnded HappeningKind = "turn-ended"
)

// Happening is something that those who watch are told: that a colleague works
// and at what. It is not stored; whoever comes late asks who works now.
type Happening struct {
	N         int64 // ascending within this process
	Kind      HappeningKind
	Turn      int64
	Colleague ColleagueID
	Name      string
	Conv      Conversation
	ReplyTo   int64    // the newest message of Conv that asks, 0 for none
	Given     []Anchor // see the kinds
	State     TurnState
	Doing     string
}

// happeningsKept bounds what is kept for watchers; one that is further behind
// asks who works.
const happeningsKept = 1024

// Happened waits for what happens after n, and gives it in order. The error is
// ErrBehind when that is no longer kept, ctx's when it ends first, and the
// office's when it has closed.
func (o *Office) Happened(ctx context.Context, n int64) ([]Happening, error) {
	return o.happened.next(ctx, o, n)
}

// Working gives the open turns, as if each had just begun, and the number from
// which on Happened tells the rest.
func (o *Office) Working(ctx context.Context) (open []Happening, n int64, err error) {
	type found struct {
		open []Happening
		n    int64
	}
	f, err := look(ctx, o, func(s *State) found {
		// The loop adds happenings after its batch is in the state, on this goroutine.
		f := found{n: o.happened.now()}
		for _, id := range keys(s.Turns) {
			t := s.Turns[id]
			f.open = append(f.open, s.happening(TurnBegan, t, s.held[id]))
		}
		return f
	})
	return f.open, f.n, err
}

// happening tells of a turn and of items given to it.
func (s *State) happening(kind HappeningKind, t *Turn, items []*Item) Happening {
	h := Happening{Kind: kind, Turn: t.ID, Colleague: t.Colleague, Conv: t.Conv, ReplyTo: t.ReplyTo, State: t.State}
	if c := s.Colleagues[t.Colleague]; c != nil {
		h.Name = c.Name
	}
	for _, it := range items {
		h.Given = append(h.Given, it.Message)
	}
	return h
}

// happens tells the watchers something, once the batch is durable.
func (d *decision) happens(kind HappeningKind, t *Turn, items []*Item) {
	d.news = append(d.news, d.s.happening(kind, t, items))
}

// steps tells the watchers what a turn does now.
func (d *decision) steps(t *Turn) {
	h := d.s.happening(TurnStep, t, nil)
	for _, c := range t.Calls {
		if !c.Done {
			h.Doing = c.Name
			break
		}
	}
	d.news = append(d.news, h)
}
