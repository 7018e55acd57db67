package main

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"bullpen/office"
	"bullpen/office/store/sqlite"
)

// record is all that an office's folder holds, read while no process runs it.
type record struct {
	dir         string
	snap        *office.Snapshot
	messages    []office.Message // in the order in which the office took them in
	transcripts map[office.ContextID][]office.Entry
}

func readRecord(t testing.TB, dir string) *record {
	t.Helper()
	ctx := context.Background() // t's own has ended when a cleanup reads
	s, err := sqlite.Open(ctx, sqlite.Options{Dir: dir})
	if err != nil {
		t.Fatalf("the record: %v", err)
	}
	defer s.Close()
	return recordIn(ctx, t, dir, s)
}

// recordIn is all that a store holds of the office in a folder.
func recordIn(ctx context.Context, t testing.TB, dir string, s office.Store) *record {
	t.Helper()
	var err error
	r := &record{dir: dir, transcripts: map[office.ContextID][]office.Entry{}}
	if r.snap, err = s.Load(ctx); err != nil {
		t.Fatalf("the record: %v", err)
	}
	page, err := s.Messages(ctx, office.MessageQuery{})
	if err != nil {
		t.Fatalf("the record's messages: %v", err)
	}
	r.messages = page.Messages
	findings, err := office.Verify(ctx, s)
	if err != nil || len(findings) > 0 {
		t.Errorf("the record does not hold: %v %q", err, findings)
	}
	for _, c := range r.snap.Colleagues {
		in := office.ContextID{Colleague: c.ID}
		if r.transcripts[in], err = s.Transcript(ctx, in, 0); err != nil {
			t.Fatalf("the transcript of %s: %v", c.Name, err)
		}
	}
	return r
}

// wantSound checks what holds for every office whatever happened to it.
func (r *record) wantSound(t testing.TB) {
	t.Helper()
	r.wantNumbers(t)
	given := map[int64]bool{}
	for in, entries := range r.transcripts {
		wantPairs(t, in, entries)
		for _, e := range entries {
			for _, id := range e.Items {
				if given[id] {
					t.Errorf("delivery %d was shown to its colleague in two frames", id)
				}
				given[id] = true
			}
		}
	}
}

// wantNumbers: no message is missing, and none is there twice.
func (r *record) wantNumbers(t testing.TB) {
	t.Helper()
	last := map[office.ChannelID]int64{}
	for i, m := range r.messages {
		if m.No != int64(i)+1 {
			t.Errorf("message %d of the office has the number %d", i+1, m.No)
		}
		if last[m.Channel]++; m.Seq != last[m.Channel] {
			t.Errorf("%s stands where %s-%d should", m.Anchor(), m.Channel, last[m.Channel])
		}
	}
	if got, want := r.snap.Meta.Message, int64(len(r.messages)); got != want {
		t.Errorf("the office counts %d messages and holds %d", got, want)
	}
	for _, ch := range r.snap.Channels {
		if ch.Last != last[ch.ID] {
			t.Errorf("%s counts %d messages and holds %d", ch.ID, ch.Last, last[ch.ID])
		}
	}
}

// wantPairs: every call has exactly one result, before anything else is said.
// Providers refuse a transcript with half a pair.
func wantPairs(t testing.TB, in office.ContextID, entries []office.Entry) {
	t.Helper()
	pending := map[string]int{}
	for i, e := range entries {
		if i > 0 && e.N <= entries[i-1].N {
			t.Errorf("%v: entry %d comes after %d", in, e.N, entries[i-1].N)
		}
		if e.Kind == office.EntryResult {
			if pending[e.CallID]--; pending[e.CallID] < 0 {
				t.Errorf("%v: entry %d is a second result of call %q, or of none", in, e.N, e.CallID)
			}
			continue
		}
		for id, n := range pending {
			if n > 0 {
				t.Errorf("%v: call %q has no result before entry %d (%s)", in, id, e.N, e.Kind)
			}
		}
		clear(pending)
		for _, c := range e.Calls {
			pending[c.ID]++
		}
	}
}

// wantDone: nobody has anything to do any more.
func (r *record) wantDone(t testing.TB) {
	t.Helper()
	for _, turn := range r.snap.Turns {
		t.Errorf("turn %d of %s is still open", turn.ID, turn.Colleague)
	}
	for _, it := range r.snap.Items {
		t.Errorf("%s still waits for %s", it.Message, it.To)
	}
}

// find is the message that a receipt names.
func (r *record) find(anchor string) *office.Message {
	for i := range r.messages {
		if r.messages[i].Anchor().String() == anchor {
			return &r.messages[i]
		}
	}
	return nil
}

// said are the messages of an author with exactly this text. Copies in
// mailboxes are not counted.
func (r *record) said(author, text string) []*office.Message {
	var found []*office.Message
	for i := range r.messages {
		m := &r.messages[i]
		if m.Author.Name == author && m.Text == text && m.Origin == (office.Anchor{}) {
			found = append(found, m)
		}
	}
	return found
}

// wantShown: what the runs printed is what is stored, each message in at least
// one of them, in order and at most once in each.
func (r *record) wantShown(t testing.TB, runs ...*process) {
	t.Helper()
	shown := map[string]bool{}
	for i, p := range runs {
		var last int64
		for _, line := range p.out.all() {
			anchor, _, _ := strings.Cut(line, " ")
			m := r.find(anchor)
			if m == nil || shownAs(m) != line {
				t.Errorf("run %d printed what is not stored: %s", i+1, line)
				continue
			}
			if m.No <= last {
				t.Errorf("run %d printed %s twice or late", i+1, anchor)
			}
			last, shown[anchor] = m.No, true
		}
		for _, line := range p.err.all() {
			if anchor, ok := strings.CutPrefix(line, "mail: "); ok {
				anchor, _, _ = strings.Cut(anchor, " ")
				if r.find(anchor) == nil {
					t.Errorf("run %d told of mail that is not stored: %s", i+1, line)
				}
				shown[anchor] = true
			}
		}
	}
	for i := range r.messages {
		if a := r.messages[i].Anchor().String(); !shown[a] {
			t.Errorf("%s was never shown", a)
		}
	}
}

// shownAs is a message as the console prints it on a pipe.
func shownAs(m *office.Message) string {
	text := strings.NewReplacer(`\`, `\\`, "\n", `\n`).Replace(m.Text)
	return m.Anchor().String() + " " + m.Author.Name + ": " + text
}

// workspace reads a file of a colleague; "" if there is none.
func workspace(t testing.TB, dir, colleague, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, "agents", colleague, "workspace", filepath.FromSlash(name)))
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return string(data)
}

// receipts are the anchors of the receipts that a run gave, in order.
func receipts(p *process) []string {
	var anchors []string
	for _, line := range p.err.all() {
		head, _, ok := strings.Cut(line, ": ")
		if !ok || slices.Contains([]string{"mail", "refused", "notice", "bullpen"}, head) || strings.Contains(head, " ") {
			continue
		}
		anchors = append(anchors, head)
	}
	return anchors
}
