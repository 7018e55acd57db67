package office

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"bullpen/office/wake"
)

// topicLimit bounds a channel's topic, in characters.
const topicLimit = 250

// CreateChannel makes a group channel and declares it in office.yaml.
func (o *Office) CreateChannel(ctx context.Context, ch ChannelSetup, by PersonID, from string) (string, error) {
	return said(o.amend(ctx, actor{person: by, from: from}, ChannelCreateCall{ch}))
}

// DeleteChannel takes a group channel away. Its messages stay in the record, and
// what is queued of it is still delivered.
func (o *Office) DeleteChannel(ctx context.Context, name string, by PersonID, from string) (string, error) {
	return said(o.amend(ctx, actor{person: by, from: from}, ChannelDeleteCall{name}))
}

// SetMembers says who subscribes to a group channel: exactly members.
func (o *Office) SetMembers(ctx context.Context, name string, members []string, by PersonID, from string) (string, error) {
	if members == nil {
		members = []string{}
	}
	return said(o.amend(ctx, actor{person: by, from: from}, ChannelMembersCall{Name: name, Set: members}))
}

// SetTopic says what a channel is for.
func (o *Office) SetTopic(ctx context.Context, name, topic string, by PersonID, from string) (string, error) {
	return said(o.amend(ctx, actor{person: by, from: from}, ChannelTopicCall{name, topic}))
}

// channelNamed finds general or a group channel that is not deleted.
func (s *State) channelNamed(name string) *Channel {
	key := wake.Fold(strings.TrimPrefix(strings.TrimSpace(name), "#"))
	if ch := s.Channels[ChannelID(key)]; ch != nil && ch.open() {
		return ch
	}
	return nil
}

// open says whether the channel is one of those that anyone may write to.
func (ch *Channel) open() bool {
	return !ch.Gone && (ch.Kind == GeneralChannel || ch.Kind == GroupChannel)
}

func (s *State) noChannel(name string) error {
	return fmt.Errorf("there is no channel %q; there are %s", oneLine(name, nameLimit), s.channelNames())
}

// colleaguesNamed finds colleagues by name, with or without the @.
func (s *State) colleaguesNamed(names []string) ([]*Colleague, error) {
	var found []*Colleague
	for _, name := range names {
		c := s.colleagueNamed(strings.TrimPrefix(strings.TrimSpace(name), "@"))
		if c == nil {
			return nil, fmt.Errorf("no colleague is called %q; there are %s", oneLine(name, nameLimit), s.colleagueNames())
		}
		if !slices.Contains(found, c) {
			found = append(found, c)
		}
	}
	return found, nil
}

// declaredNames are the members that office.yaml lists: those that it knows.
func declaredNames(members []*Colleague) []string {
	names := []string{}
	for _, c := range members {
		if !c.Ephemeral {
			names = append(names, c.Name)
		}
	}
	return names
}

func namesOf(members []*Colleague) []string {
	names := make([]string, 0, len(members))
	for _, c := range members {
		names = append(names, c.Name)
	}
	return names
}

func (s *State) membersOf(ch *Channel) []*Colleague {
	var out []*Colleague
	for _, id := range ch.Members {
		out = append(out, s.Colleagues[id])
	}
	return out
}

func sameMembers(a, b []*Colleague) bool {
	return len(a) == len(b) && !slices.ContainsFunc(a, func(c *Colleague) bool { return !slices.Contains(b, c) })
}

// setMembers makes members, the ephemeral ones among them, a channel's subscribers.
func (d *decision) setMembers(id ChannelID, members []*Colleague) {
	ch := *d.s.Channels[id]
	ch.Members = nil
	for _, c := range members {
		ch.Members = append(ch.Members, c.ID)
	}
	if !slices.Equal(ch.Members, d.s.Channels[id].Members) {
		d.put(PutChannel{ch})
	}
}

func checkTopic(topic string) error {
	if n := utf8.RuneCountInString(topic); n > topicLimit {
		return fmt.Errorf("the topic has %d characters and may have %d; shorten it", n, topicLimit)
	}
	if strings.ContainsAny(topic, "\r\n") {
		return errors.New("the topic has to stand on one line")
	}
	return nil
}

