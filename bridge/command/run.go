package command

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"bullpen/office"
	"bullpen/office/wake"
)

// Run carries out one line: a command's name and its arguments, without a slash.
// The error is a sentence for who typed it: a *Usage, *Missing or *Refusal, or
// what the office says.
func (s *Set) Run(ctx context.Context, call Call, line string) (Answer, error) {
	words := split(line)
	c, root, n := s.find(call.From, words)
	if c == nil {
		return s.unknown(call, root, words, n)
	}
	in := input{words: words[n:], line: line}
	if cut := cutYes(c, in.words); len(cut) < len(in.words) {
		if in.words, call.Yes = cut, true; len(cut) > 0 {
			in.line = line[:cut[len(cut)-1].end]
		}
	}
	return s.run(ctx, call, c, func(b *binder) error { b.in = in; return b.bind() })
}

// RunWords is Run for words that a shell has cut.
func (s *Set) RunWords(ctx context.Context, call Call, args []string) (Answer, error) {
	in := apart(args)
	c, root, n := s.find(call.From, in.words)
	if c == nil {
		return s.unknown(call, root, in.words, n)
	}
	in.words = in.words[n:]
	if cut := cutYes(c, in.words); len(cut) < len(in.words) {
		in.words, call.Yes = cut, true
	}
	return s.run(ctx, call, c, func(b *binder) error { b.in = in; return b.bind() })
}

// RunTyped is Run for a command whose arguments came one by one, by their names.
// What is empty was not given.
func (s *Set) RunTyped(ctx context.Context, call Call, c *Command, args map[string]string) (Answer, error) {
	return s.run(ctx, call, c, func(b *binder) error { return b.typed(args) })
}

// run checks the right before anything is looked up, reads the arguments, asks
// before it does something dangerous, and keeps what became of it.
func (s *Set) run(ctx context.Context, call Call, c *Command, bind func(*binder) error) (Answer, error) {
	call.set, call.cmd = s, c
	if call.Place == nil {
		call.Place = &Place{Label: "nowhere"}
	}
	if err := refuse(call, c.Right, call.typed(c)); err != nil {
		return Answer{}, errors.Join(err, call.note(ctx, err))
	}
	v, err := call.Office.View(ctx)
	if err != nil {
		return Answer{}, err
	}
	b := &binder{cmd: c, n: named{v, call.Person.ID, s, call.From}, prefix: call.prefix(c)}
	if err := bind(b); err != nil {
		return Answer{}, err
	}
	call.values = b.values
	if err := call.choicesAllowed(); err != nil {
		return Answer{}, errors.Join(err, call.note(ctx, err))
	}
	if c.Dangerous() {
		if ans, wait, err := call.confirm(ctx); wait || err != nil {
			return ans, err
		}
	}
	ans, err := c.Run(ctx, call)
	ans.Verb = c.Name
	if err != nil && c.Changes {
		err = errors.Join(err, call.note(ctx, err))
	}
	return ans, err
}

