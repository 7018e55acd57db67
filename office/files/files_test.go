package files

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"bullpen/office"
)

func TestFilesAreKeptUntilTheyAreOld(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "files")
	d, err := Open(path, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	id, n, err := d.Put(strings.NewReader("hello"), 5)
	again, _, err2 := d.Put(strings.NewReader("hello"), 5)
	if err != nil || err2 != nil || n != 5 || id != again {
		t.Fatalf("%s %s %d (%v, %v)", id, again, n, err, err2)
	}
	if _, _, err := d.Put(strings.NewReader("hello!"), 5); !errors.Is(err, office.ErrTooBig) {
		t.Errorf("too big: %v", err)
	}
	if all, err := os.ReadDir(path); err != nil || len(all) != 1 {
		t.Errorf("%v (%v)", all, err)
	}
	f, err := d.Open(id)
	if err != nil {
		t.Fatal(err)
	}
	got, err := io.ReadAll(f)
	if err = errors.Join(err, f.Close()); err != nil || string(got) != "hello" {
		t.Errorf("%q (%v)", got, err)
	}
	for _, bad := range []string{"", "../x", strings.Repeat("0", 64), "part-1"} {
		if _, err := d.Open(bad); !errors.Is(err, office.ErrGone) {
			t.Errorf("%q: %v", bad, err)
		}
	}
	if d, err = Open(path, time.Now().Add(kept+time.Hour)); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Open(id); !errors.Is(err, office.ErrGone) {
		t.Errorf("an old one: %v", err)
	}
}