// ChannelCreateCall is office_channel_create.
type ChannelCreateCall struct{ Channel ChannelSetup }

func (p ChannelCreateCall) what() string {
	return "create channel #" + oneLine(p.Channel.Name, nameLimit)
}

func (p ChannelCreateCall) setup() ChannelSetup {
	set := p.Channel
	set.Name = wake.Canonical(strings.TrimPrefix(strings.TrimSpace(set.Name), "#"))
	return set
}

func (p ChannelCreateCall) plan(d *decision, _ actor) (plan, error) {
	set := p.setup()
	if err := wake.CheckChannelName(set.Name); err != nil {
		return plan{}, err
	}
	if err := checkTopic(set.Topic); err != nil {
		return plan{}, err
	}
	members, err := d.s.colleaguesNamed(set.Members)
	if err != nil {
		return plan{}, err
	}
	if ch := d.s.channelNamed(set.Name); ch != nil {
		if ch.Topic == set.Topic && sameMembers(d.s.membersOf(ch), members) {
			return plan{done: fmt.Sprintf("#%s is there already, with those members.", ch.Name)}, nil
		}
		return plan{}, fmt.Errorf("the channel #%s is there already, with %s in it; choose another name, or change its members", ch.Name, orNobody(namesOf(d.s.membersOf(ch))))
	}
	if len(set.DefaultWake) > 0 {
		if _, err := wake.ParseList(set.DefaultWake, d.names()); err != nil {
			return plan{}, err
		}
	}
	set.Members = declaredNames(members)
	return plan{edits: []Edit{AddChannel{set}}}, nil
}

func (p ChannelCreateCall) carry(d *decision, _ string) any {
	ch := d.s.channelNamed(p.setup().Name)
	members, err := d.s.colleaguesNamed(p.Channel.Members)
	if ch == nil || err != nil { // somebody has been at the file meanwhile
		return "The channel is in office.yaml as it stands there now."
	}
	d.setMembers(ch.ID, members)
	return fmt.Sprintf("#%s is there, with %s in it.", ch.Name, orNobody(namesOf(members)))
}

// ChannelDeleteCall is office_channel_delete.
type ChannelDeleteCall struct{ Name string }

func (p ChannelDeleteCall) what() string { return "delete channel #" + oneLine(p.Name, nameLimit) }

func (p ChannelDeleteCall) plan(d *decision, _ actor) (plan, error) {
	key := wake.Fold(strings.TrimPrefix(strings.TrimSpace(p.Name), "#"))
	ch := d.s.Channels[ChannelID(key)]
	switch {
	case key == string(General):
		return plan{}, errors.New("#general is everyone's and cannot be deleted")
	case ch == nil || ch.Kind != GroupChannel:
		return plan{}, d.s.noChannel(p.Name)
	case ch.Gone:
		return plan{done: fmt.Sprintf("#%s is deleted already.", ch.Name)}, nil
	}
	return plan{edits: []Edit{RemoveChannel{ch.Name}}}, nil
}

func (p ChannelDeleteCall) carry(d *decision, _ string) any {
	name := strings.TrimPrefix(strings.TrimSpace(p.Name), "#")
	dropped := ""
	for _, c := range d.closed {
		if wake.Fold(c.name) == wake.Fold(name) {
			dropped = c.String()
		}
	}
	return fmt.Sprintf("#%s is deleted.%s Its messages stay in the record, and what waits of it is still delivered.", name, dropped)
}

// closed is what the deletion of a channel dropped.
type closed struct {
	name    string
	members []string
	places  []string // platforms that showed it
	sends   int      // what was still owed to them
}

// String says it in a sentence; nothing where nothing was dropped.
func (c closed) String() string {
	var parts []string
	if len(c.members) > 0 {
		parts = append(parts, strings.Join(c.members, ", ")+" read it no more")
	}
	if len(c.places) > 0 {
		parts = append(parts, "it is shown no more on "+strings.Join(c.places, ", "))
	}
	if c.sends > 0 {
		parts = append(parts, fmt.Sprintf("%d message(s) that were still to be shown there are dropped", c.sends))
	}
	if len(parts) == 0 {
		return ""
	}
	return " With it: " + strings.Join(parts, "; ") + "."
}

