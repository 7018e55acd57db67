package office

import (
	"slices"
	"strings"

	"pgregory.net/rapid"
)

// What happens to the roster and the channels, in an office to which everything
// else happens as well. alice, bob and carol always stay; dave, dora and eve come
// and go, and so does #ops.

func (c *chaos) rosterOperations() map[string]func() {
	return map[string]func(){
		"hire": func() {
			c.amend(HireCall{ColleagueSetup{Name: c.oneOf("new", "dave", "dora", "eve"), Model: "demo"}, rapid.Bool().Draw(c.rt, "ephemeral")})
		},
		"adopt": func() {
			c.amend(AdoptCall{c.oneOf("old", "dave", "dora", "eve"), rapid.Bool().Draw(c.rt, "ephemeral")})
		},
		"dismiss": func() { c.amend(DismissCall{c.oneOf("leaves", "dave", "dora", "eve")}) },
		"rename": func() {
			c.amend(RenameCall{c.oneOf("from", "dave", "dora", "eve"), c.oneOf("to", "dave", "dora", "Eve")})
		},
		"role": func() {
			c.amend(ConfigureCall{c.oneOf("whose", "alice", "carol", "dave"), map[string]any{"role": c.oneOf("role", "member", "leader")}})
		},
		"channel": func() {
			switch rapid.IntRange(0, 2).Draw(c.rt, "form") {
			case 0:
				c.amend(ChannelCreateCall{ChannelSetup{Name: "ops", Members: []string{"bob"}}})
			case 1:
				c.amend(ChannelDeleteCall{"ops"})
			default:
				c.amend(ChannelMembersCall{Name: c.oneOf("of", "dev", "ops"), Add: []string{c.oneOf("add", "carol", "dave", "eve")}})
			}
		},
		"stuck": func() {
			t := c.someTurn()
			if t == nil {
				return
			}
			c.step(stuck{t.Ref()})
			if t = c.s.Turns[t.ID]; t != nil && len(t.Calls) > 0 {
				c.step(proceed{t.Ref(), c.calls[t.ID]})
			}
		},
		"wakes": func() { c.step(wakes{On: rapid.Bool().Draw(c.rt, "on"), By: DefaultOwner}) },
		"pause": func() { c.step(pause{On: rapid.Bool().Draw(c.rt, "on"), By: DefaultOwner}) },
	}
}

// amend is Office.amend with a process that may die anywhere in it.
func (c *chaos) amend(a Amendment) {
	by := actor{person: DefaultOwner}
	out, err := c.step(intend{by, a, true})
	if err != nil {
		return
	}
	p := out.(plan)
	if p.done != nil {
		return
	}
	r := amended{By: by, What: a}
	defer c.sameOne(a)()
	if len(p.edits) > 0 {
		next := edited(c.s.Setup, p.edits)
		switch rapid.IntRange(0, 4).Draw(c.rt, "dies") {
		case 0: // before the file is written
			c.kill()
			return // and the intent is forgotten
		case 1: // after it
			c.s.Setup = next
			c.kill()
			return
		}
		r.Setup = &next
	}
	if _, err := c.step(r); err != nil {
		c.rt.Fatalf("%+v is in the file and was refused: %v", a, err)
	}
	c.lookRoster()
}

// sameOne: under a new name, or back from its dismissal, a colleague is who it was.
func (c *chaos) sameOne(a Amendment) (look func()) {
	var was *Colleague
	name := ""
	switch a := a.(type) {
	case RenameCall:
		was, name = c.s.colleagueNamed(a.From), a.To
	case AdoptCall:
		was, name = c.s.dismissedNamed(a.Name), a.Name
	default:
		return func() {}
	}
	counter := c.s.Meta.Colleague
	return func() {
		if now := c.s.colleagueNamed(name); now != nil && now.ID != was.ID || c.s.Meta.Colleague != counter {
			c.rt.Fatalf("%+v made somebody else of %s: %+v", a, was.ID, now)
		}
	}
}

