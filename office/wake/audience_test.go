package wake

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

var crew = []Member{
	{ID: "a", Level: "leader"},
	{ID: "b", Level: "member"},
	{ID: "c", Level: "member", Gone: true},
	{ID: "d", Level: "leader"},
	{ID: "e", Level: "?"},
}

func crewMembers(channelID string) []string {
	return map[string][]string{
		"dev":    {"e", "d", "b", "c", "stranger"},
		"dm-a-b": {"b", "a"},
	}[channelID]
}

func TestAudience(t *testing.T) {
	t.Parallel()
	toDev := Wake{Kind: Channel, Channel: "dev"}
	tests := []struct {
		name            string
		wake            Wake
		channel, writer string
		want            []string
	}{
		{"nobody", Wake{}, General, "a", nil},
		{"only people", people("p1"), General, "a", nil},
		{"names, whether or not the channel holds them", names("d", "a"), "dm-x", "p1", []string{"d", "a"}},
		{"names without the writer", names("a", "b"), General, "a", []string{"b"}},
		{"names without who is gone or unknown", names("c", "x", "b"), General, "a", []string{"b"}},
		{"everyone", members, General, "p1", []string{"a", "b", "d", "e"}},
		{"everyone but the writer", members, General, "b", []string{"a", "d", "e"}},
		{"the leaders", leaders, General, "p1", []string{"a", "d"}},
		{"the leaders of a channel", leaders, "dev", "p1", []string{"d"}},
		{"the members of a channel", members, "dev", "d", []string{"b", "e"}},
		{"the two of a direct channel", members, "dm-a-b", "a", []string{"b"}},
		{"an unknown channel holds nobody", members, "x", "a", nil},
		{"no such level", Wake{Kind: Level, Level: "boss"}, General, "p1", nil},
		{"a channel from elsewhere", toDev, General, "a", []string{"b", "d", "e"}},
		{"a channel from itself", toDev, "dev", "b", []string{"d", "e"}},
		{"the whole roster from a channel", general, "dev", "e", []string{"a", "b", "d"}},
	}
	for _, tt := range tests {
		got := Audience(tt.wake, tt.channel, tt.writer, crew, crewMembers)
		if !slices.Equal(tt.want, got) {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestAudienceNeverHoldsTheWriterOrTheGone(t *testing.T) {
	t.Parallel()
	id := rapid.SampledFrom([]string{"a", "b", "c", "d", "e", "x"})
	place := rapid.SampledFrom([]string{General, "dev", "dm-a-b", "none"})
	rapid.Check(t, func(t *rapid.T) {
		w := rapid.OneOf(
			rapid.Map(rapid.SliceOf(id), func(ids []string) Wake { return names(ids...) }),
			rapid.Map(rapid.SampledFrom(Levels()), func(l string) Wake { return Wake{Kind: Level, Level: l} }),
			rapid.Map(place, func(c string) Wake { return Wake{Kind: Channel, Channel: c} }),
		).Draw(t, "wake")
		writer := id.Draw(t, "writer")
		got := Audience(w, place.Draw(t, "channel"), writer, crew, crewMembers)
		for i, id := range got {
			if id == writer || id == "c" || id == "x" || slices.Contains(got[:i], id) {
				t.Fatalf("audience %q of %+v by %s", got, w, writer)
			}
		}
	})
}
