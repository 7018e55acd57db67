package office

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"bullpen/office/wake"
)

// Hire is somebody to be hired, and by whom.
type Hire struct {
	// Setup needs a name. Without a role it is a member's; without a model it is
	// that of its manager, or of the front desk.
	Setup ColleagueSetup
	// Ephemeral colleagues are not written to office.yaml; they stay until dismissed.
	Ephemeral bool
	By        PersonID
	From      string
}

// Hired is who came.
type Hired struct {
	ID        ColleagueID
	Name      string
	Role      Role
	Ephemeral bool
}

// String says it in a sentence.
func (h Hired) String() string {
	s := fmt.Sprintf("%s is with the office now, as a %s", h.Name, h.Role)
	if h.Ephemeral {
		s += ", until it is dismissed; office.yaml does not list it"
	}
	return s + "."
}

// Hire puts somebody new on the roster. The one thing that happens by it is a
// private turn in which the new colleague learns how it takes part.
func (o *Office) Hire(ctx context.Context, h Hire) (Hired, error) {
	return came(o.amend(ctx, actor{person: h.By, from: h.From}, HireCall{h.Setup, h.Ephemeral}))
}

// Adopt brings a dismissed colleague back, with its contexts and its workspace.
func (o *Office) Adopt(ctx context.Context, name string, ephemeral bool, by PersonID, from string) (Hired, error) {
	return came(o.amend(ctx, actor{person: by, from: from}, AdoptCall{name, ephemeral}))
}

func came(out any, err error) (Hired, error) {
	if err != nil {
		return Hired{}, err
	}
	return out.(Hired), nil
}

// RenameColleague gives a colleague another name; all else of it stays.
func (o *Office) RenameColleague(ctx context.Context, from, to string, by PersonID, where string) (string, error) {
	return said(o.amend(ctx, actor{person: by, from: where}, RenameCall{from, to}))
}

// HireCall hires somebody.
type HireCall struct {
	Setup     ColleagueSetup
	Ephemeral bool
}

func (p HireCall) what() string { return "hire " + oneLine(p.Setup.Name, nameLimit) }

func (p HireCall) plan(d *decision, by actor) (plan, error) {
	set, err := d.newSetup(p.Setup)
	if err != nil {
		return plan{}, err
	}
	if d.cameBy(set.Name, by) {
		return plan{done: d.cameAs(set.Name)}, nil
	}
	if err := d.s.mayTake(set.Name, ""); err != nil {
		return plan{}, err
	}
	if err := d.s.checkPlace(set, p.Ephemeral); err != nil {
		return plan{}, err
	}
	if p.Ephemeral {
		return plan{}, nil
	}
	return plan{edits: []Edit{AddColleague{set}}, intent: Intent{Kind: IntendHire, Name: set.Name}}, nil
}

func (p HireCall) carry(d *decision, by string) any {
	name := wake.Canonical(strings.TrimPrefix(p.Setup.Name, "@"))
	if set, err := d.newSetup(p.Setup); err == nil && p.Ephemeral && d.s.mayTake(set.Name, "") == nil {
		c := d.newcomer(set.Name)
		c.ColleagueSetup, c.Ephemeral, c.HiredBy, c.Onboard, c.Call = d.undeclared(set), true, by, true, d.call
		d.rosterMoved()
		c.Order = ephemeralOrder + int(d.s.Meta.Colleague)
		d.put(PutColleague{c})
		d.rank()
	}
	return d.cameAs(name)
}

// cameBy says whether this very call has brought a colleague already, before a
// crash.
func (d *decision) cameBy(name string, by actor) bool {
	c, call := d.s.colleagueNamed(name), d.calling(by)
	return c != nil && call != "" && c.Call == call
}

func (d *decision) cameAs(name string) Hired {
	c := d.s.colleagueNamed(name)
	if c == nil { // taken out of the file again before the record could follow
		return Hired{Name: name}
	}
	return Hired{c.ID, c.Name, c.Role, c.Ephemeral}
}

// ephemeralOrder puts those whom office.yaml does not list after those it lists.
const ephemeralOrder = 1 << 20

