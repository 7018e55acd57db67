package office_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"bullpen/office"
	"bullpen/office/store/sqlite"
)

func TestVerifyNamesWhatDoesNotHold(t *testing.T) {
	t.Parallel()
	msg := func(seq, no int64) *office.Message {
		return &office.Message{No: no, Channel: "general", Seq: seq, Author: office.Author{Kind: office.ByPerson, Name: "ann"}}
	}
	general := office.PutChannel{Channel: office.Channel{ID: "general", Kind: office.GeneralChannel, Name: "general", Last: 2}}
	alice := office.PutColleague{Colleague: office.Colleague{ID: "c1", ColleagueSetup: office.ColleagueSetup{Name: "alice"}}}
	meta := office.PutMeta{Meta: office.Meta{Message: 2, Item: 1, Turn: 1, Entry: 2}}
	frame := func(n int64) office.Change {
		return office.AppendEntry{Entry: office.Entry{N: n, In: office.ContextID{Colleague: "c1"}, Turn: 7, Kind: office.EntryFrame, Items: []int64{1}}}
	}
	item := office.Item{ID: 1, To: "c1", Message: office.Anchor{Channel: "general", Seq: 1}}
	turn := office.PutTurn{Turn: office.Turn{ID: 1, Colleague: "c1", State: office.TurnOpen}}
	held := item
	held.Turn = 1
	good := []office.Change{general, alice, meta, office.PutMessage{Message: msg(1, 1)}, office.PutMessage{Message: msg(2, 2)}, office.PutItem{Item: item}}
	for _, tc := range []struct {
		name    string
		changes []office.Change
		want    string // part of a finding; empty: none
	}{
		{"a good record", good, ""},
		{"a good record with a turn", slices.Concat(good, []office.Change{turn, office.PutItem{Item: held}}), ""},
		{"a gap", []office.Change{general, meta, office.PutMessage{Message: msg(2, 2)}}, "number 2 follows 0"},
		{"a lost last message", []office.Change{general, meta, office.PutMessage{Message: msg(1, 1)}}, "its count is 2"},
		{"a delivery to nobody", slices.Concat(good, []office.Change{office.PutItem{Item: office.Item{ID: 1, To: "c9", Message: item.Message}}}), "not on the roster"},
		{"a delivery of nothing", slices.Concat(good, []office.Change{office.PutItem{Item: office.Item{ID: 1, To: "c1", Message: office.Anchor{Channel: "general", Seq: 9}}}}), "has no message"},
		{"a delivery held by no turn", slices.Concat(good, []office.Change{office.PutItem{Item: held}}), "not open"},
		{"a turn that holds nothing", slices.Concat(good, []office.Change{turn}), "holds nothing"},
		{"a call without its result", slices.Concat(good, []office.Change{turn, office.PutItem{Item: held}, office.AppendEntry{Entry: office.Entry{
			N: 1, In: office.ContextID{Colleague: "c1"}, Turn: 1, Kind: office.EntryReply, Calls: []office.ToolCall{{ID: "x", Name: "ls", Args: []byte("{}")}},
		}}}), "1 calls, 0 results"},
		{"something owed to nowhere", slices.Concat(good, []office.Change{office.PutSend{Send: office.Send{ID: 1, Portal: "slack:C1", Message: item.Message, Parts: []string{"x"}}}}), "no place of this office"},
		{"a delivery that waits and was shown", slices.Concat(good, []office.Change{frame(1)}), "waits for alice, and entry 1 has shown it"},
		{"a delivery that was shown twice", slices.Concat(good, []office.Change{office.DeleteItem{ID: 1}, frame(1), frame(2)}), "by entries 1 and 2"},
		{"a question in no channel", slices.Concat(good, []office.Change{office.PutQuestion{Question: office.Question{ID: "q", Kind: office.ChainQuestion, Conv: office.Conversation{Channel: "gone"}}}}), "which is no channel"},
		{"a question of a turn that is over", slices.Concat(good, []office.Change{office.PutQuestion{Question: office.Question{ID: "q", Kind: office.AskQuestion, Conv: office.Conversation{Channel: "general"}, From: "c1", Turn: 1}}}), "the turn is not"},
		{"held by the depth limit, and nobody is asked", slices.Concat(good, []office.Change{office.PutItem{Item: office.Item{ID: 1, To: "c1", Message: item.Message, Hop: true}}}), "nobody is asked"},
		{"a counter that went back", slices.Concat(good, []office.Change{office.PutMeta{Meta: office.Meta{Message: 1, Item: 1, Turn: 1}}}), "the counter stands at 1"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			store, err := sqlite.Open(t.Context(), sqlite.Options{Dir: t.TempDir()})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = store.Close() })
			lease, err := store.Acquire(t.Context(), office.Holder{})
			if err != nil {
				t.Fatal(err)
			}
			if err := store.Commit(context.Background(), lease, office.Batch{N: 1, ID: "b", Changes: tc.changes}); err != nil {
				t.Fatal(err)
			}
			got, err := office.Verify(t.Context(), store)
			if err != nil {
				t.Fatal(err)
			}
			if tc.want == "" && len(got) > 0 || tc.want != "" && !slices.ContainsFunc(got, func(f string) bool { return strings.Contains(f, tc.want) }) {
				t.Errorf("found %q, want %q", got, tc.want)
			}
		})
	}
}
