package office

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"
)

// Priorities are the words for how urgent a colleague's turns are, and what
// they count.
var Priorities = map[string]int{"idle": -2, "low": -1, "normal": 0, "high": 1, "critical": 2}

// Thinkings are the words for how much a model thinks; empty is off.
var Thinkings = []string{"off", "minimal", "low", "medium", "high", "xhigh"}

// descriptionLimit bounds what a colleague is said to be, in characters.
const descriptionLimit = 1024

// Configure changes settings of a colleague, by their keys in office.yaml: role,
// description, model, fallback, thinking, priority, reports_to, prompt_inline,
// and what else the declaration knows. A nil value goes back to the default. It
// holds from the next step of a running turn on.
func (o *Office) Configure(ctx context.Context, name string, fields map[string]any, by PersonID, from string) (string, error) {
	return said(o.amend(ctx, actor{person: by, from: from}, ConfigureCall{name, fields}))
}

// ConfigureCall is office_configure: a leader may set role and description of
// others, a person everything.
type ConfigureCall struct {
	Colleague string
	Fields    map[string]any
}

func (p ConfigureCall) keys() []string { return slices.Sorted(maps.Keys(p.Fields)) }

func (p ConfigureCall) what() string {
	return "configure " + oneLine(p.Colleague, nameLimit) + ": " + oneLine(strings.Join(p.keys(), ", "), 200)
}

// cwdKey is the setting that only the owner may change: it opens a folder of the
// machine, whatever lies in it.
const cwdKey = "cwd"

// leadersKeys are the settings that a leader may change.
var leadersKeys = []string{"role", "description"}

// bossKeys are those that the boss may change: it has to move reports before it
// can dismiss their manager.
var bossKeys = []string{"role", "description", "reports_to"}

func (p ConfigureCall) plan(d *decision, by actor) (plan, error) {
	found, err := d.s.colleaguesNamed([]string{p.Colleague})
	if err != nil {
		return plan{}, err
	}
	c := found[0]
	if len(p.Fields) == 0 {
		return plan{}, errors.New("name what to change, like role or description")
	}
	if leader, _, _ := d.asking(by); leader != nil {
		may := leadersKeys
		if leader.Role == Boss {
			may = bossKeys
		}
		if leader.ID == c.ID {
			return plan{}, errors.New("you cannot configure yourself; ask the owner, or another leader")
		}
		for _, key := range p.keys() {
			if !slices.Contains(may, key) {
				return plan{}, fmt.Errorf("a %s may change %s of a colleague, and not %s", leader.Role, strings.Join(may, " and "), oneLine(key, nameLimit))
			}
		}
	}
	_, moves := p.Fields[cwdKey]
	if who := d.s.People[by.person]; moves && (who == nil || !who.Owner) {
		return plan{}, errors.New("only the owner may say which folder of the machine a colleague works in")
	}
	next, known, err := d.s.with(c.ColleagueSetup, p.Fields)
	if err != nil {
		return plan{}, err
	}
	if err := d.s.checkPlace(next, c.Ephemeral); err != nil {
		return plan{}, err
	}
	switch {
	case c.Ephemeral && (!known || len(next.Env) > 0 || moves && next.Cwd != ""):
		return plan{}, fmt.Errorf("%s is not in office.yaml; of it can be set %s", c.Name, strings.Join(slices.Sorted(maps.Keys(setters)), ", "))
	case known && next.Role == c.Role && reflect.DeepEqual(d.s.Setup.permit(next), c.ColleagueSetup):
		return plan{done: fmt.Sprintf("%s is configured so already.", c.Name)}, nil
	case c.Ephemeral:
		return plan{}, nil
	}
	fields := maps.Clone(p.Fields)
	if v, ok := fields["reports_to"]; ok && v != nil {
		if fields["reports_to"] = next.ReportsTo; next.ReportsTo == "" {
			fields["reports_to"] = nil
		}
	}
	return plan{edits: []Edit{SetColleague{c.Name, fields}}}, nil
}

func (p ConfigureCall) carry(d *decision, _ string) any {
	c := d.s.colleagueNamed(strings.TrimPrefix(strings.TrimSpace(p.Colleague), "@"))
	if c == nil {
		return "The colleague is gone meanwhile."
	}
	if next, _, err := d.s.with(c.ColleagueSetup, p.Fields); c.Ephemeral && err == nil {
		d.reconfigure(c, next)
		d.rank()
	}
	said := fmt.Sprintf("%s is configured: %s. It holds from its next step on.", c.Name, strings.Join(p.keys(), ", "))
	if _, moves := p.Fields[cwdKey]; moves {
		said += " It works in the other folder from its next turn on; the files where it was, its memory among them, stay there."
	}
	return said
}

