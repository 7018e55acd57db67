package storetest

import (
	"encoding/json"
	"testing"

	"bullpen/office"
)

// entry is one with every field set.
func entry(in office.ContextID, n int64) office.Entry {
	return office.Entry{
		N: n, In: in, Turn: 3, Step: 2, Kind: office.EntryReply, At: now, Text: "text\x00 of\xff it ☃",
		Calls: []office.ToolCall{
			{ID: "a", Name: "bash", Args: json.RawMessage(`{"cmd":"a < b && c > d","n":1e400,"big":12345678901234567890}`)},
			{ID: "a", Name: "ls", Args: json.RawMessage(`null`), Broken: `{"path": `},
		},
		CallID: "toolu_1", Failed: true, Items: []int64{4, 5},
		Files:     []office.Anchor{{Channel: "dev", Seq: 2}},
		Structure: json.RawMessage(`{"message":"dev-1","deliveries":[]}`),
		Extra:     json.RawMessage(`{ "signature": "x<y>\u2028", "z": [1.0, 2] }`),
	}
}

func testTranscript(t *testing.T, open Open) {
	working := office.ContextID{Colleague: "c1"}
	private := office.ContextID{Colleague: "c1", Person: "ann"}
	// Names that would meet if a store joined them without care.
	near := []office.ContextID{{Colleague: "c1ann"}, {Colleague: "c1:ann"}, {Colleague: "c1\x00ann"}, {Colleague: "c", Person: "1ann"}, {Colleague: "c11"}}

	t.Run("contexts are apart and entries whole", func(t *testing.T) {
		t.Parallel()
		o := own(t, open)
		all := append([]office.ContextID{working, private}, near...)
		for i, in := range all {
			o.commit(office.AppendEntry{Entry: entry(in, int64(2*i+1))}, office.AppendEntry{Entry: entry(in, int64(2*i+2))})
		}
		o.restart()
		for i, in := range all {
			want := []office.Entry{entry(in, int64(2*i+1)), entry(in, int64(2*i+2))}
			wantSame(t, "a transcript", o.transcript(in, 0), want)
		}
		wantSame(t, "a transcript of nobody", o.transcript(office.ContextID{Colleague: "c2"}, 0), []office.Entry{})
	})
	t.Run("a limit keeps the newest, oldest first", func(t *testing.T) {
		t.Parallel()
		o := own(t, open)
		var want []office.Entry
		for _, n := range []int64{2, 9, 10, 100, 1 << 40} {
			want = append(want, entry(working, n))
			o.commit(office.AppendEntry{Entry: entry(working, n)}, office.AppendEntry{Entry: entry(private, n+1)})
		}
		for limit, from := range map[int]int{0: 0, 1: 4, 2: 3, 5: 0, 6: 0} {
			wantSame(t, "the end of the transcript", o.transcript(working, limit), want[from:])
		}
	})
	t.Run("an entry taken back is gone, and only that one", func(t *testing.T) {
		t.Parallel()
		o := own(t, open)
		for n := range int64(3) {
			o.commit(office.AppendEntry{Entry: entry(working, n+1)})
		}
		o.commit(office.DropEntry{In: working, N: 2}, office.DropEntry{In: private, N: 1}, office.DropEntry{In: working, N: 7})
		wantSame(t, "the transcript", o.transcript(working, 0), []office.Entry{entry(working, 1), entry(working, 3)})
		o.commit(office.AppendEntry{Entry: entry(working, 4)})
		o.restart()
		wantSame(t, "the transcript later", o.transcript(working, 2), []office.Entry{entry(working, 3), entry(working, 4)})
	})
}
