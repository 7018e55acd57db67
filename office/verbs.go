package office

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"bullpen/office/wake"
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
// used is what requests cost that came to nothing.
func (o *Office) Fail(ctx context.Context, ref TurnRef, reason string, used Usage) error {
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
	return look(ctx, o, func(s *State) Activity {
		d := decision{s: s, now: o.now()}
		a := Activity{Running: len(s.Turns), Last: s.Meta.Message}
		for id := range s.queues {
			if s.running[id] == nil && d.firstReady(id) != nil {
				a.Ready++
			}
		}
		return a
	})
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
	Pause      Pause
	Colleagues []ColleagueView // in the order of declaration
	Channels   []Channel       // general first, then by name; direct channels and mailboxes after
	People     []Person
	Names      *wake.Directory // tells tokens of wakes
}

// View copies the roster, the channels and the people.
func (o *Office) View(ctx context.Context) (View, error) {
	v, err := look(ctx, o, (*State).view)
	slices.SortStableFunc(v.Channels, func(a, b Channel) int { return rankOf(a.Kind) - rankOf(b.Kind) })
	return v, err
}

func (s *State) view() View {
	v := View{Name: s.Setup.Name, Pause: s.Meta.Pause, Names: s.directory()}
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
	return v
}

func rankOf(k ChannelKind) int {
	return slices.Index([]ChannelKind{GeneralChannel, GroupChannel, DirectChannel, MailboxChannel}, k)
}

