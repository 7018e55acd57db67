package office

import "slices"

// Who reports to whom is told by office.yaml and, of those whom it does not list,
// by the record. Somebody whose role nobody wrote leads while somebody reports to
// it, whichever of the two says so.

// asks says whether the colleagues of a role may ask people and wait for them.
func (s *Setup) asks(role Role) bool {
	if s.AskUserRoles == nil {
		return role == Leader
	}
	return slices.Contains(s.AskUserRoles, role)
}

// ranked is a declaration with the roles of those who lead because somebody whom
// it does not list reports to them.
func (d *decision) ranked(setups []ColleagueSetup) []ColleagueSetup {
	ranked := slices.Clone(setups)
	for i := range ranked {
		set := &ranked[i]
		if !set.RoleUnsaid || set.Role == Leader {
			continue
		}
		for _, name := range d.s.reports(set.Name) {
			if c := d.s.colleagueNamed(name); c.Ephemeral {
				set.Role, set.AskUser = Leader, d.s.Setup.asks(Leader)
			}
		}
	}
	return ranked
}

// rank gives those whose role nobody wrote the one that they have by who reports
// to them.
func (d *decision) rank() {
	for _, id := range slices.Clone(d.s.roster) {
		c := *d.s.Colleagues[id]
		role := Member
		if len(d.s.reports(c.Name)) > 0 {
			role = Leader
		}
		if !c.RoleUnsaid || c.Role == role {
			continue
		}
		c.Role, c.AskUser = role, d.s.Setup.asks(role)
		c.ColleagueSetup = d.s.Setup.permit(c.ColleagueSetup)
		d.rosterMoved()
		d.put(PutColleague{c})
	}
}
