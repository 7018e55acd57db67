package slack_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	api "github.com/slack-go/slack"
)

// What Slack refuses and with which word. ts is a message of kim's, mine one of the bot's.
func TestRefusals(t *testing.T) {
	t.Parallel()
	type call func(c *api.Client, ts, mine string) error
	post := func(channel string, o ...api.MsgOption) call {
		return func(c *api.Client, _, _ string) error {
			_, _, err := c.PostMessage(channel, o...)
			return err
		}
	}
	stream := func(threaded bool, o ...api.MsgOption) call {
		return func(c *api.Client, ts, _ string) error {
			if threaded {
				o = append(o, api.MsgOptionTS(ts))
			}
			_, _, err := c.StartStream("C0GEN", o...)
			return err
		}
	}
	manyBlocks := make([]api.Block, 51)
	for i := range manyBlocks {
		manyBlocks[i] = api.NewDividerBlock()
	}
	for _, tc := range []struct {
		name, want string
		do         call
	}{
		{"nothing to say", "no_text", post("C0GEN")},
		{"no such channel", "channel_not_found", post("C0NONE", text("x"))},
		{"no channel", "invalid_arguments", post("", text("x"))},
		{"a private channel it is not in", "channel_not_found", post("C0HID", text("x"))},
		{"a public channel it is not in", "not_in_channel", post("C0OUT", text("x"))},
		{"an archived channel", "is_archived", post("C0OLD", text("x"))},
		{"51 blocks", "invalid_blocks", post("C0GEN", api.MsgOptionBlocks(manyBlocks...))},
		{"two forms of text", "markdown_text_conflict", post("C0GEN", text("x"), api.MsgOptionMarkdownText("x"))},
		{"markdown over 12,000", "msg_too_long", post("C0GEN", api.MsgOptionMarkdownText(strings.Repeat("x", 12_001)))},
		{"nonsense for a thread", "invalid_arguments", post("C0GEN", text("x"), api.MsgOptionTS("soon"))},
		{"metadata without type", "invalid_metadata_schema", post("C0GEN", text("x"), api.MsgOptionMetadata(api.SlackMetadata{EventPayload: map[string]any{"a": 1}}))},
		{"a stream outside of threads", "invalid_arguments", stream(false, api.MsgOptionMarkdownText("x"), api.MsgOptionRecipientUserID("U0KIM"), api.MsgOptionRecipientTeamID("T0ACME"))},
		{"a stream for nobody", "missing_recipient_user_id", stream(true, api.MsgOptionMarkdownText("x"), api.MsgOptionRecipientTeamID("T0ACME"))},
		{"a stream for nobody's team", "missing_recipient_team_id", stream(true, api.MsgOptionMarkdownText("x"), api.MsgOptionRecipientUserID("U0KIM"))},
		{"a stream that begins with 12,001", "msg_too_long", stream(true, api.MsgOptionMarkdownText(strings.Repeat("x", 12_001)), api.MsgOptionRecipientUserID("U0KIM"), api.MsgOptionRecipientTeamID("T0ACME"))},
		{"adding to what is no stream", "message_not_in_streaming_state", func(c *api.Client, _, mine string) error {
			_, _, err := c.AppendStream("C0GEN", mine, api.MsgOptionMarkdownText("x"))
			return err
		}},
		{"ending another's message", "message_not_owned_by_app", func(c *api.Client, ts, _ string) error {
			_, _, err := c.StopStream("C0GEN", ts)
			return err
		}},
		{"editing another's message", "cant_update_message", func(c *api.Client, ts, _ string) error {
			_, _, _, err := c.UpdateMessage("C0GEN", ts, text("x"))
			return err
		}},
		{"editing nothing", "message_not_found", func(c *api.Client, _, _ string) error {
			_, _, _, err := c.UpdateMessage("C0GEN", "1.000001", text("x"))
			return err
		}},
		{"emptying a message", "no_text", func(c *api.Client, _, mine string) error {
			_, _, _, err := c.UpdateMessage("C0GEN", mine, text(""))
			return err
		}},
		{"deleting another's message", "cant_delete_message", func(c *api.Client, ts, _ string) error {
			_, _, err := c.DeleteMessage("C0GEN", ts)
			return err
		}},
		{"whispering to who is not there", "user_not_in_channel", func(c *api.Client, _, _ string) error {
			_, err := c.PostEphemeral("C0SEC", "U0KIM", text("x"))
			return err
		}},
		{"a character for an emoji", "invalid_name", func(c *api.Client, ts, _ string) error {
			return c.AddReaction("✅", api.NewRefToMessage("C0GEN", ts))
		}},
		{"an emoji nobody has", "invalid_name", func(c *api.Client, ts, _ string) error {
			return c.AddReaction("no_such_emoji", api.NewRefToMessage("C0GEN", ts))
		}},
		{"reacting twice", "already_reacted", func(c *api.Client, ts, _ string) error {
			if err := c.AddReaction("eyes", api.NewRefToMessage("C0GEN", ts)); err != nil {
				return err
			}
			return c.AddReaction("eyes", api.NewRefToMessage("C0GEN", ts))
		}},
		{"reacting to nothing", "message_not_found", func(c *api.Client, _, _ string) error {
			return c.AddReaction("eyes", api.NewRefToMessage("C0GEN", "1.000001"))
		}},
		{"taking back what was not given", "no_reaction", func(c *api.Client, ts, _ string) error {
			return c.RemoveReaction("eyes", api.NewRefToMessage("C0GEN", ts))
		}},
		{"history of a channel it is not in", "not_in_channel", func(c *api.Client, _, _ string) error {
			_, err := c.GetConversationHistory(&api.GetConversationHistoryParameters{ChannelID: "C0OUT"})
			return err
		}},
		{"a bad oldest", "invalid_ts_oldest", func(c *api.Client, _, _ string) error {
			_, err := c.GetConversationHistory(&api.GetConversationHistoryParameters{ChannelID: "C0GEN", Oldest: "x"})
			return err
		}},
		{"a bad cursor", "invalid_cursor", func(c *api.Client, _, _ string) error {
			_, err := c.GetConversationHistory(&api.GetConversationHistoryParameters{ChannelID: "C0GEN", Cursor: "x"})
			return err
		}},
		{"a limit below nothing", "invalid_limit", func(c *api.Client, _, _ string) error {
			_, err := c.GetConversationHistory(&api.GetConversationHistoryParameters{ChannelID: "C0GEN", Limit: -1})
			return err
		}},
		{"editing in an archived channel", "is_inactive", func(c *api.Client, _, _ string) error {
			_, _, _, err := c.UpdateMessage("C0OLD", "1.000001", text("x"))
			return err
		}},
		{"editing by the id of a person", "channel_not_found", func(c *api.Client, _, _ string) error {
			_, _, _, err := c.UpdateMessage("U0KIM", "1.000001", text("x"))
			return err
		}},
		{"reacting to a bad ts", "bad_timestamp", func(c *api.Client, _, _ string) error {
			return c.AddReaction("eyes", api.NewRefToMessage("C0GEN", "soon"))
		}},
		{"replies to nothing", "thread_not_found", func(c *api.Client, _, _ string) error {
			_, _, _, err := c.GetConversationReplies(&api.GetConversationRepliesParameters{ChannelID: "C0GEN", Timestamp: "1.000001"})
			return err
		}},
		{"a person nobody knows", "user_not_found", func(c *api.Client, _, _ string) error {
			_, err := c.GetUserInfo("U0NOBODY")
			return err
		}},
		{"a DM with one who left", "user_disabled", func(c *api.Client, _, _ string) error {
			_, _, _, err := c.OpenConversation(&api.OpenConversationParameters{Users: []string{"U0GONE"}})
			return err
		}},
		{"a DM with a bot", "cannot_dm_bot", func(c *api.Client, _, _ string) error {
			_, _, _, err := c.OpenConversation(&api.OpenConversationParameters{Users: []string{"U0CI"}})
			return err
		}},
		{"a DM with nobody", "users_list_not_supplied", func(c *api.Client, _, _ string) error {
			_, _, _, err := c.OpenConversation(&api.OpenConversationParameters{})
			return err
		}},
		{"channels of no known type", "invalid_types", func(c *api.Client, _, _ string) error {
			_, _, err := c.GetConversations(&api.GetConversationsParameters{Types: []string{"secret"}})
			return err
		}},
		{"a method it does not have", "unknown_method", func(c *api.Client, _, _ string) error {
			_, err := c.GetEmoji()
			return err
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			srv := start(t)
			c := client(srv)
			ts := must(srv.User("kim").Post("general", "hello"))
			_, mine, err := c.PostMessage("C0GEN", text("mine"))
			if err != nil {
				t.Fatal(err)
			}
			if got := code(tc.do(c, ts, mine)); got != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}

func TestTokensAndScopes(t *testing.T) {
	t.Parallel()
	srv := start(t)
	say := func(token string) string {
		_, _, err := api.New(token, api.OptionAPIURL(srv.APIURL())).PostMessage("C0GEN", text("x"))
		return code(err)
	}
	for token, want := range map[string]string{
		"": "not_authed", "xoxb-wrong": "invalid_auth", srv.AppToken(): "not_allowed_token_type", srv.BotToken(): "",
	} {
		if got := say(token); got != want {
			t.Errorf("token %q: got %q, want %q", token, got, want)
		}
	}
	if _, _, err := api.New("", api.OptionAPIURL(srv.APIURL()), api.OptionAppLevelToken(srv.BotToken())).StartSocketModeContext(t.Context()); code(err) != "not_allowed_token_type" {
		t.Errorf("a bot token opened a socket: %v", err)
	}
	for _, state := range []string{"token_revoked", "account_inactive", ""} {
		srv.RevokeToken(srv.BotToken(), state)
		if got := say(srv.BotToken()); got != state {
			t.Errorf("state %q: got %q", state, got)
		}
	}
	srv.RemoveScope("chat:write")
	if got := say(srv.BotToken()); got != "missing_scope" {
		t.Errorf("without chat:write: %q", got)
	}
}

func TestBodiesThatSlackDoesNotTake(t *testing.T) {
	t.Parallel()
	srv := start(t)
	for _, tc := range []struct{ media, body, want string }{
		{"image/png", "channel=C0GEN", "invalid_post_type"},
		{"", "channel=C0GEN", "missing_post_type"},
		{"text/plain", "channel=C0GEN", "not_authed"},
		{"application/json", "[1]", "json_not_object"},
		{"application/json", "{", "invalid_json"},
		{"application/json", `{"channel":"C0GEN","token":"` + srv.BotToken() + `","text":"x"}`, "not_authed"},
	} {
		resp, err := http.Post(srv.APIURL()+"chat.postMessage", tc.media, strings.NewReader(tc.body))
		if err != nil {
			t.Fatal(err)
		}
		var out struct{ Error string }
		err = json.NewDecoder(resp.Body).Decode(&out)
		_ = resp.Body.Close()
		if err != nil || out.Error != tc.want {
			t.Errorf("%s %s: got %q (%v), want %q", tc.media, tc.body, out.Error, err, tc.want)
		}
	}
}
