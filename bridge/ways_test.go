package bridge_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"bullpen/bridge"
	"bullpen/bridge/command"
	"bullpen/office"
	"bullpen/office/store/sqlite"
)

// rightful is an office with people of all kinds on a platform.
type rightful struct {
	*testing.T
	b *bridge.Bridge
	n int
}

func newRightful(t *testing.T) *rightful {
	store, err := sqlite.Open(t.Context(), sqlite.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	on := func(id string) []office.Account { return []office.Account{{Platform: "telegram", ID: id}} }
	b := bridge.New("test", command.NewSet())
	b.Add(deaf{}, bridge.Access{DM: bridge.DMAllowlist})
	o, err := office.Open(t.Context(), office.Options{Store: store, Runner: quiet{}, Sender: b, Setup: office.Setup{
		ID: "test", Name: "Test",
		People: []office.Person{
			{ID: "olga", Name: "Olga", Owner: true, Accounts: on("1")}, {ID: "ada", Name: "Ada", Admin: true, Accounts: on("2")}, {ID: "kim", Name: "Kim", Accounts: on("3")},
		},
		Colleagues: []office.ColleagueSetup{{Name: "alice", Role: office.Member, Model: "none"}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(o.Close(context.Background()), store.Close()); err != nil {
			t.Error(err)
		}
	})
	b.Attach(o)
	r := &rightful{T: t, b: b}
	if err := b.LinkChannel(t.Context(), "telegram", "-100", office.General, false, false, ""); err != nil {
		t.Fatal(err)
	}
	// Once a member of the workspace, and no longer one.
	if _, err := o.Welcome(t.Context(), office.Account{Platform: "telegram", ID: "4"}, "Former"); err != nil {
		t.Fatal(err)
	}
	return r
}

// deaf is a platform that is owed nothing.
type deaf struct{}

func (deaf) Platform() string                          { return "telegram" }
func (deaf) Run(context.Context, *bridge.Bridge) error { return nil }
func (deaf) Split(text string) []string                { return []string{text} }
func (deaf) Find(context.Context, bridge.Outgoing) (bridge.Posted, bool, error) {
	return bridge.Posted{}, false, bridge.ErrBlind
}

func (deaf) Post(context.Context, bridge.Outgoing) (bridge.Posted, error) {
	return bridge.Posted{ID: "1"}, nil
}

// give gives a line by a way in and says what was answered.
func (r *rightful) give(way command.Way, by bridge.Author, line string) string {
	r.Helper()
	r.n++
	event := fmt.Sprint(r.n)
	ctx := r.Context()
	arrive := func(a bridge.Arrival) string {
		a.Author, a.Native = by, event
		if a.Place == "" {
			a.Place = "-100"
		}
		got, err := r.b.Arrive(ctx, a)
		if err != nil {
			r.Fatal(err)
		}
		return got.Answer + got.Refusal
	}
	self := []bridge.Mention{{End: 7, Kind: bridge.MentionSelf}}
	switch way {
	case command.BySlash, command.ByButton:
		o := bridge.Order{Author: by, Way: way, Place: "-100", Event: event, Line: line}
		if way == command.ByButton {
			o.Line = ""
			o.Command, _ = r.b.Commands().Command("telegram", command.OfficeRoot, line)
		}
		got, err := r.b.Order(ctx, o)
		if err != nil {
			r.Fatal(err)
		}
		return got.Text
	case command.ByText:
		return arrive(bridge.Arrival{Text: "/" + line, Command: line})
	case command.ByMention:
		return arrive(bridge.Arrival{Text: "@office " + line, Mentions: self})
	case command.ByDirect:
		return arrive(bridge.Arrival{Text: "/" + line, Place: by.ID, Direct: true})
	case command.ByForward:
		return arrive(bridge.Arrival{Text: "@office " + line, Mentions: self, Command: line, Forwarded: true})
	case command.ByReplay:
		return arrive(bridge.Arrival{Text: "@office " + line, Mentions: self, Command: line, History: true})
	case command.ByEdit:
		arrive(bridge.Arrival{Text: "hello"})
		err := r.b.Changed(ctx, bridge.Change{Platform: "telegram", Place: "-100", Native: event, Version: "2", Text: "@office /" + line})
		if err != nil {
			r.Fatal(err)
		}
		return ""
	case command.ByConsole:
		got, err := r.b.Command(ctx, by.Account, nil, line)
		if err != nil {
			return err.Error()
		}
		return got.Text
	default:
		r.Fatalf("there is no way %s", way)
		return ""
	}
}

// paused says whether the office is paused, and ends that.
func (r *rightful) paused() bool {
	v, err := r.b.Office().View(r.Context())
	if err == nil && v.Pause.On {
		_, err = r.b.Office().Pause(r.Context(), false, "", "olga", "test")
	}
	if err != nil {
		r.Fatal(err)
	}
	return v.Pause.On
}

// What the table says is what happens, by each door of the bridge.
func TestEveryWayInKeepsToTheTable(t *testing.T) {
	t.Parallel()
	r := newRightful(t)
	tg := func(id, name string, full, bot bool) bridge.Author {
		return bridge.Author{Account: bridge.Account{Platform: "telegram", ID: id}, Name: name, Full: full, Bot: bot}
	}
	gone := func(by bridge.Author) bridge.Author { by.Gone = true; return by }
	senders := map[command.Sender]bridge.Author{
		command.OwnerSender: tg("1", "Olga", true, false), command.AdminSender: tg("2", "Ada", true, false), command.PersonSender: tg("3", "Kim", true, false),
		command.Guest: tg("4", "Former", false, false), command.Gone: gone(tg("1", "Olga", true, false)), command.Stranger: tg("5", "Olga", false, false),
		command.Foreign: tg("T2-1", "Ada", false, false), command.Bot: tg("7", "Olga", true, true), command.Colleague: tg("1", "alice", true, true),
	}
	for _, way := range []command.Way{
		command.BySlash, command.ByText, command.ByMention, command.ByDirect, command.ByButton, command.ByForward, command.ByReplay, command.ByEdit, command.ByConsole,
	} {
		for sender, by := range senders {
			said := r.give(way, by, "pause")
			// A platform's account is nobody at the console.
			want := command.Allowed(way, sender, command.Admins) && way != command.ByConsole
			if got := r.paused(); got != want {
				t.Errorf("%s, /pause by %s: %v (%q)", sender, way, got, said)
			}
			said = r.give(way, by, "who")
			want = command.Allowed(way, sender, command.Anyone) && way != command.ByConsole
			if got := strings.HasPrefix(said, "You are "+by.Name); got != want {
				t.Errorf("%s, /who by %s: %q", sender, way, said)
			}
		}
	}
	// A guest whom office.yaml lists may what it says; an account that is switched off
	// may nothing, whatever it says.
	for _, x := range []struct {
		by   bridge.Author
		may  bool
		what string
	}{
		{tg("2", "Ada", false, false), true, "a guest who is listed"},
		{gone(tg("2", "Ada", false, false)), false, "a deleted account that is listed"},
		{gone(tg("3", "Kim", true, false)), false, "another"},
		{tg("4", "Former", false, false), false, "a guest who is not"},
	} {
		for _, way := range []command.Way{command.BySlash, command.ByText, command.ByMention, command.ByDirect, command.ByButton} {
			said := r.give(way, x.by, "pause")
			if got := r.paused(); got != x.may {
				t.Errorf("%s by %s: %v (%q)", x.what, way, got, said)
			}
			got, err := r.b.Arrive(t.Context(), bridge.Arrival{Author: x.by, Place: "-100", Native: fmt.Sprint(x.what, way), Text: "hello"})
			if err != nil || (got.Receipt.Anchor != office.Anchor{}) != x.may {
				t.Errorf("%s talks: %+v (%v)", x.what, got, err)
			}
		}
	}
	if _, err := r.b.Shell(t.Context(), []string{"pause"}, false); err != nil || !r.paused() {
		t.Errorf("the command line: %v", err)
	}
}

// However often a platform delivers a command it is carried out once, and only
// once is there something to say.
func TestACommandIsCarriedOutOnce(t *testing.T) {
	t.Parallel()
	r := newRightful(t)
	o := bridge.Order{
		Author: bridge.Author{Account: bridge.Account{Platform: "telegram", ID: "2"}, Full: true},
		Way:    command.BySlash, Place: "-100", Event: "e", Line: "post general hello",
	}
	done := make(chan bridge.Reply, 5)
	for range 5 {
		go func() {
			got, err := r.b.Order(context.Background(), o)
			if err != nil {
				t.Error(err)
			}
			done <- got
		}()
	}
	said := 0
	for range 5 {
		if got := <-done; !got.Again {
			said++
		} else if got.Text != "" {
			t.Errorf("again it says %q", got.Text)
		}
	}
	page, err := r.b.Office().Messages(t.Context(), office.MessageQuery{Channels: []office.ChannelID{office.General}})
	if err != nil || said != 1 || page.Total != 1 {
		t.Errorf("answered %d times, %d messages: %v", said, page.Total, err)
	}
}

// A button is for who was asked, once, and not for ever.
func TestTheButtonsOfAReply(t *testing.T) {
	t.Parallel()
	r := newRightful(t)
	ask := func(id, event, line, value string) bridge.Reply {
		got, err := r.b.Order(t.Context(), bridge.Order{
			Author: bridge.Author{Account: bridge.Account{Platform: "telegram", ID: id}, Full: true},
			Way:    command.BySlash, Place: "-100", Event: event, Line: line, Value: value,
		})
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	first := ask("2", "1", "interrupt", "")
	if first.Form == nil || len(first.Choices) != 1 || first.Choices[0].Label != "alice" || len(first.Choices[0].Value) > bridge.ChoiceSize {
		t.Fatalf("%+v", first)
	}
	value := first.Choices[0].Value
	for i, id := range []string{"1", "3", "5"} {
		if got := ask(id, fmt.Sprint("other", i), "", value); !strings.Contains(got.Text, "for who gave the command") {
			t.Errorf("%s presses it: %q", id, got.Text)
		}
	}
	if got := ask("2", "2", "", value); !strings.Contains(got.Text, "alice is not running") {
		t.Errorf("it says %q", got.Text)
	}
	if got := ask("2", "3", "", value); !strings.Contains(got.Text, "lapsed") {
		t.Errorf("again it says %q", got.Text)
	}
	for _, value := range []string{"order:", "order:x:0", "order::yes", value + "9", "order:" + strings.Repeat("a", 26) + ":yes"} {
		if got := ask("2", "v"+value, "", value); !strings.Contains(got.Text, "lapsed") {
			t.Errorf("%s says %q", value, got.Text)
		}
	}
}

// In a place that is not linked nobody is heard; the owner and the admins may give
// commands there, since one of them links it.
func TestInAPlaceThatIsNotLinkedOnlyAdminsCommand(t *testing.T) {
	t.Parallel()
	r := newRightful(t)
	for id, may := range map[string]bool{"1": true, "2": true, "3": false, "4": false, "5": false} {
		by := bridge.Author{Account: bridge.Account{Platform: "telegram", ID: id}, Name: "Olga", Full: true}
		for _, a := range []bridge.Arrival{
			{Text: "/pause", Command: "pause"}, {Text: "@office pause", Mentions: []bridge.Mention{{End: 7, Kind: bridge.MentionSelf}}},
		} {
			a.Author, a.Place, a.Native = by, "-999", id+a.Text
			got, err := r.b.Arrive(t.Context(), a)
			if err != nil || got.Ignored == may || r.paused() != may {
				t.Errorf("%q by %s: %+v (%v)", a.Text, id, got, err)
			}
			a.Native, a.History = a.Native+"again", true
			if got, err := r.b.Arrive(t.Context(), a); err != nil || !got.Ignored || r.paused() {
				t.Errorf("%q by %s, read back: %+v (%v)", a.Text, id, got, err)
			}
		}
		hello := bridge.Arrival{Author: by, Place: "-999", Native: "hello" + id, Text: "@alice hello"}
		if got, err := r.b.Arrive(t.Context(), hello); err != nil || !got.Ignored {
			t.Errorf("talk of %s: %+v (%v)", id, got, err)
		}
	}
}

// A colleague is configured by pressing buttons alone, as on a phone.
func TestConfiguringOnAPhone(t *testing.T) {
	t.Parallel()
	r := newRightful(t)
	order := func(o bridge.Order) bridge.Reply {
		t.Helper()
		o.Author = bridge.Author{Account: bridge.Account{Platform: "telegram", ID: "2"}, Name: "Ada", Full: true}
		o.Place, o.Direct, o.Way = "2", true, command.ByDirect
		got, err := r.b.Order(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	press := func(in bridge.Reply, label string) bridge.Reply {
		t.Helper()
		for _, c := range in.Choices {
			if c.Shown() == label {
				return order(bridge.Order{Value: c.Value})
			}
		}
		t.Fatalf("%q has no button %q: %+v", in.Text, label, in.Choices)
		return in
	}
	order(bridge.Order{Line: "hire rita temporary=on model=none"})
	got := press(order(bridge.Order{Line: "configure"}), "rita")
	got = press(got, "role")
	if got = press(got, "leader"); !strings.Contains(got.Text, "rita is configured: role") {
		t.Errorf("it ends with %+v", got)
	}
	got = press(press(order(bridge.Order{Line: "configure"}), "rita"), "description")
	if len(got.Choices) != 0 || !strings.Contains(got.Text, "description=…") {
		t.Errorf("what has to be typed is asked for with %+v", got)
	}
}
