package bridge_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"bullpen/bridge"
	"bullpen/bridge/command"
	"bullpen/office"
	"bullpen/office/store/sqlite"
	"bullpen/office/wake"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

type quiet struct{}

func (quiet) Run(ctx context.Context, o *office.Office, start office.TurnStart) {
	_, _ = o.RecordReply(ctx, office.Reply{Ref: start.Turn.Ref(), Text: "NO_REPLY"})
}

func newBridge(t testing.TB) *bridge.Bridge {
	t.Helper()
	store, err := sqlite.Open(context.Background(), sqlite.Options{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	o, err := office.Open(context.Background(), office.Options{Store: store, Runner: quiet{}, Setup: office.Setup{
		ID: "test", Name: "Test", People: []office.Person{{ID: "kim", Name: "Kim"}, {ID: "olga", Name: "Olga", Owner: true}},
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
	b := bridge.New("test", command.NewSet())
	b.Attach(o)
	return b
}

func TestWhoSitsAtTheConsoleIsTheOwner(t *testing.T) {
	t.Parallel()
	b := newBridge(t)
	r, err := b.Handle(t.Context(), bridge.Event{ID: "e1", Author: bridge.ConsoleAccount, Channel: office.General, Text: "@alice hi"})
	if err != nil {
		t.Fatal(err)
	}
	m, err := b.Office().Message(t.Context(), r.Anchor)
	if err != nil || m.Author.Name != "Olga" || m.Text != "@alice hi" || len(r.Deliveries) != 1 {
		t.Errorf("stored %+v, receipt %+v: %v", m, r, err)
	}
	again, err := b.Handle(t.Context(), bridge.Event{ID: "e1", Author: bridge.ConsoleAccount, Channel: office.General, Text: "@alice hi"})
	if err != nil || !again.Again || again.Anchor != r.Anchor {
		t.Errorf("again %+v: %v", again, err)
	}
}

// A name is no identity: only the platform's own ids count.
func TestAStrangerIsRefusedAndNothingIsStored(t *testing.T) {
	t.Parallel()
	b := newBridge(t)
	for _, a := range []bridge.Account{
		{},
		{Platform: "console", ID: "kim"},
		{Platform: "console", ID: "Olga"},
		{Platform: "console", ID: "Owner"},
		{Platform: "slack", ID: "owner"},
		{Platform: "slack", ID: "olga"},
	} {
		if _, err := b.Handle(t.Context(), bridge.Event{Author: a, Channel: office.General, Text: "hi"}); err == nil || a.ID != "" && !strings.Contains(err.Error(), a.ID) {
			t.Errorf("%+v was told %v", a, err)
		}
		place := command.Place{Channel: office.General, Label: "#general"}
		if _, err := b.Command(t.Context(), a, &place, "mail"); err == nil {
			t.Errorf("%+v used a command", a)
		}
	}
	page, err := b.Office().Messages(t.Context(), office.MessageQuery{})
	if err != nil || len(page.Messages) != 0 {
		t.Errorf("stored %v: %v", page.Messages, err)
	}
}

func TestMentionsAndPlacesReachTheOffice(t *testing.T) {
	t.Parallel()
	b := newBridge(t)
	text := "ping you"
	r, err := b.Handle(t.Context(), bridge.Event{
		Author: bridge.ConsoleAccount, Channel: office.General, Text: text,
		Mentions: []wake.Span{{Start: 5, End: 8, Kind: wake.SpanColleague, ID: "c1"}},
	})
	if err != nil || len(r.Deliveries) != 1 || r.Deliveries[0].Name != "alice" {
		t.Errorf("a native mention: %+v %v", r, err)
	}
	r, err = b.Handle(t.Context(), bridge.Event{Author: bridge.ConsoleAccount, To: "c1", Text: "hi", ReplyTo: 0})
	if err != nil || r.Anchor.Channel != "dm-c1-olga" {
		t.Errorf("a direct message: %+v %v", r, err)
	}
	r, err = b.Handle(t.Context(), bridge.Event{Author: bridge.ConsoleAccount, Channel: office.General, Root: 1, ReplyTo: 1, Text: "in a thread"})
	if err != nil {
		t.Fatal(err)
	}
	if m, err := b.Office().Message(t.Context(), r.Anchor); err != nil || m.Root != 1 || m.ReplyTo != 1 {
		t.Errorf("in a thread: %+v %v", m, err)
	}
	place := command.Place{Channel: office.General, Label: "#general"}
	a, err := b.Command(t.Context(), bridge.ConsoleAccount, &place, "in @alice")
	if err != nil || place.To != "c1" || a.Text == "" {
		t.Errorf("a command: %+v %+v %v", a, place, err)
	}
}
