package config

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"bullpen/office"
)

// variables is an environment of known variables.
func variables(vars map[string]string) func(string) (string, bool) {
	return func(name string) (string, bool) {
		v, ok := vars[name]
		return v, ok
	}
}

// known is what the tests' files refer to.
var known = variables(map[string]string{
	"SLACK_APP_TOKEN": "xapp-1-A1-1-abc", "REDIS_URL": "redis://localhost:6379/0", "SLACK_BOT_TOKEN": "xoxb-1-2-abc",
	"GROQ_API_KEY": "gsk-1", "TELEGRAM_TOKEN": "7001:AAE-token", "DISCORD_TOKEN": "MTk4NjIyNDgz.Cl2FMQ.ZnCjm1XVW7vRze", "OPENAI_API_KEY": "sk-test", "EMPTY": "", "API_URL": "http://localhost:1234/v1",
})

// folder is an office's folder, named acme, with the given files.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "acme")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func mustLoad(t *testing.T, text string) *Config {
	t.Helper()
	cfg, err := Load(folder(t, map[string]string{FileName: text}), known)
	if err != nil {
		t.Fatalf("Load: %v", err)
	}
	return cfg
}

func TestLoadFillsTheOfficesTypes(t *testing.T) {
	t.Parallel()
	cfg := mustLoad(t, `
office:
  name: Acme
  description: |
    We build
    widgets
  timezone: Europe/Berlin
  owner: Kim
  channels:
    dev: {topic: Code, members: [Coder, lead, coder], reply: thread, default_wake: ["@coder", "@maria"], final_text: private}
    general: {default_wake: ["$leader"]}
  limits: {message: 1_000, max_depth: 3, turn_time: 90s, do_not_disturb_max: 2h, tokens_per_day: 5000000000, budget_per_day: 7.50 USD, shutdown_grace: 5s}
people:
  maria: {name: Maria Keller, slack: U012ABC, mail: [slack, slack]}
  kim: {admin: true}
agents:
  coder: {reports_to: LEAD, model: "openai:gpt-5", fallback: ["openai:gpt-5", "demo:x"], thinking: medium, priority: 4, permissions: {tools: {deny: [bash]}}}
  lead:
    model: demo
    prompt_inline: "  keep ${THIS}\n"
  张三: {reports_to: lead, model: demo, role: leader}
`)
	want := office.Setup{
		ID: "acme", Name: "Acme", Description: "We build widgets", Timezone: "Europe/Berlin",
		People: []office.Person{{ID: "maria", Name: "Maria Keller"}, {ID: "kim", Name: "kim", Owner: true, Admin: true}},
		Channels: []office.ChannelSetup{
			{Name: "dev", Topic: "Code", Members: []string{"coder", "lead"}, DefaultWake: []string{"@coder", "@Maria Keller"}, FinalText: "private"},
			{Name: "general", DefaultWake: []string{"$leader"}},
		},
		Colleagues: []office.ColleagueSetup{
			{
				Name: "coder", Role: office.Member, RoleUnsaid: true, Model: "openai:gpt-5", Fallback: []string{"demo"}, Thinking: "medium",
				Priority: 2, ReportsTo: "lead", Deny: []string{"bash"},
			},
			{Name: "lead", Role: office.Leader, RoleUnsaid: true, Model: "demo", Prompt: "  keep ${THIS}\n", AskUser: true},
			{Name: "张三", Role: office.Leader, Model: "demo", ReportsTo: "lead", AskUser: true},
		},
		FrontDesk: "lead",
		Limits:    office.Limits{Message: 1000, Depth: 3, TurnTime: 90 * time.Second, QuietMost: 2 * time.Hour, Tokens: 5_000_000_000, Cost: 15 * office.Dollar / 2},
		Prices:    cfg.Setup.Prices, // which have a test of their own
	}
	if diff := cmp.Diff(want, cfg.Setup); diff != "" {
		t.Errorf("Setup (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]Account{{Person: "maria", Slack: "U012ABC", Mail: []string{"slack"}}, {Person: "kim"}}, cfg.Accounts); diff != "" {
		t.Errorf("Accounts (-want +got):\n%s", diff)
	}
	if got, want := cfg.Channels["dev"], (Channel{Reply: "thread", FinalText: "private"}); got != want {
		t.Errorf("Channels[dev] = %+v, want %+v", got, want)
	}
	if cfg.ShutdownGrace != 5*time.Second {
		t.Errorf("shutdown_grace = %s", cfg.ShutdownGrace)
	}
	if p := cfg.Providers["openai"]; p.APIKey.Reveal() != "sk-test" || p.BaseURL != "https://api.openai.com/v1" {
		t.Errorf("openai is %+v", p)
	}
	if cfg.Slack != nil || !cfg.Sandbox.Confine || len(cfg.Notices) > 0 {
		t.Errorf("Slack %v, Sandbox %v, Notices %v", cfg.Slack, cfg.Sandbox, cfg.Notices)
	}
}

func TestLoadFindsTheOwnerAndTheFrontDesk(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, text, owner, desk string }{
		{"nobody is listed", "agents: {bob: {model: demo}, al: {model: demo}}", "user", "bob"},
		{"user is named", "office: {owner: user}\nagents: {bob: {model: demo}}", "user", "bob"},
		{"the first person", "people: {kim: , ada: }\nagents: {bob: {model: demo}}", "kim", "bob"},
		{"the named person", "office: {owner: ada}\npeople: {kim: , ada: }\nagents: {bob: {model: demo}}", "ada", "bob"},
		{"the first leader", "agents: {bob: {model: demo, reports_to: al}, al: {model: demo}}", "user", "al"},
		{"the named desk", "office: {front_desk: bob}\nagents: {bob: {model: demo, reports_to: al}, al: {model: demo}}", "user", "bob"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			cfg := mustLoad(t, tt.text)
			var owners []string
			for _, p := range cfg.Setup.People {
				if p.Owner {
					owners = append(owners, string(p.ID))
				}
			}
			if diff := cmp.Diff([]string{tt.owner}, owners); diff != "" {
				t.Errorf("owners (-want +got):\n%s", diff)
			}
			if cfg.Setup.FrontDesk != tt.desk {
				t.Errorf("front desk = %q, want %q", cfg.Setup.FrontDesk, tt.desk)
			}
		})
	}
}

