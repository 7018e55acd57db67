package config

import (
	"strings"
	"testing"
)

// An id that YAML would take for a number keeps every digit, or is refused with
// advice to quote it; it is never rounded.
func TestIdsKeepTheirDigits(t *testing.T) {
	t.Parallel()
	const advice = "write every digit of it, in quotes"
	tests := []struct{ written, want string }{
		{"1203948571029384756", "1203948571029384756"},
		{`"1203948571029384756"`, "1203948571029384756"},
		{"'1203948571029384756'", "1203948571029384756"},
		{"-1001234567890", "-1001234567890"},
		{"0123", "0123"},
		{"99999999999999999999999999", "99999999999999999999999999"},
		{"!!int 0123", "0123"},
		{`"${DISCORD_ID}"`, "0203948571029384756"},
		{"1e18", ""},
		{"1.2e+18", ""},
		{"1_203_948", ""},
		{"0x1F", ""},
		{"+123", ""},
		{"12.0", ""},
		{"1,203", ""},
		{"true", ""},
		{`""`, ""},
		{`" 1"`, ""},
	}
	for _, tt := range tests {
		t.Run(tt.written, func(t *testing.T) {
			t.Parallel()
			c := &checker{env: variables(map[string]string{"DISCORD_ID": "0203948571029384756"})}
			root := c.read([]byte("id: " + tt.written + "\n"))
			id := root.entries[0].value
			c.check(id, &field{key: "id", is: digits})
			switch {
			case tt.want == "" && (len(c.problems) != 1 || c.problems[0].Mend != advice):
				t.Errorf("problems = %v, want advice to quote", c.problems)
			case tt.want != "" && (len(c.problems) > 0 || id.str() != tt.want):
				t.Errorf("id = %q (%v), want %q", id.str(), c.problems, tt.want)
			}
		})
	}
}

func TestAPersonsIdsAreReadAsWritten(t *testing.T) {
	t.Parallel()
	got := strings.Join(found("people: {kim: {telegram: -1001234567890, discord: 1e18}, ed: {slack: 0123}}\n"+bob), "\n")
	want := `1:26: people.kim.telegram: "-1001234567890" is not the id of a person on Telegram; write every digit of it, in quotes; whoever writes to the bot finds it in the notice at the console
~1:42: people.kim.discord: discord is not built yet; ignored
1:51: people.kim.discord: "1e18" is not an id made of digits; write every digit of it, in quotes
1:70: people.ed.slack: "0123" is not a Slack member id; write one like U012ABC: in Slack, open the profile, then ⋮, Copy member ID`
	if got != want {
		t.Errorf("problems:\n%s\nwant:\n%s", got, want)
	}
}
