package slack_test

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	api "github.com/slack-go/slack"
	"github.com/slack-go/slack/slackevents"
	"github.com/slack-go/slack/socketmode"

	sim "bullpen/internal/sim/slack"
)

func TestAPostArrivesAndIsAcknowledged(t *testing.T) {
	t.Parallel()
	srv := start(t)
	a := connect(t, srv)
	ts := must(srv.User("kim").Post("general", "if a < b && c"))
	settled(t, srv)
	seen := a.seen()
	if len(seen) != 1 {
		t.Fatalf("got %v", a.kinds())
	}
	m := seen[0].data.(*slackevents.MessageEvent)
	if m.Text != "if a &lt; b &amp;&amp; c" || m.User != "U0KIM" || m.TimeStamp != ts || m.ChannelType != "channel" || m.ClientMsgID == "" {
		t.Errorf("event %+v", m)
	}
	d := srv.Deliveries()[0]
	if d.State != sim.Acked || d.EventID != seen[0].eventID || !strings.HasPrefix(d.EventID, "Ev") {
		t.Errorf("delivery %+v", d)
	}
}

func TestOneMentionMakesTwoEventsInEitherOrder(t *testing.T) {
	t.Parallel()
	for _, mentionFirst := range []bool{false, true} {
		srv := start(t, func(o *sim.Options) { o.Quirks.MentionFirst = mentionFirst })
		a := connect(t, srv)
		must(srv.User("kim").Post("general", "<@U0BOT> @ada hi"))
		settled(t, srv)
		want := []string{"message", "app_mention"}
		if mentionFirst {
			slices.Reverse(want)
		}
		if !reflect.DeepEqual(a.kinds(), want) {
			t.Errorf("got %v, want %v", a.kinds(), want)
		}
		if seen := a.seen(); seen[0].eventID == seen[1].eventID {
			t.Error("both have the same event id")
		}
	}
}

func TestNoMentionEventInADM(t *testing.T) {
	t.Parallel()
	srv := start(t)
	a := connect(t, srv)
	must(srv.User("kim").DM("@office hello"))
	settled(t, srv)
	if m := a.seen()[0].data.(*slackevents.MessageEvent); len(a.seen()) != 1 || !m.IsIM() || m.Text != "<@U0BOT> hello" {
		t.Errorf("got %v, %+v", a.kinds(), m)
	}
}

