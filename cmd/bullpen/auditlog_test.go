package main

import (
	"bufio"
	"encoding/json"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"bullpen/internal/obs"
	"bullpen/office"
)

// The audit file has one line for each thing, is for its owner's eyes, holds no
// secret and does not grow for ever.
func TestTheAuditFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	a, err := openAuditLog(dir, obs.NewRedactor([]string{"hunter2hunter2"}), slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	line := office.Audit{At: time.Unix(0, 0).UTC(), By: "Olga", From: "slack C1", What: "pause why=\"hunter2hunter2\nand on\"", Outcome: strings.Repeat("x", 4000)}
	const lines = 3000
	for range lines {
		a.write(line)
	}
	if err := a.close(); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"audit.jsonl", "audit.jsonl.1"} {
		path := filepath.Join(dir, name)
		info, err := os.Stat(path)
		if err != nil || info.Mode().Perm() != 0o600 || info.Size() > auditSize {
			t.Fatalf("%s: %+v %v", name, info, err)
		}
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		for s := bufio.NewScanner(f); s.Scan(); {
			var got office.Audit
			if err := json.Unmarshal(s.Bytes(), &got); err != nil || got.By != "Olga" || strings.Contains(s.Text(), "hunter2") {
				t.Fatalf("%s has the line %.100q: %v", name, s.Text(), err)
			}
		}
	}
}
