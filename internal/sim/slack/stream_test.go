package slack_test

import (
	"testing"

	api "github.com/slack-go/slack"
)

// A stream grows in its thread under a name of its own until it is ended, and can be
// changed only after that.
func TestAStreamGrowsUntilItIsEnded(t *testing.T) {
	t.Parallel()
	srv := start(t)
	c := client(srv)
	root := must(srv.User("kim").Post("general", "hello"))
	_, ts, err := c.StartStream("C0GEN", api.MsgOptionTS(root), api.MsgOptionMarkdownText("Once **upon**"), api.MsgOptionUsername("alice"),
		api.MsgOptionRecipientUserID("U0KIM"), api.MsgOptionRecipientTeamID("T0ACME"))
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := c.AppendStream("C0GEN", ts, api.MsgOptionMarkdownText(" a time")); err != nil {
		t.Fatal(err)
	}
	all := srv.Thread("general", root)
	if len(all) != 2 || !all[1].Growing || all[1].Text != "Once **upon** a time" || all[1].Author != "alice" {
		t.Fatalf("%v", all)
	}
	if _, _, _, err := c.UpdateMessage("C0GEN", ts, text("x")); code(err) != "streaming_state_conflict" {
		t.Errorf("it was changed while it grew: %v", err)
	}
	if _, _, err := c.StopStream("C0GEN", ts, api.MsgOptionMarkdownText(", the end")); err != nil {
		t.Fatal(err)
	}
	if e := srv.Thread("general", root)[1]; e.Growing || e.Text != "Once **upon** a time, the end" {
		t.Errorf("%v", e)
	}
	if _, _, err := c.AppendStream("C0GEN", ts, api.MsgOptionMarkdownText("x")); code(err) != "message_not_in_streaming_state" {
		t.Errorf("it grows after its end: %v", err)
	}
	if _, _, _, err := c.UpdateMessage("C0GEN", ts, text("x")); err != nil {
		t.Error(err)
	}
}
