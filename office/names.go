package office

import (
	"slices"
	"strings"

	"bullpen/office/wake"
)

// directory is everything that can be addressed, built when a name changed.
func (s *State) directory() *wake.Directory {
	if s.names != nil {
		return s.names
	}
	var e wake.Entries
	for _, id := range s.roster {
		e.Colleagues = append(e.Colleagues, wake.Entry{ID: string(id), Name: s.Colleagues[id].Name})
	}
	for _, p := range s.People {
		e.People = append(e.People, wake.Entry{ID: string(p.ID), Name: p.Name})
		if p.Owner {
			e.Owner = string(p.ID)
		}
	}
	for _, ch := range s.Channels {
		if ch.Kind == GroupChannel && !ch.Gone {
			e.Channels = append(e.Channels, wake.Entry{ID: string(ch.ID), Name: ch.Name})
		}
	}
	s.names = wake.NewDirectory(e)
	return s.names
}

// channelNames lists the channels that anyone may write to, for refusals.
func (s *State) channelNames() string {
	var names []string
	for _, ch := range s.Channels {
		if ch.open() {
			names = append(names, "#"+ch.Name)
		}
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}

// colleagueNames lists the roster, for refusals.
func (s *State) colleagueNames() string {
	names := make([]string, 0, len(s.roster))
	for _, id := range s.roster {
		names = append(names, s.Colleagues[id].Name)
	}
	return strings.Join(names, ", ")
}

func (s *State) peopleNames() []string {
	var names []string
	for _, p := range s.People {
		n := oneLine(p.Name, nameLimit)
		if p.Owner && wake.Fold(p.Name) != string(DefaultOwner) {
			n += " (the owner, also @user)"
		}
		names = append(names, n)
	}
	slices.Sort(names)
	return names
}

// subscriptions are the group channels that a colleague is in.
func (s *State) subscriptions(id ColleagueID) []string {
	var names []string
	for _, ch := range s.Channels {
		if ch.Kind == GroupChannel && !ch.Gone && slices.Contains(ch.Members, id) {
			names = append(names, "#"+ch.Name)
		}
	}
	slices.Sort(names)
	return names
}
