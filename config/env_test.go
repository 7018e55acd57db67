package config

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"bullpen/office"
)

// Scripts find the office's variables and the colleague's own, which count where
// both have one; what is kept of them is what is written.
func TestVariables(t *testing.T) {
	t.Parallel()
	cfg := mustLoad(t, `
office: {env: {API: "https://api.example", SHARED: "${API_URL}", PORT: 0123, EMPTY: ""}}
agents:
  al: {env: {PORT: 8080, OWN: "a b"}}
  bo: {}
`)
	for name, want := range map[string]map[string]string{
		"al": {"API": "https://api.example", "SHARED": "http://localhost:1234/v1", "PORT": "8080", "EMPTY": "", "OWN": "a b"},
		"AL": {"API": "https://api.example", "SHARED": "http://localhost:1234/v1", "PORT": "8080", "EMPTY": "", "OWN": "a b"},
		"bo": {"API": "https://api.example", "SHARED": "http://localhost:1234/v1", "PORT": "0123", "EMPTY": ""},
	} {
		if got := cfg.Environment(name); !maps.Equal(got, want) {
			t.Errorf("%s has %v, want %v", name, got, want)
		}
	}
	if got := cfg.Setup.Env["SHARED"]; got != "${API_URL}" {
		t.Errorf("what is kept is %q", got)
	}
	if got := cfg.Setup.Colleagues[0].Env; !maps.Equal(got, map[string]string{"PORT": "8080", "OWN": "a b"}) {
		t.Errorf("al's own are %v", got)
	}
}

// Colleagues see variables, so that no secret may stand among them, and none that
// would change what confines their scripts.
func TestVariablesThatAreRefused(t *testing.T) {
	t.Parallel()
	many := make([]string, envMost+1)
	for i := range many {
		many[i] = fmt.Sprintf("V%d: x", i)
	}
	for env, want := range map[string]string{
		`{1X: a}`:                            "no name of a variable",
		`{"A B": a}`:                         "no name of a variable",
		`{PATH: /evil}`:                      "set by what confines",
		`{HOME: /}`:                          "set by what confines",
		`{T: "${SLACK_BOT_TOKEN}"}`:          "is the secret of adapters.slack.bot_token",
		`{T: "${OPENAI_API_KEY}"}`:           "is the secret of OpenAI's models",
		`{T: xoxb-1234-5678-abcdefgh}`:       "looks like a secret",
		`{T: "${NOT_THERE}"}`:                "is not set",
		`{T: [a]}`:                           "must be a single value",
		`[T]`:                                "must be a block",
		`{T: "a\0b"}`:                        "no variable can hold",
		`{` + strings.Join(many, ", ") + `}`: "are the most",
		`{T: ` + strings.Repeat("x", envValueMost+1) + `}`: "characters",
	} {
		for _, where := range []string{"office: {env: %s}\nagents: {al: {}}\n", "agents: {al: {env: %s}}\n"} {
			text := fmt.Sprintf(where, env) + "adapters: {slack: {app_token: \"${SLACK_APP_TOKEN}\", bot_token: \"${SLACK_BOT_TOKEN}\"}}\n"
			_, err := Load(folder(t, map[string]string{FileName: text}), func(name string) (string, bool) {
				if name == "OPENAI_API_KEY" {
					return "sk-x", true
				}
				return known(name)
			})
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s is refused with %v, want %q", env, err, want)
			}
			if err != nil && strings.Contains(err.Error(), "abcdefgh") {
				t.Errorf("a secret is shown: %v", err)
			}
		}
	}
}

// A change of one variable touches its line alone, ${VAR} stays one, and what would
// not load is refused.
func TestChangingVariables(t *testing.T) {
	t.Parallel()
	f, path := fileOf(t, "agents:\n  al:\n    env:\n      A: \"1\" # first\n      B: ${API_URL}\n  bo: {}\n")
	set := func(name, key string, v any) error {
		_, err := f.Edit(t.Context(), office.SetColleague{Name: name, Fields: map[string]any{office.EnvKey(key): v}})
		return err
	}
	for _, err := range []error{set("al", "A", "2"), set("bo", "URL", "${API_URL}"), set("bo", "TEXT", "a: b # c"), set("al", "B", nil)} {
		if err != nil {
			t.Error(err)
		}
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if want := "agents:\n  al:\n    env:\n      A: \"2\" # first\n  bo: {env: {"; !strings.HasPrefix(string(text), want) {
		t.Errorf("the file is\n%s", text)
	}
	for _, err := range []error{set("al", "PATH", "x"), set("al", "T", "${NOT_THERE}"), set("al", "T", "ghp_abcdefghijklmnopqrst")} {
		if err == nil {
			t.Error("it was taken")
		}
	}
	cfg, err := Load(filepath.Dir(path), known)
	if err != nil {
		t.Fatal(err)
	}
	if got := cfg.Environment("bo"); !maps.Equal(got, map[string]string{"URL": "http://localhost:1234/v1", "TEXT": "a: b # c"}) {
		t.Errorf("bo has %v", got)
	}
	// One that comes back is declared as it was written.
	back := cfg.Setup.Colleagues[1]
	if _, err := f.Edit(t.Context(), office.RemoveColleague{Name: "bo"}, office.AddColleague{Colleague: back}); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(path); err != nil || !strings.Contains(string(text), "${API_URL}") {
		t.Errorf("it comes back as\n%s %v", text, err)
	}
}
