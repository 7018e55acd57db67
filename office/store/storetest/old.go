package storetest

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"bullpen/office"
)

var oldContext = office.ContextID{Colleague: "c1", Person: "ann"}

// oldRow makes row n of a log, written at a time.
var oldRow = map[office.Log]func(n int, at time.Time) office.Change{
	office.LogSeen: func(n int, at time.Time) office.Change { return office.PutSeen{Event: fmt.Sprintf("e%d", n), At: at} },
	office.LogEarly: func(n int, at time.Time) office.Change {
		return office.PutRevision{Revision: office.Revision{Portal: "p", Native: fmt.Sprintf("e%d", n), Text: "new", Early: true, At: at}}
	},
	office.LogTurns: func(n int, at time.Time) office.Change {
		x := turn(int64(n))
		x.State, x.Ended = office.TurnDone, at
		return office.PutTurn{Turn: x}
	},
	office.LogUsage: func(n int, at time.Time) office.Change {
		cost := office.Money(n) << 50
		return office.AppendUsage{Usage: office.Usage{At: at, Colleague: "c1", Ref: "acme:m", Input: int64(n), Cost: &cost}}
	},
	office.LogAudit: func(n int, at time.Time) office.Change {
		return office.AppendAudit{Audit: office.Audit{At: at, What: fmt.Sprint(n)}}
	},
	office.LogEntries: func(n int, at time.Time) office.Change {
		e := entry(oldContext, int64(n))
		e.At = at
		return office.AppendEntry{Entry: e}
	},
}

// testOld: what is older than a time is found, and leaves the record by its key.
func testOld(t *testing.T, open Open) {
	for log := range oldRow {
		t.Run(string(log), func(t *testing.T) { t.Parallel(); testOldLog(t, own(t, open), log) })
	}
	t.Run("messages", func(t *testing.T) { t.Parallel(); testOldMessages(t, own(t, open)) })
}

func testOldLog(t *testing.T, o *owner, log office.Log) {
	var changes []office.Change
	for n := 1; n <= 8; n++ {
		changes = append(changes, oldRow[log](n, now.Add(time.Duration(n)*time.Hour)))
	}
	o.commit(changes...)
	q := office.OldQuery{Log: log, Before: now.Add(5*time.Hour + time.Minute), Limit: 3, In: oldContext, Through: 4}
	want := 5
	if log == office.LogEntries {
		want = 4 // up to the fourth alone
	}
	var gone []string
	for {
		rows, err := o.store.Old(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		if len(rows) == 0 {
			break
		}
		if len(rows) > q.Limit {
			t.Fatalf("%d rows, want at most %d", len(rows), q.Limit)
		}
		changes = nil
		for _, r := range rows {
			if len(r.Value) == 0 || slices.Contains(gone, r.Key) {
				t.Fatalf("row %q is %s; gone are %v", r.Key, r.Value, gone)
			}
			gone = append(gone, r.Key)
			changes = append(changes, dropOld(t, log, r.Key))
		}
		o.commit(changes...)
		o.restart()
	}
	if len(gone) != want {
		t.Errorf("%d rows left the record (%v), want %d", len(gone), gone, want)
	}
	switch log {
	case office.LogSeen:
		for event, there := range map[string]bool{"e1": false, "e5": false, "e6": true} {
			if _, ok, err := o.store.Seen(t.Context(), event); err != nil || ok != there {
				t.Errorf("%s is there: %v, %v", event, ok, err)
			}
		}
	case office.LogEarly:
		for native, want := range map[string]int{"e1": 0, "e5": 0, "e6": 1} {
			if revs, err := o.store.Revisions(t.Context(), "p", native); err != nil || len(revs) != want {
				t.Errorf("of %s there are the changes %v, %v; want %d", native, revs, err, want)
			}
		}
	case office.LogEntries:
		if got := o.transcript(oldContext, 0); len(got) != 4 || got[0].N != 5 {
			t.Errorf("%d entries are left", len(got))
		}
	}
}

func dropOld(t *testing.T, log office.Log, key string) office.Change {
	t.Helper()
	if log != office.LogEntries {
		return office.DropOld{Log: log, Key: key}
	}
	var n int64
	if _, err := fmt.Sscan(key, &n); err != nil {
		t.Fatal(err)
	}
	return office.DropEntry{In: oldContext, N: n}
}

func testOldMessages(t *testing.T, o *owner) {
	var changes []office.Change
	for n := int64(1); n <= 4; n++ {
		m := message("dev", n, n)
		if m.Root = 0; n == 3 {
			m.Root = 1
		}
		changes = append(changes, office.PutMessage{Message: m})
	}
	native := office.Native{Portal: "p", ID: "1.2", Anchor: office.Anchor{Channel: "dev", Seq: 3}}
	o.commit(append(changes, office.PutNative{Native: native})...)
	o.commit(office.DropMessage{Channel: "dev", Seq: 3, No: 3, Root: 1}, office.DropMessage{Channel: "dev", Seq: 1, No: 1})
	o.restart()
	for what, q := range map[string]office.MessageQuery{
		"all": {}, "the channel": {Channels: []office.ChannelID{"dev"}}, "after": {After: 1},
	} {
		page := o.messages(q)
		if page.Total != 2 || len(page.Messages) != 2 || page.Messages[0].Seq != 2 || page.Messages[1].Seq != 4 {
			t.Errorf("%s: %d messages, %+v", what, page.Total, page.Messages)
		}
	}
	if page := o.messages(office.MessageQuery{Channels: []office.ChannelID{"dev"}, Root: 1}); page.Total != 0 {
		t.Errorf("the thread has %d messages", page.Total)
	}
	if _, ok, err := o.store.Native(t.Context(), "p", "1.2"); err != nil || !ok {
		t.Errorf("what the platform calls it is forgotten: %v, %v", ok, err)
	}
	testDropNative(t, o, native)
}

// testDropNative: what a platform calls a message is forgotten with what the
// message said there before, and nothing of another name or place is.
func testDropNative(t *testing.T, o *owner, native office.Native) {
	t.Helper()
	other := native
	other.ID, other.Part = "1.3", 1
	rev := office.Revision{Portal: native.Portal, Native: native.ID, Text: "before", At: now}
	came := office.Revision{Portal: native.Portal, Native: native.ID, Text: "early", Early: true, At: now}
	kept := office.Revision{Portal: native.Portal, Native: other.ID, Text: "kept", At: now}
	o.commit(office.PutNative{Native: other}, office.PutRevision{Revision: came}, office.PutRevision{Revision: rev}, office.PutRevision{Revision: kept})
	o.commit(office.DropNative{Native: native})
	o.restart()
	if _, ok, err := o.store.Native(t.Context(), native.Portal, native.ID); err != nil || ok {
		t.Errorf("it is known after it was dropped: %v, %v", ok, err)
	}
	if all, err := o.store.Natives(t.Context(), native.Anchor); err != nil || len(all) != 1 || all[0].ID != other.ID {
		t.Errorf("of the message are left %+v, %v", all, err)
	}
	for id, want := range map[string]int{native.ID: 0, other.ID: 1} {
		if revs, err := o.store.Revisions(t.Context(), native.Portal, id); err != nil || len(revs) != want {
			t.Errorf("revisions of %s: %d, %v; want %d", id, len(revs), err, want)
		}
	}
}
