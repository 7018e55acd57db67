package config

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"bullpen/config/inplace"
	"bullpen/office"
	"bullpen/office/wake"
)

// editor makes the edits of an office in its office.yaml.
type editor struct {
	doc *inplace.Document
	src *source
}

// apply makes one edit.
func (e *editor) apply(edit office.Edit) error {
	switch x := edit.(type) {
	case office.AddColleague:
		return e.addColleague(x.Colleague)
	case office.RemoveColleague:
		return e.removeColleague(x.Name)
	case office.RenameColleague:
		return e.renameColleague(x.From, x.To)
	case office.SetColleague:
		return e.setDeclared([]string{"agents"}, "colleague", x.Name, x.Fields)
	case office.AddChannel:
		return e.addChannel(x.Channel)
	case office.RemoveChannel:
		return e.removeChannel(x.Name)
	case office.SetChannel:
		return e.setChannel(x.Name, x.Fields)
	case office.SetOffice:
		return e.set([]string{"office"}, x.Fields)
	case office.SetPerson:
		return e.setPerson(x.Person, x.Fields)
	case office.SetPortal:
		return e.setPortal(x.Platform, x.Channel, x.Place)
	}
	return fmt.Errorf("office.yaml cannot take a %T", edit)
}

// current is the configuration with the edits made so far.
func (e *editor) current() (*Config, error) { return e.src.config(e.doc.Text()) }

