package main

import (
	"slices"
	"testing"

	"bullpen/config"
)

// The places of channels are followed while the office runs; what else an adapter
// was made of needs a restart.
func TestWhatAnAdapterFollows(t *testing.T) {
	t.Parallel()
	of := func(token, place string) *config.Config {
		at := map[string]string{"Dev": place}
		return &config.Config{
			Slack:    &config.Slack{APIURL: token, Channels: at},
			Telegram: &config.Telegram{APIURL: token, Channels: at},
			Discord:  &config.Discord{APIURL: token, Channels: at},
		}
	}
	for name, tc := range map[string]struct {
		next *config.Config
		want []string
	}{
		"the same":      {of("a", "#dev"), nil},
		"another place": {of("a", "#talk"), nil},
		"another API":   {of("b", "#dev"), []string{"adapters.discord", "adapters.slack", "adapters.telegram"}},
		"no adapters":   {&config.Config{}, []string{"adapters.discord", "adapters.slack", "adapters.telegram"}},
	} {
		if got := needRestart(of("a", "#dev"), tc.next); !slices.Equal(got, tc.want) {
			t.Errorf("%s: %q needs a restart", name, got)
		}
	}
	all := placed(of("a", "#talk"))
	if len(all) != 3 || all["discord"]["dev"] != "#talk" || all["telegram"]["dev"] != "#talk" {
		t.Errorf("%v", all)
	}
	if all := placed(&config.Config{}); len(all) != 0 {
		t.Errorf("%v", all)
	}
}
