package discord

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// SlashLine uses a command as it is typed: "/office with who:alice note:some words". Numbers and truth values
// are read as the command wants them. It gives the interaction's id.
func (p *Person) SlashLine(channel, line string) (string, error) {
	var path []string
	given := map[string]any{}
	last := ""
	for _, word := range strings.Fields(strings.TrimPrefix(line, "/")) {
		name, value, isOption := strings.Cut(word, ":")
		switch {
		case isOption && commandName.MatchString(name):
			last = name
			given[name] = value
		case last != "":
			given[last] = fmt.Sprint(given[last]) + " " + word
		default:
			path = append(path, word)
		}
	}
	if err := p.typed(channel, path, given); err != nil {
		return "", err
	}
	return p.Slash(channel, strings.Join(path, " "), given)
}

// typed turns text into what the command's options take. What it does not know it leaves to Slash.
func (p *Person) typed(channel string, path []string, given map[string]any) error {
	s := p.s
	s.lock()
	defer s.unlock()
	_, ch, err := p.in(channel)
	if err != nil {
		return err
	}
	if len(path) == 0 {
		return fmt.Errorf("discord sim: which command?")
	}
	at := s.visible(ch, path[0])
	for _, word := range path[1:] {
		all := objects(at, "options")
		i := slices.IndexFunc(all, func(o object) bool { return o["name"] == word })
		if i < 0 {
			return nil
		}
		at = all[i]
	}
	for _, o := range objects(at, "options") {
		name := str(o, "name")
		text, ok := given[name].(string)
		if !ok {
			continue
		}
		v, err := typedValue(o, text)
		if err != nil {
			return fmt.Errorf("discord sim: option %s: %w", name, err)
		}
		given[name] = v
	}
	return nil
}

func typedValue(o object, text string) (any, error) {
	switch kind, _ := num(o, "type"); kind {
	case optInteger:
		return strconv.Atoi(text)
	case optNumber:
		return strconv.ParseFloat(text, 64)
	case optBoolean:
		return strconv.ParseBool(text)
	}
	for _, c := range objects(o, "choices") { // the client shows the names
		if c["name"] == text {
			return c["value"], nil
		}
	}
	return text, nil
}

// Usage describes the commands that people see in a channel, one line each: "/office with who: [person:]".
func (s *Server) Usage(channel string) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	ch := s.find(channel)
	if ch == nil {
		return nil
	}
	all := slices.Clone(s.commands.list)
	if ch.guild != nil {
		all = append(all, ch.guild.commands.list...)
	}
	var out []string
	for _, o := range all {
		if kind, _ := num(o, "type"); kind == 1 && s.visible(ch, str(o, "name")) != nil {
			out = append(out, usages("/"+str(o, "name"), o)...)
		}
	}
	return out
}

func usages(line string, o object) []string {
	var out []string
	for _, x := range objects(o, "options") {
		kind, _ := num(x, "type")
		name := str(x, "name")
		needed, _ := x["required"].(bool)
		switch {
		case kind == optSub || kind == optGroup:
			out = append(out, usages(line+" "+name, x)...)
		case needed:
			line += " " + name + ":"
		default:
			line += " [" + name + ":]"
		}
	}
	if out != nil {
		return out
	}
	return []string{line + "  " + str(o, "description")}
}
