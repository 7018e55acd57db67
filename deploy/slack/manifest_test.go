package slack_test

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"bullpen/deploy/slack"
)

func TestTheManifestAsksForWhatTheOfficeUses(t *testing.T) {
	t.Parallel()
	m := read(t, slack.Manifest)
	same(t, "scopes", m["oauth_config.scopes.bot"], slices.Sorted(maps.Keys(scopes)))
	same(t, "events", m["settings.event_subscriptions.bot_events"], slices.Sorted(maps.Keys(events)))
	for event, wants := range events {
		for _, scope := range wants {
			if scopes[scope] == "" {
				t.Errorf("Slack sends %s only to an app with the scope %s", event, scope)
			}
		}
	}
}

func TestTheManifestSwitchesOnWhatTheOfficeNeeds(t *testing.T) {
	t.Parallel()
	m := read(t, slack.Manifest)
	for key, want := range settings {
		if got := strings.Join(m[key], ", "); got != want {
			t.Errorf("%s is %q, want %q", key, got, want)
		}
	}
	if user := m["oauth_config.scopes.user"]; len(user) > 0 {
		t.Errorf("the app wants rights of its user: %v", user)
	}
}

func TestSlackTakesTheTextsOfTheManifest(t *testing.T) {
	t.Parallel()
	m := read(t, slack.Manifest)
	for key, limit := range longest {
		if n := utf8.RuneCountInString(strings.Join(m[key], "")); n == 0 || n > limit {
			t.Errorf("%s has %d characters, want 1 to %d", key, n, limit)
		}
	}
	name := strings.Join(m["features.bot_user.display_name"], "")
	if !regexp.MustCompile(`^[a-z0-9._-]+$`).MatchString(name) {
		t.Errorf("Slack does not take %q as a bot's name", name)
	}
}

// same reports what is missing in got, what is too much and what stands twice.
func same(t *testing.T, what string, got, want []string) {
	t.Helper()
	for _, w := range want {
		if !slices.Contains(got, w) {
			t.Errorf("the %s lack %s", what, w)
		}
	}
	for i, g := range got {
		if !slices.Contains(want, g) || slices.Contains(got[:i], g) {
			t.Errorf("the %s have %s, which is not needed or stands there twice", what, g)
		}
	}
}

// entry is a line of the manifest: its indent, whether it is an item of a list,
// its key and its value.
var entry = regexp.MustCompile(`^( *)(- )?(?:([a-z_]+):(?: |$))?(.*)$`)

// read reads the little of YAML that the manifest is written in: blocks, lists of
// plain values, and a list of blocks. The values are listed by their path, as in
// settings.socket_mode_enabled.
func read(t *testing.T, manifest string) map[string][]string {
	t.Helper()
	type level struct {
		indent int
		key    string
	}
	var path []level
	found := map[string][]string{}
	for line := range strings.Lines(manifest) {
		line = strings.TrimRight(line, "\n")
		if text := strings.TrimSpace(line); text == "" || text[0] == '#' {
			continue
		}
		m := entry.FindStringSubmatch(line)
		indent, key, value := len(m[1])+len(m[2]), m[3], m[4]
		for len(path) > 0 && path[len(path)-1].indent >= indent {
			path = path[:len(path)-1]
		}
		if key != "" {
			path = append(path, level{indent, key})
		}
		if strings.Contains(value, " #") || key == "" && m[2] == "" || strings.ContainsAny(value, "{[&*|") && value[0] != '"' {
			t.Fatalf("the test cannot read %q; write it more simply", line)
		}
		if value == "" {
			continue
		}
		var keys []string
		for _, l := range path {
			keys = append(keys, l.key)
		}
		at := strings.Join(keys, ".")
		found[at] = append(found[at], strings.Trim(value, `"`))
	}
	return found
}

func TestScopesAreThoseOfTheManifest(t *testing.T) {
	t.Parallel()
	got := slack.Scopes()
	if len(got) != len(scopes)-1 || slices.Contains(got, slack.AgentScope) {
		t.Errorf("there are %d: %q, want %d", len(got), got, len(scopes)-1)
	}
	for _, s := range got {
		if scopes[s] == "" {
			t.Errorf("%s is none that the office needs", s)
		}
	}
}
