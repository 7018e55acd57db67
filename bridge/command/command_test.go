package command_test

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"bullpen/bridge/command"
	"bullpen/office"
	"bullpen/office/store/sqlite"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// quiet is a runner whose colleagues have nothing to say.
type quiet struct{}

func (quiet) Run(ctx context.Context, o *office.Office, start office.TurnStart) {
	_, _ = o.RecordReply(ctx, office.Reply{Ref: start.Turn.Ref(), Text: "NO_REPLY"})
}

// seat is a person in an office, typing commands.
type seat struct {
	testing.TB
	o     *office.Office
	set   *command.Set
	who   office.Person
	place command.Place
}

func newSeat(t testing.TB, change ...func(*office.Setup)) *seat {
	t.Helper()
	store, err := sqlite.Open(context.Background(), sqlite.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	owner := office.Person{ID: "olga", Name: "Olga", Owner: true}
	setup := office.Setup{
		ID: "test", Name: "Test",
		People: []office.Person{owner, {ID: "kim", Name: "Kim"}},
		Colleagues: []office.ColleagueSetup{
			{Name: "alice", Role: office.Member, Model: "none"},
			{Name: "Ann Lee", Role: office.Member, Model: "none"},
			{Name: "dev", Role: office.Leader, Model: "none"},
		},
		Channels: []office.ChannelSetup{{Name: "dev", Members: []string{"alice"}}, {Name: "ops"}},
	}
	for _, f := range change {
		f(&setup)
	}
	o, err := office.Open(context.Background(), office.Options{Store: store, Runner: quiet{}, Setup: setup})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(o.Close(context.Background()), store.Close()); err != nil {
			t.Error(err)
		}
	})
	return &seat{TB: t, o: o, set: command.NewSet(), who: owner, place: command.Place{Channel: office.General, Label: "#general"}}
}

func (s *seat) try(line string) (command.Answer, error) {
	return s.set.Run(context.Background(), s.call(), line)
}

// call is one from the console.
func (s *seat) call() command.Call {
	sender := command.PersonSender
	if s.who.Owner {
		sender = command.OwnerSender
	}
	return command.Call{Office: s.o, Person: s.who, Sender: sender, Way: command.ByConsole, From: command.Console, Place: &s.place}
}

func (s *seat) run(line string) string {
	s.Helper()
	a, err := s.try(line)
	if err != nil {
		s.Fatalf("/%s: %v", line, err)
	}
	return a.Text
}

// refused is what somebody is told whose command cannot be carried out.
func (s *seat) refused(line string, want ...string) {
	s.Helper()
	a, err := s.try(line)
	if err == nil {
		s.Errorf("/%s was carried out: %q", line, a.Text)
		return
	}
	for _, w := range want {
		if !strings.Contains(err.Error(), w) {
			s.Errorf("/%.60s is refused with %q, want %q in it", line, err, w)
		}
	}
	if len(err.Error()) > 500 || strings.Contains(err.Error(), "\n") {
		s.Errorf("/%.60s: the refusal is no sentence: %.600q", line, err)
	}
}

func (s *seat) post(p office.Post) {
	s.Helper()
	if _, err := s.o.Post(context.Background(), p); err != nil {
		s.Fatal(err)
	}
}

func TestGoingSomewhere(t *testing.T) {
	t.Parallel()
	s := newSeat(t)
	for _, tc := range []struct{ line, label string }{
		{"in #dev", "#dev"},
		{"in ops", "#ops"},
		{"in dev", "#dev"}, // a channel comes before a colleague of the name
		{"in @dev", "@dev"},
		{"IN   @ALICE ", "@alice"},
		{"in Ann Lee", "@Ann Lee"},
		{"in @ann lee", "@Ann Lee"},
		{"in General", "#general"},
	} {
		s.run(tc.line)
		if s.place.Label != tc.label || (s.place.Channel == "") != strings.HasPrefix(tc.label, "@") || (s.place.To == "") != strings.HasPrefix(tc.label, "#") {
			t.Errorf("/%s leads to %+v", tc.line, s.place)
		}
	}
	for _, line := range []string{"in nowhere", "in #alice", "in @ops", "in olga's mailbox", "in mailbox-olga", "in " + strings.Repeat("x", 9000)} {
		s.refused(line, "#dev", "@alice")
		if s.place.Label != "#general" {
			t.Errorf("/%.30s moved to %s", line, s.place.Label)
		}
	}
	if got := s.run("in"); !strings.Contains(got, "You are in #general") || !strings.Contains(got, "#ops") {
		t.Errorf("/in says %q", got)
	}
}

