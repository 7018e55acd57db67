package command_test

import (
	"context"
	"regexp"
	"strings"
	"testing"

	"bullpen/bridge/command"
	"bullpen/office"
)

func TestHiringChangingAndDismissing(t *testing.T) {
	t.Parallel()
	s := newSeat(t)
	if got := s.run(`agent hire "Rita Book" role=leader temporary=on model=none description="Keeps the books" reports_to="Ann Lee"`); !strings.Contains(got, "Rita Book is with the office now, as a leader") {
		t.Errorf("hiring says %q", got)
	}
	if got := s.run("who rita book"); !strings.Contains(got, "Keeps the books") || !strings.Contains(got, "reports to: Ann Lee") {
		t.Errorf("who says %q", got)
	}
	if got := s.run("configure Rita Book description=“Counts, and counts again” thinking=high"); !strings.Contains(got, "Rita Book") {
		t.Errorf("configuring says %q", got)
	}
	if got := s.run("who Rita Book"); !strings.Contains(got, "Counts, and counts again") {
		t.Errorf("who says %q", got)
	}
	s.refused("configure Rita Book", "name what to change")
	s.refused("configure Rita Book role=boss", "member, leader")
	s.refused("hire", "needs a name")
	s.refused("agent fire alice", "no command \"fire\" of agent")

	a, err := s.try("dismiss rita book")
	if err != nil || a.Confirm == nil || !strings.Contains(a.Text, "Dismiss Rita Book?") || !strings.Contains(a.Text, "--yes") {
		t.Fatalf("dismissing asks %+v: %v", a, err)
	}
	if got := s.run("roster"); !strings.Contains(got, "Rita Book") {
		t.Errorf("nothing was confirmed, and the roster is\n%s", got)
	}
	call := s.call()
	call.Yes, call.Shown = true, a.Confirm.Shown
	if a, err = s.set.RunTyped(t.Context(), call, a.Confirm.Command, a.Confirm.Values); err != nil || !strings.Contains(a.Text, "is dismissed") {
		t.Errorf("dismissing says %+v: %v", a, err)
	}
	if got := s.run("roster"); strings.Contains(got, "Rita Book") {
		t.Errorf("the roster is\n%s", got)
	}
}

// What was confirmed is what is done: when it would be something else by now, it
// has to be confirmed again.
func TestAConfirmationIsOfWhatWasShown(t *testing.T) {
	t.Parallel()
	s := newSeat(t)
	a, err := s.try("channel delete ops")
	if err != nil || a.Confirm == nil {
		t.Fatalf("%+v %v", a, err)
	}
	s.post(office.Post{Person: "olga", Channel: "ops", Text: "wait"})
	call := s.call()
	call.Yes, call.Shown = true, a.Confirm.Shown
	a, err = s.set.RunTyped(t.Context(), call, a.Confirm.Command, a.Confirm.Values)
	if err != nil || a.Confirm == nil || !strings.HasPrefix(a.Text, "Something changed meanwhile.") || !strings.Contains(a.Text, "1 message(s)") {
		t.Errorf("%+v %v", a, err)
	}
	// --yes is of whatever it is.
	if a, err := s.try("channel delete ops --yes"); a.Confirm != nil || err == nil {
		t.Errorf("%+v %v", a, err) // without an office.yaml no channel can go
	}
}

func TestTwoAdminsAtOnce(t *testing.T) {
	t.Parallel()
	s := newSeat(t)
	s.run("hire tmp temporary=on model=none")
	results := make(chan error, 2)
	for _, role := range []string{"leader", "member"} {
		go func() {
			_, err := s.set.Run(context.Background(), s.call(), "configure tmp role="+role+" description="+role)
			results <- err
		}()
	}
	for range 2 {
		if err := <-results; err != nil {
			t.Error(err)
		}
	}
	got := s.run("who tmp")
	if leader, member := strings.Contains(got, "(leader)") && strings.Contains(got, "\nleader\n"), strings.Contains(got, "(member)") && strings.Contains(got, "\nmember\n"); leader == member {
		t.Errorf("neither of the two, or both: %q", got)
	}
	if got := s.run("logs audit"); strings.Count(got, "configure tmp") != 2 {
		t.Errorf("the audit log is\n%s", got)
	}
}

