package console

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"bullpen/office"

	"github.com/google/go-cmp/cmp"
)

func TestConversationOverAPipe(t *testing.T) {
	t.Parallel()
	b := openOffice(t, t.TempDir(), greets)
	out, errs := converse(t, b, "@alice say hello to bob\r\n\n   \nnobody in particular")
	lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
	if len(lines) != 3 {
		t.Fatalf("want 3 lines, got:\n%s", out)
	}
	if want := "general-1 user: @alice say hello to bob"; lines[0] != want {
		t.Errorf("got %q, want %q", lines[0], want)
	}
	for _, want := range []string{"alice: Hello, I am alice.", "user: nobody in particular"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in:\n%s", want, out)
		}
	}
	if !strings.HasPrefix(errs, "general-1: alice delivered\n") || !strings.HasSuffix(errs, ": nobody woken\n") {
		t.Errorf("receipts:\n%s", errs)
	}
}

func TestMessagesStandInTheOrderOfTheirAnchors(t *testing.T) {
	t.Parallel()
	b := openOffice(t, t.TempDir(), greets)
	var in, want strings.Builder
	for i := range 300 {
		fmt.Fprintf(&in, "line %d\n", i+1)
		fmt.Fprintf(&want, "general-%d user: line %d\n", i+1, i+1)
	}
	out, _ := converse(t, b, in.String())
	if diff := cmp.Diff(want.String(), out); diff != "" {
		t.Error(diff)
	}
}

func TestTextIsOneLineAndKeepsItsBytes(t *testing.T) {
	t.Parallel()
	said := "one\ntwo\x1b[31m red \u202Eturned \\ \xff"
	b := openOffice(t, t.TempDir(), says(said))
	out, _ := converse(t, b, "@alice \x1b[2J\xfe\\n\n")
	want := "general-1 user: @alice \\x1B[2J\\xFE\\\\n\n" +
		"general-2 alice: one\\ntwo\\x1B[31m red \\xE2\\x80\\xAEturned \\\\ \\xFF\n"
	if diff := cmp.Diff(want, out); diff != "" {
		t.Error(diff)
	}
}

func TestWhatSlashesMean(t *testing.T) {
	t.Parallel()
	b := openOffice(t, t.TempDir(), greets)
	out, errs := converse(t, b, "//etc/hosts\n/raed\n/in dev\nin dev\n/in @bob\nhi\n/read 1 general\n")
	for _, want := range []string{
		"general-1 user: /etc/hosts\n",
		"dev-1 user: in dev\n",
		"dm-c2-user-1 user: hi\n",
		"dm-c2-user-2 bob: Hello, I am bob.\n",
		"general-1 user (wake nobody): /etc/hosts\n",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in output:\n%s", want, out)
		}
	}
	for _, want := range []string{
		"refused: there is no command /raed; did you mean /read?",
		"You are in #dev now.\n", "dev-1: nobody woken\n", "dm-c2-user-1: bob delivered\n",
	} {
		if !strings.Contains(errs, want) {
			t.Errorf("no %q in notices:\n%s", want, errs)
		}
	}
}

func TestRefusedLinesAreToldAndTheNextOnesWork(t *testing.T) {
	t.Parallel()
	b := openOffice(t, t.TempDir(), greets)
	fits := strings.Repeat("x", office.MaxPersonText)
	out, errs := converse(t, b, fits+"\r\n"+fits+"y\n"+strings.Repeat("z", 3*office.MaxPersonText)+"\n@alice and $leader\nafter\n")
	if want := "general-1 user: " + fits + "\n"; !strings.HasPrefix(out, want) {
		t.Errorf("the longest message was not taken in whole; output begins %.80q", out)
	}
	if !strings.HasSuffix(out, "general-2 user: @alice and $leader\ngeneral-3 user: after\n") {
		t.Errorf("output ends %q", out[max(0, len(out)-200):])
	}
	lines := strings.Split(errs, "\n")
	if len(lines) != 6 || !strings.HasPrefix(lines[1], "refused: ") || !strings.HasPrefix(lines[2], "refused: that line is longer") {
		t.Fatalf("notices:\n%s", errs)
	}
	if !strings.HasPrefix(lines[3], "general-2: nobody woken: ") || !strings.Contains(lines[3], "$leader") {
		t.Errorf("the conflict is not explained: %q", lines[3])
	}
}

