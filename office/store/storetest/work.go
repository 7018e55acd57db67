package storetest

import (
	"testing"

	"bullpen/office"
)

// item is one with every field set.
func item(id int64, m office.Anchor) office.Item {
	return office.Item{
		ID: id, To: "c1", Message: m, Person: "ann", Conv: office.Conversation{Channel: "dev", Root: 4},
		Outcome: office.Queued, TurnEnd: true, Ask: true, FromPerson: true, Quiet: true, Hop: true, Depth: 3,
		For: office.Conversation{Channel: "general", Root: 9}, AskedIn: "ben", Turn: 7, Step: 2,
	}
}

// turn is an open one with every field set.
func turn(id int64) office.Turn {
	return office.Turn{
		ID: id, Colleague: "c1", Person: "ann", Conv: office.Conversation{Channel: "dev", Root: 4},
		State: office.TurnOpen, Reason: "because", Attempt: 2, Crashes: 1, Parked: true, Step: 5,
		Started: now, Ended: now, Depth: 3, Ask: true, ReplyTo: 8, SentTo: []office.ColleagueID{"c2"},
		For: office.Conversation{Channel: "general"}, Answered: true, Notice: "listen\n☃",
		Calls: []office.Call{
			{Key: 0, ID: "toolu_1", Name: "bash", Class: office.EffectCall, Done: true},
			{Key: 1, ID: "toolu_1", Name: "ls", Class: office.PureCall},
		},
	}
}

func testItems(t *testing.T, open Open) {
	t.Run("an item comes with its message", func(t *testing.T) {
		t.Parallel()
		o := own(t, open)
		m1, m2 := message("dev", 1, 1), message("dev", 2, 2)
		m1.Text = "one\xff"
		want := []office.Item{item(1, m1.Anchor()), item(2, m1.Anchor()), item(3, m2.Anchor()), {ID: 4, To: "c2", Message: m2.Anchor()}}
		// The body that an item carries is not what is stored.
		spoilt := want[0]
		spoilt.Body = message("other", 9, 9)
		o.commit(office.PutMessage{Message: m1}, office.PutMessage{Message: m2}, office.PutItem{Item: spoilt},
			office.PutItem{Item: want[1]}, office.PutItem{Item: want[2]}, office.PutItem{Item: want[3]})
		want[0].Body, want[1].Body, want[2].Body, want[3].Body = m1, m1, m2, m2
		wantSame(t, "items", o.load().Items, want)
		o.restart()
		wantSame(t, "items after a restart", o.load().Items, want)
	})
	t.Run("an item is replaced and deleted by its id", func(t *testing.T) {
		t.Parallel()
		o := own(t, open)
		m1, m2 := message("dev", 1, 1), message("dev", 2, 2)
		o.commit(office.PutMessage{Message: m1}, office.PutMessage{Message: m2}, office.PutItem{Item: item(1, m1.Anchor())},
			office.PutItem{Item: item(2, m1.Anchor())})
		moved := office.Item{ID: 1, To: "c9", Message: m2.Anchor()}
		o.commit(office.PutItem{Item: moved}, office.DeleteItem{ID: 2})
		moved.Body = m2
		wantSame(t, "items", o.load().Items, []office.Item{moved})
	})
	t.Run("an item follows a change of its message", func(t *testing.T) {
		t.Parallel()
		o := own(t, open)
		m := message("dev", 1, 1)
		o.commit(office.PutMessage{Message: m}, office.PutItem{Item: item(1, m.Anchor())})
		edited := *m
		edited.Text = "edited"
		o.commit(office.PutMessage{Message: &edited})
		if got := o.load().Items[0].Body; got == nil || got.Text != "edited" {
			t.Errorf("the item's message is %+v, want it edited", got)
		}
	})
}

func testTurns(t *testing.T, open Open) {
	t.Run("an open turn comes back, and the last put counts", func(t *testing.T) {
		t.Parallel()
		o := own(t, open)
		o.commit(office.PutTurn{Turn: turn(1)}, office.PutTurn{Turn: turn(2)})
		later := office.Turn{ID: 2, State: office.TurnOpen, Attempt: 3}
		o.commit(office.PutTurn{Turn: later})
		wantSame(t, "turns", o.load().Turns, []office.Turn{turn(1), later})
		o.restart()
		wantSame(t, "turns after a restart", o.load().Turns, []office.Turn{turn(1), later})
	})
	for _, state := range []office.TurnState{office.TurnDone, office.TurnFailed, office.TurnInterrupted} {
		t.Run(string(state)+" turns leave the state", func(t *testing.T) {
			t.Parallel()
			o := own(t, open)
			o.commit(office.PutTurn{Turn: turn(1)}, office.PutTurn{Turn: turn(2)})
			closed := turn(1)
			closed.State = state
			o.commit(office.PutTurn{Turn: closed})
			wantSame(t, "turns", o.load().Turns, []office.Turn{turn(2)})
			o.commit(office.PutTurn{Turn: closed}) // closing it again changes nothing
			o.restart()
			wantSame(t, "turns after a restart", o.load().Turns, []office.Turn{turn(2)})
		})
	}
}
