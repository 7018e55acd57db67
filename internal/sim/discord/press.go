package discord

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Press presses a button under a message, by its label or custom id. The message may be one that only this
// person sees. It gives the interaction's id.
func (p *Person) Press(channel, id, what string) (string, error) {
	return p.uses(channel, id, what, func(c object) bool { kind, _ := num(c, "type"); return kind == button }, nil)
}

// Select chooses values in a select menu under a message, by its custom id. It gives the interaction's id.
func (p *Person) Select(channel, id, what string, values ...string) (string, error) {
	return p.uses(channel, id, what, func(c object) bool { kind, _ := num(c, "type"); return kind == stringSelect }, values)
}

func (p *Person) uses(channel, id, what string, want func(object) bool, values []string) (string, error) {
	s := p.s
	s.lock()
	defer s.unlock()
	u, ch, err := p.in(channel)
	if err != nil {
		return "", err
	}
	m := ch.byID[id]
	if m == nil || m.deleted || m.onlyFor != "" && m.onlyFor != u.ID {
		return "", fmt.Errorf("discord sim: %s sees no message %s in %s", u.Name, id, channel)
	}
	for _, c := range flatten(m.components) {
		if !want(c) || str(c, "custom_id") != what && str(c, "label") != what {
			continue
		}
		if off, _ := c["disabled"].(bool); off {
			return "", fmt.Errorf("discord sim: message %s: %q is disabled", id, what)
		}
		if str(c, "custom_id") == "" {
			return "", fmt.Errorf("discord sim: message %s: %q is a link", id, what)
		}
		data := object{"custom_id": c["custom_id"], "component_type": c["type"], "id": 1}
		if values != nil {
			data["values"] = values
			for _, v := range values {
				if !slices.ContainsFunc(objects(c, "options"), func(o object) bool { return o["value"] == v }) {
					return "", fmt.Errorf("discord sim: message %s: %q has no option %q", id, what, v)
				}
			}
		}
		return s.interact(isComponent, u.ID, ch, m, data).id, nil
	}
	return "", fmt.Errorf("discord sim: message %s in %s has no %q", id, channel, what)
}

// Slash uses a command, as "office hold" with its options by name; users, channels and roles are given by
// id or name. What the client would refuse is an error: an unknown command, a missing option, a value that is
// no choice. It gives the interaction's id.
func (p *Person) Slash(channel, path string, options map[string]any) (string, error) {
	return p.command(channel, path, options, "")
}

// Autocomplete asks for choices for the option named focused, with what was typed into it among options. It
// gives the interaction's id.
func (p *Person) Autocomplete(channel, path, focused string, options map[string]any) (string, error) {
	return p.command(channel, path, options, focused)
}

func (p *Person) command(channel, path string, given map[string]any, focused string) (string, error) {
	s := p.s
	s.lock()
	defer s.unlock()
	u, ch, err := p.in(channel)
	if err != nil {
		return "", err
	}
	words := strings.Fields(strings.TrimPrefix(path, "/"))
	if len(words) == 0 {
		return "", fmt.Errorf("discord sim: %s: which command?", u.Name)
	}
	root := s.visible(ch, words[0])
	if root == nil {
		return "", fmt.Errorf("discord sim: there is no command /%s in %s", words[0], s.describePlace(ch))
	}
	if need, ok := root["default_member_permissions"].(string); ok && ch.guild != nil {
		// D: interactions/application-commands, default member permissions: 0 is for administrators only.
		if n, _ := strconv.ParseUint(need, 10, 64); !s.permissions(u.ID, ch).has(cmp.Or(Permission(n), Administrator)) {
			return "", fmt.Errorf("discord sim: %s may not use /%s", u.Name, words[0])
		}
	}
	f := &filling{s: s, guild: ch.guild, given: given, focused: focused, resolved: map[string]object{}}
	all, err := f.descend(root, words[1:])
	if err != nil {
		return "", fmt.Errorf("discord sim: /%s: %w", strings.Join(words, " "), err)
	}
	data := object{"id": root["id"], "name": root["name"], "type": 1}
	if len(all) > 0 {
		data["options"] = all
	}
	if root["guild_id"] != nil {
		data["guild_id"] = root["guild_id"]
	}
	if len(f.resolved) > 0 {
		data["resolved"] = f.resolved
	}
	kind := isCommand
	if focused != "" {
		kind = isComplete
	}
	return s.interact(kind, u.ID, ch, nil, data).id, nil
}

func (s *Server) describePlace(ch *channel) string {
	if ch.guild == nil {
		return "a DM"
	}
	return "#" + ch.name
}

