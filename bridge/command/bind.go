package command

import (
	"errors"
	"slices"
	"strings"
)

// Usage says that a command was typed in a way that cannot be carried out.
type Usage struct{ Sentence string }

// Error is the sentence for who typed it.
func (e *Usage) Error() string { return e.Sentence }

// Missing is a Usage: a command needs one more argument. Where a platform has
// forms or lists to choose from it shows one instead of the sentence.
type Missing struct {
	Command *Command
	// Values are the arguments that were given, Arg the first that is missing.
	Values   map[string]string
	Arg      Arg
	sentence string
}

// Error is the sentence for where nothing can be shown to choose from.
func (e *Missing) Error() string { return e.sentence }

// nameWords is how many words a name may have.
const nameWords = 8

// binder gives the words of a line to the arguments of a command.
type binder struct {
	cmd    *Command
	n      named
	prefix string // what is typed before the command here
	in     input
	values map[string]value
	// strict takes only what is a command beyond doubt, see [Set.Fits].
	strict bool
}

// bind reads the arguments. The values are those read until an error came.
func (b *binder) bind() error {
	b.values = map[string]value{}
	if err := b.options(); err != nil {
		return err
	}
	var open []Arg
	for _, a := range b.cmd.Args {
		if !a.Option {
			open = append(open, a)
		}
	}
	for i := 0; i < len(b.in.words); {
		next, k, err := b.take(open, i)
		if err != nil {
			return err
		}
		open, i = slices.Delete(open, k, k+1), next
	}
	for _, a := range b.cmd.Args {
		if _, given := b.values[a.Name]; a.Required && !given {
			return b.missing(a)
		}
	}
	return nil
}

// options takes the words of the form name=value out of the line. What follows
// stays where it was.
func (b *binder) options() error {
	var rest []word
	for _, w := range b.in.words {
		a, ok := b.cmd.Arg(w.key)
		if w.key == "" || !ok || !a.Option {
			rest = append(rest, w)
			continue
		}
		v, err := a.read(b.n, w.text)
		if err != nil {
			return err
		}
		b.values[a.Name] = v
	}
	if len(rest) < len(b.in.words) {
		b.in = input{words: rest} // the texts between them are no longer in one piece
	}
	return nil
}

// take gives the words from i on to the first open argument that they fit, and
// says where they end and which one that was. A required one goes before all
// that follow it.
func (b *binder) take(open []Arg, i int) (next, k int, err error) {
	var first error
	for k, a := range open {
		v, next, err := b.read(a, i)
		if err == nil {
			b.values[a.Name] = v
			return next, k, nil
		}
		// Of several that do not fit, the one that a number was meant for tells best.
		digits := strings.ContainsAny(b.in.words[i].text, "0123456789")
		if first == nil || digits && (a.Kind == NumberKind || a.Kind == RangeKind) {
			first = err
		}
		if a.Required {
			// "agent prompt show alice" says the same as "agent prompt alice show".
			if isNamed(a.Kind) && k+1 < len(open) && open[k+1].Kind == ChoiceKind {
				if v, next, err := b.read(open[k+1], i); err == nil {
					b.values[open[k+1].Name] = v
					return next, k + 1, nil
				}
			}
			return 0, 0, err
		}
	}
	if first != nil {
		return 0, 0, first
	}
	return 0, 0, &Usage{b.prefix + b.cmd.Path() + " takes nothing like " + quote(b.in.rest(i)) + "; it is typed " + b.cmd.Usage(b.prefix)}
}

// read reads one argument from word i on.
func (b *binder) read(a Arg, i int) (value, int, error) {
	last := len(b.in.words)
	switch a.Kind {
	case TextKind:
		if b.strict && !a.Required && !(i == last-1 && b.in.words[i].quoted) {
			return value{}, 0, errTalk
		}
		v, err := a.read(b.n, b.in.rest(i))
		return v, last, err
	case VerbKind:
		v, err := a.read(b.n, b.in.join(i, last))
		return v, last, err
	case ColleagueKind, TalkKind, ChannelKind, PersonKind, PlaceKind:
		return b.name(a, i)
	default:
		v, err := a.read(b.n, b.in.words[i].whole())
		return v, i + 1, err
	}
}

// errTalk says that a text is talk and no command.
var errTalk = errors.New("this is talk")

// name reads the longest name that begins at word i: names may have blanks in them.
func (b *binder) name(a Arg, i int) (value, int, error) {
	last := len(b.in.words)
	if b.in.words[i].quoted {
		v, err := a.read(b.n, b.in.words[i].text)
		return v, i + 1, err
	}
	for to := min(last, i+nameWords); to > i; to-- {
		if v, err := a.read(b.n, b.in.join(i, to)); err == nil {
			return v, to, nil
		}
	}
	// A single word is a name that was mistyped; of several, who knows.
	if b.strict && last-i > 1 {
		return value{}, 0, errTalk
	}
	to := i + 1
	if a.Required && b.cmd.Args[len(b.cmd.Args)-1].Name == a.Name {
		to = last
	}
	return value{}, 0, b.n.unknown(a.Kind, b.in.join(i, to))
}

func (b *binder) missing(a Arg) error {
	said := b.prefix + b.cmd.Path() + " needs " + article(a.what()) + ": " + b.cmd.Usage(b.prefix)
	switch a.Kind {
	case ColleagueKind, TalkKind, ChannelKind, PersonKind, PlaceKind:
		said += b.n.thereAre(a.Kind)
	}
	return &Missing{Command: b.cmd, Values: raws(b.values), Arg: a, sentence: said}
}

func raws(values map[string]value) map[string]string {
	out := map[string]string{}
	for name, v := range values {
		out[name] = v.raw
	}
	return out
}

// what names the argument in a sentence.
func (a Arg) what() string {
	switch a.Kind {
	case ColleagueKind, TalkKind, ChannelKind, PersonKind, PlaceKind:
		return a.Kind.word()
	default:
		return strings.ReplaceAll(a.Name, "_", " ")
	}
}

// typed reads arguments that a platform gave one by one.
func (b *binder) typed(given map[string]string) error {
	b.values = map[string]value{}
	for name := range given {
		if _, ok := b.cmd.Arg(name); !ok {
			return &Usage{b.prefix + b.cmd.Path() + " has no argument " + quote(name) + "; it is typed " + b.cmd.Usage(b.prefix)}
		}
	}
	for _, a := range b.cmd.Args {
		raw := strings.TrimSpace(given[a.Name])
		if raw == "" {
			if a.Required {
				return b.missing(a)
			}
			continue
		}
		v, err := a.read(b.n, raw)
		if err != nil {
			return err
		}
		b.values[a.Name] = v
	}
	return nil
}

// Usage is how a command is typed, with what is typed before it on a platform:
// "/dm <colleague> <text>".
func (c *Command) Usage(prefix string) string {
	var s strings.Builder
	s.WriteString(prefix + c.Path())
	for _, a := range c.Args {
		shown := a.Name
		if a.Kind == ChoiceKind {
			var all []string
			for _, x := range a.Choices {
				all = append(all, x.Value)
			}
			shown = strings.Join(all, "|")
		}
		if a.Option {
			shown = a.Name + "=…"
		}
		if a.Required {
			s.WriteString(" <" + shown + ">")
		} else {
			s.WriteString(" [" + shown + "]")
		}
	}
	return s.String()
}

func quote(s string) string { return `"` + clip(s) + `"` }
