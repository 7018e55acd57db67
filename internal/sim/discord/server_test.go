package discord_test

import (
	"bytes"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/bwmarrin/discordgo"

	sim "bullpen/internal/sim/discord"
)

func TestALibraryTalksToIt(t *testing.T) {
	t.Parallel()
	srv := start(t)
	s, e := connect(t, srv, usual)
	g := e.wait(t, "GUILD_CREATE", 1)
	if g["name"] != "Example" || len(g["channels"].([]any)) != 3 {
		t.Errorf("guild %v", g)
	}
	if ready := e.wait(t, "READY", 1); ready["resume_gateway_url"] == "" || ready["session_id"] == "" {
		t.Errorf("ready %v", ready)
	}
	id := must(srv.User("kim").Say("general", "hello "+srv.Mention("office")))
	got := e.wait(t, "MESSAGE_CREATE", 1)
	if got["id"] != id || got["guild_id"] != guild || got["content"] != "hello <@"+srv.BotID()+">" || got["member"].(object)["nick"] != "Kimmy" {
		t.Errorf("got %v", got)
	}
	sent, err := s.ChannelMessageSendComplex(general, &discordgo.MessageSend{
		Content: "hi <@" + kim + ">", Reference: &discordgo.MessageReference{MessageID: id},
		Files: []*discordgo.File{{Name: "a.txt", ContentType: "text/plain", Reader: strings.NewReader("file")}},
		Components: []discordgo.MessageComponent{discordgo.ActionsRow{Components: []discordgo.MessageComponent{
			discordgo.Button{Label: "Yes", Style: discordgo.PrimaryButton, CustomID: "yes"},
		}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.ChannelMessageEdit(general, sent.ID, "hi again"); err != nil {
		t.Error(err)
	}
	if err := s.MessageReactionAdd(general, id, "👀"); err != nil {
		t.Error(err)
	}
	seen := srv.Transcript("general")
	if len(seen) != 2 {
		t.Fatalf("transcript %v", seen)
	}
	if r := seen[0].Reactions["👀"]; len(r) != 1 || r[0] != "office" || seen[0].Author != "Kimmy" || seen[0].Text != "hello @office" {
		t.Errorf("first %+v", seen[0])
	}
	if m := seen[1]; m.Text != "hi again" || !m.Edited || !m.App || !m.Ours || m.ReplyTo != id || m.Buttons[0].Label != "Yes" || m.Pings[0] != "kim" {
		t.Errorf("second %+v", m)
	}
	if f := srv.Uploaded("general", sent.ID)["a.txt"]; string(f) != "file" {
		t.Errorf("file %q", f)
	}
	resp, err := http.Get(sent.Attachments[0].URL)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	if b, err := io.ReadAll(resp.Body); err != nil || !bytes.Equal(b, []byte("file")) {
		t.Errorf("download %q %v", b, err)
	}
}

func TestWebhooksSpeakUnderAnyName(t *testing.T) {
	t.Parallel()
	srv := start(t)
	s := session(t, srv, usual, nil)
	h, err := s.WebhookCreate(general, "Office", "")
	if err != nil || h.ApplicationID != srv.BotID() {
		t.Fatalf("%v %v", h, err)
	}
	m, err := s.WebhookExecute(h.ID, h.Token, true, &discordgo.WebhookParams{Content: "hi @everyone <@" + kim + ">", Username: "Alice", AvatarURL: "https://example.org/a.png"})
	if err != nil || m.WebhookID != h.ID || m.Author.Username != "Alice" {
		t.Fatalf("%v %v", m, err)
	}
	thread := must(srv.User("kim").Thread("general", m.ID, "plan", ""))
	if _, err := s.WebhookThreadExecute(h.ID, h.Token, true, thread, &discordgo.WebhookParams{Content: "inside", Username: "Alice"}); err != nil {
		t.Error(err)
	}
	text := "edited"
	if _, err := s.WebhookMessageEdit(h.ID, h.Token, m.ID, &discordgo.WebhookEdit{Content: &text}); err != nil {
		t.Error(err)
	}
	got := srv.Transcript("general")[0]
	if got.Author != "Alice" || !got.App || !got.Ours || got.Avatar == "" || got.Text != "edited" || got.Thread != thread || strings.Join(got.Pings, " ") != "kim" {
		t.Errorf("%+v", got)
	}
	if in := srv.Transcript(thread); len(in) != 1 || in[0].Text != "inside" {
		t.Errorf("thread %v", in)
	}
	srv.DeleteWebhooks("general")
	if _, err := s.WebhookExecute(h.ID, h.Token, true, &discordgo.WebhookParams{Content: "x"}); code(err) != 10015 {
		t.Errorf("a deleted webhook: %v", err)
	}
	if len(srv.Webhooks("general")) != 0 {
		t.Error("it is still there")
	}
}

func TestHistoryIsPaged(t *testing.T) {
	t.Parallel()
	srv := start(t)
	var ids []string
	for range 7 {
		ids = append(ids, must(srv.User("maria").Say("dev", "x")))
	}
	for _, tc := range []struct{ query, want string }{
		{"?limit=3", "6 5 4"},
		{"?limit=2&before=" + ids[3], "2 1"},
		{"?limit=2&after=" + ids[3], "5 4"},
		{"?limit=100&after=0", "6 5 4 3 2 1 0"},
		{"?limit=3&around=" + ids[3], "4 3 2"},
	} {
		var got []string
		for _, m := range list(t, srv, "/channels/"+dev+"/messages"+tc.query) {
			for i, id := range ids {
				if m["id"] == id {
					got = append(got, string(rune('0'+i)))
				}
			}
		}
		if strings.Join(got, " ") != tc.want {
			t.Errorf("%s: %v, want %s", tc.query, got, tc.want)
		}
	}
}

func TestANonceIsPostedOnce(t *testing.T) {
	t.Parallel()
	srv := start(t)
	body := object{"content": "once", "nonce": "abc", "enforce_nonce": true}
	_, first := do(t, srv, "POST", "/channels/"+dev+"/messages", body)
	_, again := do(t, srv, "POST", "/channels/"+dev+"/messages", body)
	if first["id"] != again["id"] || first["nonce"] != "abc" || len(srv.Transcript("dev")) != 1 {
		t.Errorf("%v %v", first, again)
	}
	delete(body, "enforce_nonce")
	if do(t, srv, "POST", "/channels/"+dev+"/messages", body); len(srv.Transcript("dev")) != 2 {
		t.Error("a nonce that is not enforced kept a message back")
	}
}

func TestCloseIsClean(t *testing.T) {
	t.Parallel()
	srv := start(t)
	if _, err := sim.Start(sim.Options{Addr: "nonsense"}); err == nil {
		t.Error("it listened on nonsense")
	}
	if err := srv.Close(); err != nil {
		t.Error(err)
	}
	if err := srv.Close(); err != nil {
		t.Errorf("closed twice: %v", err)
	}
}
