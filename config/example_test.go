package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bullpen/office"
)

// keysOf lists every key that the table says means something today, as a path in
// which * stands for a name.
func keysOf(f *field, path string, into map[string]string) {
	switch f.is {
	case aBlock:
		for i := range f.fields {
			sub := &f.fields[i]
			if sub.ignored == "" && sub.alias == "" {
				key := strings.TrimPrefix(path+"."+sub.key, ".")
				into[key] = sub.def
				keysOf(sub, key, into)
			}
		}
	case aMap:
		keysOf(f.each, path+".*", into)
	}
}

// keysIn lists the keys of a tree in the same way, with the text of each scalar.
func keysIn(n *node, f *field, path string, into map[string]string) {
	for _, e := range n.entries {
		key, sub := path+".*", f.each
		if f.is == aBlock {
			key, sub = strings.TrimPrefix(path+"."+e.key, "."), fieldOf(f.fields, e.key)
			if sub == nil {
				into[key] = "unknown"
				continue
			}
			if _, seen := into[key]; !seen {
				into[key] = e.value.text
			}
		}
		keysIn(e.value, sub, key, into)
	}
}

func TestTheExampleNamesEveryKeyWithItsDefault(t *testing.T) {
	t.Parallel()
	table, example := map[string]string{}, map[string]string{}
	keysOf(&schema, "", table)
	c := &checker{env: known}
	keysIn(c.read([]byte(Example)), &schema, "", example)
	for key, def := range table {
		text, shown := example[key]
		switch {
		case !shown:
			t.Errorf("the table knows %s and the example does not show it", key)
		case def != "" && text != def:
			t.Errorf("the example shows %s: %s, and the default is %s", key, text, def)
		}
	}
	for key := range example {
		if _, ok := table[key]; !ok {
			t.Errorf("the example shows %s and the table does not know it", key)
		}
	}
}

func TestTheExampleLoads(t *testing.T) {
	t.Parallel()
	cfg := mustLoad(t, Example)
	if len(cfg.Notices) > 0 {
		t.Errorf("notices: %v", cfg.Notices)
	}
	lead := cfg.Setup.Colleagues[0]
	if diff := cmp.Diff([]string{"groq:llama-3.3-70b-versatile"}, lead.Fallback); diff != "" {
		t.Errorf("fallback (-want +got):\n%s", diff)
	}
	want := Provider{
		Kind: "openai", BaseURL: "https://api.groq.example/openai/v1", APIKey: NewSecret("gsk-1"), Window: 131072,
		Price:  &office.Price{Input: 590_000, Output: 790_000, CacheRead: 295_000, CacheWrite: 590_000},
		Prices: map[string]office.Price{"llama-3.1-8b-instant": {Input: 50_000, Output: 80_000, CacheRead: 50_000, CacheWrite: 50_000}},
	}
	if diff := cmp.Diff(want, cfg.Providers["groq"], cmp.AllowUnexported(Secret{})); diff != "" {
		t.Errorf("groq (-want +got):\n%s", diff)
	}
	if got := cfg.Setup.Windows["groq"]; got != 131072 {
		t.Errorf("the office knows a window of %d tokens", got)
	}
}

func TestTheExampleExplainsEveryKey(t *testing.T) {
	t.Parallel()
	lines := strings.Split(Example, "\n")
	var c checker
	explained := make(map[string]bool)
	var walk func(n *node, f *field)
	walk = func(n *node, f *field) {
		for _, e := range n.entries {
			sub := f.each
			if f.is == aBlock {
				sub = fieldOf(f.fields, e.key)
				comment := strings.HasPrefix(strings.TrimSpace(lines[e.at.line-2]), "#")
				name := e.key
				explained[name] = explained[name] || comment || sub.is == aBlock || sub.is == aMap
			}
			walk(e.value, sub)
		}
	}
	walk(c.read([]byte(Example)), &schema)
	for name, ok := range explained {
		if !ok {
			t.Errorf("no comment stands above %s", name)
		}
	}
}

func TestScaffoldWritesAnOfficeThatLoads(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "offices", "first")
	if err := Scaffold(dir); err != nil {
		t.Fatal(err)
	}
	cfg, err := Load(dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(cfg.Notices) > 0 {
		t.Errorf("notices: %v", cfg.Notices)
	}
	roles := map[string]office.Role{}
	for _, who := range cfg.Setup.Colleagues {
		roles[who.Name] = who.Role
	}
	if diff := cmp.Diff(map[string]office.Role{"carol": "leader", "alice": "member", "bob": "member"}, roles); diff != "" {
		t.Errorf("roles (-want +got):\n%s", diff)
	}
	for path, want := range map[string]os.FileMode{dir: 0o700, filepath.Join(dir, FileName): 0o600} {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode().Perm() != want {
			t.Errorf("%s has mode %o, want %o", path, info.Mode().Perm(), want)
		}
	}
}

func TestScaffoldLeavesAnExistingFileAlone(t *testing.T) {
	t.Parallel()
	dir := folder(t, map[string]string{FileName: "mine"})
	if err := Scaffold(dir); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(filepath.Join(dir, FileName)); err != nil || string(text) != "mine" {
		t.Errorf("the file holds %q (%v)", text, err)
	}
}

