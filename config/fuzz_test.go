package config

import (
	"strings"
	"testing"
)

// FuzzLoad feeds any bytes as office.yaml: there is a Config, or a problem that
// says why not, each with a place; and a variable's value is never in one.
func FuzzLoad(f *testing.F) {
	for _, seed := range []string{
		"", bob, Example, scaffold, agentOffice, "agents: &a {bob: *a}\n", "agents:\n\tbob:\n", "a: {<<: [*b]}", "? [a]\n: b\n",
		"office: {channels: {dev: {default_wake: [\"$x\"]}}}\n" + bob, "\uFEFF---\n...\n", "agents: {a: {reports_to: b}, b: {reports_to: a}}",
		"office: {name: \"${OPENAI_API_KEY}\", timezone: \"${OPENAI_API_KEY}\"}\n" + bob,
	} {
		f.Add([]byte(seed))
	}
	const value = "xoxb-the-value-of-every-variable"
	env := func(name string) (string, bool) { return value, !strings.HasPrefix(name, "X") }
	f.Fuzz(func(t *testing.T, text []byte) {
		cfg, problems := parse(text, "acme", env)
		if !problems.fatal() {
			if cfg == nil || len(cfg.Setup.Colleagues) == 0 || cfg.Setup.FrontDesk == "" {
				t.Fatalf("no problem, and no office: %+v", cfg)
			}
			for _, who := range cfg.Setup.Colleagues {
				if who.Name == "" || who.Role == "" || who.Model == "" {
					t.Fatalf("an unfinished colleague: %+v", who)
				}
			}
		}
		for _, p := range problems {
			if p.Line < 1 || p.Column < 1 || p.File == "" || p.What == "" {
				t.Fatalf("a problem without its place: %#v", p)
			}
			if strings.Contains(p.String(), value) && !strings.Contains(string(text), value) {
				t.Fatalf("a value is shown: %s", p)
			}
		}
	})
}

// FuzzEnv feeds any bytes as .env.
func FuzzEnv(f *testing.F) {
	f.Add([]byte("A=1\nexport B='x' # y\nC=\"\\n\"\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		vars, problems := parseEnv(text)
		for key := range vars {
			if !variableForm.MatchString(key) {
				t.Fatalf("the key %q", key)
			}
		}
		for _, p := range problems {
			if p.Line < 1 || p.Column < 1 {
				t.Fatalf("a problem without its place: %#v", p)
			}
		}
	})
}
