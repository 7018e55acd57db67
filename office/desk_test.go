package office

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// The places that these tests link: #dev on two platforms, the second one
// answering in threads, and the owner's direct talk with the office's bot.
const (
	chatDev   PortalID = "chat:dev"
	slackDev  PortalID = "slack:dev"
	slackUser PortalID = "slack:user"
	kim       PersonID = "kim"
)

// withKim adds a person who is neither owner nor admin.
func withKim(s *Setup) {
	s.People = append(s.People,
		Person{ID: DefaultOwner, Name: "user", Owner: true, Admin: true},
		Person{ID: kim, Name: "kim", Accounts: []Account{{Platform: "slack", ID: "U7"}}})
}

// link makes portals.
func (k *desk) link(portals ...Portal) {
	k.Helper()
	for _, p := range portals {
		k.must(link{p})
	}
}

func chatPortal() Portal {
	return Portal{ID: chatDev, Platform: "chat", Place: "dev", Kind: ChannelPortal, Channel: "dev"}
}

func threadedPortal() Portal {
	return Portal{ID: slackDev, Platform: "slack", Place: "dev", Kind: ChannelPortal, Channel: "dev", ReplyInThread: true}
}

func dmPortal() Portal {
	return Portal{ID: slackUser, Platform: "slack", Place: "user", Kind: DMPortal, Person: DefaultOwner}
}

// takeOver is a new owner that loads the record, in the one request in which
// Open decides it.
func (k *desk) takeOver() {
	k.Helper()
	split := k.s.split
	k.s = restore(k.s.Setup, k.rec.snapshot())
	k.s.split = split
	for _, x := range k.rec.parked { // as Office.load does
		if t := k.thread(x.In.Portal, x.In.Thread); t.root != nil {
			k.s.natives.add(x.In.Portal, x.In.Thread, t)
		}
		if t := k.thread(x.In.Portal, x.In.Answers); t.root != nil {
			k.s.natives.add(x.In.Portal, x.In.Answers, t)
		}
	}
	k.must(takeOver{k.s.Setup})
}

// later decides a request when d has passed since the last one.
func (k *desk) later(d time.Duration, r request) (any, error) {
	k.Helper()
	k.now = k.now.Add(d - time.Second) // do adds the second
	return k.do(r)
}

// wait lets d pass; what was waiting for a time goes on.
func (k *desk) wait(d time.Duration) {
	k.Helper()
	if _, err := k.later(d, tick{}); err != nil {
		k.Fatal(err)
	}
}

// lookUp is what Office.inbound asks the record before it hands in over.
func (k *desk) lookUp(in Inbound) (inbound, *Message) {
	if n, ok := k.rec.natives[nativeKey(in.Portal, in.Native)]; ok && !n.Alias {
		return inbound{}, k.rec.messages[n.Anchor]
	}
	return inbound{Inbound: in, thread: k.thread(in.Portal, in.Thread), answered: k.thread(in.Portal, in.Answers).root}, nil
}

// thread is what Office.thread finds in the record.
func (k *desk) thread(portal PortalID, id string) thread {
	n, ok := k.rec.natives[nativeKey(portal, id)]
	if !ok {
		return thread{}
	}
	root := k.rec.messages[n.Anchor]
	t := thread{root: root, speaker: root.Author}
	var said []*Message
	for _, m := range k.rec.messages {
		if m.Channel == root.Channel && (m.Root == root.thread() || m.Seq == root.thread()) && m.Author.Kind != ByOffice {
			said = append(said, m)
		}
	}
	if len(said) > 0 {
		t.speaker = slices.MaxFunc(said, func(a, b *Message) int { return cmp.Compare(a.No, b.No) }).Author
	}
	return t
}

