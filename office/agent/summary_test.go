package agent_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"bullpen/office"
	"bullpen/office/model"
)

// tooLong refuses transcripts over a size, as a provider does.
func tooLong(req *model.Request, most int) error {
	n := 0
	for _, m := range req.Messages {
		n += len(m.Text)
	}
	if n > most {
		return &model.Error{Kind: model.TooLong, Sentence: "the transcript is too long"}
	}
	return nil
}

func isSummary(req *model.Request) bool { return strings.HasPrefix(req.System, "You write down") }

// The oldest part of a transcript that no longer fits is summarised by the
// colleague's model; the summary is in the record, and the next turns and owners
// go on with it.
func TestTheOldestPartOfATranscriptIsSummarised(t *testing.T) {
	t.Parallel()
	for _, fails := range []bool{false, true} {
		t.Run(fmt.Sprintf("fails %v", fails), func(t *testing.T) {
			t.Parallel()
			s, m := newScene(t, func(_ context.Context, n int, req *model.Request) (*model.Response, error) {
				switch {
				case isSummary(req) && fails:
					return nil, errors.New("no summaries today")
				case isSummary(req):
					return &model.Response{Text: "They counted.", Stop: model.StopEnd, Usage: model.Usage{Input: 7}}, nil
				}
				if err := tooLong(req, 9000); err != nil {
					return nil, err
				}
				if n%2 == 1 && len(toolResults(req.Messages)) == 0 {
					return calls("office_colleagues", `{}`), nil
				}
				return say("done"), nil
			})
			s.open()
			for i := range 6 {
				s.post(fmt.Sprintf("@alice number %d %s", i, strings.Repeat("x", 1800)))
				s.idle()
			}
			got := s.texts(office.General)
			if answers := strings.Count(strings.Join(got, "\n"), "alice: done"); answers != 6 {
				t.Fatalf("%d answers: %.300q", answers, got)
			}
			last := m.last()
			if summarised := strings.Contains(last[0].Text, "They counted."); summarised == fails {
				t.Errorf("fails %v, and the transcript begins with %.200q", fails, last[0].Text)
			}
			if err := s.o.Close(t.Context()); err != nil {
				t.Fatal(err)
			}
			if err := s.store.Close(); err != nil {
				t.Fatal(err)
			}
			s.open()
			s.post("@alice and now?")
			s.idle()
			if fails {
				return
			}
			if first := m.last()[0].Text; !strings.Contains(first, "They counted.") || !strings.Contains(first, "[office] Summary of the oldest part") {
				t.Errorf("after a restart the transcript begins with %.200q", first)
			}
		})
	}
}

// A model whose window is known is not asked until it refuses.
func TestATranscriptIsSummarisedBeforeItIsRefused(t *testing.T) {
	t.Parallel()
	s, m := newScene(t, func(_ context.Context, n int, req *model.Request) (*model.Response, error) {
		if isSummary(req) {
			return say("They counted."), nil
		}
		return &model.Response{Text: "done", Stop: model.StopEnd, Usage: model.Usage{Input: 850}}, nil
	})
	s.window = 1000
	s.open()
	for range 4 {
		s.post("@alice go on")
		s.idle()
	}
	n := 0
	for _, r := range m.requests() {
		if isSummary(&r) {
			n++
		}
	}
	if n == 0 {
		t.Error("nothing was summarised")
	}
}

// What a context begins with is read once, and again when it starts afresh.
func TestMemoryFilesAreReadWhenAContextBegins(t *testing.T) {
	t.Parallel()
	s, m := newScene(t, func(_ context.Context, n int, req *model.Request) (*model.Response, error) {
		if n == 1 {
			return calls("write", `{"path":"memory/MEMORY.md","content":"the word is oak"}`), nil
		}
		return say("done"), nil
	})
	s.open()
	post := func() string {
		s.post("@alice go on")
		s.idle()
		r := m.requests()
		return r[len(r)-1].System
	}
	post()
	if got := post(); strings.Contains(got, "oak") {
		t.Error("the prompt changed within a context")
	}
	if _, err := s.o.NewContext(t.Context(), "alice", "", office.DefaultOwner, "test"); err != nil {
		t.Fatal(err)
	}
	if got := post(); !strings.Contains(got, "the word is oak") {
		t.Errorf("a new context does not begin with the memory: %s", got)
	}
	if n := len(m.last()); n != 1 {
		t.Errorf("a new context begins with %d messages", n)
	}
}

// A turn reads from the record what its context said before only where it is not
// at hand.
func TestATranscriptIsReadOnce(t *testing.T) {
	t.Parallel()
	s, m := newScene(t, func(_ context.Context, n int, req *model.Request) (*model.Response, error) {
		return say(fmt.Sprintf("answer %d", n)), nil
	})
	reads := &counting{}
	s.wrap = func(store office.Store) office.Store { reads.Store = store; return reads }
	s.open()
	for range 5 {
		s.post("@alice go on")
		s.idle()
	}
	if reads.transcripts.Load() > 2 { // a turn may begin before the last one's runner has returned
		t.Errorf("5 turns read the transcript %d times", reads.transcripts.Load())
	}
	if n := len(m.last()); n != 9 {
		t.Errorf("the last request has %d messages, want 9", n)
	}
	if _, err := s.o.Interrupt(t.Context(), "alice", office.DefaultOwner, ""); err != nil {
		t.Fatal(err)
	}
}