func TestChannelsAndHeldMessages(t *testing.T) {
	t.Parallel()
	s := newSeat(t)
	if got := s.run("channel list"); !strings.Contains(got, "- #dev: alice") || !strings.Contains(got, "- #ops: nobody") {
		t.Errorf("the channels are\n%s", got)
	}
	if got := s.run("channel members #dev"); got != "#dev: alice" {
		t.Errorf("members: %q", got)
	}
	s.refused("channel members dev add nobody here", "there is no colleague")
	s.refused("channel members dev Ann Lee", "say what to do")
	if got := s.run("held"); got != "Nothing is held." {
		t.Errorf("held: %q", got)
	}
	s.run("pause the movers are here")
	s.run("post general @alice are you there?")
	if got := s.run("held show alice"); !strings.Contains(got, "general-1 for alice, from Olga") {
		t.Errorf("held: %q", got)
	}
	a, err := s.try("held drop alice general-1")
	if err != nil || a.Confirm == nil {
		t.Errorf("dropping asks %+v %v", a, err)
	}
	if got := s.run("held drop alice general-1 --yes"); !strings.Contains(got, "1 message(s) are dropped") {
		t.Errorf("dropping says %q", got)
	}
	s.run("resume")
	if got := s.run("preview #general @alice and @dev"); !strings.Contains(got, "- alice: delivered") || !strings.Contains(got, "- dev: delivered") {
		t.Errorf("preview: %q", got)
	}
	if got := s.run("preview dev nothing"); got != "It would wake nobody." {
		t.Errorf("preview: %q", got)
	}
}

// Whatever changes something, or tries to, leaves a line.
func TestEverythingIsInTheAuditLog(t *testing.T) {
	t.Parallel()
	s := newSeat(t)
	s.run("pause")
	s.run("resume")
	s.refused("interrupt nobody")
	_, _ = s.try("channel create lab alice")
	s.who = office.Person{ID: "kim", Name: "Kim"}
	s.refused("pause now", "the owner and the admins")
	s.refused("dnd release alice", "the owner and the admins")
	s.refused("logs", "the owner and the admins")
	s.who = office.Person{ID: "olga", Name: "Olga", Owner: true}
	got := s.run("logs audit")
	for _, want := range []string{
		"Olga (console): pause: done", "Olga (console): resume: done", "channel create", "Kim (console): pause: refused: ",
		"Kim (console): dnd do=\"release\" colleague=\"alice\": refused", "Kim (console): logs: refused",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("the audit log lacks %q:\n%s", want, got)
		}
	}
	page := s.run("logs audit 2")
	if strings.Count(page, "\n") != 2 || !strings.Contains(page, "before=") {
		t.Errorf("a page is\n%s", page)
	}
	if earlier := s.run(page[strings.LastIndex(page, "/logs")+1:]); strings.Contains(earlier, "logs: refused") || strings.Count(earlier, "- ") != 2 {
		t.Errorf("the page before is\n%s", earlier)
	}
}

func TestTextsAndNamesOfAllKinds(t *testing.T) {
	t.Parallel()
	s := newSeat(t)
	long := strings.Repeat("שלום 👩🏽‍💻 ", 500) // 5,000 characters and more in bytes
	for _, line := range []string{
		"dm Ann Lee hello", "dm \"Ann Lee\" hello", "dm @ann lee hello", "DM “ANN LEE” hello", "/dm 'Ann Lee' \"hello\"", "dm \u2068Ann Lee\u2069 hello",
	} {
		if got := s.run(strings.TrimPrefix(line, "/")); !strings.Contains(got, "Written to Ann Lee") {
			t.Errorf("%q says %q", line, got)
		}
	}
	if got := s.run("read @Ann Lee"); strings.Count(got, ": hello") != 6 {
		t.Errorf("Ann Lee reads\n%s", got)
	}
	s.run("hire Zoe\u0308 temporary=on model=none") // NFD
	if got := s.run("who ZO\u00cb"); !strings.Contains(got, "Zo\u00eb") {
		t.Errorf("who says %q", got)
	}
	if text := string([]rune(long)[:5000]); !strings.Contains(s.run("post dev "+text), "Written to #dev") {
		t.Error("5,000 characters are too many")
	}
	s.refused("post dev "+string([]rune(strings.Repeat("x", 5001))), "5000")
	s.run("post dev first line\n\n  second \"line\"")
	if got := s.run("read dev 2"); !strings.Contains(got, "first line\n\n  second \"line\"") {
		t.Errorf("it was kept as %q", got)
	}
}

