package office_test

import (
	"context"
	"errors"
	"io"
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
	covered := func(r office.Range, says *office.Range) []office.Change {
		summary := msg(2, 2)
		summary.Covers = says
		ch := general.Channel
		ch.Ranges = []office.Range{r}
		return slices.Concat(good, []office.Change{office.PutChannel{Channel: ch}, office.PutMessage{Message: summary}})
	}
	begins := func(m office.ContextMark) office.Change {
		return office.PutColleague{Colleague: office.Colleague{
			ID: "c1", ColleagueSetup: office.ColleagueSetup{Name: "alice"}, Contexts: map[office.PersonID]office.ContextMark{"": m},
		}}
	}
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
		{"a good summary", covered(office.Range{From: 1, To: 1, Summary: 2}, &office.Range{From: 1, To: 1}), ""},
		{"an archived part with its summary", slices.Concat(covered(office.Range{From: 1, To: 1, Summary: 2, Archived: true}, &office.Range{From: 1, To: 1}),
			[]office.Change{office.DeleteItem{ID: 1}, office.DropMessage{Channel: "general", Seq: 1, No: 1}}), ""},
		{"a summary that is none", covered(office.Range{From: 1, To: 1, Summary: 2}, nil), "is not in the record or is no summary"},
		{"a summary of something else", covered(office.Range{From: 1, To: 1, Summary: 2}, &office.Range{From: 1, To: 7}), "stands for 1 to 7"},
		{"a summary beyond its channel", covered(office.Range{From: 1, To: 9, Summary: 2}, &office.Range{From: 1, To: 9}), "whose count is 2"},
		{"two summaries of the same", slices.Concat(good, []office.Change{office.PutChannel{Channel: office.Channel{
			ID: "general", Kind: office.GeneralChannel, Name: "general", Last: 2, Ranges: []office.Range{{From: 1, To: 1, Summary: 2}, {From: 1, To: 1, Summary: 2}},
		}}}), "two summaries stand for number 1"},
		{"a context that begins later than all", slices.Concat(good, []office.Change{begins(office.ContextMark{From: 9})}), "behind entry 9"},
		{"a context without its summary", slices.Concat(good, []office.Change{begins(office.ContextMark{From: 1, Summary: 2})}), "which is not in its transcript"},
		{"a context started afresh", slices.Concat(good, []office.Change{begins(office.ContextMark{From: 2, Fresh: true})}), ""},
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

// keptFiles is a FileStore that has some files.
type keptFiles map[string]string

func (k keptFiles) Put(io.Reader, int64) (string, int64, error) { return "", 0, errors.New("not here") }

func (k keptFiles) Open(id string) (io.ReadCloser, error) {
	text, ok := k[id]
	if !ok {
		return nil, office.ErrGone
	}
	return io.NopCloser(strings.NewReader(text)), nil
}

// What is owed with a file that is not kept any more is named, unless the file has
// been shown already.
func TestVerifyNamesFilesThatAreOwed(t *testing.T) {
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
	send := func(id int64, part int, file string) office.Change {
		return office.PutSend{Send: office.Send{
			ID: id, Portal: "slack:C1", Message: office.Anchor{Channel: "general", Seq: id}, Part: part,
			Parts: []string{"look"}, Files: []office.File{{ID: file, Name: file + ".txt"}},
		}}
	}
	changes := []office.Change{send(1, 0, "kept"), send(2, 1, "lost"), send(3, 2, "shown")}
	if err := store.Commit(t.Context(), lease, office.Batch{N: 1, ID: "b", Changes: changes}); err != nil {
		t.Fatal(err)
	}
	got, err := office.VerifyFiles(t.Context(), store, keptFiles{"kept": "what it holds"})
	if err != nil || len(got) != 1 || !strings.Contains(got[0], "general-2 is owed to slack:C1 with the file lost.txt") {
		t.Errorf("found %q %v", got, err)
	}
}
