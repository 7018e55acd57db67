package slack_test

import (
	"errors"
	"net/url"
	"reflect"
	"strings"
	"testing"
	"time"

	api "github.com/slack-go/slack"

	sim "bullpen/internal/sim/slack"
)

func TestAuthTestNamesTheBot(t *testing.T) {
	t.Parallel()
	srv := start(t)
	r, err := client(srv).AuthTestContext(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if r.UserID != "U0BOT" || r.TeamID != "T0SIM" || r.BotID != "B0SIM" {
		t.Errorf("auth.test says %+v", r)
	}
}

func TestAPostIsSeenAsTheBotWroteIt(t *testing.T) {
	t.Parallel()
	srv := start(t)
	c := client(srv)
	ch, ts, err := c.PostMessageContext(t.Context(), "C0GEN", text("a < b && c > d, it's &lt;"))
	if err != nil || ch != "C0GEN" {
		t.Fatal(ch, err)
	}
	e := srv.Transcript("general")[0]
	if e.Text != "a < b && c > d, it's &lt;" || e.TS != ts || e.Author != "office" || !e.Ours {
		t.Errorf("people see %+v", e)
	}
	if _, frac, _ := strings.Cut(ts, "."); len(frac) != 6 {
		t.Errorf("ts %q has not six decimals", ts)
	}
}

func TestAPersonaSpeaksUnderItsOwnName(t *testing.T) {
	t.Parallel()
	srv := start(t)
	c := client(srv)
	post := func() sim.Entry {
		_, _, err := c.PostMessageContext(t.Context(), "C0GEN", text("hi"),
			api.MsgOptionUsername("Ada"), api.MsgOptionIconURL("https://x.test/a.png"), api.MsgOptionIconEmoji(":owl:"))
		if err != nil {
			t.Fatal(err)
		}
		all := srv.Transcript("C0GEN")
		return all[len(all)-1]
	}
	if e := post(); e.Author != "Ada" || e.Icon != ":owl:" || e.Subtype != "bot_message" || e.AuthorID != "" {
		t.Errorf("with the scope people see %+v", e)
	}
	srv.RemoveScope("chat:write.customize")
	if e := post(); e.Author != "office" || e.Icon != "" {
		t.Errorf("without the scope people see %+v", e)
	}
	srv.SetQuirks(func(q *sim.Quirks) { q.RefusePersonaWithoutScope = true })
	_, _, err := c.PostMessageContext(t.Context(), "C0GEN", text("hi"), api.MsgOptionUsername("Ada"))
	var se api.SlackErrorResponse
	if !errors.As(err, &se) || se.Err != "missing_scope" || se.Needed != "chat:write.customize" || !strings.Contains(se.Provided, "chat:write") {
		t.Errorf("refused with %+v", se)
	}
}

func TestLongTextIsCutNotRefused(t *testing.T) {
	t.Parallel()
	srv := start(t)
	long := strings.Repeat("é", 40_001)
	if _, _, err := client(srv).PostMessage("C0GEN", text(long)); err != nil {
		t.Fatal(err)
	}
	if n := len([]rune(srv.Transcript("C0GEN")[0].Text)); n != 40_000 {
		t.Errorf("people see %d characters", n)
	}
	srv.SetQuirks(func(q *sim.Quirks) { q.RefuseLongText = true })
	if _, _, err := client(srv).PostMessage("C0GEN", text(long)); code(err) != "msg_too_long" {
		t.Errorf("got %v", err)
	}
}

func TestListsPageThroughEverything(t *testing.T) {
	t.Parallel()
	srv := start(t)
	c := client(srv)
	chans, err := c.GetAllConversations(api.GetConversationsOptionLimit(2), api.GetConversationsOptionTypes([]string{"public_channel", "private_channel"}))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, ch := range chans {
		names = append(names, ch.Name)
	}
	if want := []string{"general", "dev", "outside", "secret", "old"}; !reflect.DeepEqual(names, want) {
		t.Errorf("channels %v, want %v", names, want)
	}
	users, err := c.GetUsers(api.GetUsersOptionLimit(3))
	if err != nil || len(users) != 8 {
		t.Fatalf("users: %d, %v", len(users), err)
	}
	byID := map[string]api.User{}
	for _, u := range users {
		byID[u.ID] = u
	}
	if !byID["U0MARIA"].IsAdmin || !byID["U0GUEST"].IsRestricted || !byID["U0EXT"].IsStranger || !byID["U0CI"].IsBot || !byID["U0GONE"].Deleted {
		t.Errorf("users: %+v", byID)
	}
	members, next, err := c.GetUsersInConversation(&api.GetUsersInConversationParameters{ChannelID: "C0SEC"})
	if err != nil || next != "" || !reflect.DeepEqual(members, []string{"U0BOT", "U0MARIA"}) {
		t.Errorf("members %v %q %v", members, next, err)
	}
	info, err := c.GetConversationInfo(&api.GetConversationInfoInput{ChannelID: "C0SEC", IncludeNumMembers: true})
	if err != nil || !info.IsPrivate || !info.IsMember || info.NumMembers != 2 {
		t.Errorf("info %+v %v", info, err)
	}
}

func TestDMsAreOpenedOnce(t *testing.T) {
	t.Parallel()
	srv := start(t)
	c := client(srv)
	dm, _, _, err := c.OpenConversation(&api.OpenConversationParameters{Users: []string{"U0KIM"}, ReturnIM: true})
	if err != nil || !dm.IsIM || dm.User != "U0KIM" {
		t.Fatalf("%+v %v", dm, err)
	}
	again, _, open, err := c.OpenConversation(&api.OpenConversationParameters{Users: []string{"U0KIM"}})
	if err != nil || again.ID != dm.ID || !open {
		t.Errorf("second open: %+v %t %v", again, open, err)
	}
	if ch, _, err := c.PostMessage("U0KIM", text("psst")); err != nil || ch != dm.ID {
		t.Errorf("posting to a person went to %q: %v", ch, err)
	}
	if id := must(srv.User("kim").DMChannel()); id != dm.ID {
		t.Errorf("the person's DM is %s, the bot's %s", id, dm.ID)
	}
	group, _, _, err := c.OpenConversation(&api.OpenConversationParameters{Users: []string{"U0KIM", "U0LEE"}, ReturnIM: true})
	if err != nil || !group.IsMpIM {
		t.Errorf("group DM %+v %v", group, err)
	}
}

func TestEphemeralsAreForOnePersonAndInNoHistory(t *testing.T) {
	t.Parallel()
	srv := start(t)
	c := client(srv)
	if _, err := c.PostEphemeral("C0GEN", "U0KIM", text("only you")); err != nil {
		t.Fatal(err)
	}
	if e := srv.Transcript("C0GEN")[0]; e.EphemeralTo != "U0KIM" {
		t.Errorf("%+v", e)
	}
	h, err := c.GetConversationHistory(&api.GetConversationHistoryParameters{ChannelID: "C0GEN"})
	if err != nil || len(h.Messages) != 0 {
		t.Errorf("history %v %v", h, err)
	}
}

func TestUpdateAndDelete(t *testing.T) {
	t.Parallel()
	srv := start(t)
	c := client(srv)
	block := api.NewSectionBlock(api.NewTextBlockObject("mrkdwn", "in a block", false, false), nil, nil)
	_, ts, err := c.PostMessage("C0GEN", text("x"), api.MsgOptionBlocks(block), api.MsgOptionUsername("Ada"))
	if err != nil {
		t.Fatal(err)
	}
	if _, _, _, err := c.UpdateMessage("C0GEN", ts, text("y")); err != nil {
		t.Fatal(err)
	}
	if e := srv.Transcript("C0GEN")[0]; e.Blocks != "" || e.Text != "y" || !e.Edited || e.Author != "Ada" {
		t.Errorf("text without blocks left %+v", e)
	}
	srv.SetQuirks(func(q *sim.Quirks) { q.UpdateDropsPersona, q.PersonaUndeletable = true, true })
	if _, _, err := c.DeleteMessage("C0GEN", ts); code(err) != "cant_delete_message" {
		t.Errorf("got %v", err)
	}
	if _, _, _, err := c.UpdateMessage("C0GEN", ts, text("z")); err != nil {
		t.Fatal(err)
	}
	if e := srv.Transcript("C0GEN")[0]; e.Author != "office" {
		t.Errorf("the persona survived: %+v", e)
	}
	if _, _, err := c.DeleteMessage("C0GEN", ts); err != nil || len(srv.Transcript("C0GEN")) != 0 {
		t.Errorf("%v, left %v", err, srv.Transcript("C0GEN"))
	}
}

func TestHomeIsPublished(t *testing.T) {
	t.Parallel()
	srv := start(t)
	view := api.HomeTabViewRequest{Type: api.VTHomeTab, Blocks: api.Blocks{BlockSet: []api.Block{
		api.NewHeaderBlock(api.NewTextBlockObject("plain_text", "Roster", false, false)),
	}}}
	if _, err := client(srv).PublishView("U0KIM", view, ""); err != nil {
		t.Fatal(err)
	}
	if got := srv.Home("U0KIM"); got != "Roster" {
		t.Errorf("home is %q", got)
	}
}

func TestTheCallLogKeepsArgumentsButNoToken(t *testing.T) {
	t.Parallel()
	srv := start(t)
	before := time.Now()
	if _, _, err := client(srv).PostMessage("C0GEN", text("x"), api.MsgOptionUsername("Ada")); err != nil {
		t.Fatal(err)
	}
	until(t, srv, func(s *sim.Server) bool { return s.Calls("chat.postMessage")[0].Status == 200 })
	call := srv.Calls()[0]
	if call.Args["username"] != "Ada" || call.Args["token"] != "" || call.Time.Before(before) {
		t.Errorf("%+v", call)
	}
	if u, _ := url.Parse(srv.APIURL()); !strings.HasSuffix(u.Path, "/api/") {
		t.Errorf("API URL %s", srv.APIURL())
	}
}

func TestWhatAnUpdateKeeps(t *testing.T) {
	t.Parallel()
	srv := start(t)
	c := client(srv)
	rich := api.NewRichTextBlock("", api.NewRichTextSection(api.NewRichTextSectionTextElement("rich", nil)))
	md := api.SlackMetadata{EventType: "e", EventPayload: map[string]any{"id": "7"}}
	_, ts, err := c.PostMessage("C0GEN", text("x"), api.MsgOptionBlocks(rich), api.MsgOptionMetadata(md))
	if err != nil {
		t.Fatal(err)
	}
	update := func(o ...api.MsgOption) sim.Entry {
		t.Helper()
		if _, _, _, err := c.UpdateMessage("C0GEN", ts, o...); err != nil {
			t.Fatal(err)
		}
		return srv.Transcript("C0GEN")[0]
	}
	if e := update(api.MsgOptionAttachments(api.Attachment{Text: "a"})); e.Blocks != "rich" || e.Metadata == nil {
		t.Errorf("attachments alone: %+v", e)
	}
	plain := api.NewSectionBlock(api.NewTextBlockObject("mrkdwn", "plain", false, false), nil, nil)
	srv.SetQuirks(func(q *sim.Quirks) { q.BlockMismatch = true })
	if _, _, _, err := c.UpdateMessage("C0GEN", ts, api.MsgOptionBlocks(plain)); code(err) != "block_mismatch" {
		t.Errorf("got %v", err)
	}
	if e := update(text("y")); e.Blocks != "" || !e.Edited || e.Metadata == nil {
		t.Errorf("text alone: %+v", e)
	}
	noMetadata := api.UnsafeMsgOptionEndpoint(srv.APIURL()+"chat.update", func(v url.Values) { v.Set("metadata", "{}") })
	if e := update(text("z"), noMetadata); e.Metadata != nil {
		t.Errorf("metadata stayed: %s", e.Metadata)
	}
}

func TestJoiningCannotBeRepliedTo(t *testing.T) {
	t.Parallel()
	srv := start(t)
	if err := srv.Join("secret", "U0KIM", ""); err != nil {
		t.Fatal(err)
	}
	ts := srv.Transcript("secret")[0].TS
	if _, _, err := client(srv).PostMessage("C0SEC", text("x"), api.MsgOptionTS(ts)); code(err) != "cannot_reply_to_message" {
		t.Errorf("got %v", err)
	}
}
