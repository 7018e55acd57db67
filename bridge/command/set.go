package command

import (
	"context"
	"slices"
	"strings"

	"bullpen/office"
	"bullpen/office/wake"
)

// Set is the commands of a program. It is read-only and safe for concurrent use.
type Set struct{ commands []*Command }

// builtin gathers the commands while the package is initialised; it is not
// touched after that.
var builtin []*Command

// add makes a command known.
func add(c Command) *Command {
	if c.Root == "" {
		c.Root = OfficeRoot
	}
	if c.Right == "" {
		c.Right = Anyone
	}
	if c.Group == "" {
		c.Group = Look
	}
	builtin = append(builtin, &c)
	return &c
}

// NewSet makes the set of the built-in commands.
func NewSet() *Set {
	s := &Set{commands: slices.Clone(builtin)}
	slices.SortStableFunc(s.commands, func(a, b *Command) int {
		if d := rootOrder(a.Root) - rootOrder(b.Root); d != 0 {
			return d
		}
		if d := slices.Index(groups, a.Group) - slices.Index(groups, b.Group); d != 0 {
			return d
		}
		return strings.Compare(a.Name, b.Name)
	})
	return s
}

func rootOrder(r Root) int {
	for i, x := range roots {
		if x.root == r {
			return i
		}
	}
	return len(roots)
}

// On lists the commands of a platform, by root and in the order of the help.
func (s *Set) On(platform string) []*Command {
	var out []*Command
	for _, c := range s.commands {
		if c.on(platform) {
			out = append(out, c)
		}
	}
	return out
}

func (c *Command) on(platform string) bool {
	return len(c.Only) == 0 || slices.Contains(c.Only, platform)
}

// Tree is a root with its commands.
type Tree struct {
	Root     Root
	Help     string
	Commands []*Command
}

// Trees lists the commands of a platform below their roots, empty roots left out.
func (s *Set) Trees(platform string) []Tree {
	var out []Tree
	for _, r := range roots {
		t := Tree{Root: r.root, Help: r.help}
		for _, c := range s.On(platform) {
			if c.Root == r.root {
				t.Commands = append(t.Commands, c)
			}
		}
		if len(t.Commands) > 0 {
			out = append(out, t)
		}
	}
	return out
}

// Command finds a command of a platform by its root and its name, in any case.
func (s *Set) Command(platform string, root Root, name string) (*Command, bool) {
	for _, c := range s.commands {
		if c.Root == root && strings.EqualFold(c.Name, name) && c.on(platform) {
			return c, true
		}
	}
	return nil, false
}

// find reads which command a line begins with: "status", "office status", "agent
// hire", "office agent hire", and "hire" if that is Direct. n is how many words
// its name took; c is nil and root set where a root was named alone.
func (s *Set) find(platform string, words []word) (c *Command, root Root, n int) {
	at := func(i int) string {
		if i < len(words) && !words[i].quoted {
			return strings.ToLower(words[i].whole())
		}
		return ""
	}
	i := 0
	if at(0) == string(OfficeRoot) {
		i = 1
		root = OfficeRoot
	}
	for _, r := range roots {
		if r.root != OfficeRoot && at(i) == string(r.root) && s.has(platform, r.root) {
			if c, ok := s.Command(platform, r.root, at(i+1)); ok {
				return c, r.root, i + 2
			}
			return nil, r.root, i + 1
		}
	}
	if c, ok := s.Command(platform, OfficeRoot, at(i+1)); ok && c.Bundle != "" && c.Bundle == at(i) {
		return c, OfficeRoot, i + 2
	}
	if c, ok := s.Command(platform, OfficeRoot, at(i)); ok {
		return c, OfficeRoot, i + 1
	}
	for _, c := range s.On(platform) {
		if c.Direct && c.Name == at(i) {
			return c, c.Root, i + 1
		}
	}
	return nil, root, i
}

func (s *Set) has(platform string, root Root) bool {
	return slices.ContainsFunc(s.On(platform), func(c *Command) bool { return c.Root == root })
}

// Knows says whether a line begins with a command of a platform, or with a root:
// what follows one is a command, be it mistyped.
func (s *Set) Knows(platform, line string) bool {
	c, root, _ := s.find(platform, split(line))
	return c != nil || root != ""
}

// Almost says whether a line begins with what is no command of a platform and yet
// looks like a mistyped one: who wrote it is told so, and nobody is woken.
func (s *Set) Almost(platform, line string) bool {
	words := split(line)
	if len(words) == 0 || words[0].quoted || !isName(strings.ToLower(words[0].whole())) || s.Knows(platform, line) {
		return false
	}
	name := strings.ToLower(words[0].whole())
	var names []string
	for _, c := range s.On(platform) {
		if c.Root == OfficeRoot || c.Direct {
			names = append(names, c.Name)
		}
	}
	return s.namesake(platform, name) != "" || wake.Nearest(name, names) != ""
}

// Fits says whether the whole of a line is a command with arguments that fit, so
// that it cannot be talk: a text at its end that need not be there has to stand in
// quotation marks, and a name of several words has to be somebody's.
func (s *Set) Fits(ctx context.Context, o *office.Office, platform, line string) (bool, error) {
	words := split(line)
	c, _, n := s.find(platform, words)
	if c == nil {
		return false, nil
	}
	v, err := o.View(ctx)
	if err != nil {
		return false, err
	}
	anyone := named{view: v, set: s, platform: platform}
	if len(v.BossFor) > 0 { // who may talk to the boss is looked at when it is carried out
		anyone.who = v.BossFor[0]
	}
	b := &binder{cmd: c, n: anyone, in: input{words: cutYes(c, words[n:]), line: line}, strict: true}
	if b.bind() == nil {
		return true, nil
	}
	// One word that is almost somebody's name is a mistake in a command; that is said
	// to who made it.
	return len(words)-n == 1 && len(c.Args) > 0 && isNamed(c.Args[0].Kind) &&
		wake.Nearest(strings.TrimLeft(words[n].text, "@#"), b.n.names(c.Args[0].Kind)) != "", nil
}

func isNamed(k Kind) bool {
	return k == ColleagueKind || k == TalkKind || k == ChannelKind || k == PersonKind || k == PlaceKind
}

// yes confirms a dangerous command on the spot.
const yes = "--yes"

// cutYes takes --yes from the words of a dangerous command, first or last.
func cutYes(c *Command, words []word) []word {
	if !c.Dangerous() || len(words) == 0 {
		return words
	}
	switch {
	case words[0].text == yes && !words[0].quoted:
		return words[1:]
	case words[len(words)-1].text == yes && !words[len(words)-1].quoted:
		return words[:len(words)-1]
	}
	return words
}