func TestReading(t *testing.T) {
	t.Parallel()
	s := newSeat(t)
	if got := s.run("read"); got != "No messages yet in #general." {
		t.Errorf("an empty channel: %q", got)
	}
	const posts = 120
	for i := range posts {
		s.post(office.Post{Person: "olga", Channel: office.General, Text: fmt.Sprintf("text %d.", i+1)})
	}
	s.post(office.Post{Person: "olga", Channel: "dev", Text: "of dev"})
	s.post(office.Post{Person: "olga", To: "c2", Text: "between us"})
	s.post(office.Post{Person: "kim", To: "c2", Text: "kim's own"})
	for _, tc := range []struct {
		line        string
		first, last int
	}{
		{"read", 101, 120},
		{"read 7", 7, 7},
		{"read 3-5", 3, 5},
		{"read 118-", 118, 120},
		{"read 119-500", 119, 120},
		{"read #general 2-3", 2, 3},
		{"read 2-3 general", 2, 3},
		{"read 1-", 21, 120}, // a page is 100 at most
	} {
		got := s.run(tc.line)
		var lines []string
		for line := range strings.SplitSeq(got, "\n") {
			if strings.HasPrefix(line, "general-") {
				lines = append(lines, line)
			}
		}
		if len(lines) != tc.last-tc.first+1 || !strings.Contains(lines[0], fmt.Sprintf("general-%d Olga", tc.first)) || !strings.HasSuffix(lines[len(lines)-1], fmt.Sprintf("text %d.", tc.last)) {
			t.Errorf("/%s shows\n%s", tc.line, got)
		}
	}
	if got := s.run("read"); !strings.HasPrefix(got, "20 of 120 messages:") {
		t.Errorf("/read does not say how much there is: %.60q", got)
	}
	for line, want := range map[string]string{
		"read dev": "of dev", "read @ann": "", "read 500": "Nothing matches.", "read ops": "No messages yet in #ops.", "read @alice": "No messages yet in @alice.",
	} {
		if want == "" {
			s.refused(line, "there is no place")
			continue
		}
		if got := s.run(line); !strings.Contains(got, want) {
			t.Errorf("/%s shows %q", line, got)
		}
	}
	for _, line := range []string{"read 5-3", "read 0", "read -4", "read 1-x", "read 99999999999999999999", "read nowhere"} {
		s.refused(line)
	}
	if s.place.Label != "#general" {
		t.Errorf("reading moved to %s", s.place.Label)
	}
	s.run("in @Ann Lee")
	if got := s.run("read"); !strings.Contains(got, "between us") || strings.Contains(got, "kim's") {
		t.Errorf("the direct channel shows %q", got)
	}
}

func TestReadingADirectTalkByAName(t *testing.T) {
	t.Parallel()
	s := newSeat(t)
	s.post(office.Post{Person: "olga", To: "c2", Text: "between us"})
	for _, line := range []string{"read @Ann Lee", "read Ann Lee 1", "read 1- @ann lee"} {
		a, err := s.try(line)
		if err != nil || !strings.Contains(a.Text, "between us") {
			t.Errorf("/%s shows %q: %v", line, a.Text, err)
		}
	}
}

func TestMail(t *testing.T) {
	t.Parallel()
	s := newSeat(t)
	if got := s.run("mail"); got != "Your mailbox is empty." {
		t.Errorf("an empty mailbox: %q", got)
	}
	for i := range 25 {
		s.post(office.Post{Person: "kim", Channel: office.General, Text: fmt.Sprintf("@user item %d.", i+1)})
	}
	got := s.run("mail")
	if strings.Contains(got, "item 5.") || !strings.Contains(got, "item 6.") || !strings.Contains(got, "[copy of general-25]") {
		t.Errorf("/mail shows\n%s", got)
	}
	if got := s.run("mail 1"); strings.Contains(got, "item 24.") || !strings.Contains(got, "item 25.") {
		t.Errorf("/mail 1 shows\n%s", got)
	}
	s.refused("mail 1 2", "takes nothing like \"2\"", "/mail [count]")
	for _, line := range []string{"mail 0", "mail 101", "mail -1", "mail all"} {
		s.refused(line, "1 to 100")
	}
	s.who = office.Person{ID: "kim", Name: "Kim"}
	if got := s.run("mail"); got != "Your mailbox is empty." {
		t.Errorf("kim reads %q", got)
	}
}

func TestHelpAndQuit(t *testing.T) {
	t.Parallel()
	s := newSeat(t)
	got := s.run("help")
	for _, c := range s.set.On(command.Console) {
		if c.Root == command.OfficeRoot && (!strings.Contains(got, "/"+c.Name+":") || !strings.Contains(got, c.Help)) {
			t.Errorf("/%s is missing in the help", c.Name)
		}
	}
	if a, err := s.try("quit"); err != nil || !a.Quit {
		t.Errorf("/quit: %+v %v", a, err)
	}
	if a, err := s.try("Help"); err != nil || a.Quit {
		t.Errorf("/Help: %+v %v", a, err)
	}
}

func TestAnUnknownCommandSuggestsTheNearest(t *testing.T) {
	t.Parallel()
	s := newSeat(t)
	for line, want := range map[string]string{
		"hlep": "/help", "raed #dev": "/read", "mial": "/mail", "exit": "/help lists them all", "qiut": "/quit", "INN": "/in",
		"": "/help lists them all", " ": "/help lists them all", "\n": "/help lists them all", "help\tme": "/help", strings.Repeat("é", 100_000): "/help lists them all",
	} {
		s.refused(line, want)
	}
}

