package command

import (
	"context"
	"slices"
	"strings"

	"bullpen/office/wake"
)

// Complete lists what an argument may be, given what was typed of it: at most
// ChoiceMost, those that begin so before those in which a later word does.
func (s *Set) Complete(ctx context.Context, call Call, c *Command, arg, prefix string) ([]Choice, error) {
	a, ok := c.Arg(arg)
	if !ok || !Allowed(call.Way, call.Sender, c.Right) {
		return nil, nil
	}
	call.set, call.cmd = s, c
	all, err := s.Offers(ctx, call, a)
	if err != nil {
		return nil, err
	}
	return fitting(all, prefix), nil
}

// Offers lists all that an argument may be; nothing where anything may stand.
func (s *Set) Offers(ctx context.Context, call Call, a Arg) ([]Choice, error) {
	switch {
	case a.Complete != nil:
		return a.Complete(ctx, call)
	case len(a.Choices) > 0:
		return slices.DeleteFunc(slices.Clone(a.Choices), func(c Choice) bool {
			return c.Right != "" && !Allowed(call.Way, call.Sender, c.Right)
		}), nil
	case a.Kind == BoolKind:
		return []Choice{{Value: "on"}, {Value: "off"}}, nil
	case a.Kind == VerbKind:
		var out []Choice
		for _, c := range s.On(call.From) {
			if Allowed(call.Way, call.Sender, c.Right) {
				out = append(out, Choice{Value: c.Path()})
			}
		}
		return out, nil
	case isNamed(a.Kind):
		v, err := call.Office.View(ctx)
		if err != nil {
			return nil, err
		}
		names := named{view: v, who: call.Person.ID}.names(a.Kind)
		if a.Kind == PlaceKind {
			names = places(v)
		}
		out := make([]Choice, len(names))
		for i, n := range names {
			out[i] = Choice{Value: n}
		}
		return out, nil
	default:
		return nil, nil
	}
}

// fitting keeps the choices that were begun.
func fitting(all []Choice, prefix string) []Choice {
	key := wake.Fold(strings.TrimLeft(prefix, "@#"))
	var first, later []Choice
	for _, c := range all {
		name := wake.Fold(strings.TrimLeft(c.Shown(), "@#"))
		sign := prefix != "" && strings.ContainsAny(prefix[:1], "@#") && strings.ContainsAny(c.Value[:1], "@#") && prefix[0] != c.Value[0]
		switch {
		case sign:
		case strings.HasPrefix(name, key):
			first = append(first, c)
		case strings.Contains(name, " "+key), strings.Contains(name, "-"+key):
			later = append(later, c)
		}
	}
	out := append(first, later...)
	return out[:min(len(out), ChoiceMost)]
}

// CompleteLine lists what may stand at the end of a line that is being typed,
// and where in it that begins. Names of several words are offered in quotation
// marks where something may follow them.
func (s *Set) CompleteLine(ctx context.Context, call Call, line string) (start int, out []Choice, err error) {
	words := split(line)
	c, root, n := s.find(call.From, words)
	fresh := line == "" || strings.HasSuffix(line, " ")
	if c == nil || n == len(words) && !fresh {
		return s.completeVerb(call, root, line, fresh)
	}
	call.set, call.cmd = s, c
	v, err := call.Office.View(ctx)
	if err != nil {
		return 0, nil, err
	}
	done := words[n:]
	if !fresh {
		done = done[:len(done)-1]
	}
	for to := len(done); to >= 0; to-- {
		b := &binder{cmd: c, n: named{v, call.Person.ID, s, call.From}, in: input{words: done[:to], line: line}}
		open, ok := b.open()
		if !ok {
			continue
		}
		start := len(line)
		if n+to < len(words) {
			start = words[n+to].start
		}
		for _, a := range open {
			all, err := s.Offers(ctx, call, a)
			if err != nil {
				return 0, nil, err
			}
			if found := fitting(all, strings.TrimLeft(line[start:], `"“`)); len(found) > 0 {
				return start, inLine(c, a, found), nil
			}
		}
	}
	return 0, nil, nil
}

// inLine puts choices of several words in quotation marks where they need them.
func inLine(c *Command, a Arg, all []Choice) []Choice {
	last := c.Args[len(c.Args)-1].Name == a.Name
	out := slices.Clone(all)
	for i, x := range out {
		if a.Option {
			out[i].Value = a.Name + "=" + x.Value
		}
		if strings.ContainsFunc(x.Value, space) && !last && !isNamed(a.Kind) {
			out[i].Value = `"` + x.Value + `"`
		}
	}
	return out
}

// open lists the arguments that may come next after the words so far; ok is
// false if these fit none.
func (b *binder) open() ([]Arg, bool) {
	b.values = map[string]value{}
	var open []Arg
	for _, a := range b.cmd.Args {
		if !a.Option {
			open = append(open, a)
		}
	}
	for i := 0; i < len(b.in.words); {
		next, k, err := b.take(open, i)
		if err != nil {
			return nil, false
		}
		open, i = slices.Delete(open, k, k+1), next
	}
	for i, a := range open {
		if a.Required {
			return open[:i+1], true
		}
	}
	return open, true
}

// completeVerb lists the names of commands.
func (s *Set) completeVerb(call Call, root Root, line string, fresh bool) (int, []Choice, error) {
	start := 0
	if !fresh || root != "" {
		start = strings.LastIndexByte(line, ' ') + 1
	}
	var all []Choice
	seen := map[string]bool{}
	for _, c := range s.On(call.From) {
		name := c.Name
		if root == "" && c.Root != OfficeRoot {
			name = string(c.Root)
			if c.Direct {
				all = append(all, Choice{Value: c.Name})
			}
		}
		if (root == "" || c.Root == root || root == OfficeRoot) && Allowed(call.Way, call.Sender, c.Right) && !seen[name] {
			seen[name] = true
			all = append(all, Choice{Value: name})
		}
	}
	key := strings.ToLower(line[start:])
	all = slices.DeleteFunc(all, func(c Choice) bool { return !strings.HasPrefix(c.Value, key) })
	return start, all, nil
}
