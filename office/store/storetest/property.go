package storetest

import (
	"slices"
	"strings"
	"testing"
	"time"

	"bullpen/office"

	"pgregory.net/rapid"
)

// testModel commits random batches and compares the store with the model, also
// across restarts, repeated batches and refused ones.
func testModel(t *testing.T, open Open) {
	rapid.Check(t, func(rt *rapid.T) {
		dir := t.TempDir()
		run := &modelRun{o: ownFor(rt, func() office.Store { return open(t, dir) }), m: newModel()}
		for range rapid.IntRange(1, 12).Draw(rt, "steps") {
			rapid.SampledFrom(steps).Draw(rt, "step")(run, rt)
			wantSame(rt, "the snapshot", run.o.load(), run.m.snapshot(run.o.head()))
		}
		run.compare(rt)
	})
}

// steps are what a run does, the common ones more often.
var steps = []func(*modelRun, *rapid.T){
	(*modelRun).commit,
	(*modelRun).commit,
	(*modelRun).commit,
	(*modelRun).query,
	(*modelRun).query,
	(*modelRun).repeat,
	(*modelRun).refuse,
	(*modelRun).restart,
}

// modelRun is one office in both.
type modelRun struct {
	o    *owner
	m    *model
	last []office.Change

	no, entry int64 // counters, as an office keeps them
}

var (
	someChannel   = rapid.SampledFrom([]office.ChannelID{"general", "dev", "dm-c1-ann", "ü"})
	someColleague = rapid.SampledFrom([]office.ColleagueID{"c1", "c2", "c3"})
	somePerson    = rapid.SampledFrom([]office.PersonID{"", "ann", "ben"})
	someID        = rapid.Int64Range(1, 6)
	someText      = rapid.OneOf(rapid.StringN(0, 12, 40), rapid.SampledFrom(texts[:len(texts)-1]))
	someName      = rapid.StringN(0, 6, 20) // valid UTF-8
)

func (r *modelRun) commit(rt *rapid.T) {
	r.last = r.changes(rt)
	r.o.commit(r.last...)
	r.m.apply(r.last)
}

// repeat sends the last batch once more.
func (r *modelRun) repeat(rt *rapid.T) {
	if r.o.n == 0 {
		return // there is no batch yet
	}
	b := r.o.next(r.last...)
	b.N, b.ID = r.o.n, r.o.head().ID
	if err := r.o.store.Commit(r.o.t.Context(), r.o.lease, b); err != nil {
		rt.Fatalf("the same batch again: %v", err)
	}
}

// refuse sends a batch whose last change cannot be written.
func (r *modelRun) refuse(rt *rapid.T) {
	no, entry := r.no, r.entry
	b := r.o.next(append(r.changes(rt), office.PutMessage{})...)
	if err := r.o.store.Commit(r.o.t.Context(), r.o.lease, b); err == nil {
		rt.Fatal("a batch that cannot be written was taken")
	}
	r.no, r.entry = no, entry
}

// restart is where what was only in memory would show.
func (r *modelRun) restart(rt *rapid.T) {
	r.o.restart()
	r.compare(rt)
}

func (r *modelRun) query(rt *rapid.T) {
	q := office.MessageQuery{
		Channels: rapid.SliceOfN(someChannel, 0, 3).Draw(rt, "channels"),
		From:     rapid.Int64Range(0, 4).Draw(rt, "from"),
		To:       rapid.Int64Range(0, 8).Draw(rt, "to"),
		After:    rapid.Int64Range(0, r.no).Draw(rt, "after"),
		Root:     rapid.Int64Range(0, 3).Draw(rt, "root"),
		Author:   string(somePerson.Draw(rt, "author")),
		Contains: rapid.SampledFrom([]string{"", "", "a", "É", "\x00"}).Draw(rt, "contains"),
		Limit:    rapid.IntRange(0, 5).Draw(rt, "limit"),
		Newest:   rapid.Bool().Draw(rt, "newest"),
		Woke:     rapid.SampledFrom([]string{"", "", "c1", "nobody"}).Draw(rt, "woke"),
		Since:    someMoment(rt, r.no), Until: someMoment(rt, r.no),
	}
	wantSame(rt, "messages", r.o.messages(q), r.m.page(q))
}

// compare reads all there is besides the snapshot.
func (r *modelRun) compare(rt *rapid.T) {
	wantSame(rt, "all messages", r.o.messages(office.MessageQuery{}), r.m.page(office.MessageQuery{}))
	in := office.ContextID{Colleague: someColleague.Draw(rt, "colleague"), Person: somePerson.Draw(rt, "person")}
	limit := rapid.IntRange(0, 3).Draw(rt, "limit")
	wantSame(rt, "a transcript", r.o.transcript(in, limit), r.m.transcript(in, limit))
	for event, want := range r.m.seen {
		if a, ok, err := r.o.store.Seen(r.o.t.Context(), event); err != nil || !ok || a != want {
			rt.Errorf("Seen(%q) = %v, %v, %v, want %v", event, a, ok, err, want)
		}
	}
	r.compareNatives(rt)
}

