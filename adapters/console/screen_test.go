package console

import (
	"slices"
	"strings"
	"testing"

	"bullpen/bridge"
	"bullpen/office"
)

// shows waits until the last rows of an 80 columns wide terminal are these.
func (s *started) shows(t *testing.T, last ...string) {
	t.Helper()
	s.out.until(t, strings.Join(last, "\n"), func(raw string) bool {
		got := rows(t, raw, 80)
		return len(got) >= len(last) && slices.Equal(got[len(got)-len(last):], last)
	})
}

func sit(t *testing.T, run scripted) (*started, *bridge.Bridge) {
	t.Helper()
	b := openOffice(t, t.TempDir(), run)
	s := start(t, b, Options{Terminal: true})
	s.shows(t, "#general>")
	return s, b
}

func post(t *testing.T, b *bridge.Bridge, text string) {
	t.Helper()
	if _, err := b.Office().Post(t.Context(), office.Post{Person: office.DefaultOwner, Channel: office.General, Text: text}); err != nil {
		t.Fatal(err)
	}
}

func TestWelcomeSaysWhoAndWhatIsThere(t *testing.T) {
	t.Parallel()
	s, _ := sit(t, greets)
	s.shows(t, "Acme  Here are alice, bob.",
		"Channels: #general, #dev. Write @name to address somebody. /help lists the comma",
		"nds, /quit leaves.", "#general>")
}

func TestHalfTypedLineSurvivesAnArrivingMessage(t *testing.T) {
	t.Parallel()
	s, b := sit(t, greets)
	s.typed(t, "@alice hello thxre\x1b[D\x1b[D\x7fe")
	s.shows(t, "#general> @alice hello there")
	post(t, b, "meanwhile\nelsewhere")
	s.shows(t, "general-1 user:", "  meanwhile", "  elsewhere", "#general> @alice hello there")
	s.typed(t, "\x05!\r")
	s.shows(t, "#general> @alice hello there!", "general-2: alice delivered", "general-3 alice: Hello, I am alice.", "#general>")
	if strings.Contains(s.out.String(), "general-2 user") {
		t.Error("what was typed here was printed again")
	}
}

func TestHalfTypedLineOfSeveralRowsSurvivesAsWell(t *testing.T) {
	t.Parallel()
	s, b := sit(t, greets)
	long := strings.Repeat("0123456789", 17)
	s.typed(t, long)
	whole := "#general> " + long
	s.shows(t, whole[:80], whole[80:160], whole[160:])
	post(t, b, "meanwhile")
	s.shows(t, "general-1 user: meanwhile", whole[:80], whole[80:160], whole[160:])
}

func TestPasteOfSeveralLinesIsOneMessage(t *testing.T) {
	t.Parallel()
	s, b := sit(t, greets)
	s.typed(t, "see: \x1b[200~one\rtwo\r\n\tthree\x1b[31m\r\x1b[201~")
	s.shows(t, "#general> see: one␊two␊␉three␛[31m␊")
	s.typed(t, "\r")
	s.out.expect(t, "general-1: nobody woken")
	m, err := b.Office().Message(t.Context(), office.Anchor{Channel: office.General, Seq: 1})
	if err != nil {
		t.Fatal(err)
	}
	if want := "see: one\ntwo\n\tthree\x1b[31m"; m.Text != want {
		t.Errorf("got %q, want %q", m.Text, want)
	}
}

func TestTabCompletes(t *testing.T) {
	t.Parallel()
	for typed, want := range map[string]string{
		"hi @al\t":                  "#general> hi @alice",
		"$l\tx":                     "#general> $leader x",
		"(#d\tx":                    "#general> (#dev x",
		"/rea\t":                    "#general> /read",
		"/in b\t":                   "#general> /in @bob",
		"/in #d\t":                  "#general> /in #dev",
		"mail@al\tx":                "#general> mail@alx",
		"nothing\tx":                "#general> nothingx",
		"@zed\t!":                   "#general> @zed!",
		"@al you\x02\x02\x02\x02\t": "#general> @alice you",
	} {
		t.Run(typed, func(t *testing.T) {
			t.Parallel()
			s, _ := sit(t, greets)
			s.typed(t, typed)
			s.shows(t, want)
		})
	}
}

