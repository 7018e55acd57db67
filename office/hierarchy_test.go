package office

import (
	"strings"
	"testing"
)

// A preset that there is not, a manager whom nobody knows, and a circle are
// refused before anything is stored, with what there is, or the chain.
func TestASetupThatCannotBeIsRefusedBeforeAnythingIsStored(t *testing.T) {
	t.Parallel()
	for want, change := range map[string]func(*Setup){
		"there are read-only, ask-before-change and full":                                        func(s *Setup) { s.RolePermissions = map[Role]Preset{Member: "sudo"} },
		`carol cannot report to "zoe": no colleague is called that; there are carol, alice, bob`: func(s *Setup) { s.Colleagues[0].ReportsTo = "zoe" },
		"carol cannot report to itself":                                                          func(s *Setup) { s.Colleagues[0].ReportsTo = "CAROL" },
		"carol reports to alice reports to carol":                                                func(s *Setup) { s.Colleagues[0].ReportsTo, s.Colleagues[1].ReportsTo = "alice", "Carol" },
	} {
		k := newDesk(t)
		next := k.s.Setup
		next.Colleagues = append([]ColleagueSetup(nil), next.Colleagues...)
		for i := range next.Colleagues {
			next.Colleagues[i].ReportsTo = ""
		}
		change(&next)
		if _, err := k.do(follow{next}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