func TestLoadReadsSlack(t *testing.T) {
	t.Parallel()
	text := `
office: {channels: {dev: {}}}
adapters:
  slack: {app_token: "${SLACK_APP_TOKEN}", bot_token: "${SLACK_BOT_TOKEN}", dm: off, talk: allowlist, channels: {Dev: "#dev", general: C012ABC}, auto_link: true, api_url: "http://127.0.0.1:8080/api/"}
sandbox: {confine: off}
agents: {bob: {model: demo}}
`
	env := "# tokens\nexport SLACK_APP_TOKEN='xapp-from-file'\n"
	dir := folder(t, map[string]string{FileName: text, EnvName: env})
	cfg, err := Load(dir, known)
	if err != nil {
		t.Fatal(err)
	}
	want := &Slack{
		AppToken: NewSecret("xapp-from-file"), BotToken: NewSecret("xoxb-1-2-abc"), DM: "off", Talk: "allowlist",
		Channels: map[string]string{"dev": "#dev", "general": "C012ABC"}, AutoLink: true, Stream: true, APIURL: "http://127.0.0.1:8080/api/",
	}
	if diff := cmp.Diff(want, cfg.Slack, cmp.AllowUnexported(Secret{})); diff != "" {
		t.Errorf("Slack (-want +got):\n%s", diff)
	}
	if cfg.Sandbox.Confine || cfg.Dir != dir {
		t.Errorf("Sandbox = %+v, Dir = %s", cfg.Sandbox, cfg.Dir)
	}
	if got := len(cfg.Secrets()); got != 3 {
		t.Errorf("%d secrets, want the two tokens and OpenAI's key", got)
	}
}