// setters are the settings that the office itself understands.
var setters = map[string]func(s *State, set *ColleagueSetup, v any) error{
	"role": func(_ *State, set *ColleagueSetup, v any) (err error) {
		text, err := textOf(v)
		set.RoleUnsaid = text == ""
		if set.Role = Role(text); set.RoleUnsaid {
			set.Role = Member
		}
		return err
	},
	"description":   func(_ *State, set *ColleagueSetup, v any) (err error) { set.Description, err = textOf(v); return err },
	"model":         func(_ *State, set *ColleagueSetup, v any) (err error) { set.Model, err = textOf(v); return err },
	cwdKey:          func(_ *State, set *ColleagueSetup, v any) (err error) { set.Cwd, err = textOf(v); return err },
	"prompt_inline": func(_ *State, set *ColleagueSetup, v any) (err error) { set.Prompt, err = textOf(v); return err },
	"thinking": func(_ *State, set *ColleagueSetup, v any) (err error) {
		if set.Thinking, err = textOf(v); set.Thinking == "off" {
			set.Thinking = ""
		}
		return err
	},
	"reports_to": func(s *State, set *ColleagueSetup, v any) error {
		text, err := textOf(v)
		if err == nil {
			set.ReportsTo, err = s.managerNamed(text)
		}
		return err
	},
	"priority": func(_ *State, set *ColleagueSetup, v any) error {
		text, err := textOf(v)
		n, ok := Priorities[text]
		if err == nil && !ok && text != "" {
			err = fmt.Errorf("it is %q and can be %s", oneLine(text, nameLimit), strings.Join(slices.Sorted(maps.Keys(Priorities)), ", "))
		}
		set.Priority = n
		return err
	},
	"fallback":                func(_ *State, set *ColleagueSetup, v any) (err error) { set.Fallback, err = namesIn(v); return err },
	"permissions.tools.allow": func(_ *State, set *ColleagueSetup, v any) (err error) { set.Allow, err = namesIn(v); return err },
	"permissions.tools.deny":  func(_ *State, set *ColleagueSetup, v any) (err error) { set.Deny, err = namesIn(v); return err },
}

func namesIn(v any) ([]string, error) {
	switch v := v.(type) {
	case nil:
		return nil, nil
	case []string:
		return slices.Clone(v), nil
	default:
		return nil, errors.New("it has to be a list of names")
	}
}

func textOf(v any) (string, error) {
	switch v := v.(type) {
	case nil:
		return "", nil
	case string:
		return v, nil
	default:
		return "", errors.New("it has to be text")
	}
}

// with is a setup with settings changed; known is false if there are some that
// only the declaration understands.
func (s *State) with(set ColleagueSetup, fields map[string]any) (next ColleagueSetup, known bool, err error) {
	next, known = set, true
	for _, key := range slices.Sorted(maps.Keys(fields)) {
		f := setters[key]
		if strings.HasPrefix(key, envPrefix) {
			f = func(_ *State, set *ColleagueSetup, v any) error { return setEnv(set, key, v) }
		}
		if f == nil {
			known = false
			continue
		}
		if err := f(s, &next, fields[key]); err != nil {
			return set, known, fmt.Errorf("%s: %w", key, err)
		}
	}
	return next, known, checkSetup(next)
}

// checkSetup refuses what no declaration would take.
func checkSetup(set ColleagueSetup) error {
	switch n := utf8.RuneCountInString(set.Description); {
	case set.Role != Member && set.Role != Leader:
		return fmt.Errorf("no role is called %q; there are member and leader", oneLine(string(set.Role), nameLimit))
	case n > descriptionLimit:
		return fmt.Errorf("the description has %d characters and may have %d; shorten it", n, descriptionLimit)
	case strings.ContainsAny(set.Description, "\r\n"):
		return errors.New("the description has to stand on one line")
	case set.Thinking != "" && !slices.Contains(Thinkings, set.Thinking):
		return fmt.Errorf("thinking is %q and can be %s", oneLine(set.Thinking, nameLimit), strings.Join(Thinkings, ", "))
	}
	return nil
}

// officeNameLimit bounds an office's name, in characters.
const officeNameLimit = 80

// RenameOffice changes what people call the office; its id stays.
func (o *Office) RenameOffice(ctx context.Context, name string, by PersonID, from string) (string, error) {
	return said(o.amend(ctx, actor{person: by, from: from}, RenameOfficeCall{name}))
}

// RenameOfficeCall changes what people call the office.
type RenameOfficeCall struct{ Name string }

func (p RenameOfficeCall) what() string {
	return "rename the office to " + oneLine(p.Name, officeNameLimit)
}

func (p RenameOfficeCall) plan(d *decision, _ actor) (plan, error) {
	name := strings.TrimSpace(p.Name)
	switch {
	case name == "" || oneLine(name, officeNameLimit) != name:
		return plan{}, fmt.Errorf("an office's name is one line of 1 to %d characters", officeNameLimit)
	case name == d.s.Setup.Name:
		return plan{done: "That is its name already."}, nil
	}
	return plan{edits: []Edit{SetOffice{map[string]any{"name": name}}}}, nil
}

func (p RenameOfficeCall) carry(d *decision, _ string) any {
	return "The office is called " + d.s.Setup.Name + " now."
}
