package archive_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"bullpen/office/store/archive"
)

func TestRowsAreLinesOfTheMonthsFile(t *testing.T) {
	t.Parallel()
	f := archive.Folder{Dir: filepath.Join(t.TempDir(), "archive"), Now: func() time.Time { return time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC) }}
	name := filepath.Join(f.Dir, "usage-2026-11.jsonl")
	add := func(rows ...string) {
		t.Helper()
		var all []json.RawMessage
		for _, r := range rows {
			all = append(all, json.RawMessage(r))
		}
		if err := f.Append(t.Context(), "usage", all); err != nil {
			t.Fatal(err)
		}
	}
	add(`{"n": 1}`, "{\n\"n\": 2}")
	torn, err := os.OpenFile(name, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := torn.WriteString(`{"n`); err != nil {
		t.Fatal(err)
	}
	if err := torn.Close(); err != nil {
		t.Fatal(err)
	}
	add(`{"n":3}`)
	got, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if want := "{\"n\":1}\n{\"n\":2}\n{\"n\n{\"n\":3}\n"; string(got) != want {
		t.Errorf("the file is %q, want %q", got, want)
	}
	if info, err := os.Stat(name); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("it may be read by others: %v, %v", info.Mode(), err)
	}
	if err := f.Append(t.Context(), "usage", []json.RawMessage{json.RawMessage("no")}); err == nil {
		t.Error("what is no JSON was archived")
	}
}