// set gives keys below a path their values. A key with dots is a path of its own.
func (e *editor) set(path []string, fields map[string]any) error {
	for _, key := range slices.Sorted(maps.Keys(fields)) {
		at := append(slices.Clone(path), strings.Split(key, ".")...)
		var err error
		if v := fields[key]; v == nil {
			err = e.doc.Remove(at...)
		} else {
			err = e.doc.Set(at, v)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// setDeclared sets keys of what is declared by a name below path.
func (e *editor) setDeclared(path []string, what, name string, fields map[string]any) error {
	block := e.doc.Root().Get(path...)
	key, found := declared(block, name)
	if !found {
		return fmt.Errorf("office.yaml declares no %s called %q", what, name)
	}
	return e.set(below(path, key), fields)
}

func (e *editor) addColleague(c office.ColleagueSetup) error {
	if _, found := declared(e.doc.Root().Get("agents"), c.Name); !found {
		return e.doc.Set([]string{"agents", c.Name}, colleagueBlock(c))
	}
	cfg, err := e.current()
	if err != nil {
		return err
	}
	for _, other := range cfg.Setup.Colleagues {
		if same(other.Name, c.Name) && sameSetup(other, c) {
			return nil
		}
	}
	return fmt.Errorf("office.yaml declares a colleague called %q already, and otherwise; reload to have that one", c.Name)
}

// sameSetup compares what two setups say; an empty list says what none says.
func sameSetup(a, b office.ColleagueSetup) bool {
	if b.Model == "" {
		b.Model = demoModel
	}
	if b.Role == "" || b.RoleUnsaid { // which is then told by who reports to it
		b.Role = a.Role
	}
	b.RoleUnsaid = a.RoleUnsaid
	b.AskUser = a.AskUser // which the office's settings and the role say
	x, errX := json.Marshal(a)
	y, errY := json.Marshal(b)
	return errX == nil && errY == nil && string(x) == string(y)
}

// colleagueBlock is a colleague as it is declared, without what is a default.
func colleagueBlock(c office.ColleagueSetup) inplace.Map {
	var m inplace.Map
	text := func(key, value string) {
		if value != "" {
			m = append(m, inplace.Pair{Key: key, Value: value})
		}
	}
	names := func(m *inplace.Map, key string, values []string) {
		if len(values) > 0 {
			*m = append(*m, inplace.Pair{Key: key, Value: values})
		}
	}
	text("description", c.Description)
	if !c.RoleUnsaid {
		text("role", string(c.Role))
	}
	text("model", c.Model)
	names(&m, "fallback", c.Fallback)
	text("thinking", c.Thinking)
	if c.Priority != 0 {
		text("priority", priorityWord(c.Priority))
	}
	text("reports_to", c.ReportsTo)
	text("prompt_inline", c.Prompt)
	text("cwd", c.Cwd)
	var tools inplace.Map
	names(&tools, "allow", c.Allow)
	names(&tools, "deny", c.Deny)
	if len(tools) > 0 {
		m = append(m, inplace.Pair{Key: "permissions", Value: inplace.Map{{Key: "tools", Value: tools}}})
	}
	names(&m, "approve", c.Approve)
	var env inplace.Map
	for _, name := range slices.Sorted(maps.Keys(c.Env)) {
		env = append(env, inplace.Pair{Key: name, Value: c.Env[name]})
	}
	if len(env) > 0 {
		m = append(m, inplace.Pair{Key: "env", Value: env})
	}
	if c.SharedDM {
		text("dm_context", "shared")
	}
	return m
}

// priorityWord is the word for a priority; one that has none is the nearest.
func priorityWord(p int) string {
	return []string{"idle", "low", "normal", "high", "critical"}[min(max(p, -2), 2)+2]
}

func (e *editor) removeColleague(name string) error {
	if err := e.forget(toColleague, name); err != nil {
		return err
	}
	if key, found := declared(e.doc.Root().Get("agents"), name); found {
		return e.doc.Remove("agents", key)
	}
	return nil
}

// forget takes a name out of every list, and out of front_desk.
func (e *editor) forget(to ref, name string) error {
	for _, r := range named(e.doc, to, name) {
		switch {
		case r.list != nil:
			kept := []string{}
			for _, item := range r.list.Items {
				other, ok := naming{to: r.to, text: item.Text}.nameIn(to)
				if !ok || !same(other, name) {
					kept = append(kept, item.Text)
				}
			}
			if err := e.doc.Set(r.path, kept); err != nil {
				return err
			}
		case slices.Equal(r.path, []string{"office", "front_desk"}):
			if err := e.doc.Remove(r.path...); err != nil {
				return err
			}
		}
	}
	return nil
}

func (e *editor) renameColleague(from, to string) error {
	agents := e.doc.Root().Get("agents")
	key, found := declared(agents, from)
	other, taken := declared(agents, to)
	switch {
	case !found && taken:
		return nil // it is renamed already
	case !found:
		return fmt.Errorf("office.yaml declares no colleague called %q", from)
	case taken && other != key:
		return fmt.Errorf("office.yaml declares a colleague called %q already", to)
	}
	values, keys := map[*inplace.Node]string{}, map[*inplace.Node]string{}
	for _, r := range named(e.doc, toColleague, from) {
		switch {
		case r.key:
			keys[r.node] = to
		case r.to == toAudience:
			values[r.node] = "@" + to
		default:
			values[r.node] = to
		}
	}
	return e.doc.Rewrite(values, keys)
}

var channelsPath = []string{"office", "channels"}

func (e *editor) addChannel(c office.ChannelSetup) error {
	if _, found := declared(e.doc.Root().Get(channelsPath...), c.Name); !found {
		var m inplace.Map
		if c.Topic != "" {
			m = append(m, inplace.Pair{Key: "topic", Value: c.Topic})
		}
		if len(c.Members) > 0 {
			m = append(m, inplace.Pair{Key: "members", Value: c.Members})
		}
		if len(c.DefaultWake) > 0 {
			m = append(m, inplace.Pair{Key: "default_wake", Value: c.DefaultWake})
		}
		return e.doc.Set(below(channelsPath, c.Name), m)
	}
	cfg, err := e.current()
	if err != nil {
		return err
	}
	for _, other := range cfg.Setup.Channels {
		if same(other.Name, c.Name) && other.Topic == c.Topic &&
			slices.EqualFunc(other.Members, c.Members, same) && slices.Equal(other.DefaultWake, c.DefaultWake) {
			return nil
		}
	}
	return fmt.Errorf("office.yaml declares a channel called %q already, and otherwise; reload to have that one", c.Name)
}

// removeChannel takes a channel out, also where it is linked or woken.
func (e *editor) removeChannel(name string) error {
	if err := e.forget(toChannel, name); err != nil {
		return err
	}
	for _, r := range named(e.doc, toChannel, name) {
		if r.key {
			if err := e.doc.Remove(r.path...); err != nil {
				return err
			}
		}
	}
	return nil
}

// setChannel sets keys of a channel; general needs no entry before.
func (e *editor) setChannel(name string, fields map[string]any) error {
	channels := e.doc.Root().Get(channelsPath...)
	key, found := declared(channels, name)
	if !found && !same(name, wake.General) {
		return fmt.Errorf("office.yaml declares no channel called %q", name)
	}
	fields = maps.Clone(fields)
	if topic, ok := fields["topic"]; ok && channels.Get(key, "description") != nil && channels.Get(key, "topic") == nil {
		delete(fields, "topic") // Agent Office's word for it is used here
		fields["description"] = topic
	}
	return e.set(below(channelsPath, key), fields)
}

// setPerson sets keys of a person, who is declared if need be. The first to be
// declared would become the owner, so the owner is written down before.
func (e *editor) setPerson(id office.PersonID, fields map[string]any) error {
	people := e.doc.Root().Get("people")
	key, found := declared(people, string(id))
	if !found && (people == nil || len(people.Entries) == 0) && id != office.DefaultOwner {
		if err := e.doc.Set([]string{"people", string(office.DefaultOwner)}, inplace.Map{}); err != nil {
			return err
		}
	}
	if !found {
		if err := e.doc.Set([]string{"people", key}, inplace.Map{}); err != nil {
			return err
		}
	}
	return e.set([]string{"people", key}, fields)
}

func (e *editor) setPortal(platform, channel, place string) error {
	adapter := e.doc.Root().Get("adapters", platform)
	if adapter == nil || fieldOf(fieldOf(schema.fields, "adapters").fields, platform) == nil {
		return fmt.Errorf("office.yaml has no adapters.%s", platform)
	}
	key, _ := declared(adapter.Get("channels"), channel)
	if place == "" {
		return e.doc.Remove("adapters", platform, "channels", key)
	}
	return e.doc.Set([]string{"adapters", platform, "channels", key}, place)
}
