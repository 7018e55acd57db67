package archive_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
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

// What is no JSON is named; a line that a crash cut short is not, wherever it stands.
func TestCheckNamesWhatIsNoJSON(t *testing.T) {
	t.Parallel()
	f := archive.Folder{Dir: filepath.Join(t.TempDir(), "archive")}
	if found, err := f.Check(t.Context()); err != nil || len(found) > 0 {
		t.Errorf("of an archive that is not there: %q %v", found, err)
	}
	if err := os.MkdirAll(f.Dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"messages-2026-11.jsonl": "{\"no\":1}\n{\"no\":2,\"te\n{\"no\":2}\n{\"no\":3",
		"turns-2026-11.jsonl":    "{\"id\":1}\nsomebody's note\n{\"id\":2}\n",
	} {
		if err := os.WriteFile(filepath.Join(f.Dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	found, err := f.Check(t.Context())
	if err != nil || len(found) != 1 || !strings.Contains(found[0], "turns-2026-11.jsonl: line 2 holds no JSON") {
		t.Errorf("found %q %v", found, err)
	}
}