func TestLoadReadsTelegram(t *testing.T) {
	t.Parallel()
	cfg := mustLoad(t, `
office: {channels: {dev: {}}}
people: {kim: {telegram: "123456789", mail: [telegram]}}
adapters:
  telegram: {token: "${TELEGRAM_TOKEN}", dm: allowlist, talk: allowlist, channels: {Dev: -1001234/7, general: -1001234}, api_url: "http://127.0.0.1:8080"}
agents: {bob: {model: demo}}
`)
	want := &Telegram{
		Token: NewSecret("7001:AAE-token"), DM: "allowlist", Talk: "allowlist",
		Channels: map[string]string{"dev": "-1001234/7", "general": "-1001234"}, Stream: true, APIURL: "http://127.0.0.1:8080",
	}
	if diff := cmp.Diff(want, cfg.Telegram, cmp.AllowUnexported(Secret{})); diff != "" {
		t.Errorf("Telegram (-want +got):\n%s", diff)
	}
	for written, want := range map[string]bool{"": true, ", stream: true": true, ", stream: false": false} {
		cfg := mustLoad(t, "adapters: {telegram: {token: \"${TELEGRAM_TOKEN}\""+written+"}}\nagents: {bob: {model: demo}}\n")
		if cfg.Telegram.Stream != want {
			t.Errorf("%q means %v", written, cfg.Telegram.Stream)
		}
	}
	if cfg.Accounts[0].Telegram != "123456789" || len(cfg.Secrets()) != 2 {
		t.Errorf("%+v, %d secrets", cfg.Accounts, len(cfg.Secrets()))
	}
}

func TestLoadReadsDiscord(t *testing.T) {
	t.Parallel()
	cfg := mustLoad(t, `
office: {channels: {dev: {}}}
people: {kim: {discord: 203948571029384756, mail: [discord]}}
adapters:
  discord: {token: "${DISCORD_TOKEN}", guild: 203948571029384757, dm: allowlist, talk: allowlist, channels: {Dev: "#dev", general: 203948571029384758}, api_url: "http://127.0.0.1:8080/api"}
agents: {bob: {model: demo}}
`)
	want := &Discord{
		Token: NewSecret("MTk4NjIyNDgz.Cl2FMQ.ZnCjm1XVW7vRze"), Guild: "203948571029384757", DM: "allowlist", Talk: "allowlist",
		Channels: map[string]string{"dev": "#dev", "general": "203948571029384758"}, Stream: true, APIURL: "http://127.0.0.1:8080/api",
	}
	if diff := cmp.Diff(want, cfg.Discord, cmp.AllowUnexported(Secret{})); diff != "" {
		t.Errorf("Discord (-want +got):\n%s", diff)
	}
	if cfg.Accounts[0].Discord != "203948571029384756" || len(cfg.Secrets()) != 2 {
		t.Errorf("%+v, %d secrets", cfg.Accounts, len(cfg.Secrets()))
	}
}

func TestLoadMergesWhatAliasesAndMergeKeysBring(t *testing.T) {
	t.Parallel()
	cfg := mustLoad(t, `
agents:
  al: &base {model: demo, thinking: low, description: one}
  bob: {<<: *base, description: two}
  cy: {<<: [*base, {priority: high}]}
  di: *base
`)
	want := []office.ColleagueSetup{
		{Name: "al", Role: "member", RoleUnsaid: true, Model: "demo", Thinking: "low", Description: "one"},
		{Name: "bob", Role: "member", RoleUnsaid: true, Model: "demo", Thinking: "low", Description: "two"},
		{Name: "cy", Role: "member", RoleUnsaid: true, Model: "demo", Thinking: "low", Description: "one", Priority: 1},
		{Name: "di", Role: "member", RoleUnsaid: true, Model: "demo", Thinking: "low", Description: "one"},
	}
	if diff := cmp.Diff(want, cfg.Setup.Colleagues); diff != "" {
		t.Errorf("colleagues (-want +got):\n%s", diff)
	}
}

func TestLoadWithoutAFile(t *testing.T) {
	t.Parallel()
	if _, err := Load(t.TempDir(), nil); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("err = %v, want one that wraps fs.ErrNotExist", err)
	}
	var problems *Problems
	if _, err := Load(folder(t, map[string]string{FileName: "x"}), nil); !errors.As(err, &problems) {
		t.Errorf("err = %v, want *Problems", err)
	}
}

func TestTheOfficesIDIsMadeOfItsFolder(t *testing.T) {
	t.Parallel()
	for dir, want := range map[string]string{
		"/x/acme": "acme", "/x/My Office": "my-office", "/x/_a_b-c": "a_b-c", "/x/büro": "b-ro", "/": "office",
	} {
		if got := officeID(dir); got != want {
			t.Errorf("officeID(%q) = %q, want %q", dir, got, want)
		}
	}
}
