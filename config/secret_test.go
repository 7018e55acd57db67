package config

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"
)

func TestASecretIsNeverPrinted(t *testing.T) {
	t.Parallel()
	s := NewSecret("xoxb-hunter2")
	held := struct{ Token, unexported Secret }{s, s}
	var logged bytes.Buffer
	slog.New(slog.NewJSONHandler(&logged, nil)).Info("x", "secret", s, "held", held)
	encoded, err := json.Marshal(held)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{
		fmt.Sprintf("%s %v %+v %#v %q %x %d", s, s, s, s, s, s, s), fmt.Sprintf("%v %+v %#v", held, held, held),
		fmt.Sprintf("%v %+v", &held, []Secret{s}), logged.String(), string(encoded),
	} {
		if strings.Contains(text, "hunter2") || strings.Contains(text, fmt.Sprintf("%x", "hunter2")) {
			t.Errorf("the secret is in %q", text)
		}
	}
	if s.Reveal() != "xoxb-hunter2" || s.Empty() || !(Secret{}).Empty() || (Secret{}).String() != "" {
		t.Error("a secret does not hold what it was made of")
	}
}

// A token that stands in the wrong place is refused or ignored like anything
// else, and shown by no problem.
func TestNoProblemShowsASecret(t *testing.T) {
	t.Parallel()
	secrets := []string{
		"xoxb-1234-5678-abcdef", "xapp-1-A1-2-abcdef", "sk-proj-abcdefghijklmnop", "Bearer abcdef",
		"ghp_abcdefghijklmnopqrst", "aB3dE5gH7jK9mN1pQ3sT5vW7",
	}
	places := []string{
		"adapters: {slack: {app_token: %q, bot_token: %q}}", "adapters: {discord: {token: %q}, telegram: {bots: [{token: %q}]}}",
		"providers: {x: {base_url: 'https://x.example', api_key: %q}}", "providers: {x: {base_url: %q}}", "providers: {%q: {}}",
		"store: {redis: 'redis://:%s@host'}", "office: {secrets: {X: %q}}", "office: {secrets: {X: {Y: [%q]}}}",
		"office: {owner: %q, timezone: %q, front_desk: %q}", "office: {%q: 1}", "office: {channels: {%q: {default_wake: [%q]}}}",
		"office: {limits: {steps: %q, turn_time: %q}}", "people: {kim: {slack: %q, admin: %q, mail: [%q], telegram: %q}}", "people: {%q: {}}",
		"agents: {al: {model: %q, fallback: [%q], role: %q, reports_to: %q, thinking: %q, priority: %q}}", "agents: {%q: 1}",
		"agents: {al: {permissions: {tools: {deny: [%q]}}}}", "%q: 1", "- %q", "%q",
	}
	for _, secret := range secrets {
		for _, place := range places {
			n := strings.Count(place, "%")
			args := make([]any, n)
			for i := range args {
				args[i] = secret
			}
			text := fmt.Sprintf(place, args...)
			if !strings.Contains(text, "agents") && strings.Contains(text, ": ") {
				text += "\n" + bob
			}
			for _, line := range found(text) {
				if strings.Contains(line, secret) {
					t.Errorf("%s\nis shown by %s", text, line)
				}
			}
			if len(found(text)) == 0 {
				t.Errorf("%s\nis accepted", text)
			}
		}
	}
}

func TestValuesOfVariablesAreNotShown(t *testing.T) {
	t.Parallel()
	env := variables(map[string]string{"V": "hunter two"})
	_, problems := parse([]byte(`
office: {timezone: "${V}", owner: "${V}", limits: {steps: "${V}", turn_time: "${V}"}, channels: {dev: {default_wake: ["${V}"]}}}
adapters: {slack: {app_token: "${V}", bot_token: "${V}", dm: "${V}", channels: {general: "${V}"}, api_url: "${V}"}}
people: {kim: {slack: "${V}", admin: "${V}"}}
providers: {x: {base_url: "${V}", window: "${V}", price: {input: "${V}", output: 1}}}
agents: {al: {model: "${V}", fallback: ["${V}"], reports_to: "${V}", role: "${V}", permissions: {tools: {deny: ["${V}"]}}}}
`), "acme", env)
	if len(problems) < 18 {
		t.Errorf("%d problems: %v", len(problems), problems)
	}
	for _, p := range problems {
		if strings.Contains(p.String(), "hunter") {
			t.Errorf("shown: %s", p)
		}
	}
}
