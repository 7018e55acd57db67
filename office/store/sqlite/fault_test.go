package sqlite

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"bullpen/office"
)

func personBatch(n int64) office.Batch {
	p := office.Person{ID: office.PersonID(fmt.Sprint("p", n)), Name: strings.Repeat("x", 2000)}
	return office.Batch{N: n, ID: fmt.Sprint("batch-", n), Changes: []office.Change{
		office.PutMeta{Meta: office.Meta{Message: n}}, office.PutPerson{Person: p},
	}}
}

func TestADiskThatFillsUpIsToldAndGotOver(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s, lease := acquired(t, dir)
	if err := s.limitPages(t.Context(), 5); err != nil {
		t.Fatal(err)
	}
	n := int64(0)
	var err error
	for err == nil {
		n++
		err = s.Commit(t.Context(), lease, personBatch(n))
	}
	wantSentence(t, err, "disk is full", dir)
	if errors.Is(err, office.ErrFenced) {
		t.Errorf("a full disk is taken for another process: %v", err)
	}
	wantBatches(t, s, n-1)

	if err := s.limitPages(t.Context(), 0); err != nil {
		t.Fatal(err)
	}
	if err := s.Commit(t.Context(), lease, personBatch(n)); err != nil {
		t.Fatalf("with space again: %v", err)
	}
	wantBatches(t, s, n)
}

// wantBatches checks that the record is batches 1 to n of personBatch, whole.
func wantBatches(t *testing.T, s *Store, n int64) {
	t.Helper()
	snap, err := s.Load(t.Context())
	if err != nil {
		t.Fatalf("Load: %v", err)
	}
	if snap.Head.N != n || snap.Meta.Message != n || int64(len(snap.People)) != n {
		t.Errorf("batch %d, counters %+v and %d people, want %d of each", snap.Head.N, snap.Meta, len(snap.People), n)
	}
}

func TestALostConnectionIsReplaced(t *testing.T) {
	t.Parallel()
	s, lease := acquired(t, t.TempDir())
	if err := s.Commit(t.Context(), lease, personBatch(1)); err != nil {
		t.Fatalf("Commit: %v", err)
	}
	s.mu.Lock()
	s.dropWriter()
	s.mu.Unlock()
	if err := s.Commit(t.Context(), lease, personBatch(2)); err != nil {
		t.Fatalf("Commit on a new connection: %v", err)
	}
	wantBatches(t, s, 2)
}
