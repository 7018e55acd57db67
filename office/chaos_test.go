package office

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// rapidTB lets a desk fail a rapid test.
type rapidTB struct {
	testing.TB
	rt *rapid.T
}

func (r rapidTB) Helper()                      {}
func (r rapidTB) Fatalf(f string, args ...any) { r.rt.Fatalf(f, args...) }
func (r rapidTB) Fatal(args ...any)            { r.rt.Fatal(args...) }
func (r rapidTB) Errorf(f string, args ...any) { r.rt.Errorf(f, args...) }
func (r rapidTB) Error(args ...any)            { r.rt.Error(args...) }

// chaos is an office to which everything happens, and what an onlooker
// remembers of it.
type chaos struct {
	*desk
	rt      *rapid.T
	natives []Inbound // what arrived and was not refused
	deleted map[string]bool
	calls   map[int64][]PreparedCall // what each open turn's runner asked for last
	wires   map[PortalID]Send        // what is on the wire
	left    map[string]time.Time     // when a part last left, if it may have arrived
	shownAt map[PortalID]int64       // the last entry that a place has shown
	before  map[int64]Item
	items   map[int64]Item // all there ever were, as they were last seen
	since   int64          // the last message before this step
	texts   int
}

// TestWhateverHappensNothingIsLostOrShownTwice is promises 1 to 3 and 5 on the
// rules alone: whatever happens in whatever order, with kills between any two
// commits, all that was accepted is shown to its colleague once and in order.
func TestWhateverHappensNothingIsLostOrShownTwice(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		c := newChaos(rt, rapidTB{t, rt})
		ops := c.operations()
		maps.Copy(ops, c.rosterOperations())
		names := slices.Sorted(maps.Keys(ops))
		for range rapid.IntRange(4, 16).Draw(rt, "steps") {
			ops[rapid.SampledFrom(names).Draw(rt, "what")]()
		}
		c.drain()
	})
}

func newChaos(rt *rapid.T, tb testing.TB) *chaos {
	k := newDesk(tb, withKim, func(s *Setup) {
		s.Limits.Depth = 2
		s.Limits.ConcurrentTurns = 2
		s.Limits.Frame = 200
		s.Limits.Attempts = 1000
		s.Limits.ColleagueTokens = 300
		for i := range s.Colleagues {
			s.Colleagues[i].AskUser = true
		}
		s.Colleagues[2].Approve = []string{"bash", "office_post"}
	})
	k.s.split = lines
	k.link(chatPortal(), threadedPortal(), dmPortal(), Portal{ID: "slack:kim", Platform: "slack", Place: "kim", Kind: DMPortal, Person: kim})
	return &chaos{
		desk: k, rt: rt, deleted: map[string]bool{}, calls: map[int64][]PreparedCall{}, wires: map[PortalID]Send{},
		left: map[string]time.Time{}, shownAt: map[PortalID]int64{}, before: map[int64]Item{}, items: map[int64]Item{},
	}
}