func TestEventsOfEveryKind(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name string
		do   func(srv *sim.Server, c *api.Client, ts string) error
		want []string
	}{
		{"edit", func(s *sim.Server, _ *api.Client, ts string) error {
			return s.User("kim").Edit("general", ts, "changed")
		}, []string{"message/message_changed"}},
		{"an edit that adds the mention", func(s *sim.Server, _ *api.Client, ts string) error {
			return s.User("kim").Edit("general", ts, "@office changed")
		}, []string{"message/message_changed", "app_mention"}},
		{"preview", func(s *sim.Server, _ *api.Client, ts string) error {
			return s.Unfurl("general", ts, "https://e.test")
		}, []string{"message/message_changed"}},
		{"delete", func(s *sim.Server, _ *api.Client, ts string) error { return s.User("kim").Delete("general", ts) }, []string{"message/message_deleted"}},
		{"me", func(s *sim.Server, _ *api.Client, _ string) error {
			_, err := s.User("kim").Me("general", "waves")
			return err
		}, []string{"message/me_message"}},
		{"reply", func(s *sim.Server, _ *api.Client, ts string) error {
			_, err := s.User("lee").Reply("general", ts, "r")
			return err
		}, []string{"message"}},
		{"broadcast", func(s *sim.Server, _ *api.Client, ts string) error {
			_, err := s.User("lee").ReplyBroadcast("general", ts, "r")
			return err
		}, []string{"message/thread_broadcast"}},
		{"reaction", func(s *sim.Server, _ *api.Client, ts string) error { return s.User("lee").React("general", ts, "eyes") }, []string{"reaction_added"}},
		{"own reaction", func(_ *sim.Server, c *api.Client, ts string) error {
			return c.AddReaction("eyes", api.NewRefToMessage("C0GEN", ts))
		}, []string{"reaction_added"}},
		{"own post", func(_ *sim.Server, c *api.Client, _ string) error {
			_, _, err := c.PostMessage("C0GEN", text("x"))
			return err
		}, []string{"message"}},
		{"own post under a name", func(_ *sim.Server, c *api.Client, _ string) error {
			_, _, err := c.PostMessage("C0GEN", text("x"), api.MsgOptionUsername("Ada"))
			return err
		}, []string{"message/bot_message"}},
		{"home", func(s *sim.Server, _ *api.Client, _ string) error { return s.User("kim").OpenHome("home") }, []string{"app_home_opened"}},
		{"join", func(s *sim.Server, _ *api.Client, _ string) error { return s.Join("secret", "U0KIM", "U0MARIA") }, []string{"member_joined_channel", "message/group_join"}},
		{"invitation of the bot", func(s *sim.Server, _ *api.Client, _ string) error { return s.Join("outside", "U0BOT", "U0MARIA") }, []string{"member_joined_channel", "message/channel_join"}},
		{"rename", func(s *sim.Server, _ *api.Client, _ string) error { return s.Rename("general", "lobby", "U0MARIA") }, []string{"channel_rename", "message/channel_name"}},
		{"archive", func(s *sim.Server, _ *api.Client, _ string) error { return s.Archive("general", "U0MARIA") }, []string{"message/channel_archive", "channel_archive"}},
		{"a channel it is not in", func(s *sim.Server, _ *api.Client, _ string) error {
			_, err := s.User("maria").Post("outside", "<@U0BOT>")
			return err
		}, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			srv := start(t)
			a := connect(t, srv)
			ts := must(srv.User("kim").Post("general", "hello"))
			settled(t, srv)
			first := len(a.seen())
			if err := tc.do(srv, client(srv), ts); err != nil {
				t.Fatal(err)
			}
			settled(t, srv)
			if got := a.kinds()[first:]; !slices.Equal(got, tc.want) {
				t.Errorf("got %v, want %v", got, tc.want)
			}
		})
	}
}

func TestOwnPostsAreRecognisedByIDNotByName(t *testing.T) {
	t.Parallel()
	srv := start(t)
	a := connect(t, srv)
	if _, _, err := client(srv).PostMessage("C0GEN", text("x"), api.MsgOptionUsername("Kim")); err != nil {
		t.Fatal(err)
	}
	settled(t, srv)
	var e struct {
		User, Username string
		BotID          string `json:"bot_id"`
		AppID          string `json:"app_id"`
	}
	if err := json.Unmarshal(a.seen()[0].raw, &e); err != nil {
		t.Fatal(err)
	}
	if e.User != "" || e.Username != "Kim" || e.BotID != "B0SIM" || e.AppID != "A0SIM" {
		t.Errorf("echo %+v", e)
	}
}

func TestAnUnansweredEventComesAgainInAnotherEnvelope(t *testing.T) {
	t.Parallel()
	srv := start(t)
	a := connect(t, srv, noAck(func(g got) bool { return g.attempt == 0 }))
	b := connect(t, srv)
	must(srv.User("kim").Post("general", "one"))
	must(srv.User("kim").Post("general", "two"))
	// The sockets take turns, so one of the two went to a, who keeps silent on first attempts.
	a.wait(t, 1)
	b.wait(t, 1)
	srv.DropSockets()
	until(t, srv, func(s *sim.Server) bool { s.RetryNow(); return s.Sockets() > 0 && s.Unsettled() == 0 })
	var again sim.Delivery
	for _, d := range srv.Deliveries() {
		if len(d.Envelopes) > 1 {
			again = d
		}
	}
	if len(again.Envelopes) < 2 || again.Envelopes[0] == again.Envelopes[1] || again.State != sim.Acked {
		t.Fatalf("deliveries %+v", srv.Deliveries())
	}
	retried := slices.IndexFunc(append(a.seen(), b.seen()...), func(g got) bool {
		return g.eventID == again.EventID && g.attempt > 0 && g.reason == "timeout"
	})
	if retried < 0 {
		t.Errorf("no redelivery of %s was seen: %+v %+v", again.EventID, a.seen(), b.seen())
	}
}

