package discord_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/bwmarrin/discordgo"

	sim "bullpen/internal/sim/discord"
	"bullpen/internal/sim/memnet"
)

// office registers a command with subcommands of every kind.
func office(t *testing.T, srv *sim.Server, s *discordgo.Session) {
	t.Helper()
	_, err := s.ApplicationCommandBulkOverwrite(srv.BotID(), "", []*discordgo.ApplicationCommand{{
		Name: "office", Description: "The office", Options: []*discordgo.ApplicationCommandOption{
			{Type: discordgo.ApplicationCommandOptionSubCommand, Name: "status", Description: "How things stand"},
			{
				Type: discordgo.ApplicationCommandOptionSubCommand, Name: "with", Description: "Talk with", Options: []*discordgo.ApplicationCommandOption{
					{Type: discordgo.ApplicationCommandOptionString, Name: "who", Description: "Whom", Required: true, Autocomplete: true},
					{Type: discordgo.ApplicationCommandOptionUser, Name: "person", Description: "A person"},
					{Type: discordgo.ApplicationCommandOptionChannel, Name: "place", Description: "A channel"},
				},
			},
		},
	}})
	if err != nil {
		t.Fatal(err)
	}
}

func TestACommandIsAnswered(t *testing.T) {
	t.Parallel()
	srv := start(t)
	s, e := connect(t, srv, usual)
	office(t, srv, s)
	id := must(srv.User("kim").Slash("dev", "/office with", map[string]any{"who": "alice", "person": "maria", "place": "general"}))
	got := e.wait(t, "INTERACTION_CREATE", 1)
	data := got["data"].(object)
	sub := data["options"].([]any)[0].(object)
	if got["type"] != 2.0 || got["member"].(object)["user"].(object)["id"] != kim || data["name"] != "office" || sub["name"] != "with" {
		t.Fatalf("got %v", got)
	}
	if r := data["resolved"].(object); r["users"].(object)[maria] == nil || r["channels"].(object)[general] == nil {
		t.Errorf("resolved %v", r)
	}
	i := &discordgo.Interaction{ID: id, AppID: srv.BotID(), Token: got["token"].(string)}
	answer := &discordgo.InteractionResponse{Type: discordgo.InteractionResponseDeferredChannelMessageWithSource, Data: &discordgo.InteractionResponseData{Flags: discordgo.MessageFlagsEphemeral}}
	if err := s.InteractionRespond(i, answer); err != nil {
		t.Fatal(err)
	}
	if err := s.InteractionRespond(i, answer); code(err) != 40060 {
		t.Errorf("answered twice: %v", err)
	}
	if m := srv.Transcript("dev"); len(m) != 1 || !m[0].Loading || m[0].OnlyFor != "kim" {
		t.Errorf("deferred: %v", m)
	}
	text := "done"
	if _, err := s.InteractionResponseEdit(i, &discordgo.WebhookEdit{Content: &text}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.FollowupMessageCreate(i, true, &discordgo.WebhookParams{Content: "more", Flags: discordgo.MessageFlagsEphemeral}); err != nil {
		t.Fatal(err)
	}
	if m := srv.User("kim").Seen("dev"); len(m) != 2 || m[0].Text != "done" || m[0].Loading || m[1].Text != "more" {
		t.Errorf("kim sees %v", m)
	}
	if m := srv.User("maria").Seen("dev"); len(m) != 0 {
		t.Errorf("maria sees %v", m)
	}
	if e.of("MESSAGE_CREATE") != nil || len(list(t, srv, "/channels/"+dev+"/messages")) != 0 {
		t.Error("an ephemeral message is in the channel")
	}
	if err := s.InteractionResponseDelete(i); err != nil {
		t.Error(err)
	}
	if m := srv.Transcript("dev"); len(m) != 1 {
		t.Errorf("after deleting: %v", m)
	}
}

func TestAutocompleteButtonsAndForms(t *testing.T) {
	t.Parallel()
	srv := start(t)
	s, e := connect(t, srv, usual)
	office(t, srv, s)
	p := srv.User("maria")
	respond := func(n int, kind discordgo.InteractionResponseType, d *discordgo.InteractionResponseData) object {
		t.Helper()
		got := e.wait(t, "INTERACTION_CREATE", n)
		i := &discordgo.Interaction{ID: got["id"].(string), AppID: srv.BotID(), Token: got["token"].(string)}
		if err := s.InteractionRespond(i, &discordgo.InteractionResponse{Type: kind, Data: d}); err != nil {
			t.Fatal(err)
		}
		return got
	}
	asked := must(p.Autocomplete("", "office with", "who", map[string]any{"who": "al"}))
	respond(1, discordgo.InteractionApplicationCommandAutocompleteResult, &discordgo.InteractionResponseData{
		Choices: []*discordgo.ApplicationCommandOptionChoice{{Name: "Alice", Value: "alice"}},
	})
	if i, _ := srv.Interaction(asked); !i.Answered || i.Choices[0].Value != "alice" {
		t.Errorf("%+v", i)
	}
	m, err := s.ChannelMessageSendComplex(dev, &discordgo.MessageSend{Content: "?", Components: []discordgo.MessageComponent{discordgo.ActionsRow{Components: []discordgo.MessageComponent{
		discordgo.Button{Label: "Hire", Style: 1, CustomID: "hire"}, discordgo.Button{Label: "No", Style: 2, CustomID: "no", Disabled: true},
	}}}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Press("dev", m.ID, "No"); err == nil {
		t.Error("a disabled button was pressed")
	}
	form := must(p.Press("dev", m.ID, "Hire"))
	respond(2, discordgo.InteractionResponseModal, &discordgo.InteractionResponseData{
		CustomID: "hiring", Title: "Hire", Components: []discordgo.MessageComponent{discordgo.ActionsRow{Components: []discordgo.MessageComponent{
			discordgo.TextInput{CustomID: "name", Label: "Name", Style: discordgo.TextInputShort, Required: true, MaxLength: 5},
		}}},
	})
	for _, bad := range []map[string]string{{}, {"name": "longer"}, {"name": "x", "what": "y"}} {
		if _, err := p.Submit(form, bad); err == nil {
			t.Errorf("the form took %v", bad)
		}
	}
	must(p.Submit(form, map[string]string{"name": "bo"}))
	got := respond(3, discordgo.InteractionResponseUpdateMessage, &discordgo.InteractionResponseData{Content: "hired"})
	row := got["data"].(object)["components"].([]any)[0].(object)["components"].([]any)[0].(object)
	if row["value"] != "bo" || got["message"].(object)["id"] != m.ID {
		t.Errorf("form %v", got)
	}
	if seen := srv.Transcript("dev")[0]; seen.Text != "hired" || !seen.Edited {
		t.Errorf("%+v", seen)
	}
}

func TestWhatAPersonCannotCommand(t *testing.T) {
	t.Parallel()
	srv := start(t)
	s := session(t, srv, usual, nil)
	office(t, srv, s)
	for _, tc := range []struct {
		path    string
		options map[string]any
	}{
		{"nothing", nil},
		{"office", nil},
		{"office nothing", nil},
		{"office with", nil},
		{"office with", map[string]any{"who": 5}},
		{"office with", map[string]any{"who": "a", "person": "nobody"}},
		{"office with", map[string]any{"who": "a", "other": "b"}},
	} {
		if _, err := srv.User("kim").Slash("dev", tc.path, tc.options); err == nil {
			t.Errorf("/%s %v was possible", tc.path, tc.options)
		}
	}
	if names, writes := srv.Commands(""); len(names) != 1 || writes != 1 {
		t.Errorf("%v %d", names, writes)
	}
}

// hangUp ends the library's session in a bubble: its Close would hold a lock in its sleep that its reader
// waits for, which a bubble takes for work; when the connection is cut, the reader itself closes.
func hangUp(srv *sim.Server) {
	srv.DropGateway()
	time.Sleep(2 * time.Second)
}

func TestAnswersHaveTheirTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := memnet.Listen("discord.sim")
		srv := start(t, func(o *sim.Options) { o.Listener = l })
		s := session(t, srv, usual, l)
		got := make(chan *discordgo.InteractionCreate, 10)
		s.AddHandler(func(_ *discordgo.Session, i *discordgo.InteractionCreate) { got <- i })
		if err := s.Open(); err != nil {
			t.Fatal(err)
		}
		office(t, srv, s)
		later := &discordgo.InteractionResponse{Type: discordgo.InteractionResponseDeferredChannelMessageWithSource}
		slash := func() *discordgo.InteractionCreate {
			must(srv.User("kim").Slash("dev", "office status", nil))
			return <-got
		}
		i := slash()
		time.Sleep(3100 * time.Millisecond)
		if err := s.InteractionRespond(i.Interaction, later); code(err) != 10062 {
			t.Errorf("after 3 s: %v", err)
		}
		if v, _ := srv.Interaction(i.ID); !v.Failed {
			t.Error("the person was not told")
		}
		i = slash()
		time.Sleep(2900 * time.Millisecond)
		if err := s.InteractionRespond(i.Interaction, later); err != nil {
			t.Error(err)
		}
		text := "x"
		time.Sleep(14 * time.Minute)
		if _, err := s.InteractionResponseEdit(i.Interaction, &discordgo.WebhookEdit{Content: &text}); err != nil {
			t.Errorf("after 14 min: %v", err)
		}
		time.Sleep(time.Minute)
		if _, err := s.InteractionResponseEdit(i.Interaction, &discordgo.WebhookEdit{Content: &text}); code(err) != 50027 {
			t.Errorf("after 15 min: %v", err)
		}
		if beats := srv.Sessions()[0].Beats; beats < 20 {
			t.Errorf("%d heartbeats in 15 min", beats)
		}
		hangUp(srv)
	})
}

func TestSilentClientsAndZombies(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := memnet.Listen("discord.sim")
		srv := start(t, func(o *sim.Options) { o.Listener = l })
		s := session(t, srv, usual, l)
		if err := s.Open(); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		s.RLock()
		acked := s.LastHeartbeatAck
		s.RUnlock()
		srv.Zombie(true)
		time.Sleep(2 * time.Minute)
		s.RLock()
		now := s.LastHeartbeatAck
		s.RUnlock()
		if now.Sub(acked) > time.Second || srv.Connected() != 1 {
			t.Errorf("acknowledged at %v, then %v", acked, now)
		}
		hangUp(srv)
	})
}
