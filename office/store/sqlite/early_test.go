package sqlite

import (
	"testing"
	"time"

	"bullpen/office"
)

// A file of the format in which changes that came early were kept without their time
// is brought up to date with it.
func TestEarlyChangesOfAnOldFileLeaveToo(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	s, lease := acquired(t, dir)
	at := time.Date(2026, 3, 1, 9, 30, 15, int(250*time.Millisecond), time.UTC)
	rev := office.Revision{Portal: "p", Native: "early", Text: "new", Early: true, At: at}
	past := office.Revision{Portal: "p", Native: "past", Text: "before", At: at}
	if err := s.Commit(t.Context(), lease, office.Batch{N: 1, ID: "1", Changes: []office.Change{
		office.PutRevision{Revision: rev}, office.PutRevision{Revision: past},
	}}); err != nil {
		t.Fatal(err)
	}
	s.mu.Lock()
	_, err := s.writer.conn.ExecContext(t.Context(), "DROP INDEX revision_early; ALTER TABLE revision DROP COLUMN early; PRAGMA user_version = 3")
	s.mu.Unlock()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	s, _ = acquired(t, dir)
	for after, want := range map[time.Duration]int{-time.Second: 0, time.Second: 1} {
		rows, err := s.Old(t.Context(), office.OldQuery{Log: office.LogEarly, Before: at.Add(after), Limit: 10})
		if err != nil || len(rows) != want {
			t.Errorf("before %v there are %v, %v; want %d", at.Add(after), rows, err, want)
		}
	}
}
