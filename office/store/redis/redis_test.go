package redis

import (
	"slices"
	"testing"

	"bullpen/office"
	"bullpen/office/store/storetest"

	driver "github.com/redis/go-redis/v9"
)

func openShared(t *testing.T, dir string) office.Store {
	return openAt(t, sharedServer(t).addr, officeOf(dir))
}

func openOnCluster(t *testing.T, dir string) office.Store {
	c := clusterOf(t)
	return openAt(t, "", officeOf(dir), func(o *Options) { o.Client.Addrs = c.addrs() })
}

func TestStore(t *testing.T) {
	t.Run("Server", func(t *testing.T) { t.Parallel(); storetest.Run(t, openShared) })
	t.Run("Cluster", func(t *testing.T) { t.Parallel(); storetest.Run(t, openOnCluster) })
}

func FuzzText(f *testing.F) { storetest.FuzzText(f, openShared) }

// A server forgets its scripts when it is told to, and when it starts again.
func TestScriptsThatTheServerForgot(t *testing.T) {
	t.Parallel()
	srv := ownServer(t, durable...)
	s := openAt(t, srv.addr, "a")
	raw := srv.client(t)
	forget := func() {
		if err := raw.ScriptFlush(t.Context()).Err(); err != nil {
			t.Fatal(err)
		}
	}
	forget()
	lease := acquire(t, s)
	for n := int64(1); n <= 5; n++ {
		forget()
		mustCommit(t, s, lease, n)
		forget()
		if err := s.Renew(t.Context(), lease); err != nil {
			t.Fatalf("Renew: %v", err)
		}
	}
	forget()
	if err := s.Release(t.Context(), lease); err != nil {
		t.Fatalf("Release: %v", err)
	}
	if h := mustHead(t, s); h.N != 5 || h.Nonce != "" {
		t.Errorf("head %+v, want batch 5 and no owner", h)
	}
}

// An operator sees with redis-cli what waits for whom.
func TestQueuesAreTheirOwnStructures(t *testing.T) {
	t.Parallel()
	srv := sharedServer(t)
	s := openAt(t, srv.addr, "queues")
	raw, lease := srv.client(t), acquire(t, s)
	want := func(when, key string, ids ...string) {
		t.Helper()
		got, err := raw.ZRange(t.Context(), "bullpen:{queues}:"+key, 0, -1).Result()
		if err != nil || !slices.Equal(got, ids) {
			t.Errorf("%s %s holds %q (%v), want %q", when, key, got, err, ids)
		}
	}
	item := func(id int64, to office.ColleagueID, turn int64) office.Change {
		return office.PutItem{Item: office.Item{ID: id, To: to, Turn: turn}}
	}
	mustCommit(t, s, lease, 1, item(10, "c1", 0), item(9, "c1", 0), item(11, "c:2", 0))
	want("first", "queue:c1", "9", "10")
	want("first", "queue:c%3A2", "11")
	mustCommit(t, s, lease, 2, item(9, "c1", 7), item(10, "c1", 7))
	want("in a turn", "queue:c1")
	want("in a turn", "turn:7:items", "9", "10")

	// Another process knows where they are as well.
	if err := s.Release(t.Context(), lease); err != nil {
		t.Fatal(err)
	}
	s = openAt(t, srv.addr, "queues")
	lease = acquire(t, s)
	mustCommit(t, s, lease, 3, office.DeleteItem{ID: 9}, item(10, "c3", 0), item(11, "c3", 0), item(11, "c:2", 8))
	want("moved", "turn:7:items")
	want("moved", "queue:c3", "10")
	want("moved", "queue:c%3A2")
	want("moved", "turn:8:items", "11")
	mustCommit(t, s, lease, 4, office.DeleteItem{ID: 10}, office.DeleteItem{ID: 11}, office.DeleteItem{ID: 12})
	want("at the end", "queue:c3")
	want("at the end", "turn:8:items")
}

// Every key of an office is below its hash tag, so that a Cluster keeps them together.
func TestKeysShareOneSlot(t *testing.T) {
	t.Parallel()
	srv := ownServer(t)
	s := openAt(t, srv.addr, "acme")
	lease := acquire(t, s)
	m := &office.Message{No: 1, Channel: "a {b}:c", Seq: 1, Root: 3}
	mustCommit(t, s, lease, 1, office.PutMessage{Message: m},
		office.AppendEntry{Entry: office.Entry{N: 1, In: office.ContextID{Colleague: "{x}", Person: "y"}}},
		office.PutRevision{Revision: office.Revision{Portal: "p{1}", Native: "\x00 1"}},
		office.PutNative{Native: office.Native{Portal: "p{1}", ID: "1", Anchor: m.Anchor()}})
	keys, err := srv.client(t).Keys(t.Context(), "*").Result()
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range keys {
		if len(k) < 16 || k[:15] != "bullpen:{acme}:" {
			t.Errorf("the key %q is not below the office's tag", k)
		}
	}
}