// arrive is what somebody wrote in a portal's place.
func (k *desk) arrive(in Inbound) (Receipt, error) {
	k.Helper()
	r, known := k.lookUp(in)
	if known != nil {
		rec := receiptOf(known)
		rec.Again = true
		return rec, nil
	}
	out, err := k.do(r)
	if err != nil {
		return Receipt{}, err
	}
	return out.(Receipt), nil
}

// hear is arrive for a message of the owner that must not be refused.
func (k *desk) hear(portal PortalID, native, thread, text string) Receipt {
	k.Helper()
	rec, err := k.arrive(Inbound{Portal: portal, Person: DefaultOwner, Native: native, Thread: thread, Text: text})
	if err != nil {
		k.Fatal(err)
	}
	return rec
}

// fillIn is a message read from a portal's history.
func (k *desk) fillIn(portal PortalID, native, text string) Receipt {
	k.Helper()
	r, known := k.lookUp(Inbound{Portal: portal, Person: DefaultOwner, Native: native, Text: text})
	if known != nil {
		return Receipt{Again: true}
	}
	return k.must(filled{r}).(Receipt)
}

// change is an edit or deletion, with what Office.Revise looks up.
func (k *desk) change(rev Revision) bool {
	k.Helper()
	r := revise{Revision: rev}
	if n, ok := k.rec.natives[nativeKey(rev.Portal, rev.Native)]; ok && !n.Alias {
		r.old = k.rec.messages[n.Anchor]
	}
	return k.must(r).(bool)
}

// onWire is the one send or look of a portal that may leave now, among those
// that the last request let go.
func (k *desk) onWire(portal PortalID) Send {
	k.Helper()
	var found []Send
	for _, s := range k.going {
		if s.Portal == portal {
			found = append(found, s)
		}
	}
	if len(found) != 1 {
		k.Fatalf("%d sends leave for %s, want one: %+v", len(found), portal, found)
	}
	return found[0]
}

// wire says what leaves after the last request: "place state part text".
func (k *desk) wire() []string {
	var out []string
	for _, s := range k.going {
		out = append(out, string(s.Portal)+" "+string(s.State)+" "+s.Parts[s.Part])
	}
	return out
}

// ended gives an attempt its verdict.
func (k *desk) ended(s Send, v Verdict) {
	k.Helper()
	v.Send, v.Attempt = s.ID, s.Attempt
	k.must(v)
}

// arrived lets an attempt succeed under the platform's id.
func (k *desk) arrived(s Send, native, thread string) {
	k.Helper()
	k.ended(s, Verdict{Kind: Sent, Native: native, Thread: thread})
}

// onlySend is the one entry of the outbox.
func (k *desk) onlySend() Send {
	k.Helper()
	if len(k.rec.sends) != 1 {
		k.Fatalf("the outbox holds %d entries, want one: %+v", len(k.rec.sends), k.rec.sends)
	}
	for _, s := range k.rec.sends {
		return s
	}
	return Send{}
}

// lines splits messages at newlines, each line a part of its own.
func lines(_ *Portal, m *Message) []string { return strings.Split(m.Text, "\n") }

// mail are the messages in the owner's mailbox.
func (k *desk) mail() []string { return k.texts(MailboxOf(DefaultOwner)) }

// wantWire compares what leaves after the last request.
func (k *desk) wantWire(what string, want ...string) {
	k.Helper()
	wantLines(k, what, k.wire(), want...)
}

// numbered are n texts.
func numbered(n int) []string {
	var out []string
	for i := range n {
		out = append(out, "line "+strconv.Itoa(i+1))
	}
	return out
}

// frame is all that the frames of a turn say.
func (k *desk) frame(turn int64) string {
	var b strings.Builder
	for _, e := range k.rec.entries {
		if e.Turn == turn && e.Kind == EntryFrame {
			b.WriteString(e.Text + "\n")
		}
	}
	return b.String()
}

// lightly is do without the comparison of the record with the state, which
// takes most of its time.
func (k *desk) lightly(r request) (any, error) {
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
	}
	k.checkIdle()
	return out, err
}
