package office_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"

	"bullpen/office"
)

// memory is a declaration in memory: office.yaml as far as these tests know it.
type memory struct {
	mu     sync.Mutex
	setup  office.Setup
	writes int
	refuse error
	// written is called when an edit is in the file and its caller does not know yet.
	written func()
}

func (m *memory) Read(context.Context) (office.Setup, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.setup, m.refuse
}

func (m *memory) Edit(_ context.Context, edits ...office.Edit) (office.Setup, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.refuse != nil {
		return office.Setup{}, m.refuse
	}
	next := m.setup
	next.Colleagues, next.Channels = slices.Clone(next.Colleagues), slices.Clone(next.Channels)
	for _, e := range edits {
		if err := apply(&next, e); err != nil {
			return office.Setup{}, err
		}
	}
	m.setup = next
	m.writes++
	if m.written != nil {
		m.written()
	}
	return next, nil
}

func (m *memory) names() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	var names []string
	for _, c := range m.setup.Colleagues {
		names = append(names, c.Name)
	}
	return strings.Join(names, " ")
}

func apply(s *office.Setup, e office.Edit) error {
	colleague := func(name string) int {
		return slices.IndexFunc(s.Colleagues, func(c office.ColleagueSetup) bool { return strings.EqualFold(c.Name, name) })
	}
	channel := func(name string) int {
		return slices.IndexFunc(s.Channels, func(c office.ChannelSetup) bool { return strings.EqualFold(c.Name, name) })
	}
	everywhere := func(from, to string) {
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
		for i := range s.Colleagues {
			if s.Colleagues[i].ReportsTo == from {
				s.Colleagues[i].ReportsTo = to
			}
		}
	}
	switch e := e.(type) {
	case office.AddColleague:
		s.Colleagues = append(s.Colleagues, e.Colleague)
	case office.RemoveColleague:
		s.Colleagues = slices.Delete(s.Colleagues, colleague(e.Name), colleague(e.Name)+1)
		everywhere(e.Name, "")
	case office.RenameColleague:
		s.Colleagues[colleague(e.From)].Name = e.To
		everywhere(e.From, e.To)
	case office.SetColleague:
		c := &s.Colleagues[colleague(e.Name)]
		for key, v := range e.Fields {
			text, _ := v.(string)
			switch key {
			case "role":
				c.Role = office.Role(text)
			case "description":
				c.Description = text
			case "reports_to":
				c.ReportsTo = text
			case "model":
				c.Model = text
			default:
				return errors.New("there is no key " + key)
			}
		}
	case office.AddChannel:
		s.Channels = append(s.Channels, e.Channel)
	case office.RemoveChannel:
		s.Channels = slices.Delete(s.Channels, channel(e.Name), channel(e.Name)+1)
	case office.SetChannel:
		ch := &s.Channels[channel(e.Name)]
		if v, ok := e.Fields["members"]; ok {
			ch.Members = v.([]string)
		}
		if v, ok := e.Fields["topic"]; ok {
			ch.Topic, _ = v.(string)
		}
	default:
		return errors.New("an edit that these tests do not know")
	}
	return nil
}
