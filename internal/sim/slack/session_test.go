package slack_test

import (
	"strings"
	"testing"

	api "github.com/slack-go/slack"
)

// There is a Stop button while a session is processing, and only for agents.
func TestSessionsCanBeStopped(t *testing.T) {
	t.Parallel()
	s := start(t)
	c := client(s)
	ts, err := s.User("kim").Post("general", "hi")
	if err != nil {
		t.Fatal(err)
	}
	if s.User("kim").Stop("general", ts) == nil {
		t.Error("nobody works, and there is a button")
	}
	set := func(status string) error {
		_, err := c.SetAgentSessionStatus(api.AgentSessionSetStatusParameters{Status: status, ChannelID: "C0GEN", ThreadTS: ts})
		return err
	}
	if err := set("running"); err == nil || !strings.Contains(err.Error(), "invalid_arguments") {
		t.Errorf("an unknown status: %v", err)
	}
	if err := set(api.AgentSessionStatusProcessing); err != nil || s.User("kim").Stop("general", ts) != nil {
		t.Errorf("%v, %q", err, s.Session("general", ts))
	}
	if s.Session("general", ts) != api.AgentSessionStatusProcessing {
		t.Error("the button itself changed the session")
	}
	s.RemoveScope("assistant:write")
	if set(api.AgentSessionStatusActive) == nil {
		t.Error("an app that is no agent has sessions")
	}
}
