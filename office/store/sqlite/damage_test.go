package sqlite

import (
	"bytes"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"bullpen/office"
)

// written makes a record of some size in a new folder, closed in good order.
func written(t *testing.T) (dir, path string) {
	t.Helper()
	dir = t.TempDir()
	s, lease := acquired(t, dir)
	at := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	for n := int64(1); n <= 10; n++ {
		changes := eventBatch(n, at)
		for i := range int64(25) {
			m := *changes[1].(office.PutMessage).Message
			m.Channel, m.Seq, m.No = "dev", 25*n+i, 1000+25*n+i
			changes = append(changes, office.PutMessage{Message: &m})
		}
		if err := s.Commit(t.Context(), lease, office.Batch{N: n, ID: fmt.Sprint(n), Changes: changes}); err != nil {
			t.Fatalf("Commit: %v", err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatalf("Close: %v", err)
	}
	return dir, filepath.Join(dir, fileName)
}

func acquired(t *testing.T, dir string) (*Store, office.Lease) {
	t.Helper()
	s, err := Open(t.Context(), Options{Dir: dir})
	if err != nil {
		t.Fatalf("Open: %v", err)
	}
	t.Cleanup(func() { s.Close() })
	lease, err := s.Acquire(t.Context(), office.Holder{PID: 1})
	if err != nil {
		t.Fatalf("Acquire: %v", err)
	}
	return s, lease
}

func readFile(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func wantSentence(t *testing.T, err error, parts ...string) {
	t.Helper()
	if err == nil {
		t.Fatal("no error")
	}
	for _, part := range parts {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("the error is %q, want it to say %q", err, part)
		}
	}
}

func TestOpenRefusesWhatIsNoRecordAndLeavesIt(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		spoil func(data []byte) []byte
		want  string
	}{
		"garbage":            {func([]byte) []byte { return bytes.Repeat([]byte("garbage "), 4096) }, "damaged"},
		"nothing":            {func([]byte) []byte { return nil }, "damaged"},
		"some text":          {func([]byte) []byte { return []byte("x") }, "damaged"},
		"half a file":        {func(d []byte) []byte { return d[:len(d)/2] }, "damaged"},
		"a cut page":         {func(d []byte) []byte { return d[:len(d)-5000] }, "damaged"},
		"a header alone":     {func(d []byte) []byte { return d[:100] }, "damaged"},
		"a header and zeros": {func(d []byte) []byte { return append(d[:100:100], make([]byte, len(d)-100)...) }, "damaged"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, path := written(t)
			spoilt := tt.spoil(readFile(t, path))
			if err := os.WriteFile(path, spoilt, 0o600); err != nil {
				t.Fatal(err)
			}
			s, err := Open(t.Context(), Options{Dir: dir})
			if err == nil {
				s.Close()
			}
			wantSentence(t, err, path, tt.want, "backup")
			if !bytes.Equal(readFile(t, path), spoilt) {
				t.Error("the file was changed")
			}
		})
	}
}

// A page of zeros anywhere shows at the latest when it is read, in a sentence,
// and whatever is read is what was written.
func TestAPageOfZerosIsTold(t *testing.T) {
	t.Parallel()
	dir, path := written(t)
	whole := readFile(t, path)
	const page = 4096
	told := 0
	for at := page; at < len(whole); at += page {
		spoilt := bytes.Clone(whole)
		copy(spoilt[at:at+page], make([]byte, page))
		if err := os.WriteFile(path, spoilt, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := readAll(t, dir); err != nil {
			told++
			wantSentence(t, err, path, "damaged", "backup")
		}
		if !bytes.Equal(readFile(t, path), spoilt) {
			t.Fatalf("page %d: the file was changed by reading it", at/page)
		}
	}
	// Pages that no read needs are closed turns and free ones.
	if pages := len(whole)/page - 1; told < pages*8/10 {
		t.Errorf("%d of %d damaged pages were told", told, pages)
	}
}

// readAll reads every row that can be read.
func readAll(t *testing.T, dir string) error {
	t.Helper()
	s, err := Open(t.Context(), Options{Dir: dir})
	if err != nil {
		return err
	}
	defer s.Close()
	if _, err := s.Load(t.Context()); err != nil {
		return err
	}
	for _, q := range []office.MessageQuery{{}, {Channels: []office.ChannelID{"dev", "general"}}, {Root: 1}} {
		for q.From = range int64(2) {
			if _, err := s.Messages(t.Context(), q); err != nil {
				return err
			}
		}
	}
	if _, err := s.Transcript(t.Context(), office.ContextID{Colleague: "c1"}, 0); err != nil {
		return err
	}
	for n := range 11 {
		if _, _, err := s.Seen(t.Context(), fmt.Sprintf("telegram:-100123:%d", n)); err != nil {
			return err
		}
	}
	return nil
}

func TestOpenRefusesOtherFormats(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ pragma, want string }{
		"a newer program's":   {"PRAGMA user_version = 99", "newer bullpen"},
		"another program's":   {"PRAGMA application_id = 7", "another program"},
		"a value of no sense": {"UPDATE office SET meta = 'x'", "damaged"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir, path := written(t)
			alter(t, path, tt.pragma)
			before := readFile(t, path)
			wantSentence(t, readAll(t, dir), path, tt.want)
			if !bytes.Equal(readFile(t, path), before) {
				t.Error("the file was changed")
			}
		})
	}
}

func alter(t *testing.T, path, statement string) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.ExecContext(t.Context(), statement); err != nil {
		t.Fatal(err)
	}
}

func TestALogWithoutItsFileIsRefused(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, fileName+"-wal"), []byte("log"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := Open(t.Context(), Options{Dir: dir})
	wantSentence(t, err, fileName+"-wal", "put the file back")
	if _, err := os.Stat(filepath.Join(dir, fileName)); err == nil {
		t.Error("a new file was made beside it")
	}
}
