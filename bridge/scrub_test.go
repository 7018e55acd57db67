package bridge

import (
	"strings"
	"testing"
)

func TestSecretsAreScrubbed(t *testing.T) {
	t.Parallel()
	s := NewScrubber("xoxb-1-2-3", "xapp-1")
	got := s.Text(`Post "https://hooks.slack.com/commands/T1/secret": dial wss://x.test/link/?ticket=secret with xoxb-1-2-3 and xapp-1`)
	if strings.Contains(got, "secret/") || strings.Contains(got, "ticket") || strings.Contains(got, "xoxb") || strings.Contains(got, "xapp") || strings.Contains(got, "T1") {
		t.Errorf("it shows %q", got)
	}
}