// choicesAllowed says whether the choices that were made are for who made them.
func (c Call) choicesAllowed() error {
	for _, a := range c.cmd.Args {
		for _, x := range a.Choices {
			if x.Right != "" && c.Has(a.Name) && c.Choice(a.Name) == x.Value {
				if err := refuse(c, x.Right, c.typed(c.cmd)+" "+x.Value); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// confirm asks before a dangerous command; wait is false once it was answered.
func (c Call) confirm(ctx context.Context) (ans Answer, wait bool, err error) {
	if c.Yes && c.Shown == "" {
		return ans, false, nil
	}
	text, err := c.cmd.Preview(ctx, c)
	if err != nil || text == "" || c.Yes && c.Shown == text {
		return ans, false, err
	}
	said := text
	if c.Yes {
		said = "Something changed meanwhile. " + text
	}
	if c.From == Console { // which has no buttons
		said += "\nNothing is done yet; type it again with " + yes + " behind it to do it."
	}
	return Answer{Text: said, Verb: c.cmd.Name, Confirm: &Confirm{Command: c.cmd, Values: raws(c.values), Shown: text}}, true, nil
}

// note keeps in the audit log that something was not done, if it would have
// changed anything. What was done is kept by the office with the change itself.
func (c Call) note(ctx context.Context, why error) error {
	if c.cmd.Right == Anyone && !c.cmd.Changes {
		return nil
	}
	outcome := "failed: " + why.Error()
	var refused *Refusal
	if errors.As(why, &refused) {
		outcome = "refused: " + refused.Sentence
	}
	by := c.Person.Name
	if by == "" {
		by = string(c.Sender)
	}
	err := c.Office.Audit(ctx, office.Audit{By: by, From: c.from(), What: c.summary(), Outcome: outcome})
	if err != nil {
		return fmt.Errorf("and that could not be kept in the audit log: %w", err)
	}
	return nil
}

// summary is the command as it was given, in one line for the audit log.
func (c Call) summary() string {
	var b strings.Builder
	b.WriteString(c.cmd.Path())
	for _, a := range c.cmd.Args {
		switch {
		case !c.Has(a.Name):
		case a.Private:
			b.WriteString(" " + a.Name + "=…")
		default:
			b.WriteString(" " + a.Name + "=" + quote(c.Text(a.Name)))
		}
	}
	return b.String()
}

// from says where a command came from, for the audit log.
func (c Call) from() string {
	if c.Spot == "" {
		return c.From
	}
	return c.From + " " + c.Spot
}

// prefix is what is typed before a command on a platform.
func (c Call) prefix(cmd *Command) string {
	switch {
	case c.From == Shell:
		return "bullpen "
	case c.From == "slack":
		return "/office "
	case c.From == "discord" && cmd.Bundle != "":
		return "/" + string(cmd.Root) + " " + cmd.Bundle + " "
	case c.From == "telegram" && cmd.Root != OfficeRoot && !cmd.Direct, c.From == "discord" && cmd.Root == OfficeRoot:
		return "/office "
	default:
		return "/"
	}
}

// typed is how a command is typed here, without its arguments.
func (c Call) typed(cmd *Command) string { return c.prefix(cmd) + cmd.Path() }

// unknown answers a line that begins with no command: a root alone gets its help.
func (s *Set) unknown(call Call, root Root, words []word, n int) (Answer, error) {
	call.set = s
	if err := refuse(call, Anyone, ""); err != nil {
		return Answer{}, err
	}
	if n == len(words) && root != "" {
		return call.helpRoot(root), nil
	}
	return Answer{}, s.noCommand(call.From, root, words, n)
}

// noCommand says that word n begins no command, and which one was meant perhaps.
func (s *Set) noCommand(platform string, root Root, words []word, n int) error {
	name := ""
	if n < len(words) {
		name = words[n].whole()
	}
	call := Call{From: platform}
	prefix := call.prefix(&Command{Root: OfficeRoot})
	var names []string
	for _, c := range s.On(platform) {
		if root == "" || root == OfficeRoot || c.Root == root {
			names = append(names, c.Path())
		}
	}
	said := "there is no command " + prefix + clip(name)
	if root != "" && root != OfficeRoot {
		said = "there is no command " + quote(name) + " of " + string(root)
	}
	near := s.namesake(platform, name)
	if root != "" && root != OfficeRoot {
		name = string(root) + " " + name
	}
	if near == "" {
		near = wake.Nearest(name, names)
	}
	if near != "" {
		return &Usage{said + "; did you mean " + prefix + near + "? " + prefix + "help lists them all"}
	}
	return &Usage{said + "; " + prefix + "help lists them all"}
}

// namesake is the command of another root that has just this name.
func (s *Set) namesake(platform, name string) string {
	for _, c := range s.On(platform) {
		if strings.EqualFold(c.Name, name) {
			return c.Path()
		}
	}
	return ""
}