func TestTabListsWhereThereIsAChoice(t *testing.T) {
	t.Parallel()
	s, _ := sit(t, greets)
	s.typed(t, "see #\t")
	s.shows(t, "#dev  #general", "#general> see #")
}

func TestPromptFollowsThePlace(t *testing.T) {
	t.Parallel()
	s, _ := sit(t, greets)
	s.typed(t, "/in alice\r")
	s.shows(t, "You are in @alice now.", "@alice>")
	s.typed(t, "hi\r")
	s.shows(t, "dm-c1-user-1: alice delivered", "dm-c1-user-2 alice (user ↔ alice): Hello, I am alice.", "@alice>")
	s.typed(t, "/in nowhere\r")
	s.out.expect(t, `there is no place called "nowhere"`)
}

func TestCtrlCClearsTheLineAndThenLeaves(t *testing.T) {
	t.Parallel()
	s, _ := sit(t, greets)
	s.typed(t, "never mind\x03")
	s.shows(t, "#general>")
	s.typed(t, "\x03")
	s.ended(t)
}

func TestCtrlCEscapesAPasteWithoutAnEnd(t *testing.T) {
	t.Parallel()
	s, _ := sit(t, greets)
	s.typed(t, "\x1b[200~lost")
	s.shows(t, "#general> lost")
	s.typed(t, "\x03")
	s.typed(t, "\x03")
	s.shows(t, "#general>")
}

func TestQuitLeavesTheCursorOnALineOfItsOwn(t *testing.T) {
	t.Parallel()
	s, _ := sit(t, greets)
	s.typed(t, "/quit\r")
	s.ended(t)
	s.shows(t, "#general> /quit", "")
}

func TestCtrlDLeaves(t *testing.T) {
	t.Parallel()
	s, _ := sit(t, greets)
	s.typed(t, "\x04")
	s.ended(t)
}

func TestSequenceWithoutAnEndDoesNotLockTheEditor(t *testing.T) {
	t.Parallel()
	s, _ := sit(t, greets)
	s.typed(t, "\x1b["+strings.Repeat("1;", 200)+"\rstill here")
	s.out.until(t, "the typed line", func(raw string) bool { return strings.HasSuffix(raw, "still here") })
}

func TestNothingSaidCanSteerTheTerminal(t *testing.T) {
	t.Parallel()
	s, b := sit(t, says("# Title\n\n\x1b[2J\x1b]0;owned\x07\u009b2J \u202E **bold**"))
	post(t, b, "\x1b[2J\x1bc\u202E")
	s.shows(t, "general-1 user: ␛[2J␛c<U+202E>", "#general>")
	s.typed(t, "@alice\r")
	s.out.expect(t, "␛[2J␛]0;owned␇<U+009B>2J <U+202E> *bold*")
	for _, bad := range []string{"\x1b[2J", "\x1bc", "\x1b]", "\x07", "\u009b", "\u202E"} {
		if strings.Contains(s.out.String(), bad) {
			t.Errorf("the terminal was sent %q", bad)
		}
	}
}

func TestColoursOnlyWhereTheyAreWanted(t *testing.T) {
	for _, c := range []struct {
		term, noColour string
		want           bool
	}{{"xterm", "", true}, {"xterm", "1", false}, {"dumb", "", false}} {
		t.Run(c.term+c.noColour, func(t *testing.T) {
			t.Setenv("TERM", c.term)
			t.Setenv("NO_COLOR", c.noColour)
			s, _ := sit(t, greets)
			if got := strings.Contains(s.out.String(), "\x1b[1m"); got != c.want {
				t.Errorf("coloured: %v, want %v", got, c.want)
			}
		})
	}
}