func (c *chaos) operations() map[string]func() {
	return map[string]func(){
		"arrive": c.someoneWrites, "arrive more": c.someoneWrites, "post": c.someonePosts,
		"step": c.someoneSteps, "step more": c.someoneSteps, "and more": c.someoneSteps,
		"fail": func() {
			if t := c.someTurn(); t != nil {
				c.step(fail{Ref: t.Ref(), Reason: "the model is gone"})
			}
		},
		"interrupt": func() {
			c.step(interrupt{Colleague: c.oneOf("whom", "alice", "bob", "carol"), By: DefaultOwner})
		},
		"kill": c.kill,
		"verdict": func() {
			if lanes := slices.Sorted(maps.Keys(c.wires)); len(lanes) > 0 {
				c.verdict(c.wires[rapid.SampledFrom(lanes).Draw(c.rt, "lane")], false)
			}
		},
		"press": func() {
			if ids := keys(c.s.Questions); len(ids) > 0 {
				c.press(rapid.SampledFrom(ids).Draw(c.rt, "question"), 0)
			}
		},
		"change": c.someoneChanges,
		"deliver held": func() {
			c.step(deliverHeld{heldChoice{Colleague: c.oneOf("whose", "", "alice", "bob"), By: DefaultOwner}})
		},
		"drop held": func() {
			c.step(dropHeld{heldChoice{Colleague: c.oneOf("whose", "alice", "bob"), By: DefaultOwner}})
		},
		"pause": func() { c.step(pause{On: rapid.Bool().Draw(c.rt, "on"), By: DefaultOwner}) },
		"new context": func() {
			c.step(newContext{Colleague: c.oneOf("whose", "alice", "bob"), Person: PersonID(c.oneOf("with", "", "kim")), By: DefaultOwner})
		},
		"summarise": func() {
			if t := c.someTurn(); t != nil {
				c.step(Summarised{Ref: t.Ref(), Through: c.s.Meta.Entry - int64(rapid.IntRange(2, 6).Draw(c.rt, "kept")), Text: "summary"})
			}
		},
		"compact": func() {
			from := int64(rapid.IntRange(1, 5).Draw(c.rt, "from"))
			c.step(compactRange{Channel: ChannelID(c.oneOf("channel", "general", "dev")), From: from, To: from + 2, Summary: "summary", By: DefaultOwner})
		},
		"time": func() {
			c.now = c.now.Add(rapid.SampledFrom([]time.Duration{5 * time.Second, 20 * time.Second, time.Minute, 20 * time.Hour}).Draw(c.rt, "later"))
			c.step(tick{})
		},
		"gap": func() {
			c.step(fill{c.somePortal(), rapid.Bool().Draw(c.rt, "begins")})
		},
	}
}

func (c *chaos) oneOf(what string, of ...string) string {
	return rapid.SampledFrom(of).Draw(c.rt, what)
}

func (c *chaos) somePortal() PortalID {
	return rapid.SampledFrom([]PortalID{chatDev, slackDev, slackUser, "slack:kim"}).Draw(c.rt, "portal")
}

func (c *chaos) someTurn() *Turn {
	open := keys(c.s.Turns)
	if len(open) == 0 {
		return nil
	}
	return c.s.Turns[rapid.SampledFrom(open).Draw(c.rt, "turn")]
}

// text is one that can be told from all others.
func (c *chaos) text() string {
	c.texts++
	return fmt.Sprintf("%s <%d>%s", c.oneOf("wake", "", "@alice", "@alice @bob", "$member", "$leader", "#dev", "@user @carol", "@alice $leader", "@dave @dora", "#ops"),
		c.texts, c.oneOf("more", "", strings.Repeat("x", 150), "\nline 2"))
}

// step is a request after which everything is looked at.
func (c *chaos) step(r request) (any, error) {
	c.before, c.since = maps.Clone(c.rec.items), c.rec.meta.Message
	maps.Copy(c.items, c.before)
	out, err := c.lightly(r)
	c.onTheWire()
	c.look()
	return out, err
}

func (c *chaos) someoneWrites() {
	in := Inbound{Portal: c.somePortal(), Native: fmt.Sprintf("n%03d", c.texts+1), Person: DefaultOwner}
	if in.Portal == "slack:kim" || in.Portal == chatDev && rapid.Bool().Draw(c.rt, "kim") {
		in.Person = kim
	}
	switch rapid.IntRange(0, 5).Draw(c.rt, "form") {
	case 0: // again
		if len(c.natives) > 0 {
			in = rapid.SampledFrom(c.natives).Draw(c.rt, "again")
		}
	case 1, 2: // in a thread: of what was written or shown there
		var known []string
		for _, n := range c.rec.natives {
			if n.Portal == in.Portal && !n.Alias {
				known = append(known, n.ID)
			}
		}
		if slices.Sort(known); len(known) > 0 {
			in.Thread = rapid.SampledFrom(known).Draw(c.rt, "thread")
		}
	case 3:
		in.Thread = "before us"
	}
	if in.Text == "" {
		in.Text = c.text()
	}
	r, known := c.lookUp(in)
	if known != nil {
		return
	}
	var req request = r
	if c.s.filling[in.Portal] && rapid.Bool().Draw(c.rt, "from history") {
		req = filled{r}
	}
	if _, err := c.step(req); err == nil && !slices.ContainsFunc(c.natives, func(x Inbound) bool { return x.event() == in.event() }) {
		c.natives = append(c.natives, in)
	}
}

