package wake

import "testing"

func TestNearestIsWhatWasProbablyMeant(t *testing.T) {
	t.Parallel()
	names := []string{"alice", "bob", "status", "pause"}
	for word, want := range map[string]string{
		"alcie": "alice", "ALICE2": "alice", "bobb": "bob", "statsu": "status", "stat": "status",
		"everyone": "", "": "", "xy": "",
	} {
		if got := Nearest(word, names); got != want {
			t.Errorf("Nearest(%q) = %q, want %q", word, got, want)
		}
	}
}