func TestLongestLineIsTheOfficesLongestMessage(t *testing.T) {
	t.Parallel()
	if maxText != office.MaxPersonText {
		t.Errorf("the console takes %d bytes, the office %d", maxText, office.MaxPersonText)
	}
}

func TestExitWaitsForARunningTurn(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]string{"with an answer": "done", "in silence": "NO_REPLY"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			release := make(chan struct{})
			b := openOffice(t, t.TempDir(), scripted(func(context.Context, string, string) string {
				<-release
				return answer
			}))
			s := start(t, b, Options{In: strings.NewReader("@alice work"), ExitWhenIdle: true})
			s.err.expect(t, "general-1: alice delivered\n")
			s.out.expect(t, "general-1 user: @alice work\n")
			select {
			case err := <-s.done:
				t.Fatalf("Run returned %v while a turn runs", err)
			default:
			}
			close(release)
			s.ended(t)
			if got := strings.Contains(s.out.String(), "general-2 alice: done\n"); got != (answer == "done") {
				t.Errorf("output:\n%s", s.out.String())
			}
		})
	}
}

func TestWhatWasShownIsNotShownAgain(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	t.Run("first", func(t *testing.T) {
		out, _ := converse(t, openOffice(t, dir, greets), "one\ntwo\n")
		if want := "general-1 user: one\ngeneral-2 user: two\n"; out != want {
			t.Errorf("got %q, want %q", out, want)
		}
	})
	t.Run("second", func(t *testing.T) {
		b := openOffice(t, dir, greets)
		who := office.Post{Person: office.DefaultOwner, Channel: office.General, Text: "said elsewhere"}
		if _, err := b.Office().Post(t.Context(), who); err != nil {
			t.Fatal(err)
		}
		out, _ := converse(t, b, "three\n")
		if want := "general-3 user: said elsewhere\ngeneral-4 user: three\n"; out != want {
			t.Errorf("got %q, want %q", out, want)
		}
	})
}

// failing is an output that breaks.
type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, os.ErrClosed }

func TestWhatCouldNotBeWrittenIsShownTheNextTime(t *testing.T) {
	t.Parallel()
	b := openOffice(t, t.TempDir(), greets)
	s := start(t, b, Options{In: strings.NewReader("one\n"), Out: failing{}, ExitWhenIdle: true})
	if err := <-s.done; err == nil {
		t.Fatal("Run returned nil although nothing could be written")
	}
	out, _ := converse(t, b, "two\n")
	if want := "general-1 user: one\ngeneral-2 user: two\n"; out != want {
		t.Errorf("got %q, want %q", out, want)
	}
}

func TestMailIsAnnouncedAndPrivateTalkIsNotShown(t *testing.T) {
	t.Parallel()
	people := []office.Person{{ID: "kim", Name: "Kim", Owner: true, Admin: true}, {ID: "lee", Name: "Lee"}}
	b := openOffice(t, t.TempDir(), greets, people...)
	said := []office.Post{
		{Person: "lee", Channel: office.General, Text: "@user look"},
		{Person: "kim", Channel: office.General, Text: "@Lee look"},
		{Person: "lee", To: "c1", Text: "between us"},
	}
	for _, p := range said {
		if _, err := b.Office().Post(t.Context(), p); err != nil {
			t.Fatal(err)
		}
	}
	out, errs := converse(t, b, "/mail\n")
	if !strings.Contains(errs, "mail: mailbox-kim-1 from Lee; /mail shows it\n") || strings.Contains(errs, "mailbox-lee") {
		t.Errorf("notices:\n%s", errs)
	}
	if strings.Contains(out, "between us") || strings.Contains(out, "dm-") || strings.Contains(out, "mailbox-lee") {
		t.Errorf("what is private was shown:\n%s", out)
	}
	for _, want := range []string{"general-1 Lee: @user look\n", "mailbox-kim-1 Lee (wake @Kim): @user look"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in:\n%s", want, out)
		}
	}
}

