package office

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// desk drives decide without a loop or a store: it keeps what a store would
// keep, and checks after every request that the record alone gives the state.
type desk struct {
	testing.TB
	s    *State
	now  time.Time
	rec  record
	grow map[int64][]Entry // all entries, by turn
	ids  int
	// going are the sends and looks that the last request let go.
	going []Send
}

// record is what was committed, as a store would hold it.
type record struct {
	meta       Meta
	colleagues map[ColleagueID]Colleague
	people     map[PersonID]Person
	channels   map[ChannelID]Channel
	items      map[int64]Item
	turns      map[int64]Turn
	ended      map[int64]Turn
	messages   map[Anchor]*Message
	seen       map[string]Anchor
	entries    []Entry
	cursors    map[string]int64
	portals    map[PortalID]Portal
	natives    map[string]Native
	sends      map[int64]Send
	parked     map[int64]Parked
	questions  map[string]Question
	pairings   map[string]Pairing
	revisions  []Revision
	usage      []Usage
	audit      []Audit
}

func testSetup() Setup {
	return Setup{
		ID: "test", Name: "Test",
		Colleagues: []ColleagueSetup{
			{Name: "carol", Role: Leader, Model: "demo"},
			{Name: "alice", Role: Member, Model: "demo", ReportsTo: "carol"},
			{Name: "bob", Role: Member, Model: "demo", ReportsTo: "carol"},
		},
		Channels: []ChannelSetup{{Name: "dev", Members: []string{"alice", "bob"}}},
	}
}

func newDesk(t testing.TB, change ...func(*Setup)) *desk {
	t.Helper()
	setup := testSetup()
	for _, f := range change {
		f(&setup)
	}
	k := &desk{TB: t, s: newState(setup), now: time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC), grow: map[int64][]Entry{}, rec: record{
		colleagues: map[ColleagueID]Colleague{}, people: map[PersonID]Person{}, channels: map[ChannelID]Channel{}, items: map[int64]Item{},
		turns: map[int64]Turn{}, ended: map[int64]Turn{}, messages: map[Anchor]*Message{}, seen: map[string]Anchor{}, cursors: map[string]int64{},
		portals: map[PortalID]Portal{}, natives: map[string]Native{}, sends: map[int64]Send{}, parked: map[int64]Parked{},
		questions: map[string]Question{}, pairings: map[string]Pairing{},
	}}
	k.must(configure{setup})
	return k
}

// do decides one request as a batch of its own.
func (k *desk) do(r request) (any, error) {
	k.Helper()
	k.now = k.now.Add(time.Second)
	d := newDecision(k.s, k.now, k.random)
	out, err := d.request(r)
	changes := d.batch()
	if err != nil && len(changes) > 0 {
		k.Fatalf("%T was refused (%v) but put %d changes", r, err, len(changes))
	}
	k.going = d.going
	for _, c := range changes {
		k.rec.apply(c)
		if e, ok := c.(AppendEntry); ok {
			k.grow[e.Entry.Turn] = append(k.grow[e.Entry.Turn], e.Entry)
		}
	}
	k.checkRecord()
	k.checkIdle()
	return out, err
}

func (k *desk) must(r request) any {
	k.Helper()
	out, err := k.do(r)
	if err != nil {
		k.Fatalf("%T: %v", r, err)
	}
	return out
}