// Cursor is up to which message a viewer has shown; 0 if it never said.
func (o *Office) Cursor(ctx context.Context, viewer string) (int64, error) {
	return look(ctx, o, func(s *State) int64 { return s.Cursors[viewer] })
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

// Inbound takes in what a person said in a portal's place: once, however often
// the platform delivers it. When it returns without error it is durable.
func (o *Office) Inbound(ctx context.Context, in Inbound) (Receipt, error) {
	return o.inbound(ctx, in, func(r inbound) request { return r })
}

// Filled is Inbound for a message that was read from the platform's history:
// it goes in before what is parked.
func (o *Office) Filled(ctx context.Context, in Inbound) (Receipt, error) {
	return o.inbound(ctx, in, func(r inbound) request { return filled{r} })
}

func (o *Office) inbound(ctx context.Context, in Inbound, as func(inbound) request) (Receipt, error) {
	r := inbound{Inbound: in}
	rec, again, err := o.known(ctx, in)
	if err != nil {
		return rec, err
	}
	if again {
		// A crash may have come between the message and its early change.
		return rec, o.applyEarly(ctx, in)
	}
	if in.Thread != "" {
		if r.thread, err = o.thread(ctx, in.Portal, in.Thread); err != nil {
			return Receipt{}, err
		}
	}
	out, err := o.do(ctx, as(r))
	if err != nil {
		return Receipt{}, err
	}
	return out.(Receipt), o.applyEarly(ctx, in)
}

// known gives the receipt of a message that is in the record already.
func (o *Office) known(ctx context.Context, in Inbound) (Receipt, bool, error) {
	n, ok, err := o.store.Native(ctx, in.Portal, in.Native)
	if err != nil || !ok || n.Alias {
		return Receipt{}, false, err
	}
	m, err := o.Message(ctx, n.Anchor)
	if err != nil {
		return Receipt{}, false, err
	}
	rec := receiptOf(m)
	rec.Again = true
	return rec, true, nil
}

// lastSpeakers is how many messages of a thread are looked at for the last that
// was not the office's own.
const lastSpeakers = 10

// thread looks up what a thread begins with and who spoke in it last.
func (o *Office) thread(ctx context.Context, portal PortalID, id string) (thread, error) {
	n, ok, err := o.store.Native(ctx, portal, id)
	if err != nil || !ok {
		return thread{}, err
	}
	root, err := o.Message(ctx, n.Anchor)
	if err != nil {
		return thread{}, err
	}
	t := thread{root: root, speaker: root.Author}
	page, err := o.store.Messages(ctx, MessageQuery{Channels: []ChannelID{root.Channel}, Root: root.thread(), Limit: lastSpeakers, Newest: true})
	if err != nil {
		return thread{}, err
	}
	for _, m := range page.Messages {
		if m.Author.Kind != ByOffice {
			t.speaker = m.Author
		}
	}
	return t, nil
}

// recallThread looks up the thread of a parked message, which is taken in where
// the record cannot be asked.
func (o *Office) recallThread(ctx context.Context, in Inbound) error {
	if in.Thread == "" {
		return nil
	}
	t, err := o.thread(ctx, in.Portal, in.Thread)
	if err == nil && t.root != nil {
		o.state.natives.add(in.Portal, in.Thread, t)
	}
	return err
}

// applyEarly carries out a change that came before its message.
func (o *Office) applyEarly(ctx context.Context, in Inbound) error {
	revs, err := o.store.Revisions(ctx, in.Portal, in.Native)
	if err != nil {
		return err
	}
	if r, ok := early(revs, o.now()); ok {
		_, err = o.Revise(ctx, r)
	}
	return err
}

// Revise takes in an edit or a deletion of a person's message. It wakes nobody.
// changed is false if nothing that anybody can see changed, or if the message
// is not here yet, in which case the change is kept for it for a day.
func (o *Office) Revise(ctx context.Context, rev Revision) (changed bool, err error) {
	rev.Early = false
	for {
		r := revise{Revision: rev}
		n, ok, err := o.store.Native(ctx, rev.Portal, rev.Native)
		if err != nil {
			return false, err
		}
		if ok && !n.Alias {
			if r.old, err = o.Message(ctx, n.Anchor); err != nil {
				return false, err
			}
		}
		out, err := o.do(ctx, r)
		if errors.Is(err, errLookAgain) {
			continue
		}
		if err != nil {
			return false, err
		}
		return out.(bool), nil
	}
}

// Filling says that a portal's gap is being filled: what comes meanwhile is
// parked until it is said to be over.
func (o *Office) Filling(ctx context.Context, portal PortalID, on bool) error {
	_, err := o.do(ctx, fill{portal, on})
	return err
}

// Link makes a portal or changes its settings. What it remembers is kept.
func (o *Office) Link(ctx context.Context, p Portal) error {
	_, err := o.do(ctx, link{p})
	return err
}

// Unlink ends a pairing; was is false if there was none.
func (o *Office) Unlink(ctx context.Context, id PortalID) (was bool, err error) {
	out, err := o.do(ctx, unlink{id})
	if err != nil {
		return false, err
	}
	return out.(bool), nil
}

// Portals lists the portals of a platform.
func (o *Office) Portals(ctx context.Context, platform string) ([]Portal, error) {
	return look(ctx, o, func(s *State) (out []Portal) {
		for _, id := range keys(s.Portals) {
			if p := s.Portals[id]; p.Platform == platform && !p.Unlinked {
				out = append(out, *p)
			}
		}
		return out
	})
}

// Portal finds a portal by its id.
func (o *Office) Portal(ctx context.Context, id PortalID) (p Portal, ok bool, err error) {
	found, err := look(ctx, o, func(s *State) *Portal { return s.Portals[id] })
	if found == nil || found.Unlinked {
		return Portal{}, false, err
	}
	return *found, true, nil // apply replaces records and never alters them
}

// Natives lists what the platforms call a message.
func (o *Office) Natives(ctx context.Context, a Anchor) ([]Native, error) {
	return o.store.Natives(ctx, a)
}

// Native finds the message that a platform calls id.
func (o *Office) Native(ctx context.Context, portal PortalID, id string) (Native, bool, error) {
	return o.store.Native(ctx, portal, id)
}

// PersonBy finds the person behind an account.
func (o *Office) PersonBy(ctx context.Context, a Account) (p Person, ok bool, err error) {
	found, err := look(ctx, o, func(s *State) *Person { return s.People[s.people[a]] })
	if found == nil {
		return Person{}, false, err
	}
	return *found, true, nil
}

// Welcome makes a person of somebody whom a place's rules let talk; one who is
// known already stays who they are.
func (o *Office) Welcome(ctx context.Context, a Account, name string) (Person, error) {
	out, err := o.do(ctx, welcome{a, name})
	if err != nil {
		return Person{}, err
	}
	return out.(Person), nil
}

// AskPairing gives a stranger the code that an admin has to approve.
func (o *Office) AskPairing(ctx context.Context, a Account, name string) (Pairing, error) {
	out, err := o.do(ctx, askPairing{a, name})
	if err != nil {
		return Pairing{}, err
	}
	return out.(Pairing), nil
}

// Approve lets the stranger in that a code was given to.
func (o *Office) Approve(ctx context.Context, code string, by PersonID, from string) (Person, error) {
	out, err := o.do(ctx, approve{code, by, from})
	if err != nil {
		return Person{}, err
	}
	return out.(Person), nil
}

// Interrupt ends the turn that a colleague is running now; whoever asked for it
// is told, and what waits for the colleague is handed over.
func (o *Office) Interrupt(ctx context.Context, colleague string, by PersonID, from string) (Interrupted, error) {
	out, err := o.do(ctx, interrupt{colleague, by, from})
	if err != nil {
		return Interrupted{}, err
	}
	return out.(Interrupted), nil
}

// Decide answers a question of the office that had a button. The text says what
// was decided, by whom; the error, for who pressed, why it was not.
func (o *Office) Decide(ctx context.Context, question string, by PersonID) (string, error) {
	out, err := o.do(ctx, press{question, by})
	if err != nil {
		return "", err
	}
	return out.(string), nil
}

// Once says whether an event that leaves no message, a command, is taken in for
// the first time; that it was is durable before Once returns.
func (o *Office) Once(ctx context.Context, event string) (first bool, err error) {
	if _, seen, err := o.store.Seen(ctx, event); err != nil || seen {
		return false, err
	}
	out, err := o.do(ctx, once{event})
	if err != nil {
		return false, err
	}
	return out.(bool), nil
}

type once struct{ event string }

func (r once) decide(d *decision) (any, error) {
	if _, ok := d.s.recent.find(r.event); ok {
		return false, nil
	}
	d.put(PutSeen{Event: r.event, At: d.now})
	d.remember(r.event, Receipt{})
	return true, nil
}

// Owner is the owner person.
func (o *Office) Owner(ctx context.Context) (Person, error) {
	found, err := look(ctx, o, (*State).owner)
	switch {
	case err != nil:
		return Person{}, err
	case found == nil:
		return Person{}, errors.New("this office has no owner; name one under office.owner in office.yaml")
	}
	return *found, nil
}

// FrontDesk is the colleague who answers talk to the office itself; empty if
// there is nobody.
func (o *Office) FrontDesk(ctx context.Context) (ColleagueID, error) {
	return look(ctx, o, func(s *State) ColleagueID {
		d := decision{s: s}
		return d.partner(&Portal{}, nil)
	})
}

// Pause pauses the office or resumes it; resuming says whom it woke.
func (o *Office) Pause(ctx context.Context, on bool, note string, by PersonID, from string) (Resumed, error) {
	out, err := o.do(ctx, pause{On: on, Note: note, By: by, From: from})
	if err != nil {
		return Resumed{}, err
	}
	return out.(Resumed), nil
}

// Disturb ends the do-not-disturb of a colleague that forgot it; the text says
// what that did.
func (o *Office) Disturb(ctx context.Context, colleague string, by PersonID, from string) (string, error) {
	out, err := o.do(ctx, disturb{Colleague: colleague, By: by, From: from})
	if err != nil {
		return "", err
	}
	return out.(string), nil
}
