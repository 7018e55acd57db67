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
	tests := []struct {
		written, want string
		is            is
	}{
		{"1203948571029384756", "1203948571029384756", discordID},
		{`"1203948571029384756"`, "1203948571029384756", discordID},
		{"'1203948571029384756'", "1203948571029384756", discordID},
		{"-1001234567890", "-1001234567890", telegramChat},
		{"!!int 123", "123", telegramUser},
		{"0123", "", discordID},
		{"99999999999999999999999999", "", discordID},
		{`"${DISCORD_ID}"`, "1203948571029384756", discordID},
		{"1e18", "", discordID},
		{"1.2e+18", "", discordID},
		{"1_203_948", "", discordID},
		{"0x1F", "", discordID},
		{"+123", "", discordID},
		{"12.0", "", discordID},
		{"1,203", "", discordID},
		{"true", "", discordID},
		{`""`, "", discordID},
		{`" 1"`, "", discordID},
	}
	for _, tt := range tests {
		t.Run(tt.written, func(t *testing.T) {
			t.Parallel()
			c := &checker{env: variables(map[string]string{"DISCORD_ID": "1203948571029384756"})}
			root := c.read([]byte("id: " + tt.written + "\n"))
			id := root.entries[0].value
			c.check(id, &field{key: "id", is: tt.is})
			switch {
			case tt.want == "" && (len(c.problems) != 1 || !strings.HasPrefix(c.problems[0].Mend, advice)):
				t.Errorf("problems = %v, want advice to quote", c.problems)
			case tt.want != "" && (len(c.problems) > 0 || id.str() != tt.want):
				t.Errorf("id = %q (%v), want %q", id.str(), c.problems, tt.want)
			}
		})
	}
}

func TestAPersonsIdsAreReadAsWritten(t *testing.T) {
	t.Parallel()
	got := strings.Join(found("people: {kim: {telegram: -1001234567890, discord: 1203948571029384756}, al: {discord: 1e18}, ed: {slack: 0123}}\n"+bob), "\n")
	want := `1:26: people.kim.telegram: "-1001234567890" is not the id of a person on Telegram; write every digit of it, in quotes; whoever writes to the bot finds it in the notice at the console
1:87: people.al.discord: "1e18" is not an id of Discord's; write every digit of it, in quotes; with Developer Mode on (User Settings, Advanced) a right click offers Copy ID
1:106: people.ed.slack: "0123" is not a Slack member id; write one like U012ABC: in Slack, open the profile, then ⋮, Copy member ID`
	if got != want {
		t.Errorf("problems:\n%s\nwant:\n%s", got, want)
	}
}
