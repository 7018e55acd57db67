package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestTheFirstConversation(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "office")
	p := finished(t, whole(dir, "@alice say hello to bob\n"))
	p.wantExit(0)
	out := p.out.all()
	if len(out) != 4 || out[0] != "general-1 user: @alice say hello to bob" || out[1] != "general-2 alice: Hello bob!" {
		t.Fatalf("it said\n%s", p.transcript())
	}
	// From here on two colleagues work side by side.
	rest := []string{out[2][strings.Index(out[2], " "):], out[3][strings.Index(out[3], " "):]}
	slices.Sort(rest)
	if !slices.Equal(rest, []string{" alice: I said hello to bob.", " bob: Hello alice!"}) ||
		!strings.HasPrefix(out[2], "general-3 ") || !strings.HasPrefix(out[3], "general-4 ") {
		t.Errorf("it said\n%s", p.transcript())
	}
	if err := p.err.all(); !slices.Equal(err, []string{"general-1: alice delivered"}) {
		t.Errorf("on standard error: %q", err)
	}
	again := finished(t, whole(dir, "/read\n"))
	again.wantExit(0)
	if n := len(again.out.all()); n != 4 {
		t.Errorf("/read after a restart shows %d lines, want the 4 messages and nothing printed again\n%s", n, again.transcript())
	}
}

func TestVersion(t *testing.T) {
	t.Parallel()
	p := finished(t, launch{args: []string{"version"}})
	p.wantExit(0)
	p.see("bullpen ")
}

func TestACommandLineThatDoesNotExist(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"down"}, {"up", "--speed"}, {"up", "now"}} {
		p := finished(t, launch{args: args})
		if p.cmd.ProcessState.ExitCode() == 0 || len(p.err.all()) != 1 || p.err.find("bullpen: ") == "" {
			t.Errorf("bullpen %s: %v\n%s", strings.Join(args, " "), p.cmd.ProcessState, p.transcript())
		}
	}
}

// mixed is a line of about n characters of many scripts that ends with an address.
func mixed(n int, address string) string {
	const some = "Grüße e\u0301\u0323 👩\u200d👩\u200d👧 🇩🇪 中文，請看 かな مرحبا \u200fשלום ไทย हिन्दी ~~~~ \\n [general-1 | wake nobody] "
	var b strings.Builder
	b.WriteString("This opens ```go and does not close it. ")
	for written := utf8.RuneCountInString(b.String()); written < n; written += utf8.RuneCountInString(some) {
		b.WriteString(some)
	}
	return b.String() + address
}

func TestALongLine(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "office")
	line := mixed(40_000, "@alice")
	p := finished(t, whole(dir, line+"\n"))
	p.wantExit(0)
	r := readRecord(t, dir)
	if n := len(r.said("user", line)); n != 1 {
		t.Errorf("the line is stored %d times", n)
	}
	if n := r.times(deed{"alice", "You wrote: “This opens"}); n != 1 {
		t.Errorf("it was answered %d times\n%s", n, p.transcript())
	}
	if got := workspace(t, dir, "alice", "inbox/general-1.txt"); got != line {
		t.Errorf("the workspace has %d bytes of %d", len(got), len(line))
	}
	r.wantSound(t)
	r.wantDone(t)
}

func TestALineThatIsTooLong(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "office")
	most := "@alice " + strings.Repeat("x", 1<<20-len("@alice "))
	p := finished(t, whole(dir, most+"y\n"+most+strings.Repeat("y", 100_000)+"\n"+most+"\n@alice and now\n"))
	p.wantExit(0)
	got := p.err.all()
	if len(got) != 4 || !strings.HasPrefix(got[2], "general-1: alice ") || !strings.HasPrefix(got[3], "general-") {
		t.Fatalf("standard error is %.500q", got)
	}
	for _, line := range got[:2] {
		if !strings.HasPrefix(line, "refused: ") || !strings.Contains(line, "1048576") {
			t.Errorf("it said %q", line)
		}
	}
	p.see("alice: You wrote: “@alice and now”")
	r := readRecord(t, dir)
	if len(r.said("user", most)) != 1 || len(r.said("user", "@alice and now")) != 1 {
		t.Error("what may be said is not stored")
	}
	if got := workspace(t, dir, "alice", "inbox/general-1.txt"); got != most {
		t.Errorf("the workspace has %d bytes of %d", len(got), len(most))
	}
	r.wantSound(t)
}

func TestBytesThatAreNoText(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "office")
	p := finished(t, whole(dir, "\xff\xfe @alice \x00\x1b[2J\n\n   \r\n@alice no line end"))
	p.wantExit(0)
	p.see(`general-1 user: \xFF\xFE @alice \x00\x1B[2J`)
	p.see("alice: You wrote: ")
	for _, line := range p.out.all() {
		if strings.ContainsAny(line, "\x00\x1b") || !utf8.ValidString(line) {
			t.Errorf("it printed %q", line)
		}
	}
	r := readRecord(t, dir)
	if len(r.said("user", "\xff\xfe @alice \x00\x1b[2J")) != 1 || len(r.said("user", "@alice no line end")) != 1 {
		t.Errorf("the record has other bytes\n%s", p.transcript())
	}
	r.wantSound(t)
	r.wantDone(t)
}

// Nothing in the folder is for other users of the machine.
func TestTheFolderIsPrivate(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "office")
	finished(t, whole(dir, "@alice write notes.txt: milk\n")).wantExit(0)
	for _, name := range []string{"", "office.yaml", "bullpen.db", "logs", "logs/bullpen.log", "agents"} {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil {
			t.Error(err)
		} else if info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has the mode %v", name, info.Mode())
		}
	}
}