func TestNumbersAreUnique(t *testing.T) {
	t.Parallel()
	message := func(ch office.ChannelID, seq, no int64) office.Change {
		return office.PutMessage{Message: &office.Message{Channel: ch, Seq: seq, No: no}}
	}
	entry := office.AppendEntry{Entry: office.Entry{N: 1, In: office.ContextID{Colleague: "c1"}}}
	drop := office.DropEntry{N: 1, In: office.ContextID{Colleague: "c1"}}
	tests := []struct {
		name    string
		changes []office.Change
		refused bool
	}{
		{"another message with a number of the office", []office.Change{message("dev", 2, 1)}, true},
		{"a message under another number", []office.Change{message("dev", 1, 2)}, true},
		{"the same message again", []office.Change{message("dev", 1, 1)}, false},
		{"two of one number in a batch", []office.Change{message("dev", 2, 2), message("dev", 3, 2)}, true},
		{"one under two numbers in a batch", []office.Change{message("dev", 2, 2), message("dev", 2, 3), message("dev", 3, 2)}, false},
		{"an entry that is there", []office.Change{entry}, true},
		{"an entry that was taken back", []office.Change{drop, entry}, false},
		{"an entry twice in a batch", []office.Change{drop, entry, entry}, true},
		{"a number that a score would round", []office.Change{message("dev", 2, 1<<53+1)}, true},
	}
	for i, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := openAt(t, sharedServer(t).addr, "unique-"+id(int64(i)))
			lease := acquire(t, s)
			mustCommit(t, s, lease, 1, message("dev", 1, 1), entry)
			err := s.Commit(t.Context(), lease, numbered(2, append([]office.Change{office.PutPerson{}}, tt.changes...)...))
			if (err != nil) != tt.refused {
				t.Fatalf("Commit: %v, want it refused: %v", err, tt.refused)
			}
			snap, err := s.Load(t.Context())
			if err != nil || (len(snap.People) == 0) != tt.refused {
				t.Errorf("the record has %d people (%v) after it", len(snap.People), err)
			}
		})
	}
}

// A key that another program wrote must not leave half a batch.
func TestForeignKeysLeaveNothingHalf(t *testing.T) {
	t.Parallel()
	srv := sharedServer(t)
	s := openAt(t, srv.addr, "foreign")
	lease := acquire(t, s)
	if err := srv.client(t).Set(t.Context(), "bullpen:{foreign}:portals", "mine", 0).Err(); err != nil {
		t.Fatal(err)
	}
	err := s.Commit(t.Context(), lease, numbered(1, office.PutPerson{}, office.PutPortal{}))
	if err == nil {
		t.Fatal("the batch was taken")
	}
	n, err := srv.client(t).Exists(t.Context(), "bullpen:{foreign}:people").Result()
	if h := mustHead(t, s); n != 0 || err != nil || h.N != 0 {
		t.Errorf("a part of the batch is there: %d keys (%v), head %+v", n, err, h)
	}
}

func TestFullMemoryRefusesWhole(t *testing.T) {
	t.Parallel()
	srv := ownServer(t)
	s := openAt(t, srv.addr, "full")
	lease := acquire(t, s)
	raw := srv.client(t)
	limit := func(bytes string) {
		if err := raw.ConfigSet(t.Context(), "maxmemory", bytes).Err(); err != nil {
			t.Fatal(err)
		}
	}
	limit("1")
	b := numbered(1, office.DeletePerson{ID: "x"}, office.PutPerson{})
	err := s.Commit(t.Context(), lease, b)
	if !driver.IsOOMError(err) {
		t.Fatalf("Commit into a full memory: %v", err)
	}
	if h := mustHead(t, s); h.N != 0 { // and Head answers, although nothing can be written
		t.Errorf("head %+v, want batch 0", h)
	}
	limit("0")
	if err := s.Commit(t.Context(), lease, b); err != nil {
		t.Errorf("Commit with room: %v", err)
	}
}
