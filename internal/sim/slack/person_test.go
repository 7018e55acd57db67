package slack_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	api "github.com/slack-go/slack"

	sim "bullpen/internal/sim/slack"
)

func TestWhatPeopleTypeIsSentAsSlackSendsIt(t *testing.T) {
	t.Parallel()
	srv := start(t)
	for _, tc := range []struct{ typed, wire, seen string }{
		{"if a < b && c > d", "if a &lt; b &amp;&amp; c &gt; d", ""},
		{"&lt;", "&amp;lt;", ""},
		{"&amp;lt;", "&amp;amp;lt;", ""},
		{"it's \"fine\"", "it's \"fine\"", ""},
		{"<@U0BOT> hi", "<@U0BOT> hi", "@office hi"},
		{"@kim and @ada, see #dev or #nowhere", "<@U0KIM> and @ada, see <#C0DEV|> or #nowhere", ""},
		{"mail kim@kim.test", "mail kim@kim.test", ""},
		{"see https://e.test?a=1&b=2 now", "see <https://e.test?a=1&amp;b=2> now", ""},
		{"<!channel> up", "<!channel> up", "@channel up"},
		{"a `@kim <b>` c", "a `@kim &lt;b&gt;` c", "a @kim <b> c"},
		{"$leader please", "$leader please", ""},
	} {
		ts := must(srv.User("lee").Post("general", tc.typed))
		all := srv.Transcript("general")
		e := all[len(all)-1]
		want := tc.seen
		if want == "" {
			want = tc.typed
		}
		if e.TS != ts || e.Wire != tc.wire || e.Shown() != want {
			t.Errorf("%q: wire %q, want %q; people see %q, want %q", tc.typed, e.Wire, tc.wire, e.Shown(), want)
		}
	}
}

func TestARelayIsTheIdentity(t *testing.T) {
	t.Parallel()
	srv := start(t)
	for _, said := range []string{"if a < b && c > d", "&lt;", "&amp;lt;", "it's"} {
		must(srv.User("lee").Post("general", said))
		all := srv.Transcript("general")
		if _, _, err := client(srv).PostMessage("C0DEV", text(all[len(all)-1].Text)); err != nil {
			t.Fatal(err)
		}
		if got := srv.Transcript("dev"); got[len(got)-1].Text != said {
			t.Errorf("%q arrived as %q", said, got[len(got)-1].Text)
		}
	}
}

func TestWhoIsRungFor(t *testing.T) {
	t.Parallel()
	srv := start(t)
	c := client(srv)
	rich := api.NewRichTextBlock("", api.NewRichTextSection(api.NewRichTextSectionBroadcastElement("here")))
	for _, o := range []api.MsgOption{
		text("<!channel>"), api.MsgOptionText("<!channel> <!subteam^S123>", false), api.MsgOptionBlocks(rich),
	} {
		if _, _, err := c.PostMessage("C0GEN", o); err != nil {
			t.Fatal(err)
		}
	}
	var got [][]string
	for _, e := range srv.Transcript("C0GEN") {
		got = append(got, e.Rings)
	}
	if len(got[0]) != 0 || !slices.Equal(got[1], []string{"channel", "subteam^S123"}) || !slices.Equal(got[2], []string{"here"}) {
		t.Errorf("rings %v", got)
	}
}

func TestStrangersCarryTheirWorkspace(t *testing.T) {
	t.Parallel()
	srv := start(t)
	a := connect(t, srv)
	must(srv.User("ext").Post("general", "hi"))
	must(srv.User("ci").Post("general", "build failed"))
	settled(t, srv)
	var e struct {
		UserTeam string `json:"user_team"`
		BotID    string `json:"bot_id"`
		MsgID    string `json:"client_msg_id"`
	}
	for i, want := range []string{"T9OTHER", ""} {
		e.UserTeam, e.BotID, e.MsgID = "", "", ""
		if err := json.Unmarshal(a.seen()[i].raw, &e); err != nil || e.UserTeam != want {
			t.Errorf("event %d: %+v %v", i, e, err)
		}
	}
	if e.BotID != "B0CI" || e.MsgID != "" {
		t.Errorf("another app's post: %+v", e)
	}
}