func (c *chaos) someonePosts() {
	p := Post{Person: rapid.SampledFrom([]PersonID{DefaultOwner, kim}).Draw(c.rt, "who"), Text: c.text()}
	if rapid.Bool().Draw(c.rt, "direct") {
		p.To = c.id(c.oneOf("to", "alice", "bob"))
	} else {
		p.Channel = ChannelID(c.oneOf("channel", "general", "dev"))
	}
	c.step(postRequest{p})
}

func (c *chaos) someoneChanges() {
	if len(c.natives) == 0 {
		return
	}
	in := rapid.SampledFrom(c.natives).Draw(c.rt, "of")
	rev := Revision{Portal: in.Portal, Native: in.Native, Version: c.oneOf("version", "1", "2", "3"), Text: in.Text + " (edited @bob)"}
	if rapid.IntRange(0, 3).Draw(c.rt, "deleted") == 0 {
		rev.Deleted, c.deleted[in.event()] = true, true
	}
	r := revise{Revision: rev}
	if n, ok := c.rec.natives[nativeKey(in.Portal, in.Native)]; ok && !n.Alias {
		r.old = c.rec.messages[n.Anchor]
	}
	c.step(r)
}

// someoneSteps lets a turn's runner do what comes next.
func (c *chaos) someoneSteps() {
	if t := c.someTurn(); t != nil {
		c.advance(t, false)
	}
}

// advance goes one step on: a result of the open call, or the model's answer.
func (c *chaos) advance(t *Turn, end bool) {
	for _, x := range t.Calls {
		if !x.Done && (x.Question != "" || x.Class == OfficeCall) {
			c.answer(t, x)
			return
		}
		if !x.Done {
			c.step(callResult{t.Ref(), x.Key, Result{Text: "result"}, c.calls[t.ID]})
			return
		}
	}
	if end || rapid.IntRange(0, 2).Draw(c.rt, "ends") == 0 {
		c.step(Reply{Ref: t.Ref(), Text: "final\nin two lines"})
		return
	}
	var calls []PreparedCall
	for i := range rapid.IntRange(1, 3).Draw(c.rt, "calls") {
		whom := []string{c.oneOf("whom", "@alice", "@bob", "@dave", "$member", "@user", "nobody there")}
		notify := rapid.SampledFrom([]Notify{StepEnd, TurnEnd}).Draw(c.rt, "notify")
		p := rapid.SampledFrom([]PreparedCall{
			verb(PostCall{Channel: "general", Text: "post", Wake: whom, Notify: notify}), verb(PostCall{Text: "post", Wake: whom, Notify: notify}),
			verb(DMCall{Text: "dm", Wake: whom, Notify: notify}), verb(ColleaguesCall{}), verb(AskCall{Text: "may I?", Options: []string{"yes", "no"}}),
			outside("read", PureCall), outside("bash", EffectCall),
			{ToolCall: ToolCall{Name: "odd"}, Class: PureCall, Refused: "no such tool"},
		}).Draw(c.rt, "call")
		p.ID = fmt.Sprintf("call-%d", i)
		calls = append(calls, p)
	}
	c.calls[t.ID] = calls
	c.step(Reply{Ref: t.Ref(), Calls: calls, Usage: []Usage{{Input: int64(rapid.IntRange(0, 60).Draw(c.rt, "tokens"))}}})
}