// compareNatives looks every message up by its places on platforms, from both sides.
func (r *modelRun) compareNatives(rt *rapid.T) {
	ctx := r.o.t.Context()
	count := map[office.Anchor]int{}
	for k, want := range r.m.natives {
		got, ok, err := r.o.store.Native(ctx, k.portal, k.id)
		if err != nil || !ok {
			rt.Fatalf("Native(%q, %q) = %v, %v", k.portal, k.id, ok, err)
		}
		wantSame(rt, "a place on a platform", got, want)
		count[want.Anchor]++
	}
	for a, want := range count {
		got, err := r.o.store.Natives(ctx, a)
		if err != nil || len(got) != want {
			rt.Errorf("Natives(%s) gave %d and %v, want %d", a, len(got), err, want)
		}
	}
	for k, want := range r.m.revisions {
		got, err := r.o.store.Revisions(ctx, k.portal, k.id)
		if err != nil {
			rt.Fatal(err)
		}
		wantSame(rt, "revisions", got, want)
	}
}

func (r *modelRun) changes(rt *rapid.T) []office.Change {
	n := rapid.IntRange(0, 8).Draw(rt, "changes")
	changes := make([]office.Change, 0, n)
	for range n {
		changes = append(changes, r.change(rt))
	}
	return changes
}

// kinds makes one change of every kind.
var kinds = []func(*modelRun, *rapid.T) office.Change{
	func(_ *modelRun, rt *rapid.T) office.Change {
		return office.PutMeta{Meta: office.Meta{Message: someID.Draw(rt, "message"), Turn: someID.Draw(rt, "turn")}}
	},
	func(_ *modelRun, rt *rapid.T) office.Change {
		c := alice()
		c.ID, c.Name, c.Order = someColleague.Draw(rt, "id"), someName.Draw(rt, "name"), int(someID.Draw(rt, "order"))
		return office.PutColleague{Colleague: c}
	},
	func(_ *modelRun, rt *rapid.T) office.Change {
		return office.PutPerson{Person: office.Person{ID: somePerson.Draw(rt, "id"), Name: someName.Draw(rt, "name")}}
	},
	func(_ *modelRun, rt *rapid.T) office.Change {
		return office.DeletePerson{ID: somePerson.Draw(rt, "id")}
	},
	func(_ *modelRun, rt *rapid.T) office.Change {
		c := devChannel()
		c.ID, c.Topic, c.Last = someChannel.Draw(rt, "id"), someName.Draw(rt, "topic"), someID.Draw(rt, "last")
		return office.PutChannel{Channel: c}
	},
	(*modelRun).message,
	(*modelRun).dropMessage,
	func(_ *modelRun, rt *rapid.T) office.Change {
		return office.DropOld{Log: office.LogSeen, Key: someName.Draw(rt, "event")}
	},
	func(_ *modelRun, rt *rapid.T) office.Change {
		a := office.Anchor{Channel: someChannel.Draw(rt, "channel"), Seq: someID.Draw(rt, "seq")}
		return office.PutSeen{Event: someName.Draw(rt, "event"), Anchor: a, At: now}
	},
	func(_ *modelRun, rt *rapid.T) office.Change {
		a := office.Anchor{Channel: someChannel.Draw(rt, "channel"), Seq: someID.Draw(rt, "seq")}
		it := item(someID.Draw(rt, "id"), a)
		it.Turn, it.Ask = someID.Draw(rt, "turn"), rapid.Bool().Draw(rt, "ask")
		return office.PutItem{Item: it}
	},
	func(_ *modelRun, rt *rapid.T) office.Change { return office.DeleteItem{ID: someID.Draw(rt, "id")} },
	func(_ *modelRun, rt *rapid.T) office.Change {
		t := turn(someID.Draw(rt, "id"))
		t.State = rapid.SampledFrom([]office.TurnState{office.TurnOpen, office.TurnDone, office.TurnFailed}).Draw(rt, "state")
		t.Notice, t.Step = someName.Draw(rt, "notice"), int(someID.Draw(rt, "step"))
		return office.PutTurn{Turn: t}
	},
	func(r *modelRun, rt *rapid.T) office.Change {
		r.entry++
		e := entry(office.ContextID{Colleague: someColleague.Draw(rt, "colleague"), Person: somePerson.Draw(rt, "person")}, r.entry)
		e.Text = someText.Draw(rt, "text")
		return office.AppendEntry{Entry: e}
	},
	func(r *modelRun, rt *rapid.T) office.Change {
		in := office.ContextID{Colleague: someColleague.Draw(rt, "colleague"), Person: somePerson.Draw(rt, "person")}
		return office.DropEntry{In: in, N: rapid.Int64Range(0, r.entry).Draw(rt, "n")}
	},
	func(_ *modelRun, rt *rapid.T) office.Change {
		return office.PutPortal{Portal: office.Portal{
			ID: office.PortalID(someName.Draw(rt, "id")), Kind: office.ChannelPortal, Channel: someChannel.Draw(rt, "channel"), Mark: someName.Draw(rt, "mark"),
			Threads: []office.ThreadMark{{Thread: "1.5", Mark: "2.5", At: now}},
		}}
	},
	func(_ *modelRun, rt *rapid.T) office.Change { return office.PutNative{Native: someNative(rt)} },
	func(_ *modelRun, rt *rapid.T) office.Change { return office.DropNative{Native: someNative(rt)} },
	func(_ *modelRun, rt *rapid.T) office.Change {
		return office.PutSend{Send: office.Send{
			ID: someID.Draw(rt, "id"), Portal: "p", Message: someAnchor(rt), State: office.SendGoing, Parts: []string{"a", "<b>&"}, Attempt: 1, LeaveBy: now,
		}}
	},
	func(_ *modelRun, rt *rapid.T) office.Change { return office.DeleteSend{ID: someID.Draw(rt, "id")} },
	func(_ *modelRun, rt *rapid.T) office.Change {
		return office.PutParked{Parked: office.Parked{ID: someID.Draw(rt, "id"), In: office.Inbound{Portal: "p", Native: "1.2", Text: "☃"}}}
	},
	func(_ *modelRun, rt *rapid.T) office.Change { return office.DeleteParked{ID: someID.Draw(rt, "id")} },
	func(_ *modelRun, rt *rapid.T) office.Change {
		return office.PutQuestion{Question: office.Question{ID: someName.Draw(rt, "id"), Conv: office.Conversation{Channel: "dev", Root: 3}, At: now}}
	},
	func(_ *modelRun, rt *rapid.T) office.Change {
		return office.DeleteQuestion{ID: someName.Draw(rt, "id")}
	},
	func(_ *modelRun, rt *rapid.T) office.Change {
		return office.PutPairing{Pairing: office.Pairing{Code: someName.Draw(rt, "code"), Account: office.Account{Platform: "slack", ID: "U1"}, At: now}}
	},
	func(_ *modelRun, rt *rapid.T) office.Change {
		return office.DeletePairing{Code: someName.Draw(rt, "code")}
	},
	func(_ *modelRun, rt *rapid.T) office.Change {
		n := someNative(rt)
		return office.PutRevision{Revision: office.Revision{Portal: n.Portal, Native: n.ID, Version: someName.Draw(rt, "version"), Text: "old", At: now}}
	},
	func(_ *modelRun, _ *rapid.T) office.Change {
		return office.AppendUsage{Usage: office.Usage{At: now, Colleague: "c1", Input: 3}}
	},
	func(_ *modelRun, _ *rapid.T) office.Change {
		return office.AppendAudit{Audit: office.Audit{At: now, By: "ann", What: "interrupt"}}
	},
	func(_ *modelRun, rt *rapid.T) office.Change {
		return office.PutCursor{Viewer: someName.Draw(rt, "viewer"), No: someID.Draw(rt, "no")}
	},
}