// lookRoster: the record has those whom the file lists, and those whom it need
// not list.
func (c *chaos) lookRoster() {
	var declared, there []string
	for _, set := range c.s.Setup.Colleagues {
		declared = append(declared, set.Name)
	}
	for _, id := range c.s.roster {
		if x := c.s.Colleagues[id]; !x.Ephemeral {
			there = append(there, x.Name)
		}
	}
	slices.Sort(declared)
	if slices.Sort(there); !slices.Equal(declared, there) {
		c.rt.Fatalf("the file lists %v, the record %v", declared, there)
	}
	if c.s.Meta.Intent != (Intent{}) {
		c.rt.Fatalf("left over: %+v", c.s.Meta.Intent)
	}
}

// lookOnboarding: each who was hired was onboarded once, if it stayed for it.
func (c *chaos) lookOnboarding() {
	turns := map[ColleagueID]int{}
	for _, t := range c.rec.ended {
		if t.Onboarding {
			turns[t.Colleague]++
		}
	}
	adopted := slices.ContainsFunc(c.rec.audit, func(a Audit) bool { return strings.HasPrefix(a.What, "adopt") })
	for id, x := range c.rec.colleagues {
		if n := turns[id]; n > 1 || n == 1 && x.HiredBy == "" || n == 0 && x.HiredBy != "" && !x.Gone && !adopted {
			c.rt.Fatalf("%s, hired by %q, had %d onboarding turns", x.Name, x.HiredBy, n)
		}
	}
}

// toldOfDeparture says whether the writer of something that was dropped with its
// colleague has been told, or need not be.
func (c *chaos) toldOfDeparture(it Item) bool {
	from := c.rec.messages[it.Message].Author
	if from.Kind == ByOffice || it.Quiet && !it.Ask {
		return true
	}
	if asker := c.s.Colleagues[ColleagueID(from.ID)]; !it.FromPerson && !it.Ask && (asker == nil || asker.Gone) {
		return true
	}
	for a, m := range c.rec.messages {
		if m.No > c.since && (a.Channel == it.Conv.Channel || a.Channel == DirectBetween(it.To, ColleagueID(from.ID))) && strings.Contains(m.Text, "left the office") {
			return true
		}
	}
	return false
}

// edited is what a declaration makes of edits.
func edited(s Setup, edits []Edit) Setup {
	s.Colleagues, s.Channels = slices.Clone(s.Colleagues), slices.Clone(s.Channels)
	find := func(name string) int {
		return slices.IndexFunc(s.Colleagues, func(c ColleagueSetup) bool { return c.Name == name })
	}
	member := func(from, to string) {
		for i := range s.Channels {
			var members []string
			for _, m := range s.Channels[i].Members {
				if m == from {
					m = to
				}
				if m != "" {
					members = append(members, m)
				}
			}
			s.Channels[i].Members = members
		}
	}
	for _, e := range edits {
		switch e := e.(type) {
		case AddColleague:
			s.Colleagues = append(s.Colleagues, e.Colleague)
		case RemoveColleague:
			s.Colleagues = slices.Delete(s.Colleagues, find(e.Name), find(e.Name)+1)
			member(e.Name, "")
		case RenameColleague:
			s.Colleagues[find(e.From)].Name = e.To
			member(e.From, e.To)
		case SetColleague:
			s.Colleagues[find(e.Name)].Role = Role(e.Fields["role"].(string))
		case AddChannel:
			s.Channels = append(s.Channels, e.Channel)
		case RemoveChannel:
			s.Channels = slices.DeleteFunc(s.Channels, func(ch ChannelSetup) bool { return ch.Name == e.Name })
		case SetChannel:
			for i := range s.Channels {
				if s.Channels[i].Name == e.Name {
					s.Channels[i].Members = e.Fields["members"].([]string)
				}
			}
		}
	}
	return s
}