// newSetup completes and checks what is said of somebody new.
func (d *decision) newSetup(set ColleagueSetup) (ColleagueSetup, error) {
	set.Name = wake.Canonical(strings.TrimPrefix(strings.TrimSpace(set.Name), "@"))
	if err := wake.CheckName(set.Name); err != nil {
		return set, err
	}
	var err error
	if set.ReportsTo, err = d.s.managerNamed(set.ReportsTo); err != nil {
		return set, err
	}
	if set.Role == "" {
		set.Role, set.RoleUnsaid = Member, true
	}
	if set.Model == "" {
		set.Model = d.usualModel(set.ReportsTo)
	}
	return set, checkSetup(set)
}

// usualModel is the model of somebody for whom none is named: its manager's,
// the front desk's, or that of the first on the roster.
func (d *decision) usualModel(manager string) string {
	for _, name := range []string{manager, d.s.Setup.FrontDesk} {
		if c := d.s.colleagueNamed(name); name != "" && c != nil {
			return c.Model
		}
	}
	for _, id := range d.s.roster {
		return d.s.Colleagues[id].Model
	}
	return ""
}

// mayTake refuses a name that somebody has; but is whose own it may be.
func (s *State) mayTake(name string, but ColleagueID) error {
	if c := s.colleagueNamed(name); c != nil && c.ID != but {
		return fmt.Errorf("the name %q is that of the colleague %s; choose another: capitals make no difference", name, c.Name)
	}
	for _, id := range keys(s.People) {
		if p := s.People[id]; wake.Fold(p.Name) == wake.Fold(name) || wake.Fold(string(p.ID)) == wake.Fold(name) {
			return fmt.Errorf("the name %q is that of the person %s; choose another: capitals make no difference", name, p.Name)
		}
	}
	return nil
}

// newcomer is somebody whom the record has not had on its roster: hired or
// adopted, if that was intended, else declared by hand.
func (d *decision) newcomer(name string) Colleague {
	in := d.s.Meta.Intent
	if in.Kind == IntendAdopt && wake.Fold(in.Name) == wake.Fold(name) {
		if old := d.s.Colleagues[in.ID]; old != nil && old.Gone {
			return d.back(*old)
		}
	}
	c := Colleague{ID: ColleagueID("c" + strconv.FormatInt(d.next(&d.s.Meta.Colleague), 10)), Joined: d.now}
	if in.Kind == IntendAdopt && in.ID == "" && wake.Fold(in.Name) == wake.Fold(name) {
		c.HiredBy, c.Call = in.By, in.Call // of a folder: nobody is introduced
	}
	if in.Kind == IntendHire && wake.Fold(in.Name) == wake.Fold(name) {
		c.HiredBy, c.Onboard, c.Call = in.By, true, in.Call
	}
	return c
}

// back is a dismissed colleague that is on the roster again.
func (d *decision) back(c Colleague) Colleague {
	c.Gone, c.Joined, c.Left, c.Call = false, d.now, time.Time{}, d.call
	return c
}

// AdoptCall brings a dismissed colleague back.
type AdoptCall struct {
	Name      string
	Ephemeral bool
}

func (p AdoptCall) what() string { return "adopt " + oneLine(p.Name, nameLimit) }

// dismissedNamed is the colleague of that name who left last.
func (s *State) dismissedNamed(name string) *Colleague {
	var last *Colleague
	for _, id := range keys(s.Colleagues) {
		if c := s.Colleagues[id]; c.Gone && c.Role != Boss && wake.Fold(c.Name) == wake.Fold(name) && (last == nil || !c.Left.Before(last.Left)) {
			last = c
		}
	}
	return last
}

func (s *State) dismissedNames() string {
	var names []string
	for _, id := range keys(s.Colleagues) {
		if c := s.Colleagues[id]; c.Gone && c.Role != Boss {
			names = append(names, c.Name)
		}
	}
	return orNobody(names)
}