func someAnchor(rt *rapid.T) office.Anchor {
	return office.Anchor{Channel: someChannel.Draw(rt, "channel"), Seq: someID.Draw(rt, "seq")}
}

func someNative(rt *rapid.T) office.Native {
	return office.Native{
		Portal: office.PortalID(rapid.SampledFrom([]string{"p", "q"}).Draw(rt, "portal")), ID: someName.Draw(rt, "native"),
		Anchor: someAnchor(rt), Thread: "1.2", Alias: rapid.Bool().Draw(rt, "alias"), Part: rapid.IntRange(0, 2).Draw(rt, "part"),
	}
}

func (r *modelRun) change(rt *rapid.T) office.Change {
	return rapid.SampledFrom(kinds).Draw(rt, "kind")(r, rt)
}

// message is a new one, or an edit of one that is there, which keeps its number.
func (r *modelRun) message(rt *rapid.T) office.Change {
	m := message(someChannel.Draw(rt, "channel"), 0, 0)
	var last int64
	for a := range r.m.messages {
		if a.Channel == m.Channel {
			last = max(last, a.Seq)
		}
	}
	m.Seq = rapid.Int64Range(1, last+1).Draw(rt, "seq")
	if old, ok := r.m.messages[m.Anchor()]; ok {
		m.No = old.No
	} else {
		r.no++
		m.No = r.no
		if slices.Contains([]int64{1, 2}, m.Seq) {
			m.Root = 0
		}
	}
	m.Author.ID = string(somePerson.Draw(rt, "author"))
	m.Text = strings.Clone(someText.Draw(rt, "text"))
	return office.PutMessage{Message: m}
}

// dropMessage takes out a message that is there, or one that is not.
func (r *modelRun) dropMessage(rt *rapid.T) office.Change {
	a := someAnchor(rt)
	if m, ok := r.m.messages[a]; ok {
		return office.DropMessage{Channel: m.Channel, Seq: m.Seq, No: m.No, Root: m.Root}
	}
	return office.DropMessage{Channel: a.Channel, Seq: 1 << 30, No: 1 << 30}
}

// someMoment is none, when a message was taken in, or between two.
func someMoment(rt *rapid.T, last int64) time.Time {
	if rapid.Bool().Draw(rt, "any time") {
		return time.Time{}
	}
	return now.Add(time.Duration(rapid.Int64Range(0, 2*last+2).Draw(rt, "half milliseconds")) * time.Millisecond / 2)
}
