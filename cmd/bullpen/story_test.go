package main

import (
	"regexp"
	"strings"
	"testing"

	"bullpen/office"
)

// story is a conversation with the office that bullpen makes in an empty
// folder, and what has to come of each of its lines.
type story []said

// said is one line. Lines differ, so that each is recognised in the record.
type said struct {
	line    string
	command bool // it has no receipt and is no message
	mail    bool // it puts a copy into the user's mailbox
	deeds   []deed
}

// deed is what a colleague does about a line: exactly once if the line was
// taken in, never if not.
type deed struct {
	by   string
	says string // a regular expression for what it says
}

func wrote(who, line string) deed {
	return deed{who, regexp.QuoteMeta("You wrote: “" + line + "”")}
}

// everything has the office do each kind of thing that it can.
var everything = story{
	{line: "@alice say hello to bob", deeds: []deed{
		{"alice", `Hello bob!`}, {"bob", `Hello alice!`}, {"alice", `I said hello to bob\.`},
	}},
	{line: "@alice write notes.txt: milk and bread", deeds: []deed{{"alice", `I wrote notes\.txt\.|That may or may not have worked`}}},
	{line: "@alice read notes.txt", deeds: []deed{{"alice", `In notes\.txt:|That did not work: read`}}},
	{line: "@bob the first question, about apples", deeds: []deed{wrote("bob", "@bob the first question, about apples")}},
	{line: "@bob the second question, about pears", deeds: []deed{wrote("bob", "@bob the second question, about pears")}},
	{line: "$leader please report", deeds: []deed{wrote("carol", "$leader please report")}},
	{line: "#dev anybody awake?", deeds: []deed{wrote("alice", "#dev anybody awake?"), wrote("bob", "#dev anybody awake?")}},
	{line: "@user remember the milk", mail: true},
	{line: "@alice $leader which of you is it"},
	{line: "@carol tell @user the build is green", mail: true, deeds: []deed{
		{"carol", `^the build is green$`}, {"carol", `I told user\.`},
	}},
	{line: "nobody need read this"},
	{line: "/in @bob", command: true},
	{line: "are you there", deeds: []deed{wrote("bob", "are you there")}},
}

// input is the story as it is typed.
func (s story) input() string {
	var b strings.Builder
	for _, l := range s {
		b.WriteString(l.line + "\n")
	}
	return b.String()
}

// messages are the lines that are no commands.
func (s story) messages() story {
	var found story
	for _, l := range s {
		if !l.command {
			found = append(found, l)
		}
	}
	return found
}

// wantTold checks the record of an office that was told the story, as far as it
// was taken in, and given time to finish. Anchors are the receipts that came out.
func (s story) wantTold(t testing.TB, r *record, anchors []string) {
	t.Helper()
	lines := s.messages()
	if len(anchors) > len(lines) {
		t.Errorf("%d receipts for %d lines: %v", len(anchors), len(lines), anchors)
		return
	}
	for i, l := range lines {
		stored := r.said("user", l.line)
		switch {
		case len(stored) > 1:
			t.Errorf("%q was stored %d times", l.line, len(stored))
		case i < len(anchors) && len(stored) == 0:
			t.Errorf("%q had its receipt (%s) and is not stored", l.line, anchors[i])
		case i < len(anchors) && stored[0].Anchor().String() != anchors[i]:
			t.Errorf("%q is %s, but its receipt said %s", l.line, stored[0].Anchor(), anchors[i])
		case i > len(anchors) && len(stored) > 0:
			t.Errorf("%q was stored before the receipt of a line before it was out", l.line)
		}
		l.wantDone(t, r, stored)
	}
}

// wantDone checks that the line's deeds were done once, or never if it is not stored.
func (l said) wantDone(t testing.TB, r *record, stored []*office.Message) {
	t.Helper()
	want := min(len(stored), 1)
	for _, d := range l.deeds {
		if got := r.times(d); got != want {
			t.Errorf("%s said %q %d times, want %d, since %q was taken in %d times", d.by, d.says, got, want, l.line, len(stored))
		}
	}
	if l.mail && want == 1 {
		copies := 0
		for _, m := range r.messages {
			if m.Origin == stored[0].Anchor() {
				copies++
			}
		}
		if copies != 1 {
			t.Errorf("the mailbox has %d copies of %q", copies, l.line)
		}
	}
}

// times counts how often a deed was done.
func (r *record) times(d deed) int {
	says := regexp.MustCompile(d.says)
	n := 0
	for _, m := range r.messages {
		if m.Author.Name == d.by {
			n += len(says.FindAllString(m.Text, -1))
		}
	}
	return n
}

// wantFiles: the one file of the story was written once and whole, or its
// colleague said that it may not have been.
func (r *record) wantFiles(t testing.TB) {
	t.Helper()
	const path, text = "notes.txt", "milk and bread\n"
	switch got := workspace(t, r.dir, "alice", path); {
	case got == "" && r.times(deed{"alice", `I wrote notes\.txt\.`}) > 0:
		t.Errorf("alice says that she wrote %s, and it is not there", path)
	case got != "" && got != text:
		t.Errorf("%s holds %q, want %q", path, got, text)
	}
	for _, entries := range r.transcripts {
		for _, e := range entries {
			if strings.HasPrefix(e.Text, "replaced "+path) {
				t.Errorf("%s was written twice", path)
			}
		}
	}
}

// wantNoNotice: the office had nothing to apologise for.
func (r *record) wantNoNotice(t testing.TB) {
	t.Helper()
	for _, m := range r.messages {
		if m.Author.Kind == office.ByOffice {
			t.Errorf("the office said in %s: %s", m.Anchor(), m.Text)
		}
	}
}
