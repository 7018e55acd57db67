package sqlite

import (
	"testing"

	"bullpen/office"
	"bullpen/office/store/storetest"
)

func openStore(t *testing.T, dir string) office.Store {
	t.Helper()
	s, err := Open(t.Context(), Options{Dir: dir})
	if err != nil {
		t.Fatalf("Open: %v", err)
	}
	return s
}

func TestStore(t *testing.T) { storetest.Run(t, openStore) }

// Nothing reads closed turns yet; they are kept for those who will.
func TestClosedTurnsStayOnRecord(t *testing.T) {
	t.Parallel()
	s, lease := acquired(t, t.TempDir())
	open := office.Turn{ID: 7, Colleague: "c1", State: office.TurnOpen}
	closed := open
	closed.State = office.TurnDone
	for i, turn := range []office.Turn{open, closed} {
		b := office.Batch{N: int64(i + 1), ID: "b", Changes: []office.Change{office.PutTurn{Turn: turn}}}
		if err := s.Commit(t.Context(), lease, b); err != nil {
			t.Fatalf("Commit: %v", err)
		}
	}
	var kept []office.Turn
	err := s.read(t.Context(), func(r *session) (err error) {
		kept, err = values[office.Turn](r, "turn", `SELECT value FROM closed_turn`)
		return err
	})
	if err != nil || len(kept) != 1 || kept[0].ID != 7 || kept[0].State != office.TurnDone {
		t.Errorf("closed turns on record: %+v, %v", kept, err)
	}
}

func FuzzText(f *testing.F) { storetest.FuzzText(f, openStore) }
