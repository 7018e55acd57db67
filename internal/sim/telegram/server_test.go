package telegram

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const (
	ann, ben    = 11, 12
	team, talks = -100, -1000000000200
)

// client is a bot that speaks plain HTTP.
type client struct {
	*testing.T
	srv *Server
	hc  *http.Client
}

func start(t *testing.T) *client {
	t.Helper()
	srv, err := Start(Options{
		Users: []User{{ID: ann, First: "Ann", Username: "ann_a"}, {ID: ben, First: "Ben"}},
		Groups: []Group{
			{ID: team, Title: "Team", Members: []int64{ann}},
			{ID: talks, Title: "Talks", Topics: map[int64]string{7: "Dev"}, Members: []int64{ann}},
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	hc := &http.Client{Transport: &http.Transport{}}
	t.Cleanup(func() { hc.CloseIdleConnections(); _ = srv.Close() })
	return &client{t, srv, hc}
}

type answer struct {
	OK     bool            `json:"ok"`
	Code   int             `json:"error_code"`
	Text   string          `json:"description"`
	Result json.RawMessage `json:"result"`
	More   struct {
		After   int   `json:"retry_after"`
		Migrate int64 `json:"migrate_to_chat_id"`
	} `json:"parameters"`
}

// call makes one call; "k=v" pairs are its parameters.
func (c *client) call(method string, pairs ...string) answer {
	c.Helper()
	return c.callAs(c.srv.Token(), method, pairs...)
}

func (c *client) callAs(token, method string, pairs ...string) answer {
	c.Helper()
	form := url.Values{}
	for _, p := range pairs {
		k, v, _ := strings.Cut(p, "=")
		form.Set(k, v)
	}
	resp, err := c.hc.PostForm(c.srv.APIURL()+"/bot"+token+"/"+method, form)
	if err != nil {
		c.Fatal(err)
	}
	defer resp.Body.Close() //nolint:errcheck // nothing hangs on it
	var a answer
	if err := json.NewDecoder(resp.Body).Decode(&a); err != nil {
		c.Fatal(err)
	}
	return a
}

func TestWhatTelegramRefusesIsRefused(t *testing.T) {
	t.Parallel()
	c := start(t)
	c.srv.User(ann).Start()
	dm, group, forum := "chat_id=11", "chat_id=-100", "chat_id=-1000000000200"
	for _, tc := range []struct {
		method, pairs, want string
	}{
		{"sendMessage", dm + "|text=hi", ""},
		{"sendMessage", "text=hi", "400 Bad Request: chat_id is empty"},
		{"sendMessage", "chat_id=5|text=hi", "400 Bad Request: chat not found"},
		{"sendMessage", "chat_id=12|text=hi", "403 Forbidden: bot can't initiate conversation with a user"},
		{"sendMessage", dm + "|text= ", "400 Bad Request: message text is empty"},
		{"sendMessage", dm + "|text=" + strings.Repeat("🎉", 2048), ""},
		{"sendMessage", dm + "|text=" + strings.Repeat("🎉", 2048) + "x", "400 Bad Request: message is too long"},
		{"sendMessage", dm + "|parse_mode=HTML|text=Kim <kim@e.test>", `400 Bad Request: can't parse entities: Unsupported start tag "kim@e.test" at byte offset 4`},
		{"sendMessage", dm + "|parse_mode=HTML|text=<b>x", `400 Bad Request: can't parse entities: Can't find end tag corresponding to start tag "b"`},
		{"sendMessage", dm + "|parse_mode=HTML|text=<b>x</b>", ""},
		{"sendMessage", dm + "|parse_mode=MarkdownV2|text=a.", `400 Bad Request: can't parse entities: Character '.' is reserved and must be escaped with the preceding '\'`},
		{"sendMessage", dm + `|text=🎉x|entities=[{"type":"bold","offset":1,"length":2}]`, "400 Bad Request: entity beginning at UTF-16 offset 1 ends in a middle of a UTF-16 symbol at byte offset 3"},
		{"sendMessage", dm + `|text=x|entities=[{"type":"bold","offset":0,"length":2}]`, "400 Bad Request: entity beginning at UTF-16 offset 0 ends after the end of the text at UTF-16 offset 2"},
		{"sendMessage", dm + `|text=abc|entities=[{"type":"bold","offset":0,"length":2},{"type":"code","offset":1,"length":2}]`, "400 Bad Request: sim: bold at 0 and code at 1 must not overlap so"},
		{"sendMessage", group + "|text=hi|message_thread_id=7", "400 Bad Request: message thread not found"},
		{"sendMessage", forum + "|text=hi|message_thread_id=1", "400 Bad Request: message thread not found"},
		{"sendMessage", forum + "|text=hi|message_thread_id=8", "400 Bad Request: message thread not found"},
		{"sendMessage", forum + "|text=hi|message_thread_id=7", ""},
		{"sendMessage", dm + `|text=hi|reply_parameters={"message_id":77}`, "400 Bad Request: message to be replied not found"},
		{"sendMessage", dm + `|text=hi|reply_parameters={"message_id":77,"allow_sending_without_reply":true}`, ""},
		{"sendMessage", dm + `|text=hi|reply_markup={"inline_keyboard":[[{"text":"x","callback_data":"` + strings.Repeat("x", 64) + `"}]]}`, ""},
		{"sendMessage", dm + `|text=hi|reply_markup={"inline_keyboard":[[{"text":"x","callback_data":"` + strings.Repeat("x", 65) + `"}]]}`, "400 Bad Request: BUTTON_DATA_INVALID"},
		{"editMessageText", dm + "|message_id=1|text=x", "400 Bad Request: message can't be edited"},
		{"editMessageText", dm + "|message_id=99|text=x", "400 Bad Request: message to edit not found"},
		{"editMessageText", dm + "|message_id=2|text=hi", "400 Bad Request: message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message"},
		{"answerCallbackQuery", "callback_query_id=9", "400 Bad Request: query is too old and response timeout expired or query ID is invalid"},
		{"setMyCommands", `commands=[{"command":"Status","description":"x"}]`, "400 Bad Request: BOT_COMMAND_INVALID"},
		{"setMyCommands", `commands=[{"command":"status","description":""}]`, "400 Bad Request: BOT_COMMAND_DESCRIPTION_INVALID"},
		{"setMyCommands", `commands=[{"command":"status","description":"x"}]`, ""},
		{"sendChatAction", dm + "|action=typing", ""},
		{"sendMessageDraft", dm + "|draft_id=5|text=hi", ""},
		{"sendMessageDraft", dm + "|draft_id=5", ""},
		{"sendMessageDraft", dm + "|text=hi", "400 Bad Request: draft_id must be non-zero"},
		{"sendMessageDraft", dm + "|draft_id=0|text=hi", "400 Bad Request: draft_id must be non-zero"},
		{"sendMessageDraft", group + "|draft_id=5|text=hi", "400 Bad Request: TEXTDRAFT_PEER_INVALID"},
		{"sendMessageDraft", "chat_id=12|draft_id=5|text=hi", "403 Forbidden: bot can't initiate conversation with a user"},
		{"sendMessageDraft", dm + "|draft_id=5|text=" + strings.Repeat("🎉", 2048) + "x", "400 Bad Request: message is too long"},
		{"sendMessageDraft", dm + `|draft_id=5|text=x|entities=[{"type":"bold","offset":0,"length":2}]`, "400 Bad Request: entity beginning at UTF-16 offset 0 ends after the end of the text at UTF-16 offset 2"},
		{"sendMessageDraft", dm + `|draft_id=5|text=hi|reply_parameters={"message_id":1}`, "400 Bad Request: sim: a draft answers nothing and has no buttons"},
		{"nothing", "", "404 Not Found: method not found"},
	} {
		var pairs []string
		for p := range strings.SplitSeq(tc.pairs, "|") {
			pairs = append(pairs, p)
		}
		got := c.call(tc.method, pairs...)
		said := ""
		if !got.OK {
			said = strconv.Itoa(got.Code) + " " + got.Text
		}
		if said != tc.want {
			t.Errorf("%s %.120s\nsays %q\nwant %q", tc.method, tc.pairs, said, tc.want)
		}
	}
	c.srv.User(ann).Block()
	if a := c.call("sendMessage", dm, "text=hi"); a.Text != "Forbidden: bot was blocked by the user" {
		t.Errorf("%+v", a)
	}
	for token, want := range map[string]int{"7001:" + strings.Repeat("x", 30): 401, "nonsense": 404} {
		if a := c.callAs(token, "getMe"); a.Code != want {
			t.Errorf("%s: %+v", token, a)
		}
	}
}

// A draft is in sight until the bot's next message, and is no message itself.
func TestADraftIsNoMessage(t *testing.T) {
	t.Parallel()
	c := start(t)
	c.srv.User(ann).Start()
	before := len(c.srv.Transcript(ann))
	for _, said := range []string{"once", "once upon a time"} {
		c.call("sendMessageDraft", "chat_id=11", "draft_id=5", "text="+said, `entities=[{"type":"bold","offset":0,"length":4}]`)
		e, ok := c.srv.Draft(ann)
		if !ok || e.Draft != 5 || e.Text != said || len(e.Marks) != 1 || e.Marks[0] != "bold: once" {
			t.Errorf("%+v %v", e, ok)
		}
	}
	if n := len(c.srv.Transcript(ann)) - before; n != 0 {
		t.Errorf("%d messages", n)
	}
	c.call("sendMessage", "chat_id=11", "text=once upon a time")
	if e, ok := c.srv.Draft(ann); ok || len(c.srv.Transcript(ann)) != before+1 {
		t.Errorf("below the message stands %+v", e)
	}
}

func TestUpdatesAreKeptUntilTheyAreConfirmed(t *testing.T) {
	t.Parallel()
	c := start(t)
	c.srv.User(ann).DM("one")
	c.srv.User(ann).DM("two")
	ids := func(pairs ...string) (out []int64) {
		var all []struct {
			ID int64 `json:"update_id"`
		}
		if err := json.Unmarshal(c.call("getUpdates", pairs...).Result, &all); err != nil {
			t.Fatal(err)
		}
		for _, u := range all {
			out = append(out, u.ID)
		}
		return out
	}
	first := ids()
	if again := ids("limit=1"); len(first) != 2 || len(again) != 1 || again[0] != first[0] {
		t.Fatalf("%v, %v", first, again)
	}
	rest := ids("offset=" + strconv.FormatInt(first[1], 10))
	if len(rest) != 1 || rest[0] != first[1] || c.srv.Pending() != 1 {
		t.Errorf("%v, %d pending", rest, c.srv.Pending())
	}
	// Only what was asked for by name comes, and the list is remembered.
	ids("offset="+strconv.FormatInt(first[1]+1, 10), `allowed_updates=["edited_message"]`)
	c.srv.User(ann).DM("three")
	if got := ids(); len(got) != 0 {
		t.Errorf("%v", got)
	}
}

func TestASecondPollerEndsTheFirst(t *testing.T) {
	t.Parallel()
	c := start(t)
	first := make(chan answer, 1)
	go func() { first <- c.call("getUpdates", "timeout=50") }()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	if err := c.srv.WaitFor(ctx, func(s *Server) bool { return s.Polling() }); err != nil {
		t.Fatal(err)
	}
	c.call("getUpdates", "timeout=0")
	if a := <-first; a.Code != 409 || !strings.Contains(a.Text, "terminated by other getUpdates request") {
		t.Errorf("%+v", a)
	}
	c.srv.SetWebhook()
	if a := c.call("getUpdates"); a.Code != 409 || !strings.Contains(a.Text, "webhook is active") {
		t.Errorf("%+v", a)
	}
	if c.call("deleteWebhook"); !c.call("getUpdates").OK {
		t.Error("the webhook is still there")
	}
}

func TestPrivacyModeHidesWhatIsNotForTheBot(t *testing.T) {
	t.Parallel()
	c := start(t)
	sent := c.call("sendMessage", "chat_id=-100", "text=hello")
	var m struct {
		ID int64 `json:"message_id"`
	}
	if err := json.Unmarshal(sent.Result, &m); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		said  Said
		heard bool
	}{
		{Said{Chat: team, Text: "among us"}, false},
		{Said{Chat: team, Text: "/status"}, true},
		{Said{Chat: team, Text: "/status@other_bot"}, false},
		{Said{Chat: team, Text: "🎉 @Office_Bot hi"}, true},
		{Said{Chat: team, Text: "mail x@office_bot.org"}, false},
		{Said{Chat: team, Text: "yes", Reply: m.ID}, true},
	} {
		before := c.srv.Pending()
		if _, err := c.srv.User(ann).Say(tc.said); err != nil {
			t.Fatal(err)
		}
		if got := c.srv.Pending() > before; got != tc.heard {
			t.Errorf("%q: heard %v", tc.said.Text, got)
		}
	}
}

func TestAMigratedGroupSaysWhereItIs(t *testing.T) {
	t.Parallel()
	c := start(t)
	c.srv.Migrate(team, -1000000000300, true)
	for _, a := range []answer{c.call("sendMessage", "chat_id=-100", "text=x"), c.call("getChat", "chat_id=-100")} {
		if a.Code != 400 || a.More.Migrate != -1000000000300 {
			t.Errorf("%+v", a)
		}
	}
	if a := c.call("sendMessage", "chat_id=-1000000000300", "text=x"); !a.OK || c.srv.Pending() != 2 {
		t.Errorf("%+v, %d updates", a, c.srv.Pending())
	}
}

func TestItMisbehavesWhenAsked(t *testing.T) {
	t.Parallel()
	c := start(t)
	c.srv.FailNext("sendMessage", LostReply(), LostCall(), Limited(7), Fault{Code: 500}, BadGateway())
	for range 2 {
		resp, err := c.hc.PostForm(c.srv.APIURL()+"/bot"+c.srv.Token()+"/sendMessage", url.Values{"chat_id": {"-100"}, "text": {"x"}})
		if err == nil {
			_ = resp.Body.Close()
			t.Error("an answer came")
		}
	}
	if n := len(c.srv.Transcript(team)); n != 1 {
		t.Errorf("%d messages, want the one whose answer was lost", n)
	}
	if a := c.call("sendMessage", "chat_id=-100", "text=x"); a.Code != 429 || a.More.After != 7 {
		t.Errorf("%+v", a)
	}
	if a := c.call("sendMessage", "chat_id=-100", "text=x"); a.Code != 500 {
		t.Errorf("%+v", a)
	}
	resp, err := c.hc.PostForm(c.srv.APIURL()+"/bot"+c.srv.Token()+"/sendMessage", nil)
	if err != nil || resp.StatusCode != 502 {
		t.Fatalf("%v, %v", resp, err)
	}
	_ = resp.Body.Close()
	c.srv.LimitChat(team, 1, time.Hour)
	if a, b := c.call("sendMessage", "chat_id=-100", "text=x"), c.call("sendMessage", "chat_id=-100", "text=x"); !a.OK || b.Code != 429 || b.More.After != 3600 {
		t.Errorf("%+v, %+v", a, b)
	}
}
