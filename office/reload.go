package office

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"bullpen/office/wake"
)

// Report says what a reload did, or would do, a sentence a line.
type Report struct {
	Dry   bool
	Lines []string
}

// String is the report as people read it.
func (r Report) String() string {
	if len(r.Lines) == 0 {
		return "Nothing has changed."
	}
	return strings.Join(r.Lines, "\n")
}

// Reload reads the declaration again and follows it. Only colleagues whose
// settings changed go on with other ones, from the next step of a running turn;
// nobody's turn is cut off but of those who are no longer declared. With dry it
// only says so. A declaration that cannot be used leaves the office as it was.
func (o *Office) Reload(ctx context.Context, dry bool, by PersonID, from string) (Report, error) {
	if o.declaration == nil {
		return Report{}, errUndeclared
	}
	select {
	case o.amending <- struct{}{}:
		defer func() { <-o.amending }()
	case <-ctx.Done():
		return Report{}, ctx.Err()
	case <-o.done:
		return Report{}, o.closedErr()
	}
	setup, err := o.declaration.Read(ctx)
	if err != nil {
		return Report{}, fmt.Errorf("office.yaml cannot be used, and the office goes on as it was: %w", err)
	}
	out, err := o.do(ctx, reload{setup, dry, actor{person: by, from: from}})
	if err != nil {
		return Report{}, err
	}
	return out.(Report), nil
}

type reload struct {
	Setup Setup
	Dry   bool
	By    actor
}

func (r reload) decide(d *decision) (any, error) {
	_, name, err := d.asking(r.By)
	if err != nil {
		return nil, err
	}
	if err := checkHierarchy(r.Setup.Colleagues); err != nil {
		return nil, err
	}
	report := Report{Dry: r.Dry, Lines: d.differences(r.Setup)}
	if r.Dry {
		return report, nil
	}
	if _, err := (follow{r.Setup}).decide(d); err != nil {
		return nil, err
	}
	d.audit(Audit{By: name, From: r.By.from, What: "reload", Outcome: fmt.Sprintf("%d changes", len(report.Lines))})
	return report, nil
}

// differences say what following a setup changes.
func (d *decision) differences(next Setup) []string {
	var lines []string
	say := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	s, declared := d.s, map[string]bool{}
	if s.Setup.Name != next.Name {
		say("The office is called %s.", next.Name)
	}
	if s.Setup.Timezone != next.Timezone {
		say("The time zone of the office is %s.", cmp.Or(next.Timezone, "UTC"))
	}
	for _, set := range d.ranked(next.Colleagues) {
		declared[wake.Fold(set.Name)] = true
		set = next.permit(set)
		switch c := s.colleagueNamed(set.Name); {
		case c == nil:
			say("%s comes to the office, as a %s.", set.Name, set.Role)
		case !reflect.DeepEqual(c.ColleagueSetup, set):
			say("%s goes on with other settings: %s.", c.Name, strings.Join(changedFields(c.ColleagueSetup, set), ", "))
		}
	}
	for _, id := range s.roster {
		if c := s.Colleagues[id]; !c.Ephemeral && !declared[wake.Fold(c.Name)] {
			say("%s leaves the office. %s", c.Name, s.loss(c))
		}
	}
	switch c := s.boss(); {
	case c == nil && next.Boss != nil:
		say("There is a boss now.")
	case c != nil && next.Boss == nil:
		say("There is no boss any more. %s", s.loss(c))
	case c != nil && !reflect.DeepEqual(s.Setup.Boss, next.Boss):
		say("The boss goes on with other settings.")
	}
	lines = append(lines, s.channelDifferences(next)...)
	lines = append(lines, s.peopleDifferences(next)...)
	if !maps.Equal(next.Env, s.Setup.Env) {
		say("The variables of the office have changed.")
	}
	if next.Limits.withDefaults() != s.Limits {
		say("Limits have changed.")
	}
	if !maps.Equal(next.Prices, s.Setup.Prices) {
		say("Prices of models have changed.")
	}
	return lines
}

// changedFields are the settings that differ, by their names in the setup.
func changedFields(a, b ColleagueSetup) []string {
	var names []string
	x, y := reflect.ValueOf(a), reflect.ValueOf(b)
	for i := range x.NumField() {
		if !reflect.DeepEqual(x.Field(i).Interface(), y.Field(i).Interface()) {
			name, _, _ := strings.Cut(x.Type().Field(i).Tag.Get("json"), ",")
			names = append(names, name)
		}
	}
	return names
}

func (s *State) channelDifferences(next Setup) []string {
	var lines []string
	declared := map[ChannelID]bool{General: true}
	for _, set := range next.Channels {
		id := ChannelID(wake.Fold(set.Name))
		declared[id] = true
		ch := s.Channels[id]
		switch {
		case ch == nil || ch.Gone:
			lines = append(lines, fmt.Sprintf("The channel #%s is made, with %s in it.", set.Name, orNobody(set.Members)))
		case id != General && !slices.Equal(declaredNames(s.membersOf(ch)), set.Members):
			lines = append(lines, fmt.Sprintf("In #%s: %s.", set.Name, orNobody(set.Members)))
		case ch.Topic != set.Topic || ch.FinalText != set.FinalText || !slices.Equal(ch.DefaultWake, set.DefaultWake):
			lines = append(lines, fmt.Sprintf("#%s has other settings.", set.Name))
		}
	}
	for _, id := range keys(s.Channels) {
		if ch := s.Channels[id]; ch.Kind == GroupChannel && !ch.Gone && !declared[id] {
			lines = append(lines, fmt.Sprintf("The channel #%s is deleted; its messages stay.", ch.Name))
		}
	}
	return lines
}

func (s *State) peopleDifferences(next Setup) []string {
	var lines []string
	declared := map[PersonID]bool{}
	for _, p := range next.People {
		declared[p.ID] = true
		old := s.People[p.ID]
		if old == nil {
			lines = append(lines, p.Name+" is known to the office.")
			continue
		}
		p.Paired, p.Approved = old.Paired, old.Approved
		if !reflect.DeepEqual(*old, p) {
			lines = append(lines, p.Name+" has other accounts or rights.")
		}
	}
	for _, id := range keys(s.People) {
		if p := s.People[id]; !declared[id] && (len(p.Paired) == 0 || p.Owner) && (len(next.People) > 0 || !p.Owner) {
			lines = append(lines, p.Name+" is not known to the office any more.")
		}
	}
	return lines
}
