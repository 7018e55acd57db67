package office

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Pause is a barrier for wakes: nobody's turn starts and nothing joins one
// until somebody ends it. Running turns go on, and so do writing and reading.
type Pause struct {
	On    bool      `json:"on,omitempty"`
	Since time.Time `json:"since,omitzero"`
	By    string    `json:"by,omitempty"`
	Note  string    `json:"note,omitempty"`
}

// pausedFor says whether the pause keeps wakes from a colleague. It is the
// roster's: whoever may tell the boss to end it has to reach the boss.
func (d *decision) pausedFor(c *Colleague) bool { return d.s.Meta.Pause.On && c.Role != Boss }

// noteLimit bounds the published reason of a pause or a do-not-disturb, in characters.
const noteLimit = 500

// quote is a pause as whoever writes to the paused office is told.
func (p Pause) quote() string {
	s := fmt.Sprintf("the office is paused since %s by %s", p.Since.UTC().Format("2006-01-02 15:04 MST"), p.By)
	if p.Note != "" {
		s += ", because " + oneLine(p.Note, noteLimit)
	}
	return s
}

// pause pauses the office, or resumes it.
type pause struct {
	On   bool
	Note string
	By   PersonID
	From string
}

// Resumed says whom the end of a pause woke: "alice (2)".
type Resumed struct{ Woken []string }

func (r pause) decide(d *decision) (any, error) {
	who := d.s.People[r.By]
	if who == nil || !who.Owner && !who.Admin {
		return nil, fmt.Errorf("only the owner and the admins may pause the office")
	}
	if len([]rune(r.Note)) > noteLimit {
		return nil, fmt.Errorf("the reason has more than %d characters; shorten it", noteLimit)
	}
	out, changed := d.pause(r.On, who.Name, r.Note)
	if changed {
		d.audit(Audit{By: who.Name, From: r.From, What: map[bool]string{true: "pause", false: "resume"}[r.On], Outcome: "done"})
	}
	return out, nil
}

// pause changes the state; changed is false if it was so already.
func (d *decision) pause(on bool, by, note string) (out Resumed, changed bool) {
	if d.s.Meta.Pause.On == on {
		return out, false
	}
	d.meta = true
	if on {
		d.s.Meta.Pause = Pause{On: true, Since: d.now, By: by, Note: note}
		d.report(Event{Kind: EventPause, Text: d.s.Meta.Pause.quote()})
		return out, true
	}
	d.s.Meta.Pause = Pause{}
	d.report(Event{Kind: EventPause, Text: "the office goes on, says " + oneLine(by, nameLimit)})
	out.Woken = d.deliverableCounts()
	return out, true
}

// deliverableCounts names everybody with mail that nothing holds: "alice (2)".
func (d *decision) deliverableCounts() []string {
	var woken []string
	for _, id := range d.s.roster {
		n := 0
		for _, it := range d.s.queues[id] {
			if d.deliverable(it) {
				n++
			}
		}
		if n > 0 && d.firstReady(id) != nil {
			woken = append(woken, fmt.Sprintf("%s (%d)", d.s.Colleagues[id].Name, n))
		}
	}
	return woken
}

// PauseCall is office_pause: a leader pauses the office or resumes it.
type PauseCall struct {
	On   bool
	Note string
}

func (p PauseCall) run(d *decision, t *Turn) Result {
	if len([]rune(p.Note)) > noteLimit {
		return refused(fmt.Sprintf("the note has more than %d characters; shorten it", noteLimit))
	}
	out, changed := d.pause(p.On, d.s.Colleagues[t.Colleague].Name, p.Note)
	switch {
	case !changed && p.On:
		return Result{Text: "[office] Paused already: " + d.s.Meta.Pause.quote() + "."}
	case !changed:
		return Result{Text: "[office] The office is not paused."}
	case p.On:
		return Result{Text: "[office] The office is paused: nobody is woken until it is resumed. Those who are working finish what they do."}
	case len(out.Woken) == 0:
		return Result{Text: "[office] The office is running again; nobody had mail."}
	default:
		return Result{Text: "[office] The office is running again; woken: " + strings.Join(out.Woken, ", ") + "."}
	}
}

// Quiet is a colleague's do-not-disturb.
type Quiet struct {
	On    bool      `json:"on,omitempty"`
	Since time.Time `json:"since,omitzero"`
	Until time.Time `json:"until,omitzero"` // an idle colleague could not end it otherwise
	Note  string    `json:"note,omitempty"`
}

// quietNow says whether a colleague is not to be disturbed at this moment.
func (d *decision) quietNow(c *Colleague) bool { return c.Quiet.On && d.now.Before(c.Quiet.Until) }

// quote is a do-not-disturb as whoever writes to its colleague is told.
func (q Quiet) quote() string {
	s := "not to be disturbed since " + q.Since.UTC().Format("15:04 MST") + ", until " + q.Until.UTC().Format("15:04 MST") + " at the latest"
	if q.Note != "" {
		s += ", because " + oneLine(q.Note, noteLimit)
	}
	return s
}

// DisturbCall is office_do_not_disturb: a colleague asks for quiet, or ends it.
type DisturbCall struct {
	On   bool
	Note string
	For  time.Duration // 0: as long as the office allows
}