// visible finds a command that people see in a channel: of the guild, or a global one. A DM has only the
// global ones that are for it (D: interactions/application-commands, contexts).
func (s *Server) visible(ch *channel, name string) object {
	sets := []*commandSet{&s.commands}
	context := 1.0
	if ch.guild != nil {
		sets, context = append(sets, &ch.guild.commands), 0
	}
	for _, set := range sets {
		i := set.index(name, 1.0)
		if i < 0 {
			continue
		}
		if where, ok := set.list[i]["contexts"].([]any); !ok || slices.Contains(where, any(context)) {
			return set.list[i]
		}
	}
	return nil
}

// filling is a command being filled in.
type filling struct {
	s        *Server
	guild    *guild
	given    map[string]any
	focused  string
	resolved map[string]object
}

// descend follows the words to the subcommand and fills in its options.
func (f *filling) descend(at object, words []string) ([]object, error) {
	options := objects(at, "options")
	nested := slices.ContainsFunc(options, func(o object) bool { k, _ := num(o, "type"); return k == optSub || k == optGroup })
	if nested {
		if len(words) == 0 {
			return nil, fmt.Errorf("which subcommand?")
		}
		for _, o := range options {
			if o["name"] == words[0] {
				inner, err := f.descend(o, words[1:])
				return []object{{"name": o["name"], "type": o["type"], "options": inner}}, err
			}
		}
		return nil, fmt.Errorf("there is no subcommand %s", words[0])
	}
	if len(words) > 0 {
		return nil, fmt.Errorf("there is no subcommand %s", words[0])
	}
	return f.fill(options)
}

func (f *filling) fill(options []object) ([]object, error) {
	out := []object{}
	known := 0
	for _, o := range options {
		name := str(o, "name")
		v, ok := f.given[name]
		if !ok {
			if needed, _ := o["required"].(bool); needed && f.focused == "" {
				return nil, fmt.Errorf("option %s is required", name)
			}
			continue
		}
		known++
		filled := object{"name": name, "type": o["type"], "value": v}
		if f.focused == name {
			if on, _ := o["autocomplete"].(bool); !on {
				return nil, fmt.Errorf("option %s has no autocomplete", name)
			}
			filled["focused"] = true
		} else if err := f.value(o, filled); err != nil {
			return nil, err
		}
		out = append(out, filled)
	}
	if known < len(f.given) {
		return nil, fmt.Errorf("%d of the options given are unknown", len(f.given)-known)
	}
	return out, nil
}

// value checks and resolves what was given for an option.
func (f *filling) value(o, filled object) error {
	name, kind := str(o, "name"), 0
	kind, _ = num(o, "type")
	text, isText := filled["value"].(string)
	switch kind {
	case optString:
		if !isText {
			return fmt.Errorf("option %s takes text", name)
		}
		if n, ok := num(o, "max_length"); ok && chars(text) > n {
			return fmt.Errorf("option %s takes at most %d characters", name, n)
		}
	case optInteger, optNumber:
		if isText {
			return fmt.Errorf("option %s takes a number", name)
		}
	case optBoolean:
		if _, ok := filled["value"].(bool); !ok {
			return fmt.Errorf("option %s takes true or false", name)
		}
	case optUser, optChannel, optRole:
		return f.resolve(kind, name, text, filled)
	}
	choices := objects(o, "choices")
	if len(choices) > 0 && !slices.ContainsFunc(choices, func(c object) bool { return fmt.Sprint(c["value"]) == fmt.Sprint(filled["value"]) }) {
		return fmt.Errorf("option %s has no choice %v", name, filled["value"])
	}
	return nil
}

// resolve turns a name into an id and puts what it stands for beside the options (D:
// interactions/receiving-and-responding, resolved data).
func (f *filling) resolve(kind int, name, text string, filled object) error {
	put := func(what, id string, o object) {
		if f.resolved[what] == nil {
			f.resolved[what] = object{}
		}
		f.resolved[what][id] = o
		filled["value"] = id
	}
	switch kind {
	case optUser:
		if u := f.s.user(text); u != nil {
			put("users", u.ID, userObject(u))
			if m := f.s.memberNamed(f.guild, text); m != nil {
				o := f.s.memberObject(f.guild, m)
				delete(o, "user")
				put("members", u.ID, o)
			}
			return nil
		}
	case optChannel:
		if c := f.s.find(text); c != nil {
			put("channels", c.id, f.s.channelObject(c))
			return nil
		}
	case optRole:
		if f.guild != nil && f.guild.role(text) != nil {
			r := f.guild.role(text)
			put("roles", r.id, r.object())
			return nil
		}
	}
	return fmt.Errorf("option %s: there is no %q", name, text)
}
