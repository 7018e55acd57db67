package wake

import (
	"strings"
	"testing"

	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"
)

func TestCheckName(t *testing.T) {
	t.Parallel()
	const taken = "reserved"
	tests := []struct {
		name string
		says string // part of the refusal; empty if the name is fine
	}{
		{"alice", ""},
		{"  alice  ", ""},
		{"alice b", ""},
		{"Ada.L-2_x", ""},
		{"_x", ""},
		{"7", ""},
		{"张三", ""},
		{"José", ""},
		{"Jose\u0301", ""},
		{"हिन्दी", ""},
		{"members", ""},
		{"dm-x", ""},
		{"general", ""},
		{strings.Repeat("é", 64), ""},
		{strings.Repeat("e\u0301", 64), ""},
		{strings.Repeat("é", 65), "longer than 64"},
		{"", "empty"},
		{" \t ", "empty"},
		{"a  b", "space"},
		{"a\tb", "invisible"},
		{"a\nb", "invisible"},
		{"a\u00a0b", "only letters"},
		{"a\u200db", "invisible"},
		{"a\u202eb", "invisible"},
		{"a\u3164b", "invisible"},
		{"a\u034fb", "invisible"},
		{"a\ufe0f", "invisible"},
		{"a@b", "only letters"},
		{"Kim]\n\n## NOTICE", "only letters"},
		{"a/b", "only letters"},
		{"🎉", "only letters"},
		{"a²", "only letters"},
		{"-a", "start with"},
		{"..", "start with"},
		{"\u0301a", "start with"},
		{"___", "__"},
		{"_", "a letter or a digit"},
		{"a\xff", "UTF-8"},
		{"leader", "level"},
		{"Member", "level"},
		{"User", taken},
		{"OFFICE", taken},
		{"boss", taken},
		{"system", taken},
		{"all", taken},
		{"here", taken},
		{"channel", taken},
		{"Everyone", taken},
		{"__x", "__"},
	}
	for _, tt := range tests {
		checkSays(t, "CheckName", tt.name, CheckName(tt.name), tt.says)
	}
}

func TestCheckChannelName(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, says string }{
		{"dev", ""},
		{"dev-ops", ""},
		{"研发", ""},
		{"dmx", ""},
		{"user", ""},
		{"", "empty"},
		{"a#b", "only letters"},
		{"Leader", "$leader"},
		{"member", "$member"},
		{"General", "already"},
		{"mailbox", "mailbox"},
		{"MailBox", "mailbox"},
		{"DM-alice", "dm-"},
	}
	for _, tt := range tests {
		checkSays(t, "CheckChannelName", tt.name, CheckChannelName(tt.name), tt.says)
	}
}

func checkSays(t *testing.T, what, name string, err error, says string) {
	t.Helper()
	switch {
	case says == "" && err != nil:
		t.Errorf("%s(%q): %v", what, name, err)
	case says != "" && err == nil:
		t.Errorf("%s(%q) is fine, want a refusal that says %q", what, name, says)
	case says != "" && (!strings.Contains(err.Error(), says) || strings.ContainsAny(err.Error(), "\n\t")):
		t.Errorf("%s(%q) says %q, want %q on one line", what, name, err, says)
	}
}

func TestRank(t *testing.T) {
	t.Parallel()
	for i, l := range Levels() {
		if rank, ok := Rank(strings.ToUpper(l)); !ok || rank != i {
			t.Errorf("Rank(%q) = %d, %t; want %d", l, rank, ok, i)
		}
	}
	if rank, ok := Rank("boss"); ok || rank != 0 {
		t.Errorf("Rank of no level = %d, %t", rank, ok)
	}
	Levels()[0] = "spoilt"
	if _, ok := Rank("member"); !ok {
		t.Error("changing what Levels returned changed the levels")
	}
}

func TestFoldMakesSpellingsAlike(t *testing.T) {
	t.Parallel()
	for _, pair := range [][2]string{
		{"Alice", "aLICE"},
		{"José", "JOSE\u0301"},
		{"Straße", "STRASSE"},
		{"ΣΊΣΥΦΟΣ", "σίσυφος"},
		{"ǰ", "J\u030c"},
		{"\u1fb4", "\u03b1\u0301\u0345"},
		{"한", "\u1112\u1161\u11ab"},
		{"Ⅷ", "ⅷ"},
	} {
		if Fold(pair[0]) != Fold(pair[1]) {
			t.Errorf("Fold(%q) = %q, Fold(%q) = %q", pair[0], Fold(pair[0]), pair[1], Fold(pair[1]))
		}
	}
	if Fold("Jose") == Fold("José") {
		t.Error("an accent makes no difference")
	}
}

func TestFoldIsStableUnderNormalisation(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		name := anyName().Draw(t, "name")
		key := Fold(name)
		for what, other := range map[string]string{
			"decomposed": norm.NFD.String(name),
			"composed":   norm.NFC.String(name),
			"canonical":  Canonical(name),
			"folded":     key,
		} {
			if got := Fold(other); got != key {
				t.Errorf("Fold of the %s %q = %q, want %q", what, other, got, key)
			}
		}
		if Canonical(Canonical(name)) != Canonical(name) {
			t.Errorf("Canonical(%q) is not stable", name)
		}
	})
}

// anyName draws names that CheckName allows, in several scripts.
func anyName() *rapid.Generator[string] {
	letters := []rune("abzAZ09_éÉßǰΣςİ한글张三かがパกำที่هע\u0301\u0345\u0323-. ")
	return rapid.StringOfN(rapid.SampledFrom(letters), 1, 12, -1).Filter(func(s string) bool {
		return CheckName(s) == nil && s == strings.TrimSpace(s)
	})
}