func (p DisturbCall) run(d *decision, t *Turn) Result {
	c := *d.s.Colleagues[t.Colleague]
	switch {
	case len([]rune(p.Note)) > noteLimit:
		return refused(fmt.Sprintf("the note has more than %d characters; shorten it", noteLimit))
	case !p.On && p.Note != "":
		return refused("a note goes with enabled: true only")
	case p.For < 0 || p.For > d.s.Limits.QuietMost:
		return refused(fmt.Sprintf("do not disturb lasts at most %s; name a shorter time", d.s.Limits.QuietMost))
	case !p.On:
		return Result{Text: d.release(t.Colleague)}
	}
	limit := p.For
	if limit == 0 {
		limit = d.s.Limits.QuietMost
	}
	c.Quiet = Quiet{On: true, Since: d.now, Until: d.now.Add(limit), Note: p.Note}
	d.put(PutColleague{c})
	return Result{Text: "[office] Do not disturb is on: nothing wakes you until you release it, or " + c.Quiet.Until.UTC().Format("15:04 MST") + ". A post or direct message of yours releases it."}
}

// release ends a colleague's do-not-disturb and says what waits; nothing when it
// had none.
func (d *decision) release(id ColleagueID) string {
	c := *d.s.Colleagues[id]
	if !c.Quiet.On {
		return "[office] Do not disturb was not on."
	}
	c.Quiet = Quiet{}
	d.put(PutColleague{c})
	return fmt.Sprintf("[office] Do not disturb is off: you can be reached again; %d message(s) that waited are handed over now.", len(d.s.queues[id]))
}

// spoke releases the do-not-disturb of a colleague that has just written to
// somebody, and adds that to what the call returns.
func (d *decision) spoke(t *Turn, r Result) Result {
	if d.s.Colleagues[t.Colleague].Quiet.On {
		r.Text += "\n" + d.release(t.Colleague)
	}
	return r
}

// expireQuiet ends every do-not-disturb whose time is up.
func (d *decision) expireQuiet() {
	for _, id := range d.s.roster {
		if c := d.s.Colleagues[id]; c.Quiet.On && !d.now.Before(c.Quiet.Until) {
			over := *c
			over.Quiet = Quiet{}
			d.put(PutColleague{over})
		}
	}
}

// quietDeadline is when the first do-not-disturb ends by itself.
func (s *State) quietDeadline() time.Time {
	var first time.Time
	for _, id := range s.roster {
		if q := s.Colleagues[id].Quiet; q.On && (first.IsZero() || q.Until.Before(first)) {
			first = q.Until
		}
	}
	return first
}

// disturb is a person who ends a do-not-disturb that a colleague forgot.
type disturb struct {
	Colleague string
	By        PersonID
	From      string
}

func (r disturb) decide(d *decision) (any, error) {
	who := d.s.People[r.By]
	if who == nil || !who.Owner && !who.Admin {
		return nil, fmt.Errorf("only the owner and the admins may end a colleague's do-not-disturb")
	}
	c := d.s.colleagueNamed(r.Colleague)
	if c == nil {
		return nil, fmt.Errorf("no colleague is called %q; there are %s", oneLine(r.Colleague, nameLimit), d.s.colleagueNames())
	}
	if !c.Quiet.On {
		return fmt.Sprintf("%s can be disturbed; there is nothing to release.", c.Name), nil
	}
	d.release(c.ID)
	d.audit(Audit{By: who.Name, From: r.From, What: "release do-not-disturb of " + c.Name, Outcome: "done"})
	return fmt.Sprintf("%s can be reached again; %d message(s) are handed over.", c.Name, len(d.s.queues[c.ID])), nil
}

// NotificationsCall is office_read_notifications: a colleague takes what is
// held or queued for the context it works in, at once.
type NotificationsCall struct{}

func (NotificationsCall) run(d *decision, t *Turn) Result {
	var taken []*Item
	var listed []string
	left := map[Conversation]bool{}
	for _, it := range slices.Clone(d.s.queues[t.Colleague]) {
		switch {
		case it.Person != t.Person:
			continue
		case it.Ask && it.Conv != t.Conv, left[it.Conv]:
			// A person's question elsewhere is answered by a turn of its own, and what
			// follows it there stays behind it.
			left[it.Conv] = true
			listed = append(listed, fmt.Sprintf("%s from %s", it.Message, oneLine(it.Body.Author.Name, nameLimit)))
		default:
			taken = append(taken, it)
		}
	}
	text := "[office] Nothing is held for you."
	if len(taken) > 0 {
		d.hand(t, taken, t.Step+1)
		for _, it := range taken {
			d.decided(it.Conv) // what the depth limit held there has been read
		}
		text = fmt.Sprintf("[office] %d message(s) were waiting for you, read here on request:\n\n%s", len(taken), d.frame(t, taken).Text)
	}
	if len(listed) > 0 {
		text += "\n[office] These wait for turns of their own, which follow this one: " + strings.Join(listed, "; ") + "."
	}
	return Result{Text: text, Shows: len(taken) > 0}
}
