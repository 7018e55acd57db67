package config

import "testing"

func TestNamesThatDiscordShowsOtherwise(t *testing.T) {
	t.Parallel()
	const agents = "agents: {Clyde: {model: demo}, lead: {model: demo}, DisCordia: {model: demo}}\n"
	cfg := mustLoad(t, "adapters: {discord: {token: \"${DISCORD_TOKEN}\"}}\n"+agents)
	want := []string{
		`office.yaml:2:10: agents.Clyde: Discord takes no name with "Clyde" in it, and shows Clyde with a point in that word; rename the colleague if that is not wanted`,
		`office.yaml:2:53: agents.DisCordia: Discord takes no name with "DisCord" in it, and shows DisCordia with a point in that word; rename the colleague if that is not wanted`,
	}
	for i, p := range cfg.Notices {
		if i >= len(want) || p.String() != want[i] {
			t.Errorf("notice %d is %s", i, p)
		}
	}
	if len(cfg.Notices) != len(want) {
		t.Errorf("%d notices, want %d", len(cfg.Notices), len(want))
	}
	if cfg := mustLoad(t, agents); len(cfg.Notices) > 0 {
		t.Errorf("without Discord: %v", cfg.Notices)
	}
}
