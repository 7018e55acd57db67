package redis

import (
	"crypto/rand"
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
		office.PutItem{Item: office.Item{ID: n % 100, To: "c1", Message: m.Anchor(), Conv: conv, Outcome: office.Delivered, Turn: n}},
		office.PutTurn{Turn: office.Turn{ID: n % 100, Colleague: "c1", Conv: conv, State: office.TurnOpen, Attempt: 1, Started: at}},
		office.AppendEntry{Entry: office.Entry{
			N: n, In: office.ContextID{Colleague: "c1"}, Turn: n, Kind: office.EntryFrame, At: at,
			Text: "[general-1] Ann: please look at the build of this morning, it is red again", Items: []int64{n},
		}},
	}
}

// BenchmarkCommitOne is one commit of six changes, its wait for the disk and all.
func BenchmarkCommitOne(b *testing.B) {
	s := openAt(b, sharedServer(b).addr, "bench-"+rand.Text()) // -count runs it again
	lease := acquire(b, s)
	at := time.Now().UTC()
	n := int64(0)
	b.ReportAllocs()
	for b.Loop() {
		n++
		mustCommit(b, s, lease, n, eventBatch(n, at)...)
	}
	b.StopTimer()
	if err := s.Release(b.Context(), lease); err != nil {
		b.Fatal(err)
	}
}

// BenchmarkRawScript sends as many commands in a script as bare as can be: what
// Redis and the client cost alone.
func BenchmarkRawScript(b *testing.B) {
	raw := sharedServer(b).client(b)
	const text = `for i = 1, 7 do redis.call('HSET', KEYS[1], ARGV[i], ARGV[8]) end
		for i = 1, 7 do redis.call('ZADD', KEYS[2], ARGV[i], ARGV[i]) end return 'done'`
	sha, err := raw.ScriptLoad(b.Context(), text).Result()
	if err != nil {
		b.Fatal(err)
	}
	value := make([]byte, 200)
	n := 0
	b.ReportAllocs()
	for b.Loop() {
		n++
		if err := raw.EvalSha(b.Context(), sha, []string{"{raw}h", "{raw}z"}, n, n+1, n+2, n+3, n+4, n+5, n+6, value).Err(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkPage is the newest 50 messages of a channel that holds 20,000.
func BenchmarkPage(b *testing.B) {
	s := openAt(b, sharedServer(b).addr, "pages")
	lease := acquire(b, s)
	at := time.Now().UTC()
	first := mustHead(b, s).N + 1
	for n := first; n < first+20; n++ {
		var changes []office.Change
		for i := (n-1)*1000 + 1; i <= n*1000; i++ {
			changes = append(changes, eventBatch(i, at)[1])
		}
		mustCommit(b, s, lease, n, changes...)
	}
	if err := s.Release(b.Context(), lease); err != nil {
		b.Fatal(err)
	}
	queries := map[string]office.MessageQuery{
		"newest":   {Channels: []office.ChannelID{"general"}, Limit: 50, Newest: true},
		"range":    {Channels: []office.ChannelID{"general"}, From: 9000, To: 9049},
		"after":    {After: 19_950, Limit: 50},
		"thread":   {Channels: []office.ChannelID{"general"}, Root: 9000, Limit: 50},
		"author":   {Channels: []office.ChannelID{"general"}, Author: "zoe", Limit: 50},
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
