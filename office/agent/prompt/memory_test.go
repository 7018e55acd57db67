package prompt_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bullpen/office/agent/prompt"
)

func workspace(t *testing.T, files map[string]string) *os.Root {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = root.Close() })
	return root
}

func TestAContextBeginsWithItsMemoryFiles(t *testing.T) {
	t.Parallel()
	root := workspace(t, map[string]string{
		"memory/MEMORY.md": "I like boats.", "instructions/b.md": "B first.", "instructions/a.md": "A first.", "instructions/x.txt": "no",
		"memory/people/kim.md": "Kim's secret.", "memory/people/lee.md": "Lee's secret.",
	})
	for person, want := range map[string][]string{"": nil, "kim": {"Kim's secret."}, "../people/lee": nil, "max": nil} {
		got, err := prompt.Memory(root, person)
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range append(want, "I like boats.", "A first.", "B first.") {
			if !strings.Contains(got, text) {
				t.Errorf("%q: %q is missing in %s", person, text, got)
			}
		}
		for _, text := range []string{"Kim's secret.", "Lee's secret.", "no\n"} {
			if strings.Contains(got, text) && (len(want) == 0 || want[0] != text) {
				t.Errorf("%q: %q is in %s", person, text, got)
			}
		}
		if strings.Index(got, "A first.") > strings.Index(got, "B first.") {
			t.Errorf("%q: out of order", person)
		}
	}
}

func TestMemoryIsBoundedAndNothingIsNoLayer(t *testing.T) {
	t.Parallel()
	if got, err := prompt.Memory(workspace(t, nil), "kim"); got != "" || err != nil {
		t.Errorf("nothing is %q, %v", got, err)
	}
	files := map[string]string{"memory/MEMORY.md": strings.Repeat("ä", 1<<20)}
	for _, c := range "abcdefgh" {
		files["instructions/"+string(c)+".md"] = strings.Repeat("x", 100_000)
	}
	got, err := prompt.Memory(workspace(t, files), "")
	if err != nil || len(got) > 52<<10 || !strings.Contains(got, "only its beginning") {
		t.Errorf("%d bytes, %v", len(got), err)
	}
}
