package storetest

import (
	"math"
	"testing"
	"time"

	"bullpen/office"
	"bullpen/office/wake"
)

// alice is a colleague with every field set.
func alice() office.Colleague {
	return office.Colleague{
		ID: "c1", Order: 3, Gone: true, LastActive: now,
		ColleagueSetup: office.ColleagueSetup{
			Name: "Alice 🦊", Role: office.Leader, Description: "says <b>\"hi\"</b> & goes\u2028on",
			Model: "anthropic:x", Fallback: []string{"openai:y"}, Thinking: "high", Priority: -2,
			ReportsTo: "bob", Prompt: "line\nline\x00", Allow: []string{"ls"}, Deny: []string{"bash"},
		},
	}
}

func devChannel() office.Channel {
	return office.Channel{
		ID: "dev", Kind: office.GroupChannel, Name: "dev", Topic: "топик", Members: []office.ColleagueID{"c1", "c2"},
		Person: "ann", DefaultWake: []string{"$leader"}, Last: 12,
	}
}

// message is one with every field set.
func message(ch office.ChannelID, seq, no int64) *office.Message {
	return &office.Message{
		No: no, Channel: ch, Seq: seq, Root: 1, ReplyTo: 2,
		Author: office.Author{Kind: office.ByPerson, ID: "ann", Name: "Ann ☃"},
		Text:   "hello", At: now.Add(time.Duration(no) * time.Millisecond),
		Wake: wake.Wake{Kind: wake.Names, Names: []string{"c1", "c2"}, People: []string{"ben"}},
		Note: "a note", Origin: office.Anchor{Channel: "general", Seq: 7},
		Deliveries: []office.Delivery{
			{To: "c1", Name: "Alice", Outcome: office.Delivered},
			{To: "ben", Name: "Ben", Outcome: office.InMailbox, Detail: "why"},
		},
	}
}

func testState(t *testing.T, open Open) {
	t.Run("a new office is empty", func(t *testing.T) {
		t.Parallel()
		o := own(t, open)
		wantSame(t, "the snapshot", o.load(), &office.Snapshot{Head: office.Head{Lease: o.lease}})
	})
	t.Run("everything of every kind comes back", func(t *testing.T) {
		t.Parallel()
		o := own(t, open)
		meta := office.Meta{
			Message: 1 << 60, Item: 2, Turn: 3, Entry: 4, Colleague: 5,
			Spent: office.Spent{Day: "2026-11-30", Tokens: 1 << 60, Priced: 3, Cost: math.MaxInt64, NearCost: true},
		}
		p := office.Person{ID: "ann", Name: "Ann ☃", Owner: true, Admin: true}
		bare := office.Colleague{ID: "c2", ColleagueSetup: office.ColleagueSetup{Name: "bob", Role: office.Member}}
		o.commit(office.PutMeta{Meta: meta}, office.PutColleague{Colleague: alice()}, office.PutColleague{Colleague: bare},
			office.PutPerson{Person: p}, office.PutChannel{Channel: devChannel()},
			office.PutCursor{Viewer: "console\x00☃", No: 9}, office.PutCursor{Viewer: "", No: 1})
		want := &office.Snapshot{
			Head: o.head(), Meta: meta, Colleagues: []office.Colleague{alice(), bare},
			People: []office.Person{p}, Channels: []office.Channel{devChannel()},
			Cursors: map[string]int64{"console\x00☃": 9, "": 1},
		}
		wantSame(t, "the snapshot", o.load(), want)
		o.restart()
		want.Head = o.head()
		wantSame(t, "the snapshot after a restart", o.load(), want)
	})
	t.Run("a put replaces the whole of what has its key", func(t *testing.T) {
		t.Parallel()
		o := own(t, open)
		o.commit(office.PutColleague{Colleague: alice()}, office.PutChannel{Channel: devChannel()}, person("ann"),
			office.PutMeta{Meta: office.Meta{Message: 1, Item: 1}}, office.PutCursor{Viewer: "v", No: 5})
		c, ch, p := office.Colleague{ID: "c1"}, office.Channel{ID: "dev"}, office.Person{ID: "ann"}
		o.commit(office.PutColleague{Colleague: c}, office.PutChannel{Channel: ch}, office.PutPerson{Person: p},
			office.PutMeta{Meta: office.Meta{Message: 2}}, office.PutCursor{Viewer: "v", No: 3})
		wantSame(t, "the snapshot", o.load(), &office.Snapshot{
			Head: o.head(), Meta: office.Meta{Message: 2}, Colleagues: []office.Colleague{c},
			People: []office.Person{p}, Channels: []office.Channel{ch}, Cursors: map[string]int64{"v": 3},
		})
	})
	t.Run("times come back in UTC", func(t *testing.T) {
		t.Parallel()
		o := own(t, open)
		m := message("dev", 1, 1)
		o.commit(office.PutColleague{Colleague: alice()}, office.PutMessage{Message: m})
		got := o.messages(office.MessageQuery{}).Messages[0].At
		for _, at := range []time.Time{got, o.load().Colleagues[0].LastActive} {
			if at.Location() != time.UTC {
				t.Errorf("time %v, want it in UTC", at)
			}
		}
		if !got.Equal(m.At) {
			t.Errorf("time %v, want %v", got, m.At)
		}
	})
	t.Run("deleting what is not there is no error", func(t *testing.T) {
		t.Parallel()
		o := own(t, open)
		o.commit(office.DeletePerson{ID: "x"}, office.DeleteItem{ID: 1}, office.DropEntry{N: 1})
	})
}

func testSeen(t *testing.T, open Open) {
	o := own(t, open)
	seen := map[string]office.Anchor{
		"telegram:1:2":         {Channel: "general", Seq: 4},
		"event\x00with\xffany": {Channel: "dev", Seq: 1 << 40},
		"":                     {Channel: "dev", Seq: 2},
	}
	for e, a := range seen {
		o.commit(office.PutSeen{Event: e, Anchor: a, At: now})
	}
	o.restart()
	for e, want := range seen {
		if a, ok, err := o.store.Seen(t.Context(), e); a != want || !ok || err != nil {
			t.Errorf("Seen(%q) = %v, %v, %v, want %v", e, a, ok, err, want)
		}
	}
	for _, e := range []string{"telegram:1:3", "event", "TELEGRAM:1:2"} {
		if a, ok, err := o.store.Seen(t.Context(), e); ok || err != nil || a != (office.Anchor{}) {
			t.Errorf("Seen(%q) = %v, %v, %v, want nothing", e, a, ok, err)
		}
	}
}
