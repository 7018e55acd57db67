package office

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"bullpen/office/wake"
)

// checkHierarchy refuses a manager whom nobody knows and colleagues who report
// to themselves, directly or through others; the refusal names the chain.
func checkHierarchy(all []ColleagueSetup) error {
	index := make(map[string]int, len(all))
	names := make([]string, len(all))
	for i, c := range all {
		index[wake.Fold(c.Name)], names[i] = i, c.Name
	}
	for i, c := range all {
		chain := []string{c.Name}
		for at := i; all[at].ReportsTo != ""; {
			next, known := index[wake.Fold(all[at].ReportsTo)]
			switch {
			case !known:
				return fmt.Errorf("%s cannot report to %q: no colleague is called that; there are %s", all[at].Name, oneLine(all[at].ReportsTo, nameLimit), strings.Join(names, ", "))
			case next == at:
				return fmt.Errorf("%s cannot report to itself", c.Name)
			}
			chain = append(chain, all[next].Name)
			if next == i {
				return fmt.Errorf("nobody leads this circle: %s", strings.Join(chain, " reports to "))
			}
			if at = next; len(chain) > len(all) {
				break // a circle further up, which is told from one of its own
			}
		}
	}
	return nil
}

// setups are those of the whole roster, in order.
func (s *State) setups() []ColleagueSetup {
	all := make([]ColleagueSetup, 0, len(s.roster))
	for _, id := range s.roster {
		all = append(all, s.Colleagues[id].ColleagueSetup)
	}
	return all
}

// reports are the names of those who report to a colleague.
func (s *State) reports(name string) []string {
	var names []string
	for _, id := range s.roster {
		if c := s.Colleagues[id]; c.ReportsTo != "" && wake.Fold(c.ReportsTo) == wake.Fold(name) {
			names = append(names, c.Name)
		}
	}
	return names
}

// Team is what a colleague is told of the office that it works in.
type Team struct {
	Name, Description string   // of the office
	Reports           []string // who reports to the colleague, in order of declaration
	BossFor           []string // names of those for whom the office's boss works
	// Env are the variables of all colleagues; it may not be altered.
	Env map[string]string
}

// TeamOf looks up what a colleague is told of its office.
func (o *Office) TeamOf(ctx context.Context, c *Colleague) (Team, error) {
	return look(ctx, o, func(s *State) Team {
		t := Team{Name: s.Setup.Name, Description: s.Setup.Description, Reports: s.reports(c.Name), Env: s.Setup.Env}
		if s.boss() == nil || s.Setup.Boss == nil {
			return t
		}
		for _, id := range keys(s.People) {
			if slices.Contains(s.Setup.Boss.People, id) {
				t.BossFor = append(t.BossFor, s.People[id].Name)
			}
		}
		return t
	})
}

// managers are those to whom a colleague reports, the nearest first, directly and
// through others.
func (s *State) managers(c *Colleague) []*Colleague {
	var all []*Colleague
	for at := s.colleagueNamed(c.ReportsTo); c.ReportsTo != "" && at != nil && at.ID != c.ID && len(all) < len(s.roster); {
		all = append(all, at)
		if at.ReportsTo == "" {
			break
		}
		at = s.colleagueNamed(at.ReportsTo)
	}
	return all
}

// checkLeads says why a colleague is not another one's leader. Its leaders are those
// to whom it reports, directly or through others; one that reports to nobody is led
// by every leader but those that report to it. The boss leads everybody.
func (s *State) checkLeads(leader, c *Colleague) error {
	among := func(all []*Colleague, who *Colleague) bool {
		return slices.ContainsFunc(all, func(x *Colleague) bool { return x.ID == who.ID })
	}
	switch above := s.managers(c); {
	case leader.Role == Boss, among(above, leader):
		return nil
	case leader.ID == c.ID:
		return errors.New("this is you; ask the owner, or another leader")
	case among(s.managers(leader), c):
		return fmt.Errorf("you report to %s, and not the other way round; ask the owner", c.Name)
	case len(above) > 0:
		return fmt.Errorf("%s reports to %s, and not to you; ask %s, or the owner", c.Name, above[0].Name, above[0].Name)
	default:
		return nil
	}
}

// managerNamed is a colleague's name as it is declared, for reports_to.
func (s *State) managerNamed(name string) (string, error) {
	name = strings.TrimPrefix(strings.TrimSpace(name), "@")
	if name == "" {
		return "", nil
	}
	c := s.colleagueNamed(name)
	if c == nil {
		return "", fmt.Errorf("nobody can report to %q: no colleague is called that; there are %s", oneLine(name, nameLimit), s.colleagueNames())
	}
	return c.Name, nil
}

// checkPlace checks the hierarchy with one colleague set anew, or added. Who is
// declared reports to somebody whom office.yaml lists.
func (s *State) checkPlace(set ColleagueSetup, ephemeral bool) error {
	if m := s.colleagueNamed(set.ReportsTo); !ephemeral && m != nil && m.Ephemeral {
		return fmt.Errorf("%s cannot report to %s, whom office.yaml does not list", set.Name, m.Name)
	}
	all := s.setups()
	i := slices.IndexFunc(all, func(c ColleagueSetup) bool { return wake.Fold(c.Name) == wake.Fold(set.Name) })
	if i < 0 {
		return checkHierarchy(append(all, set))
	}
	all[i] = set
	return checkHierarchy(all)
}