func TestEndOfInputAloneDoesNotEndAViewer(t *testing.T) {
	t.Parallel()
	b := openOffice(t, t.TempDir(), greets)
	s := start(t, b, Options{})
	s.typed(t, "one")
	_ = s.in.Close()
	s.out.expect(t, "general-1 user: one\n")
	post := office.Post{Person: office.DefaultOwner, Channel: office.General, Text: "two"}
	if _, err := b.Office().Post(t.Context(), post); err != nil {
		t.Fatal(err)
	}
	s.out.expect(t, "general-2 user: two\n")
	s.cancel()
	s.ended(t)
	if no, err := b.Office().Cursor(t.Context(), viewer); err != nil || no != 2 {
		t.Errorf("the cursor is at %d (%v), want 2", no, err)
	}
}

func TestRunEndsWithItsContextWhileItsInputSaysNothing(t *testing.T) {
	t.Parallel()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Close(); _ = w.Close() }()
	b := openOffice(t, t.TempDir(), greets)
	s := start(t, b, Options{In: r})
	if _, err := w.WriteString("one\n"); err != nil {
		t.Fatal(err)
	}
	s.err.expect(t, "general-1: nobody woken\n")
	s.cancel()
	s.ended(t)
	// Nothing reads the file any more: the next byte is still there.
	if _, err := w.WriteString("x"); err != nil {
		t.Fatal(err)
	}
	var one [1]byte
	if n, err := r.Read(one[:]); n != 1 || err != nil {
		t.Errorf("reading after Run: %d, %v", n, err)
	}
}

func TestAnswersStandBehindWhatWasSaidBefore(t *testing.T) {
	t.Parallel()
	b := openOffice(t, t.TempDir(), greets)
	s := start(t, b, Options{In: strings.NewReader("one\n/read\ntwo\n/quit\nthree\n")})
	s.ended(t)
	want := "general-1 user: one\ngeneral-1 user (wake nobody): one\ngeneral-2 user: two\n"
	if got := s.out.String(); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// stuck is an output that nobody reads.
type stuck struct{ entered, until chan struct{} }

func (s stuck) Write([]byte) (int, error) {
	close(s.entered)
	<-s.until
	return 0, os.ErrClosed
}

func TestOutputThatNobodyTakesDoesNotKeepTheOfficeOpen(t *testing.T) {
	t.Parallel()
	b := openOffice(t, t.TempDir(), greets)
	out := stuck{make(chan struct{}), make(chan struct{})}
	c := New(Options{In: strings.NewReader("one\n"), Out: out, Err: new(log)})
	c.farewell = time.Millisecond
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- c.Run(ctx, b) }()
	<-out.entered
	cancel()
	if err := <-done; err == nil || !strings.Contains(err.Error(), "takes nothing") {
		t.Errorf("Run: %v", err)
	}
	close(out.until)
}

// tells has alice tell bob something directly when a person talks to her.
type tells string

func (r tells) Run(ctx context.Context, o *office.Office, start office.TurnStart) {
	reply := office.Reply{Ref: start.Turn.Ref()}
	if start.Colleague.Name == "alice" {
		reply.Calls = []office.PreparedCall{{
			ToolCall: office.ToolCall{ID: "1", Name: "office_dm"}, Class: office.OfficeCall,
			Verb: office.DMCall{Wake: []string{"@bob"}, Text: string(r)},
		}}
	}
	if p, err := o.RecordReply(ctx, reply); err == nil && !p.Ended {
		_, _ = o.RecordReply(ctx, office.Reply{Ref: start.Turn.Ref()})
	}
}

func TestWhatColleaguesSayToEachOtherIsShown(t *testing.T) {
	t.Parallel()
	b := openOffice(t, t.TempDir(), tells("psst"))
	out, _ := converse(t, b, "@alice go\n")
	if want := "general-1 user: @alice go\ndm-c1-c2-1 alice: psst\n"; out != want {
		t.Errorf("got %q, want %q", out, want)
	}
}