// With 200 colleagues the ones that fit come first, and no more than a platform shows.
func TestCompletionOfManyNames(t *testing.T) {
	t.Parallel()
	s := newSeat(t)
	for i := range 60 {
		s.run("hire Worker-" + strings.Repeat("x", i%7) + string(rune('a'+i%26)) + string(rune('a'+i/26)) + " temporary=on model=none")
	}
	cmd, _ := s.set.Command("discord", command.OfficeRoot, "interrupt")
	for typed, want := range map[string]int{"": 25, "work": 25, "lee": 1, "@ALI": 1, "nobody": 0, "ann": 1, "#ann": 1} {
		got, err := s.set.Complete(t.Context(), s.call(), cmd, "colleague", typed)
		if err != nil || len(got) != want {
			t.Errorf("%q offers %v, want %d: %v", typed, got, want, err)
		}
	}
	s.who = office.Person{ID: "kim", Name: "Kim"}
	if got, err := s.set.Complete(t.Context(), s.call(), cmd, "colleague", ""); err != nil || len(got) != 0 {
		t.Errorf("who may not use it is offered %v: %v", got, err)
	}
}

// A text that calls the office is a command only if all of it is one.
func TestTalkIsNoCommand(t *testing.T) {
	t.Parallel()
	s := newSeat(t)
	for line, want := range map[string]bool{
		"status": true, "Status": true, "office status": true, "help": true, "help pause": true, "interrupt alice": true, "interrupt Ann Lee": true,
		"interrupt alcie": true, "pause": true, `pause "moving house"`: true, "read #dev 3-5": true, "mail 5": true, "agent hire bob": true, "who alice": true,
		"dm alice see you": true, "held show": true, "channel": false,
		"": false, "pause for a moment, I want to think": false, "help me": false, "help me with alice": false, "mail me the report": false,
		"interrupt the music, please": false, "who knows": false, "who is alice": false, "status of the build?": false, "read this to me": false,
		"hire somebody nice": false, "dm nobody hello": false, "what about status": false, "resume writing": false, "interrupt": false,
	} {
		got, err := s.set.Fits(t.Context(), s.o, "slack", line)
		if err != nil || got != want {
			t.Errorf("%q: %v, want %v: %v", line, got, want, err)
		}
	}
}

// The roster tells all of each colleague, as colleagues themselves are told it.
func TestTheRosterTellsAllOfEach(t *testing.T) {
	t.Parallel()
	s := newSeat(t)
	got := s.run("roster")
	for _, want := range []string{"alice (member): inactive since", "model none, permission full", "in #dev", "dev (leader): "} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in:\n%s", want, got)
		}
	}
	s.run("pause lunch")
	s.post(office.Post{Person: "olga", Channel: "dev", Text: "@alice hello"})
	if got := s.run("roster"); !strings.Contains(got, "1 held") || !strings.Contains(got, "The office is paused since ") || !strings.Contains(got, "by Olga, because lunch.") {
		t.Errorf("of a paused office: %s", got)
	}
	a, err := s.try("roster")
	if err != nil {
		t.Fatal(err)
	}
	rows := strings.Builder{}
	for _, row := range append(a.Table.Rows, a.Table.Foot) {
		rows.WriteString(strings.Join(row, "|") + "\n")
	}
	if got := rows.String(); !regexp.MustCompile(`alice\|member\|inactive since [-0-9: ]+\|0\|1\|none\|full\|\|#general #dev\|`).MatchString(got) || !strings.Contains(got, "by Olga, because lunch") {
		t.Errorf("the table is\n%s", got)
	}
}