func (r *record) apply(c Change) {
	switch c := c.(type) {
	case PutMeta:
		r.meta = c.Meta
	case PutColleague:
		r.colleagues[c.Colleague.ID] = c.Colleague
	case PutPerson:
		r.people[c.Person.ID] = c.Person
	case DeletePerson:
		delete(r.people, c.ID)
	case PutChannel:
		r.channels[c.Channel.ID] = c.Channel
	case PutMessage:
		r.messages[c.Message.Anchor()] = c.Message
	case DropMessage:
		delete(r.messages, Anchor{c.Channel, c.Seq})
	case DropOld:
		delete(r.seen, c.Key)
	case PutSeen:
		r.seen[c.Event] = c.Anchor
	case PutItem:
		r.items[c.Item.ID] = c.Item
	case DeleteItem:
		delete(r.items, c.ID)
	case PutTurn:
		delete(r.turns, c.Turn.ID)
		if c.Turn.State == TurnOpen {
			r.turns[c.Turn.ID] = c.Turn
		} else {
			r.ended[c.Turn.ID] = c.Turn
		}
	case AppendEntry:
		r.entries = append(r.entries, c.Entry)
	case DropEntry:
		r.entries = slices.DeleteFunc(r.entries, func(e Entry) bool { return e.N == c.N })
	case PutCursor:
		r.cursors[c.Viewer] = c.No
	case PutPortal:
		r.portals[c.Portal.ID] = c.Portal
	case PutNative:
		r.natives[nativeKey(c.Native.Portal, c.Native.ID)] = c.Native
	case PutSend:
		r.sends[c.Send.ID] = c.Send
	case DeleteSend:
		delete(r.sends, c.ID)
	case PutParked:
		r.parked[c.Parked.ID] = c.Parked
	case DeleteParked:
		delete(r.parked, c.ID)
	case PutQuestion:
		r.questions[c.Question.ID] = c.Question
	case DeleteQuestion:
		delete(r.questions, c.ID)
	case PutPairing:
		r.pairings[c.Pairing.Code] = c.Pairing
	case DeletePairing:
		delete(r.pairings, c.Code)
	case PutRevision:
		r.revisions = append(r.revisions, c.Revision)
	case AppendUsage:
		r.usage = append(r.usage, c.Usage)
	case AppendAudit:
		r.audit = append(r.audit, c.Audit)
	}
}

func (r *record) snapshot() *Snapshot {
	snap := &Snapshot{Meta: r.meta, Cursors: maps.Clone(r.cursors)}
	snap.Colleagues = slices.Collect(maps.Values(r.colleagues))
	snap.People = slices.Collect(maps.Values(r.people))
	snap.Channels = slices.Collect(maps.Values(r.channels))
	snap.Turns = slices.Collect(maps.Values(r.turns))
	snap.Portals = slices.Collect(maps.Values(r.portals))
	snap.Sends = slices.Collect(maps.Values(r.sends))
	snap.Parked = slices.Collect(maps.Values(r.parked))
	snap.Questions = slices.Collect(maps.Values(r.questions))
	snap.Pairings = slices.Collect(maps.Values(r.pairings))
	for _, it := range r.items {
		it.Body = r.messages[it.Message]
		snap.Items = append(snap.Items, it)
	}
	return snap
}

// checkRecord is promise 1 in small: whoever loads the record has the state.
func (k *desk) checkRecord() {
	k.Helper()
	loaded := restore(k.s.Setup, k.rec.snapshot())
	byID := func(a, b *Item) int { return cmp.Compare(a.ID, b.ID) }
	for _, s := range []*State{loaded, k.s} {
		for _, q := range s.held {
			slices.SortFunc(q, byID)
		}
	}
	opts := gocmp.Options{
		gocmp.AllowUnexported(State{}, backlog{}, lane{}), gocmp.Comparer(func(a, b laneKey) bool { return a == b }), cmpopts.IgnoreFields(State{}, "names", "levels", "recent", "Closing", "zone", "filling", "natives", "split", "rates", "tails"),
		cmpopts.EquateEmpty(), cmpopts.IgnoreFields(Item{}, "Body"),
	}
	if diff := gocmp.Diff(loaded, k.s, opts); diff != "" {
		k.Fatalf("the record does not give the state (-record +state):\n%s", diff)
	}
}

// checkIdle is rule 18: idle with deliverable mail means ready, and ready
// means running as long as there is a slot.
func (k *desk) checkIdle() {
	k.Helper()
	if k.s.Closing || k.s.busy() >= k.s.Limits.ConcurrentTurns {
		return
	}
	d := newDecision(k.s, k.now, k.random)
	for _, it := range k.s.Items {
		if it.Turn == 0 && d.deliverable(it) != (len(d.holds(it)) == 0) {
			k.Fatalf("%s: deliverable is %v, and these hold it: %+v", it.Message, d.deliverable(it), d.holds(it))
		}
	}
	for id := range k.s.queues {
		if k.s.running[id] == nil && d.firstReady(id) != nil {
			k.Fatalf("%s is idle, has mail that nothing holds, and no turn", k.s.Colleagues[id].Name)
		}
	}
}

