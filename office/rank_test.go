package office

import "testing"

// A role that nobody wrote is that of who leads somebody, whether office.yaml says
// who reports to whom or only the record does.
func TestARoleThatNobodyWroteFollowsWhoReports(t *testing.T) {
	t.Parallel()
	k := newDesk(t, func(s *Setup) {
		s.AskUserRoles = []Role{Member}
		for i := range s.Colleagues {
			s.Colleagues[i].RoleUnsaid = s.Colleagues[i].Name == "bob"
			s.Colleagues[i].AskUser = s.Colleagues[i].Role == Member
		}
	})
	want := func(when, name string, role Role) {
		t.Helper()
		c := k.s.colleagueNamed(name)
		if c.Role != role || c.AskUser != (role == Member) {
			t.Errorf("%s: %s is a %s, asking %v; want %s", when, name, c.Role, c.AskUser, role)
		}
	}
	owner := actor{person: DefaultOwner}
	hire := func(name, manager string, role Role) {
		t.Helper()
		k.must(amended{By: owner, What: HireCall{Setup: ColleagueSetup{Name: name, ReportsTo: manager, Role: role}, Ephemeral: true}})
	}
	want("at first", "bob", Member)
	hire("tim", "bob", "")
	want("with a report", "bob", Leader)
	want("the report", "tim", Member)
	hire("tom", "tim", "")
	want("hired at run time, with a report", "tim", Leader)
	hire("tess", "tom", Member)
	hire("tara", "tess", "")
	want("whose role was written", "tess", Member)
	before := k.s.Meta.Roster
	k.must(configure{k.s.Setup})
	want("after a reload", "bob", Leader)
	if k.s.Meta.Roster != before {
		t.Error("reading the same declaration again changed the roster")
	}
	k.restart()
	want("after a restart", "tim", Leader)
	k.must(amended{By: owner, What: ConfigureCall{Colleague: "tim", Fields: map[string]any{"reports_to": "alice"}}})
	want("when nobody reports any more", "bob", Member)
	k.must(amended{By: owner, What: DismissCall{Name: "tara"}})
	k.must(amended{By: owner, What: DismissCall{Name: "tess"}})
	k.must(amended{By: owner, What: DismissCall{Name: "tom"}})
	want("when its report left", "tim", Member)
}