func (p AdoptCall) plan(d *decision, by actor) (plan, error) {
	name := strings.TrimPrefix(strings.TrimSpace(p.Name), "@")
	if d.cameBy(name, by) {
		return plan{done: d.cameAs(name)}, nil
	}
	c := d.s.dismissedNamed(name)
	if c == nil {
		return plan{}, fmt.Errorf("nobody called %q has been dismissed; those who were: %s", oneLine(name, nameLimit), d.s.dismissedNames())
	}
	if err := d.s.mayTake(c.Name, c.ID); err != nil {
		return plan{}, err
	}
	if p.Ephemeral {
		return plan{}, nil
	}
	return plan{edits: []Edit{AddColleague{d.returning(c)}}, intent: Intent{Kind: IntendAdopt, Name: c.Name, ID: c.ID}}, nil
}

// returning is what is declared of a colleague that comes back: what it was,
// under nobody if its manager has gone.
func (d *decision) returning(c *Colleague) ColleagueSetup {
	set := c.ColleagueSetup
	set.Permission = ""
	set.ReportsTo, _ = d.s.managerNamed(set.ReportsTo)
	return set
}

func (p AdoptCall) carry(d *decision, _ string) any {
	name := strings.TrimPrefix(strings.TrimSpace(p.Name), "@")
	if old := d.s.dismissedNamed(name); p.Ephemeral && old != nil && d.s.mayTake(old.Name, old.ID) == nil {
		c := d.back(*old)
		c.ColleagueSetup, c.Ephemeral = d.undeclared(d.returning(old)), true
		d.rosterMoved()
		c.Order = ephemeralOrder + int(d.s.Meta.Colleague)
		d.put(PutColleague{c})
		d.rank()
	}
	return d.cameAs(name)
}

// RenameCall gives a colleague another name.
type RenameCall struct{ From, To string }

func (p RenameCall) what() string {
	return "rename " + oneLine(p.From, nameLimit) + " to " + oneLine(p.To, nameLimit)
}

func (p RenameCall) to() string {
	return wake.Canonical(strings.TrimPrefix(strings.TrimSpace(p.To), "@"))
}

func (p RenameCall) plan(d *decision, _ actor) (plan, error) {
	found, err := d.s.colleaguesNamed([]string{p.From})
	if err != nil {
		return plan{}, err
	}
	c, to := found[0], p.to()
	if c.Name == to {
		return plan{}, errors.New("that is its name already")
	}
	if err := wake.CheckName(to); err != nil {
		return plan{}, err
	}
	if err := d.s.mayTake(to, c.ID); err != nil {
		return plan{}, err
	}
	if c.Ephemeral {
		return plan{}, nil
	}
	return plan{edits: []Edit{RenameColleague{c.Name, to}}, intent: Intent{Kind: IntendRename, Name: to, ID: c.ID}}, nil
}

func (p RenameCall) carry(d *decision, _ string) any {
	if c := d.s.colleagueNamed(strings.TrimPrefix(strings.TrimSpace(p.From), "@")); c != nil && c.Ephemeral {
		d.rename(c, p.to())
	}
	return fmt.Sprintf("%s is called %s now.", oneLine(p.From, nameLimit), p.to())
}

// rename changes a name wherever the record keeps it for what is to come. What
// was said keeps the name of then.
func (d *decision) rename(c *Colleague, to string) {
	d.rosterMoved()
	was, next := c.Name, *c
	next.Name = to
	d.put(PutColleague{next})
	for _, id := range d.s.roster {
		if other := *d.s.Colleagues[id]; other.ReportsTo != "" && wake.Fold(other.ReportsTo) == wake.Fold(was) {
			other.ReportsTo = to
			d.put(PutColleague{other})
		}
	}
	for _, id := range keys(d.s.Channels) {
		ch := *d.s.Channels[id]
		a, b, two := strings.Cut(ch.Name, betweenNames)
		if ch.Kind != DirectChannel || !two {
			continue
		}
		switch was {
		case a:
			ch.Name = to + betweenNames + b
		case b:
			ch.Name = a + betweenNames + to
		default:
			continue
		}
		for _, m := range ch.Members {
			if m == c.ID {
				d.put(PutChannel{ch})
				break
			}
		}
	}
}

// betweenNames stands between the two names of a direct channel.
const betweenNames = " ↔ "
