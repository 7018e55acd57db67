package sqlite

import (
	"database/sql"
	"fmt"
	"testing"
	"time"

	"bullpen/office"
)

// eventBatch is what a message that starts a turn commits.
func eventBatch(n int64, at time.Time) []office.Change {
	m := &office.Message{
		No: n, Channel: "general", Seq: n, Author: office.Author{Kind: office.ByPerson, ID: "ann", Name: "Ann"},
		Text: "please look at the build of this morning, it is red again", At: at,
		Deliveries: []office.Delivery{{To: "c1", Name: "alice", Outcome: office.Delivered}},
	}
	conv := office.Conversation{Channel: "general"}
	return []office.Change{
		office.PutMeta{Meta: office.Meta{Message: n, Item: n, Turn: n, Entry: n}},
		office.PutMessage{Message: m},
		office.PutSeen{Event: fmt.Sprintf("telegram:-100123:%d", n), Anchor: m.Anchor(), At: at},
		office.PutItem{Item: office.Item{ID: n, To: "c1", Message: m.Anchor(), Conv: conv, Outcome: office.Delivered, Turn: n}},
		office.PutTurn{Turn: office.Turn{ID: n, Colleague: "c1", Conv: conv, State: office.TurnOpen, Attempt: 1, Started: at}},
		office.AppendEntry{Entry: office.Entry{
			N: n, In: office.ContextID{Colleague: "c1"}, Turn: n, Kind: office.EntryFrame, At: at,
			Text: "[general-1] Ann: please look at the build of this morning, it is red again", Items: []int64{n},
		}},
	}
}

// BenchmarkCommitOne is one commit of six changes, its wait for the disk and all.
func BenchmarkCommitOne(b *testing.B) {
	s, lease := benchStore(b)
	at := time.Now().UTC()
	n := int64(0)
	b.ReportAllocs()
	for b.Loop() {
		n++
		err := s.Commit(b.Context(), lease, office.Batch{N: n, ID: "019c0000-0000-7000-8000-000000000000", Changes: eventBatch(n, at)})
		if err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkCommitCPU is the same without the wait.
func BenchmarkCommitCPU(b *testing.B) {
	s, lease := benchStore(b)
	if err := s.write(b.Context(), func(*session) error { return nil }); err != nil {
		b.Fatal(err)
	}
	if _, err := s.writer.conn.ExecContext(b.Context(), "PRAGMA synchronous = OFF"); err != nil {
		b.Fatal(err)
	}
	at := time.Now().UTC()
	n := int64(0)
	b.ReportAllocs()
	for b.Loop() {
		n++
		err := s.Commit(b.Context(), lease, office.Batch{N: n, ID: "019c0000-0000-7000-8000-000000000000", Changes: eventBatch(n, at)})
		if err != nil {
			b.Fatal(err)
		}
	}
}

func benchStore(b *testing.B) (*Store, office.Lease) {
	s, err := Open(b.Context(), Options{Dir: b.TempDir()})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { s.Close() })
	lease, err := s.Acquire(b.Context(), office.Holder{})
	if err != nil {
		b.Fatal(err)
	}
	return s, lease
}

// BenchmarkRawDriver writes the same rows by hand: what the driver costs alone.
func BenchmarkRawDriver(b *testing.B) {
	s, _ := benchStore(b)
	db, err := openDB(s.path, writerPragmas, 1, 1)
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	const one = len(portions) - 1
	prepare := func(text string) *sql.Stmt {
		st, err := db.PrepareContext(b.Context(), text)
		if err != nil {
			b.Fatal(err)
		}
		return st
	}
	head := prepare(`UPDATE office SET n = ?, id = ?`)
	meta, msg, seen := prepare(putMeta), prepare(forms[messageRows].texts[one]), prepare(forms[seenRows].texts[one])
	item, turn, entry := prepare(forms[itemRows].texts[one]), prepare(putTurn), prepare(appendEntry)
	begin, commit := prepare("BEGIN IMMEDIATE"), prepare("COMMIT")
	value := make([]byte, 200)
	n := int64(0)
	do := func(st *sql.Stmt, args ...any) {
		if _, err := st.ExecContext(b.Context(), args...); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		n++
		do(begin)
		do(head, n, "019c0000-0000-7000-8000-000000000000")
		do(meta, value[:60])
		do(msg, "general", n, n, int64(0), "ann", int64(1), value, value[:60])
		do(seen, fmt.Sprintf("telegram:-100123:%d", n), "general", n, int64(1))
		do(item, n, "general", n, value)
		do(turn, n, value)
		do(entry, "c1", "", n, value, value[:80])
		do(commit)
	}
}

// BenchmarkLoad is the start of an office with 10,000 colleagues.
func BenchmarkLoad(b *testing.B) {
	s, lease := benchStore(b)
	var changes []office.Change
	for i := range 10_000 {
		changes = append(changes, office.PutColleague{Colleague: office.Colleague{
			ID: office.ColleagueID(fmt.Sprintf("c%d", i)), Order: i,
			ColleagueSetup: office.ColleagueSetup{Name: fmt.Sprintf("colleague%d", i), Role: office.Member, Model: "anthropic:some-model", Prompt: "You are careful."},
		}})
	}
	if err := s.Commit(b.Context(), lease, office.Batch{N: 1, ID: "1", Changes: changes}); err != nil {
		b.Fatal(err)
	}
	b.ResetTimer()
	for b.Loop() {
		if _, err := s.Load(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkPage is the newest 50 messages of a channel that holds 20,000.
func BenchmarkPage(b *testing.B) {
	s, lease := benchStore(b)
	at := time.Now().UTC()
	for n := int64(1); n <= 20; n++ {
		var changes []office.Change
		for i := (n-1)*1000 + 1; i <= n*1000; i++ {
			changes = append(changes, eventBatch(i, at)[1])
		}
		if err := s.Commit(b.Context(), lease, office.Batch{N: n, ID: fmt.Sprint(n), Changes: changes}); err != nil {
			b.Fatal(err)
		}
	}
	queries := map[string]office.MessageQuery{
		"newest":   {Channels: []office.ChannelID{"general"}, Limit: 50, Newest: true},
		"range":    {Channels: []office.ChannelID{"general"}, From: 9000, To: 9049},
		"after":    {After: 19_950},
		"contains": {Channels: []office.ChannelID{"general"}, Contains: "nothing", Limit: 50},
	}
	for name, q := range queries {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := s.Messages(b.Context(), q); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
