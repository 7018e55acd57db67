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

func FuzzText(f *testing.F) { storetest.FuzzText(f, openStore) }
