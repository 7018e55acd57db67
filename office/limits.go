package office

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// SetLimits changes limits of the office, by their keys below limits in
// office.yaml. A nil value goes back to the default. They hold at once: what was
// held over a budget that is higher now is handed over.
func (o *Office) SetLimits(ctx context.Context, limits map[string]any, by PersonID, from string) (string, error) {
	return said(o.amend(ctx, actor{person: by, from: from}, LimitsCall{limits}))
}

// LimitsCall changes limits of the office.
type LimitsCall struct{ Limits map[string]any }

func (p LimitsCall) keys() []string { return slices.Sorted(maps.Keys(p.Limits)) }

func (p LimitsCall) what() string {
	return "change limits: " + oneLine(strings.Join(p.keys(), ", "), noteLimit)
}

func (p LimitsCall) plan(d *decision, by actor) (plan, error) {
	// Nobody whom a limit bounds may change it, through whatever they call.
	if who := d.s.People[by.person]; who == nil || !who.Owner || by.turn.Turn != 0 || by.branch != "" {
		return plan{}, fmt.Errorf("only the owner of this office may change its limits")
	}
	if len(p.Limits) == 0 {
		return plan{}, fmt.Errorf("name the limits to change")
	}
	fields := map[string]any{}
	for key, v := range p.Limits {
		fields["limits."+key] = v
	}
	return plan{edits: []Edit{SetOffice{fields}}}, nil
}

func (p LimitsCall) carry(d *decision, _ string) any {
	all, each := d.s.Limits.ceilings(nil, Spent{}), d.s.Limits.ceilings(&Colleague{}, Spent{})
	return fmt.Sprintf("In a day all together may use %s and %s, each colleague %s and %s.",
		all[0].amount(all[0].limit), all[1].amount(all[1].limit), each[0].amount(each[0].limit), each[1].amount(each[1].limit))
}