// restart is a new owner that loads the record.
func (k *desk) restart() {
	k.Helper()
	k.s = restore(k.s.Setup, k.rec.snapshot())
	k.must(configure{k.s.Setup})
	k.must(recoverSends{})
	k.must(recoverTurns{})
}

func (k *desk) say(channel, text string) Receipt {
	k.Helper()
	return k.must(postRequest{Post: Post{Person: DefaultOwner, Channel: ChannelID(channel), Text: text}}).(Receipt)
}

func (k *desk) id(name string) ColleagueID {
	k.Helper()
	c := k.s.colleagueNamed(name)
	if c == nil {
		k.Fatalf("nobody is called %s", name)
	}
	return c.ID
}

// running is the turn of a colleague, nil if it has none.
func (k *desk) running(name string) *Turn { return k.s.running[k.id(name)] }

func (k *desk) ref(name string) TurnRef {
	k.Helper()
	t := k.running(name)
	if t == nil {
		k.Fatalf("%s has no turn", name)
	}
	return t.Ref()
}

// finish gives a colleague's turn a final text.
func (k *desk) finish(name, text string) Progress {
	k.Helper()
	return k.must(Reply{Ref: k.ref(name), Text: text}).(Progress)
}

// call lets a colleague's model ask for calls.
func (k *desk) call(name string, calls ...PreparedCall) Progress {
	k.Helper()
	for i := range calls {
		calls[i].ID = fmt.Sprintf("call-%d", i)
	}
	return k.must(Reply{Ref: k.ref(name), Calls: calls}).(Progress)
}

func verb(v Verb) PreparedCall {
	return PreparedCall{ToolCall: ToolCall{Name: "office_post"}, Class: OfficeCall, Verb: v}
}

func outside(name string, class CallClass) PreparedCall {
	return PreparedCall{ToolCall: ToolCall{Name: name}, Class: class}
}

// texts are the messages of a channel, "author: text".
func (k *desk) texts(channel ChannelID) []string {
	var found []*Message
	for a, m := range k.rec.messages {
		if a.Channel == channel {
			found = append(found, m)
		}
	}
	slices.SortFunc(found, func(a, b *Message) int { return cmp.Compare(a.Seq, b.Seq) })
	var out []string
	for i, m := range found {
		if m.Seq != int64(i+1) {
			k.Fatalf("%s has a gap before %d", channel, m.Seq)
		}
		out = append(out, m.Author.Name+": "+m.Text)
	}
	return out
}

// shown are the anchors that the frames of a turn show, in order.
func (k *desk) shown(turn int64) []string {
	var out []string
	for _, e := range k.rec.entries {
		if e.Turn != turn || e.Kind != EntryFrame {
			continue
		}
		for _, line := range strings.Split(e.Text, "\n") {
			if a, _, ok := strings.Cut(strings.TrimPrefix(line, "["), " | "); ok && strings.HasPrefix(line, "[") {
				out = append(out, a)
			}
		}
	}
	return out
}

// results are what the calls of a turn returned.
func (k *desk) results(turn int64) []string {
	var out []string
	for _, e := range k.rec.entries {
		if e.Turn == turn && e.Kind == EntryResult {
			out = append(out, e.Text)
		}
	}
	return out
}

func outcomes(r Receipt) string {
	var out []string
	for _, x := range r.Deliveries {
		out = append(out, x.Name+" "+string(x.Outcome))
	}
	return strings.Join(out, ", ")
}

func wantLines(t testing.TB, what string, got []string, want ...string) {
	t.Helper()
	if diff := gocmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// random gives ids that a test can foresee.
func (k *desk) random() string {
	k.ids++
	return fmt.Sprintf("ABCDEFGHJKMNPQRSTUVW%06d", k.ids)
}