// answer is a person who answers what a call waits for, or nobody in time; and
// the runner that goes on when the wait is over.
func (c *chaos) answer(t *Turn, x Call) {
	switch {
	case !x.waits():
		if c.step(proceed{t.Ref(), c.calls[t.ID]}); !x.waits() && x.Allowed && x.Class != OfficeCall {
			c.step(callResult{t.Ref(), x.Key, Result{Text: "result"}, c.calls[t.ID]})
		}
	case rapid.Bool().Draw(c.rt, "in time"):
		c.press(x.Question, rapid.IntRange(0, 1).Draw(c.rt, "option"))
	default:
		c.now = c.now.Add(AskMost)
		c.step(tick{})
	}
}

// press is the answer of somebody who may give it.
func (c *chaos) press(id string, option int) {
	by := DefaultOwner
	if q := c.s.Questions[id]; len(q.For) > 0 {
		by = q.For[0]
	}
	c.step(press{ID: id, Option: option, By: by})
}

// kill is a new owner: nothing of the old process is left, and every open turn
// is gone on with from the record.
func (c *chaos) kill() {
	c.before, c.since = maps.Clone(c.rec.items), c.rec.meta.Message
	c.wires = map[PortalID]Send{}
	c.checkRecord()
	c.takeOver()
	c.onTheWire()
	c.look()
	for _, id := range keys(c.s.Turns) {
		if t := c.s.Turns[id]; t != nil && len(t.Calls) > 0 {
			c.step(proceed{t.Ref(), c.calls[id]})
		}
	}
}

// onTheWire is rule 20: one attempt at a time in a lane, and none of what may
// still leave or be on its way.
func (c *chaos) onTheWire() {
	for _, s := range c.going {
		if x, busy := c.wires[s.Portal]; busy {
			c.rt.Fatalf("%s: entry %d goes while entry %d is on the wire", s.Portal, s.ID, x.ID)
		}
		c.wires[s.Portal] = s
		part := fmt.Sprint(s.ID, ".", s.Part)
		if last, doubt := c.left[part]; doubt && s.State == SendGoing {
			c.rt.Fatalf("entry %s is sent again though it left at %v and nobody looked", part, last)
		} else if doubt && c.now.Before(last.Add(leave+settled)) {
			c.rt.Fatalf("entry %s left at %v and is looked for at %v", part, last, c.now)
		}
		if s.State == SendGoing {
			c.left[part] = c.now
		}
	}
}

// verdict ends what is on the wire; well says that nothing fails any more.
func (c *chaos) verdict(s Send, well bool) {
	kinds := []VerdictKind{Sent, Sent, Refused, NotSent, Uncertain}
	switch {
	case s.State == SendLooking && well:
		kinds = []VerdictKind{Found}
	case s.State == SendLooking:
		kinds = []VerdictKind{Found, Clean, NoLook}
	case well:
		kinds = kinds[:1]
	}
	v := Verdict{Send: s.ID, Attempt: s.Attempt, Kind: rapid.SampledFrom(kinds).Draw(c.rt, "verdict"), Reason: "no"}
	part := fmt.Sprint(s.ID, ".", s.Part)
	switch v.Kind {
	case Sent, Found:
		v.Native = "shown-" + part
		if s.ID < c.shownAt[s.Portal] {
			c.rt.Fatalf("%s shows entry %d after %d", s.Portal, s.ID, c.shownAt[s.Portal])
		}
		c.shownAt[s.Portal] = s.ID
	case Clean, NotSent:
		delete(c.left, part)
	}
	delete(c.wires, s.Portal)
	if _, err := c.step(v); err != nil {
		c.rt.Fatalf("verdict %+v: %v", v, err)
	}
}