func TestPlacesAreOfferedForCompletion(t *testing.T) {
	t.Parallel()
	s := newSeat(t)
	_, found, err := s.set.CompleteLine(t.Context(), s.call(), "in ")
	var got []string
	for _, c := range found {
		got = append(got, c.Value)
	}
	if err != nil || strings.Join(got, " ") != "#general #dev #ops @alice @Ann Lee @dev" {
		t.Errorf("offered %q: %v", got, err)
	}
	for _, place := range got {
		s.run("in " + place)
		if s.place.Label != place {
			t.Errorf("/in %s leads to %s", place, s.place.Label)
		}
	}
}

// What colleagues say to each other directly is for the owner and the admins.
func TestReadingWhatColleaguesSayToEachOther(t *testing.T) {
	t.Parallel()
	s := newSeat(t)
	if got := s.run("read @alice with=dev"); got != "No messages yet in @alice with @dev." {
		t.Errorf("the owner reads %q", got)
	}
	s.refused("read with=dev", "@alice")
	s.refused("read @alice with=alice", "two colleagues")
	s.refused("read @alice with=nobody", "nobody")
	s.who = office.Person{ID: "kim", Name: "Kim"}
	s.refused("read @alice with=dev", "only the owner and the admins")
}

// People narrow what they read like colleagues do: by author, text, time, mention
// and thread, alone and together.
func TestReadingIsNarrowed(t *testing.T) {
	t.Parallel()
	s := newSeat(t)
	for _, p := range []office.Post{
		{Person: "olga", Text: "@alice the Build is red"}, // 1
		{Person: "kim", Text: "I shall look"},
		{Person: "kim", Root: 1, Text: "it was the build server"}, // 3
		{Person: "olga", Text: "@user and @Kim: thanks"},
	} {
		p.Channel = "dev"
		s.post(p)
	}
	for line, want := range map[string]string{
		"by=kim":               "2 3",
		"by=me":                "1 4",
		"by=@alice":            "",
		"contains=BUILD":       "1 3",
		`contains="the build"`: "1 3",
		"mentions=alice":       "1",
		"mentions=me":          "4",
		"thread=1":             "1 3",
		"thread=1 by=kim":      "3",
		"since=1h":             "1 2 3 4",
		"until=1h":             "",
		"since=2000-01-01":     "1 2 3 4",
		`since="2000-01-01 09:00" until=2999-01-01`: "1 2 3 4",
		"until=2020-01-02T15:04":                    "",
		"count=1":                                   "4",
		"2-3 by=kim contains=server":                "3",
	} {
		got := s.run("read dev " + line)
		for _, n := range []string{"1", "2", "3", "4"} {
			if strings.Contains(got, "dev-"+n+" ") != strings.Contains(want, n) {
				t.Errorf("/read dev %s shows\n%s\nwant %s", line, got, want)
			}
		}
		if want == "" && got != "Nothing matches." {
			t.Errorf("/read dev %s says %q", line, got)
		}
	}
	if got := s.run("read dev thread=1"); !strings.Contains(got, "dev-3 Kim (wake nobody, thread of dev-1): it was") {
		t.Errorf("a thread is shown as\n%s", got)
	}
	if got := s.run("read dev since=1h"); !regexp.MustCompile(`dev-2 Kim \(wake nobody, [-0-9 ]*\d\d:\d\d\): I shall look`).MatchString(got) {
		t.Errorf("with times it is\n%s", got)
	}
	if got := s.run("read ops by=kim"); got != "No messages yet in #ops." {
		t.Errorf("an empty channel: %q", got)
	}
	s.refused("read dev by=zoe", "zoe", "alice", "Kim")
	s.refused("read dev mentions=zoe", "zoe")
	s.refused("read dev since=yesterday", "2026-11-30", "2h")
	s.refused("read dev since=1h until=2h", "until is before since")
	s.refused("read dev thread=0", "thread")
	s.refused("read dev count=101", "1 to 100")
}

// A range that a summary stands for leads people to the summary.
func TestReadingASummarisedRange(t *testing.T) {
	t.Parallel()
	s := newSeat(t)
	for i := range 6 {
		s.post(office.Post{Person: "olga", Channel: "dev", Text: fmt.Sprintf("text %d.", i+1)})
	}
	if _, err := s.o.Compact(t.Context(), "dev", 2, 4, "They counted.", "olga"); err != nil {
		t.Fatal(err)
	}
	if got := s.run("read dev 3-5"); !strings.Contains(got, "They counted.") || strings.Contains(got, "text 3.") || !strings.Contains(got, "text 5.") {
		t.Errorf("3 to 5 are\n%s", got)
	}
	if got := s.run("read dev"); strings.Contains(got, "text 3.") || !strings.Contains(got, "text 1.") || strings.Contains(got, "messages:") {
		t.Errorf("all are\n%s", got)
	}
}