func TestTheScaffoldsCommentsAreGoodYAML(t *testing.T) {
	t.Parallel()
	lines := strings.Split(scaffold, "\n")
	for i, line := range lines {
		if rest, ok := strings.CutPrefix(line, "# "); ok && (strings.HasSuffix(rest, ":") || strings.HasPrefix(rest, " ")) {
			lines[i] = rest
		}
	}
	cfg := mustLoad(t, strings.Join(lines, "\n"))
	if cfg.Slack == nil || cfg.Accounts[0].Slack != "U012ABC" || cfg.Slack.Channels["dev"] != "#dev" {
		t.Errorf("Slack = %+v, Accounts = %+v", cfg.Slack, cfg.Accounts)
	}
}

// agentOffice is the shape of Agent Office's example files: a whole team, its
// schedules, its secrets, logins and channels.
const agentOffice = `office:
  name: Acme Corp
  description: "We build AI-powered widgets"
  env:
    SHARED_API_URL: https://api.acme.com
  secrets:
    SHARED_TOKEN: ${ACME_TOKEN}
  cron:
    standup:
      schedule: "0 9 * * 1-5"
      report_channel: general
      tasks:
        - title: "Daily standup"
          assignee: pm
  channels:
    general:
      members: [pm, coder, reviewer]
      description: Main discussion channel
    design:
      members: [designer, reviewer]

agents:
  designer:
    model: anthropic:claude-sonnet-4-20250514
    priority: normal # idle | low | normal | high | critical (or 0-4)
    thinking: low
    description: "Frontend designer — builds HTML/CSS"
    prompt_inline: |
      You are a frontend designer specializing in responsive layouts.
    skills:
      - nichochar/web-skills
    auth: "oauth:anthropic"
    api_key_ref: MY_CUSTOM_KEY
    env:
      LOG_LEVEL: debug
    secrets:
      GITHUB_TOKEN: ${MY_GH_TOKEN}
    disclose_secrets: true
    permissions:
      office_cron: true
  reviewer:
    model: openai:gpt-4.1
    priority: 3
    thinking: medium
  monitor:
    heartbeat:
      interval_ms: 60000
      prompt: "Check for pending work and report status"
      active_hours: {start: "09:00", end: "17:00"}
  restricted-bot:
    permissions:
      tools:
        deny: [cron_add, cron_remove, message_agent]
`

func TestAgentOfficesExampleLoadsWithNotices(t *testing.T) {
	t.Parallel()
	cfg := mustLoad(t, agentOffice)
	var got []string
	for _, p := range cfg.Notices {
		got = append(got, p.String())
	}
	want := []string{
		"office.yaml:6:3: office.secrets: secrets is not built yet; ignored",
		"office.yaml:8:3: office.cron: cron is not built yet; ignored",
		"office.yaml:17:16: office.channels.general.members: general is everyone's; its members are ignored",
		`office.yaml:24:12: agents.designer.model: the provider anthropic is not built yet; designer uses demo, which is no language model`,
		"office.yaml:30:5: agents.designer.skills: skills is not built yet; ignored",
		"office.yaml:32:5: agents.designer.auth: logging in to a provider is Agent Office's; ignored, a key comes from the provider's ${VAR}",
		"office.yaml:33:5: agents.designer.api_key_ref: api_key_ref is not built yet; ignored",
		"office.yaml:36:5: agents.designer.secrets: secrets is not built yet; ignored",
		"office.yaml:38:5: agents.designer.disclose_secrets: disclose_secrets is not built yet; ignored",
		"office.yaml:40:7: agents.designer.permissions.office_cron: office_cron is not built yet; ignored",
		"office.yaml:45:3: agents.monitor: monitor has no model; it uses demo, which is no language model; add model: provider:model-id",
		"office.yaml:46:5: agents.monitor.heartbeat: heartbeat is not built yet; ignored",
		"office.yaml:50:3: agents.restricted-bot: restricted-bot has no model; it uses demo, which is no language model; add model: provider:model-id",
		"office.yaml:53:39: agents.restricted-bot.permissions.tools.deny[2]: Agent Office's tool message_agent is office_dm here",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("notices (-want +got):\n%s", diff)
	}
	deny := cfg.Setup.Colleagues[3].Deny
	if diff := cmp.Diff([]string{"cron_add", "cron_remove", "office_dm"}, deny); diff != "" {
		t.Errorf("deny (-want +got):\n%s", diff)
	}
	if topic := cfg.Setup.Channels[0].Topic; topic != "Main discussion channel" {
		t.Errorf("general's topic is %q", topic)
	}
}

func TestTheExamplesDefaultsAreThoseOfAShortFile(t *testing.T) {
	t.Parallel()
	example, short := mustLoad(t, Example), mustLoad(t, bob)
	if example.ShutdownGrace != short.ShutdownGrace || example.Sandbox != short.Sandbox {
		t.Errorf("the example gives %+v, a file without those keys %+v", example, short)
	}
}
