package redis

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"bullpen/office"
)

func TestEraseTakesOneOfficeAlone(t *testing.T) {
	t.Parallel()
	t.Run("Server", func(t *testing.T) {
		t.Parallel()
		srv := ownServer(t, durable...)
		a, b := openAt(t, srv.addr, "a*"), openAt(t, srv.addr, "ab")
		wantErased(t, a, b)
		if keys, err := srv.client(t).Keys(t.Context(), "*").Result(); err != nil || slices.ContainsFunc(keys, func(k string) bool { return k[:12] != "bullpen:{ab}" }) {
			t.Errorf("left: %q (%v)", keys, err)
		}
	})
	t.Run("Cluster", func(t *testing.T) {
		t.Parallel()
		open := func(id string) *Store {
			return openAt(t, "", id, func(o *Options) { o.Client.Addrs = clusterOf(t).addrs() })
		}
		wantErased(t, open("erased"), open("erased2"))
	})
}

// wantErased erases a, and wants b to be as it was.
func wantErased(t *testing.T, a, b *Store) {
	t.Helper()
	leases := map[*Store]office.Lease{}
	for _, s := range []*Store{a, b} {
		leases[s] = acquire(t, s)
		for n := int64(1); n <= 20; n++ {
			at := time.Now().UTC()
			mustCommit(t, s, leases[s], n, eventBatch(n, at)...)
		}
	}
	before, err := b.Load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	stale := leases[a]
	stale.Nonce = "somebody else's"
	if _, err := a.Erase(t.Context(), stale); !errors.Is(err, office.ErrFenced) {
		t.Errorf("Erase under a stale lease: %v", err)
	}
	if h := mustHead(t, a); h.N != 20 {
		t.Errorf("a refused Erase left batch %d", h.N)
	}
	keys, err := a.Erase(t.Context(), leases[a])
	if err != nil || keys < 10 {
		t.Errorf("Erase: %d keys, %v", keys, err)
	}
	if h, err := a.Head(t.Context()); err == nil && (h.N != 0 || h.Nonce != "") {
		t.Errorf("an erased office is at %+v", h)
	}
	if err := a.Commit(t.Context(), leases[a], numbered(21)); !errors.Is(err, office.ErrFenced) {
		t.Errorf("a commit to an erased office: %v", err)
	}
	after, err := b.Load(t.Context())
	if err != nil || fmt.Sprint(after.Head, after.Meta) != fmt.Sprint(before.Head, before.Meta) || len(after.Items) != len(before.Items) {
		t.Errorf("the other office changed: %+v (%v)", after, err)
	}
}

// More keys than one script deletes.
func TestEraseOfManyKeys(t *testing.T) {
	t.Parallel()
	s := openAt(t, ownServer(t, "--save", "").addr, "many")
	lease := acquire(t, s)
	var changes []office.Change
	for i := range int64(2*erasePage + 1) {
		changes = append(changes, office.PutItem{Item: office.Item{ID: i + 1, To: office.ColleagueID(fmt.Sprint(i))}})
	}
	mustCommit(t, s, lease, 1, changes...)
	if n, err := s.Erase(t.Context(), lease); err != nil || n < 2*erasePage+1 {
		t.Errorf("%d keys are gone (%v)", n, err)
	}
	if n, err := s.client.DBSize(t.Context()).Result(); err != nil || n != 0 {
		t.Errorf("%d keys are left (%v)", n, err)
	}
}

func TestHolderIsSeenByOthers(t *testing.T) {
	t.Parallel()
	srv := sharedServer(t)
	owner := openAt(t, srv.addr, "held", func(o *Options) { o.LeaseTTL = time.Minute })
	other := openAt(t, srv.addr, "held")
	want := func(when string, want bool) {
		t.Helper()
		who, left, held, err := other.Holder(t.Context())
		if err != nil || held != want || held && (who.PID != 1 || left <= 0 || left > time.Minute) {
			t.Errorf("%s: held %t by %+v for %s (%v)", when, held, who, left, err)
		}
	}
	want("at first", false)
	lease := acquire(t, owner)
	want("while it is held", true)
	if err := owner.Release(t.Context(), lease); err != nil {
		t.Fatal(err)
	}
	want("afterwards", false)
}
