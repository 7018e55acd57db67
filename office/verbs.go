package office

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"bullpen/office/wake"
)

// Post takes in what a person says: it is stored, its wakes are read from the
// text and decided, and the receipt says what became of each. The same event
// again gives the first receipt and changes nothing. When it returns without
// error the message survives a crash.
func (o *Office) Post(ctx context.Context, p Post) (Receipt, error) {
	for {
		epoch := o.epoch.Load()
		r, again, err := o.seen(ctx, p.Event)
		if err != nil || again {
			return r, err
		}
		out, err := o.do(ctx, postRequest{Post: p, epoch: epoch})
		if errors.Is(err, errLookAgain) {
			continue
		}
		if err != nil {
			return Receipt{}, err
		}
		return out.(Receipt), nil
	}
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
	m, err := o.Message(ctx, a)
	if err != nil {
		return Receipt{}, false, err
	}
	r := receiptOf(m)
	r.Again = true
	return r, true, nil
}

// Message reads one message.
func (o *Office) Message(ctx context.Context, a Anchor) (*Message, error) {
	page, err := o.store.Messages(ctx, MessageQuery{Channels: []ChannelID{a.Channel}, From: a.Seq, To: a.Seq, Limit: 1})
	if err != nil {
		return nil, err
	}
	if len(page.Messages) == 0 {
		return nil, fmt.Errorf("there is no message %s", a)
	}
	return &page.Messages[0], nil
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
func (o *Office) Fail(ctx context.Context, ref TurnRef, reason string) error {
	_, err := o.progress(ctx, fail{Ref: ref, Reason: reason})
	return err
}

func (o *Office) progress(ctx context.Context, r request) (Progress, error) {
	out, err := o.do(ctx, r)
	if err != nil {
		return Progress{}, err
	}
	return out.(Progress), nil
}

// Activity says how busy the office is.
type Activity struct {
	Running int   // open turns
	Ready   int   // colleagues with mail that nothing holds, waiting for a slot
	Last    int64 // the newest message's No
}

// Idle says that nobody has anything to do. Held mail does not count.
func (a Activity) Idle() bool { return a.Running == 0 && a.Ready == 0 }

// Activity looks at what is going on.
func (o *Office) Activity(ctx context.Context) (Activity, error) {
	var a Activity
	err := o.look(ctx, func(s *State) {
		d := decision{s: s}
		a.Running, a.Last = len(s.Turns), s.Meta.Message
		for id := range s.queues {
			if s.running[id] == nil && d.firstReady(id) != nil {
				a.Ready++
			}
		}
	})
	return a, err
}

// ColleagueView is a colleague as the roster shows it.
type ColleagueView struct {
	Colleague
	Status  Status
	Waiting int // deliveries queued or held
}

// View is the office as a viewer sees it.
type View struct {
	Name       string
	Colleagues []ColleagueView // in the order of declaration
	Channels   []Channel       // general first, then by name; direct channels and mailboxes after
	People     []Person
	Names      *wake.Directory // tells tokens of wakes
}

// View copies the roster, the channels and the people.
func (o *Office) View(ctx context.Context) (View, error) {
	var v View
	err := o.look(ctx, func(s *State) {
		v.Name = s.Setup.Name
		v.Names = s.directory()
		for _, id := range s.roster {
			c := s.Colleagues[id]
			v.Colleagues = append(v.Colleagues, ColleagueView{Colleague: *c, Status: s.status(c), Waiting: len(s.queues[id])})
		}
		for _, id := range keys(s.Channels) {
			v.Channels = append(v.Channels, *s.Channels[id])
		}
		for _, id := range keys(s.People) {
			v.People = append(v.People, *s.People[id])
		}
	})
	slices.SortStableFunc(v.Channels, func(a, b Channel) int { return rankOf(a.Kind) - rankOf(b.Kind) })
	return v, err
}

func rankOf(k ChannelKind) int {
	return slices.Index([]ChannelKind{GeneralChannel, GroupChannel, DirectChannel, MailboxChannel}, k)
}

// Cursor is up to which message a viewer has shown; 0 if it never said.
func (o *Office) Cursor(ctx context.Context, viewer string) (int64, error) {
	var no int64
	err := o.look(ctx, func(s *State) { no = s.Cursors[viewer] })
	return no, err
}

// SetCursor remembers up to which message a viewer has shown. It never moves back.
func (o *Office) SetCursor(ctx context.Context, viewer string, no int64) error {
	_, err := o.do(ctx, setCursor{viewer, no})
	return err
}

type setCursor struct {
	viewer string
	no     int64
}

func (r setCursor) decide(d *decision) (any, error) {
	if r.no > d.s.Cursors[r.viewer] {
		d.put(PutCursor{Viewer: r.viewer, No: r.no})
	}
	return nil, nil
}