func TestADuplicateHasTheSameEventID(t *testing.T) {
	t.Parallel()
	srv := start(t)
	a := connect(t, srv)
	srv.DuplicateNext(1)
	must(srv.User("kim").Post("general", "once"))
	settled(t, srv)
	seen := a.seen()
	if len(seen) != 2 || seen[0].eventID != seen[1].eventID || seen[0].envelope == seen[1].envelope {
		t.Errorf("%+v", seen)
	}
}

func TestEventsCanBeHeldAndReordered(t *testing.T) {
	t.Parallel()
	srv := start(t)
	a := connect(t, srv)
	srv.HoldEvents()
	var sent []string
	for range 3 {
		sent = append(sent, must(srv.User("kim").Post("general", "m")))
	}
	if len(a.seen()) != 0 || srv.Unsettled() != 3 {
		t.Fatalf("not held: %v", a.kinds())
	}
	if err := srv.ReleaseEvents(7); err == nil {
		t.Error("released what is not there")
	}
	if err := srv.ReleaseEvents(2, 0); err != nil {
		t.Fatal(err)
	}
	settled(t, srv)
	var got []string
	for _, g := range a.seen() {
		got = append(got, g.data.(*slackevents.MessageEvent).TimeStamp)
	}
	if want := []string{sent[2], sent[0], sent[1]}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestWhatTheLibraryDoesNotUnderstandStillNeedsAnAck(t *testing.T) {
	t.Parallel()
	srv := start(t)
	a := connect(t, srv)
	srv.SendEvent(map[string]any{"type": "brand_new_event", "x": 1})
	srv.SendEvent(map[string]any{"type": "message", "text": 42, "channel": "C0GEN"})
	srv.SendEnvelope("brand_new_type", map[string]any{"a": 1})
	srv.SendFrame([]byte("{ this is not JSON"))
	settled(t, srv)
	want := []string{"error_bad_message", "error_bad_message", "error_bad_message"}
	if !slices.Equal(a.kinds(), want) {
		t.Errorf("got %v", a.kinds())
	}
	if srv.Connections() != 1 {
		t.Errorf("a bad frame cost the connection")
	}
}

func TestSocketURLsAreForOneUse(t *testing.T) {
	t.Parallel()
	srv := start(t)
	_, url, err := client(srv).StartSocketModeContext(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	first, status := dial(t, url)
	if status != 101 {
		t.Fatalf("first dial: %d", status)
	}
	defer first.Close()
	if _, status := dial(t, url); status != 403 {
		t.Errorf("second dial: %d", status)
	}
}

func TestTenSocketsAndNoMore(t *testing.T) {
	t.Parallel()
	srv := start(t)
	hello := func() (kind, reason string, n int) {
		_, url, err := client(srv).StartSocketModeContext(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		c, _ := dial(t, url)
		t.Cleanup(func() { _ = c.Close() })
		var r socketmode.Request
		if err := c.ReadJSON(&r); err != nil {
			t.Fatal(err)
		}
		if r.Type == "hello" && (r.ConnectionInfo.AppID != "A0SIM" || r.DebugInfo.ApproximateConnectionTime == 0) {
			t.Errorf("hello %+v", r)
		}
		return r.Type, r.Reason, r.NumConnections
	}
	for i := range 10 {
		if kind, _, n := hello(); kind != "hello" || n != i+1 {
			t.Fatalf("socket %d: %s with %d connections", i+1, kind, n)
		}
	}
	if kind, reason, _ := hello(); kind != "disconnect" || reason != "too_many_websockets" {
		t.Errorf("the eleventh got %s %s", kind, reason)
	}
	if srv.Sockets() != 10 {
		t.Errorf("%d sockets", srv.Sockets())
	}
}

func TestDisconnectsAreFollowedByANewSocket(t *testing.T) {
	t.Parallel()
	for _, reason := range []sim.Reason{sim.Warning, sim.RefreshRequested, sim.TooManyWebsockets} {
		srv := start(t)
		a := connect(t, srv)
		srv.Disconnect(reason)
		until(t, srv, func(s *sim.Server) bool { return s.Connections() == 2 && s.Sockets() == 1 })
		must(srv.User("kim").Post("general", "still there?"))
		settled(t, srv)
		if len(a.seen()) == 0 {
			t.Errorf("%s: nothing arrived afterwards", reason)
		}
	}
}

func TestALinkThatWasSwitchedOffStaysOff(t *testing.T) {
	t.Parallel()
	srv := start(t)
	connect(t, srv)
	srv.Disconnect(sim.LinkDisabled)
	until(t, srv, func(s *sim.Server) bool { return s.Connections() >= 3 && s.Sockets() == 0 })
	srv.EnableSocketMode()
	until(t, srv, func(s *sim.Server) bool { return s.Sockets() == 1 })
}

func TestACloseFrameIsFollowedByANewSocket(t *testing.T) {
	t.Parallel()
	srv := start(t)
	connect(t, srv)
	srv.CloseSockets(1001)
	until(t, srv, func(s *sim.Server) bool { return s.Connections() == 2 && s.Sockets() == 1 })
	if srv.PeakSockets() != 1 {
		t.Errorf("%d sockets at once", srv.PeakSockets())
	}
}

func TestLinksMakePreviewsWhereTheyAreOn(t *testing.T) {
	t.Parallel()
	srv := start(t, func(o *sim.Options) { o.Quirks.Unfurl = true })
	a := connect(t, srv)
	must(srv.User("kim").Post("general", "see https://example.test"))
	for _, o := range []api.MsgOption{api.MsgOptionDisableLinkUnfurl(), api.MsgOptionEnableLinkUnfurl()} {
		if _, _, err := client(srv).PostMessage("C0GEN", api.MsgOptionText("<https://example.test>", false), o); err != nil {
			t.Fatal(err)
		}
	}
	settled(t, srv)
	want := []string{"message", "message/message_changed", "message", "message", "message/message_changed"}
	if !slices.Equal(a.kinds(), want) {
		t.Fatalf("got %v, want %v", a.kinds(), want)
	}
	m := a.seen()[1].data.(*slackevents.MessageEvent)
	if m.Message.Edited != nil || m.Message.Text != m.PreviousMessage.Text || len(m.Message.Attachments) != 1 {
		t.Errorf("a preview that looks like an edit: %+v", m.Message)
	}
}

func TestLeaving(t *testing.T) {
	t.Parallel()
	srv := start(t)
	a := connect(t, srv)
	for _, user := range []string{"U0KIM", "U0BOT"} {
		if err := srv.Leave("general", user); err != nil {
			t.Fatal(err)
		}
	}
	must(srv.User("lee").Post("general", "is it gone?"))
	settled(t, srv)
	if want := []string{"member_left_channel", "channel_left"}; !slices.Equal(a.kinds(), want) {
		t.Errorf("got %v, want %v", a.kinds(), want)
	}
	if err := srv.Leave("general", "U0KIM"); err == nil {
		t.Error("left twice")
	}
}

func TestAWorkspaceThatContradictsItself(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*sim.Workspace){
		"a user without a name":   func(w *sim.Workspace) { w.Users = append(w.Users, sim.User{ID: "U1"}) },
		"the same user twice":     func(w *sim.Workspace) { w.Users = append(w.Users, w.Users[0]) },
		"the same channel twice":  func(w *sim.Workspace) { w.Channels = append(w.Channels, w.Channels[0]) },
		"two channels alike":      func(w *sim.Workspace) { w.Channels = append(w.Channels, sim.Channel{ID: "C1", Name: "dev"}) },
		"a member who is nobody":  func(w *sim.Workspace) { w.Channels[0].Members = []string{"U0NOBODY"} },
		"a channel without an id": func(w *sim.Workspace) { w.Channels = append(w.Channels, sim.Channel{Name: "x"}) },
	} {
		w := workspace()
		change(&w)
		if srv, err := sim.Start(sim.Options{Workspace: w}); err == nil {
			t.Errorf("%s: it started", name)
			_ = srv.Close()
		}
	}
	srv, err := sim.Start(sim.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if w := srv.Workspace(); w.BotUserID != "U0BOT" || w.TeamID == "" {
		t.Errorf("defaults %+v", w)
	}
	_ = srv.Close()
}