func TestPeopleCannotDoWhatTheClientWouldNotLetThem(t *testing.T) {
	t.Parallel()
	srv := start(t)
	ts := must(srv.User("kim").Post("general", "mine"))
	for name, err := range map[string]error{
		"a stranger":      second(srv.User("nobody").Post("general", "x")),
		"one who left":    second(srv.User("gone").DM("x")),
		"not a member":    second(srv.User("kim").Post("secret", "x")),
		"archived":        second(srv.User("kim").Post("old", "x")),
		"nothing":         second(srv.User("kim").Post("general", "")),
		"no such thread":  second(srv.User("kim").Reply("general", "1.000001", "x")),
		"another's edit":  srv.User("lee").Edit("general", ts, "x"),
		"another's post":  srv.User("lee").Delete("general", ts),
		"no such emoji":   srv.User("lee").React("general", ts, "nope nope"),
		"no such command": second(srv.User("lee").Slash("general", "/nope", "")),
		"no such button":  second(srv.User("lee").Click("general", ts, "nope")),
	} {
		if err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func second[T any](_ T, err error) error { return err }

func TestACommandIsAnsweredInTheAck(t *testing.T) {
	t.Parallel()
	srv := start(t)
	a := connect(t, srv)
	a.mu.Lock()
	a.answer = map[string]any{"text": "all is well"}
	a.mu.Unlock()
	trigger := must(srv.User("kim").Slash("general", "/office", "hold @lee #dev <now>"))
	settled(t, srv)
	cmd := a.seen()[0].data.(api.SlashCommand)
	if cmd.Text != "hold <@U0LEE|lee> <#C0DEV|dev> &lt;now&gt;" || cmd.UserID != "U0KIM" || cmd.ChannelID != "C0GEN" || cmd.TriggerID != trigger {
		t.Errorf("command %+v", cmd)
	}
	if e := srv.Transcript("general")[0]; e.Text != "all is well" || e.EphemeralTo != "U0KIM" {
		t.Errorf("answer %+v", e)
	}
}

func TestACommandNobodyTakesFailsForThePersonOnce(t *testing.T) {
	t.Parallel()
	srv := start(t)
	must(srv.User("kim").Slash("general", "/office", "status"))
	e := srv.Transcript("general")[0]
	if e.EphemeralTo != "U0KIM" || !strings.Contains(e.Text, "dispatch_failed") || srv.Unsettled() != 0 {
		t.Errorf("%+v", e)
	}
}

func TestAClickAndItsResponseURL(t *testing.T) {
	t.Parallel()
	srv := start(t)
	a := connect(t, srv)
	c := client(srv)
	label := api.NewTextBlockObject("plain_text", "Approve", false, false)
	_, ts, err := c.PostMessage("C0GEN", text("deploy?"), api.MsgOptionBlocks(
		api.NewSectionBlock(api.NewTextBlockObject("mrkdwn", "deploy?", false, false), nil, nil),
		api.NewActionBlock("", api.NewButtonBlockElement("approve", "q-1", label)),
	))
	if err != nil {
		t.Fatal(err)
	}
	if b := srv.Transcript("C0GEN")[0].Buttons; len(b) != 1 || b[0].Label != "Approve" || b[0].Value != "q-1" {
		t.Fatalf("buttons %+v", b)
	}
	must(srv.User("kim").Click("general", ts, "approve"))
	settled(t, srv)
	seen := a.seen()
	cb := seen[len(seen)-1].data.(api.InteractionCallback)
	if cb.User.ID != "U0KIM" || cb.Container.MessageTs != ts || cb.ActionCallback.BlockActions[0].Value != "q-1" || cb.Message.Timestamp != ts {
		t.Fatalf("click %+v", cb)
	}
	answer := func(o ...api.MsgOption) string {
		_, _, err := c.PostMessageContext(t.Context(), "", o...)
		return code(err)
	}
	if got := answer(text("thanks"), api.MsgOptionResponseURL(cb.ResponseURL, api.ResponseTypeEphemeral)); got != "" {
		t.Fatal(got)
	}
	if got := answer(text("approved by kim"), api.MsgOptionReplaceOriginal(cb.ResponseURL)); got != "" {
		t.Fatal(got)
	}
	all := srv.Transcript("C0GEN")
	if all[0].Shown() != "approved by kim" || len(all[0].Buttons) != 0 || all[1].EphemeralTo != "U0KIM" {
		t.Errorf("people see %v", all)
	}
	for range 3 {
		if got := answer(text("more"), api.MsgOptionResponseURL(cb.ResponseURL, api.ResponseTypeInChannel)); got != "" {
			t.Fatal(got)
		}
	}
	if got := answer(text("six"), api.MsgOptionResponseURL(cb.ResponseURL, api.ResponseTypeInChannel)); !strings.Contains(got, "404") {
		t.Errorf("a sixth use: %q", got)
	}
}

func TestBlocksReadAsPeopleSeeThem(t *testing.T) {
	t.Parallel()
	srv := start(t)
	rich := api.NewRichTextBlock("",
		api.NewRichTextSection(
			api.NewRichTextSectionTextElement("Hi ", nil), api.NewRichTextSectionUserElement("U0KIM", nil),
			api.NewRichTextSectionTextElement(" a<b", &api.RichTextSectionTextStyle{Code: true})),
		api.NewRichTextList(api.RTEListOrdered, 0,
			api.NewRichTextSection(api.NewRichTextSectionTextElement("one", nil)),
			api.NewRichTextSection(api.NewRichTextSectionTextElement("two", nil))))
	table := &api.TableBlock{Type: "table", Rows: [][]api.TableCell{
		{api.NewTableRawTextCell("A"), api.NewTableRawTextCell("B")},
		{api.NewTableRawTextCell("1"), api.NewTableRichTextCell(api.NewRichTextSection(api.NewRichTextSectionTextElement("2", nil)))},
	}}
	if _, _, err := client(srv).PostMessage("C0GEN", text("fallback"), api.MsgOptionBlocks(rich, table, api.NewDividerBlock())); err != nil {
		t.Fatal(err)
	}
	want := "Hi @kim a<b\n1. one\n2. two\nA | B\n1 | 2\n---"
	if got := srv.Transcript("C0GEN")[0].Shown(); got != want {
		t.Errorf("people see %q, want %q", got, want)
	}
}

func TestBlocksThatSlackRefuses(t *testing.T) {
	t.Parallel()
	srv := start(t)
	button := func(id string) string {
		return `{"type":"button","action_id":"` + id + `","text":{"type":"plain_text","text":"x"}}`
	}
	cell := `{"type":"raw_text","text":"x"}`
	for _, tc := range []struct{ name, blocks, want string }{
		{"not a list", `{"type":"divider"}`, "invalid_blocks_format"},
		{"unknown type", `[{"type":"brand_new"}]`, "invalid_blocks"},
		{"section text too long", `[{"type":"section","text":{"type":"mrkdwn","text":"` + strings.Repeat("x", 3001) + `"}}]`, "invalid_blocks"},
		{"section of nothing", `[{"type":"section"}]`, "invalid_blocks"},
		{"header with markup", `[{"type":"header","text":{"type":"mrkdwn","text":"x"}}]`, "invalid_blocks"},
		{"26 buttons", `[{"type":"actions","elements":[` + strings.Join(numbered(26, button), ",") + `]}]`, "invalid_blocks"},
		{"25 buttons", `[{"type":"actions","elements":[` + strings.Join(numbered(25, button), ",") + `]}]`, ""},
		{"two buttons alike", `[{"type":"actions","elements":[` + button("a") + "," + button("a") + `]}]`, "invalid_blocks"},
		{"two blocks alike", `[{"type":"divider","block_id":"a"},{"type":"divider","block_id":"a"}]`, "invalid_blocks"},
		{"empty rich text", `[{"type":"rich_text","elements":[]}]`, "invalid_blocks"},
		{"rich text with empty text", `[{"type":"rich_text","elements":[{"type":"rich_text_section","elements":[{"type":"text","text":""}]}]}]`, "invalid_blocks"},
		{"rich text list of text", `[{"type":"rich_text","elements":[{"type":"rich_text_list","style":"bullet","elements":[{"type":"text","text":"x"}]}]}]`, "invalid_blocks"},
		{"table of 101 rows", `[{"type":"table","rows":[` + strings.Join(slices.Repeat([]string{"[" + cell + "]"}, 101), ",") + `]}]`, "invalid_blocks"},
		{"table of 21 columns", `[{"type":"table","rows":[[` + strings.Join(slices.Repeat([]string{cell}, 21), ",") + `]]}]`, "invalid_blocks"},
		{"table of 10,001 characters", `[{"type":"table","rows":[[{"type":"raw_text","text":"` + strings.Repeat("x", 10_001) + `"}]]}]`, "invalid_blocks"},
		{"markdown of 12,001 characters", `[{"type":"markdown","text":"` + strings.Repeat("x", 12_001) + `"}]`, "msg_blocks_too_long"},
		{"image without alt text", `[{"type":"image","image_url":"https://x.test/a.png"}]`, "invalid_blocks"},
	} {
		form := strings.NewReader("channel=C0GEN&token=" + srv.BotToken() + "&blocks=" + urlEscape(tc.blocks))
		resp, err := http.Post(srv.APIURL()+"chat.postMessage", "application/x-www-form-urlencoded", form)
		if err != nil {
			t.Fatal(err)
		}
		var out struct {
			Error            string
			ResponseMetadata struct{ Messages []string } `json:"response_metadata"`
		}
		err = json.NewDecoder(resp.Body).Decode(&out)
		_ = resp.Body.Close()
		if err != nil || out.Error != tc.want {
			t.Errorf("%s: got %q %v (%v), want %q", tc.name, out.Error, out.ResponseMetadata.Messages, err, tc.want)
		}
		if out.Error == "invalid_blocks" && !strings.Contains(out.ResponseMetadata.Messages[0], "json-pointer:/blocks") {
			t.Errorf("%s: the refusal does not point: %v", tc.name, out.ResponseMetadata.Messages)
		}
	}
	srv.SetQuirks(func(q *sim.Quirks) { q.MaxBlockText = 3 })
	if _, _, err := client(srv).PostMessage("C0GEN", api.MsgOptionBlocks(api.NewMarkdownBlock("", "abcd"))); code(err) != "msg_blocks_too_long" {
		t.Errorf("got %v", err)
	}
}
