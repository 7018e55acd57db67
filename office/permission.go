package office

import (
	"fmt"
	"slices"
	"strings"
)

// Preset is what a role's colleagues may do without being asked.
type Preset string

// The presets; without one a role has full.
const (
	// ReadOnly colleagues run nothing that has effects outside of the office.
	ReadOnly Preset = "read-only"
	// AskBeforeChange lets a person allow each such call.
	AskBeforeChange Preset = "ask-before-change"
	// Full asks nobody.
	Full Preset = "full"
)

// Presets lists them, for refusals.
var Presets = []Preset{ReadOnly, AskBeforeChange, Full}

// checkPresets refuses a preset that there is not, before anything is stored.
func checkPresets(of map[Role]Preset) error {
	for _, role := range []Role{Member, Leader} {
		if p, ok := of[role]; ok && !slices.Contains(Presets, p) {
			return fmt.Errorf("role_permissions gives a %s %q; there are %s, %s and %s", role, oneLine(string(p), nameLimit), ReadOnly, AskBeforeChange, Full)
		}
	}
	return nil
}

// permit is a setup with what its role may do.
func (s *Setup) permit(set ColleagueSetup) ColleagueSetup {
	if set.Permission = s.RolePermissions[set.Role]; set.Permission == Full {
		set.Permission = ""
	}
	return set
}

// Effective is the preset that holds for a colleague.
func (c *ColleagueSetup) Effective() Preset {
	if c.Permission == "" {
		return Full
	}
	return c.Permission
}

// Need is what a tool asks of whoever calls it.
type Need struct {
	Leader bool // a leader, or the boss if Boss says that it holds it
	// Boss says that the boss holds it as well, BossOnly that nobody else does.
	Boss, BossOnly bool
	Asks           bool // somebody who may ask people and wait for them
	// Effect says that it changes something outside of the office.
	Effect bool
}

// Holds says whether a colleague may call a tool.
func (c *ColleagueSetup) Holds(tool string, n Need) bool {
	switch {
	case c.Role == Boss && !n.Boss, n.BossOnly && c.Role != Boss, n.Leader && !c.Role.leads(), n.Asks && !c.AskUser, n.Effect && c.Permission == ReadOnly:
		return false
	case len(c.Allow) > 0:
		return slices.Contains(c.Allow, tool)
	default:
		return !slices.Contains(c.Deny, tool)
	}
}

// mayCall checks at the call what was checked when the tool was offered: a role
// may have changed in between.
func (d *decision) mayCall(t *Turn, p *PreparedCall) string {
	c := d.s.Colleagues[t.Colleague]
	if c.Holds(p.Name, p.Need) {
		return ""
	}
	return fmt.Sprintf("[office] Refused: you do not hold the tool %s any more; you are a %s with the permission %s.", oneLine(p.Name, nameLimit), c.Role, strings.ToLower(string(c.Effective())))
}