// ChannelMembersCall is office_channel_members: Set replaces all members, Add
// and Remove change some. Set nil changes only what Add and Remove name.
type ChannelMembersCall struct {
	Name             string
	Set, Add, Remove []string
}

func (p ChannelMembersCall) what() string {
	return "change the members of #" + oneLine(p.Name, nameLimit)
}

// members are those whom the channel is to have.
func (p ChannelMembersCall) members(s *State, ch *Channel) ([]*Colleague, error) {
	members := s.membersOf(ch)
	if p.Set != nil {
		set, err := s.colleaguesNamed(p.Set)
		if err != nil {
			return nil, err
		}
		members = set
	}
	add, err := s.colleaguesNamed(p.Add)
	if err != nil {
		return nil, err
	}
	remove, err := s.colleaguesNamed(p.Remove)
	if err != nil {
		return nil, err
	}
	for _, c := range add {
		if !slices.Contains(members, c) {
			members = append(members, c)
		}
	}
	return slices.DeleteFunc(members, func(c *Colleague) bool { return slices.Contains(remove, c) }), nil
}

func (p ChannelMembersCall) plan(d *decision, _ actor) (plan, error) {
	ch := d.s.channelNamed(p.Name)
	if ch == nil {
		return plan{}, d.s.noChannel(p.Name)
	}
	members, err := p.members(d.s, ch)
	switch {
	case err != nil:
		return plan{}, err
	case ch.Kind == GeneralChannel:
		return plan{done: "Notice: everyone is in #general; a list of members is ignored there."}, nil
	case p.Set == nil && len(p.Add)+len(p.Remove) == 0:
		return plan{}, errors.New("name whom to add, whom to remove, or all members")
	case sameMembers(d.s.membersOf(ch), members):
		return plan{done: fmt.Sprintf("#%s has those members: %s.", ch.Name, orNobody(namesOf(members)))}, nil
	}
	declared := declaredNames(members)
	if slices.Equal(declared, declaredNames(d.s.membersOf(ch))) {
		return plan{}, nil // only those change whom office.yaml does not know
	}
	return plan{edits: []Edit{SetChannel{ch.Name, map[string]any{"members": declared}}}}, nil
}

func (p ChannelMembersCall) carry(d *decision, _ string) any {
	ch := d.s.channelNamed(p.Name)
	if ch == nil {
		return "The channel is gone meanwhile."
	}
	if members, err := p.members(d.s, ch); err == nil {
		d.setMembers(ch.ID, members)
	}
	return fmt.Sprintf("In #%s: %s.", ch.Name, orNobody(namesOf(d.s.membersOf(d.s.Channels[ch.ID]))))
}

// ChannelTopicCall says what a channel is for.
type ChannelTopicCall struct{ Name, Topic string }

func (p ChannelTopicCall) what() string { return "set the topic of #" + oneLine(p.Name, nameLimit) }

func (p ChannelTopicCall) plan(d *decision, _ actor) (plan, error) {
	ch := d.s.channelNamed(p.Name)
	if ch == nil {
		return plan{}, d.s.noChannel(p.Name)
	}
	if err := checkTopic(p.Topic); err != nil {
		return plan{}, err
	}
	if ch.Topic == p.Topic {
		return plan{done: fmt.Sprintf("#%s has that topic.", ch.Name)}, nil
	}
	var value any = p.Topic
	if p.Topic == "" {
		value = nil
	}
	return plan{edits: []Edit{SetChannel{ch.Name, map[string]any{"topic": value}}}}, nil
}

func (p ChannelTopicCall) carry(d *decision, _ string) any {
	ch := d.s.channelNamed(p.Name)
	if ch == nil || ch.Topic == "" {
		return "The channel has no topic."
	}
	return fmt.Sprintf("#%s: %s", ch.Name, ch.Topic)
}
