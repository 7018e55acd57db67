package config

import (
	"os"
	"path/filepath"
	"testing"

	"pgregory.net/rapid"
)

func TestSecretsAreWrittenBesideTheOthers(t *testing.T) {
	t.Parallel()
	dir := folder(t, map[string]string{FileName: bob, EnvName: "# mine\nexport A='1' # a\nB=2"})
	path := filepath.Join(dir, EnvName)
	if err := os.Chmod(path, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := SetEnv(dir, map[string]string{"A": "xoxb-1", "C": `with "quotes" and $`}); err != nil {
		t.Fatal(err)
	}
	want := "# mine\nA=xoxb-1\nB=2\nC=\"with \\\"quotes\\\" and \\$\"\n"
	if got := textOf(t, path); got != want {
		t.Errorf("the file is\n%s\nwant\n%s", got, want)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("it has the mode %v (%v)", info.Mode(), err)
	}
}

func TestAnySecretIsReadBack(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		value := rapid.String().Draw(t, "value")
		text, err := envWith(rapid.SampledFrom([]string{"", "A=1", "A=1\nA=2\nB=3\n", "#\n"}).Draw(t, "before"), map[string]string{"A": value})
		if err != nil {
			return // it cannot be written, and is not
		}
		if got, _ := parseEnv([]byte(text)); got["A"] != value {
			t.Fatalf("%q is read back as %q", value, got["A"])
		}
	})
}
