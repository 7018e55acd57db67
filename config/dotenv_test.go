package config

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestEnvFilesAreReadAsShellsWriteThem(t *testing.T) {
	t.Parallel()
	text := "\uFEFF# tokens\r\n" +
		"PLAIN=value\r\n" +
		"  SPACED =  some words  # a comment\n" +
		"export EXPORTED=x\n" +
		"exportNOT=y\n" +
		"HASH=a#b\n" +
		"EMPTY=\n" +
		"ONLY_COMMENT= # nothing\n" +
		"SINGLE='a \"b\" \\n # c' # d\n" +
		`DOUBLE="a\n\"b\" \$x ${y} \q # c"` + "\n" +
		"EQUALS=a=b==\n"
	want := map[string]string{
		"PLAIN": "value", "SPACED": "some words", "EXPORTED": "x", "exportNOT": "y", "HASH": "a#b", "EMPTY": "",
		"ONLY_COMMENT": "", "SINGLE": `a "b" \n # c`, "DOUBLE": "a\n\"b\" $x ${y} \\q # c", "EQUALS": "a=b==",
	}
	vars, problems := parseEnv([]byte(text))
	if diff := cmp.Diff(want, vars); diff != "" {
		t.Errorf("variables (-want +got):\n%s", diff)
	}
	if len(problems) > 0 {
		t.Errorf("problems: %v", problems)
	}
}

func TestMistakesInEnvFilesAreToldWithoutTheValue(t *testing.T) {
	t.Parallel()
	_, problems := parseEnv([]byte("A=1\nhunter2\n  9B=hunter2\nC=\"hunter2\nD='hunter2' x\nA=hunter2\nE=\xff\n"))
	var got []string
	for _, p := range problems {
		got = append(got, p.String())
	}
	want := []string{
		".env:2:1: the line is not KEY=VALUE; a key is made of letters, digits and _",
		".env:3:3: the line is not KEY=VALUE; a key is made of letters, digits and _",
		`.env:4:1: C: the value's quote is not closed on its line; write \n in double quotes for a line break`,
		".env:5:1: D: something follows the value's closing quote; put it inside, or behind a space and #",
		".env:6:1: A: the variable is there twice; this line counts; remove the other",
		".env:7:1: the line is not UTF-8; save the file as UTF-8",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("problems (-want +got):\n%s", diff)
	}
}

func TestAnEnvFileThatOthersCanReadIsNoticed(t *testing.T) {
	t.Parallel()
	dir := folder(t, map[string]string{FileName: bob, EnvName: "A=1\n"})
	if err := os.Chmod(filepath.Join(dir, EnvName), 0o644); err != nil {
		t.Fatal(err)
	}
	cfg, err := Load(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(cfg.Notices) != 1 || cfg.Notices[0].String() != ".env:1:1: other users of this machine may open the file (mode 0644); run chmod 600 .env" {
		t.Errorf("notices = %v", cfg.Notices)
	}
}

func TestAMistakeInTheEnvFileStopsTheOffice(t *testing.T) {
	t.Parallel()
	if _, err := Load(folder(t, map[string]string{FileName: bob, EnvName: "what\n"}), nil); err == nil {
		t.Error("Load accepted a broken .env")
	}
}
