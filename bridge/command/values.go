package command

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"bullpen/office"
	"bullpen/office/wake"
)

// value is an argument as it was typed and what it means.
type value struct {
	raw string
	is  any
}

// Has says whether an argument was given.
func (c Call) Has(name string) bool { _, ok := c.values[name]; return ok }

// Text is an argument as it was typed; empty if it was not given.
func (c Call) Text(name string) string { return c.values[name].raw }

// Choice is a choice's value.
func (c Call) Choice(name string) string { return get[string](c, name) }

// Number is a number, or without one the given default.
func (c Call) Number(name string, without int64) int64 {
	if !c.Has(name) {
		return without
	}
	return get[int64](c, name)
}

// Money is an amount of money, 0 if it was not given.
func (c Call) Money(name string) office.Money { return get[office.Money](c, name) }

// Bool says whether an argument is on.
func (c Call) Bool(name string) bool { return get[bool](c, name) }

// Colleague is the colleague that an argument names.
func (c Call) Colleague(name string) office.ColleagueView { return get[office.ColleagueView](c, name) }

// Channel is the channel that an argument names.
func (c Call) Channel(name string) office.Channel { return get[office.Channel](c, name) }

// At is the place that an argument names.
func (c Call) At(name string) Place { return get[Place](c, name) }

// numbers are a range: to is 0 where it is open.
type numbers struct{ from, to int64 }

func get[T any](c Call, name string) T {
	v, _ := c.values[name].is.(T)
	return v
}

// named is everything that an argument can name, from one look at the office.
type named struct {
	view     office.View
	who      office.PersonID // who names it: the boss is there for its people alone
	set      *Set
	platform string
}

// word is what a kind names, in a sentence.
func (k Kind) word() string {
	if k == TalkKind {
		return string(ColleagueKind)
	}
	return string(k)
}

// names gives what a kind can name, by folded name.
func (n named) names(k Kind) []string {
	var out []string
	if k == ColleagueKind || k == PlaceKind || k == TalkKind {
		for _, m := range n.colleagues(k) {
			out = append(out, m.Name)
		}
	}
	if k == ChannelKind || k == PlaceKind {
		for _, ch := range n.view.Channels {
			if shared(ch) {
				out = append(out, ch.Name)
			}
		}
	}
	if k == PersonKind {
		for _, p := range n.view.People {
			out = append(out, p.Name)
		}
	}
	return out
}

// colleagues are those whom a kind can name: the roster, and with it the boss
// where it is a matter of talking to somebody and the boss works for who asks.
func (n named) colleagues(k Kind) []office.ColleagueView {
	if k == ColleagueKind || n.view.Boss == nil || !slices.Contains(n.view.BossFor, n.who) {
		return n.view.Colleagues
	}
	return append(slices.Clone(n.view.Colleagues), *n.view.Boss)
}

// find looks a name up. A sign before it, @ or #, may say what it is.
func (n named) find(k Kind, name string) (any, bool) {
	sign := ""
	if name != "" && (name[0] == '@' || name[0] == '#') {
		sign, name = name[:1], name[1:]
	}
	key := wake.Fold(name)
	if key == "" {
		return nil, false
	}
	if (k == ChannelKind || k == PlaceKind) && sign != "@" {
		for _, ch := range n.view.Channels {
			if shared(ch) && wake.Fold(ch.Name) == key {
				if k == PlaceKind {
					return Place{Channel: ch.ID, Label: "#" + ch.Name}, true
				}
				return ch, true
			}
		}
	}
	if (k == ColleagueKind || k == PlaceKind || k == TalkKind) && sign != "#" {
		for _, m := range n.colleagues(k) {
			if wake.Fold(m.Name) == key {
				if k == PlaceKind {
					return Place{To: m.ID, Label: "@" + m.Name}, true
				}
				return m, true
			}
		}
	}
	if k == PersonKind && sign != "#" {
		for _, p := range n.view.People {
			if wake.Fold(p.Name) == key || wake.Fold(string(p.ID)) == key || p.Owner && key == "user" {
				return p, true
			}
		}
	}
	return nil, false
}

// unknown says that nobody or nothing has a name, and who or what there is.
func (n named) unknown(k Kind, name string) error {
	there := n.names(k)
	said := "there is no " + k.word() + " called " + strconv.Quote(clip(name))
	switch near := wake.Nearest(strings.TrimLeft(name, "@#"), there); {
	case len(there) == 0:
		return &Usage{said + "; there are none yet"}
	case near != "" && len(there) > namesMost:
		return &Usage{said + "; did you mean " + near + "?"}
	default:
		return &Usage{said + n.thereAre(k)}
	}
}

// namesMost is how many names a refusal lists.
const namesMost = 8

func (n named) thereAre(k Kind) string {
	there := n.names(k)
	if k == PlaceKind {
		there = places(n.view)
	} else if k == ChannelKind {
		for i := range there {
			there[i] = "#" + there[i]
		}
	}
	more := ""
	if len(there) > namesMost {
		there, more = there[:namesMost], fmt.Sprintf(" and %d more", len(there)-namesMost)
	}
	return "; there are " + strings.Join(there, ", ") + more
}

// read makes a value of a whole argument.
func (a Arg) read(n named, raw string) (value, error) {
	v := value{raw: raw}
	var err error
	if a.Option && raw == unset {
		return v, nil
	}
	switch a.Kind {
	case ColleagueKind, TalkKind, ChannelKind, PersonKind, PlaceKind:
		is, ok := n.find(a.Kind, strings.TrimSpace(raw))
		if !ok {
			return v, n.unknown(a.Kind, raw)
		}
		v.is = is
	case NumberKind:
		v.is, err = a.number(raw)
	case MoneyKind:
		v.is, err = a.money(raw)
	case RangeKind:
		from, to, ok := parseRange(raw)
		if !ok {
			return v, &Usage{fmt.Sprintf("%q is no range of messages; write 12, 12- or 12-20", clip(raw))}
		}
		v.is = numbers{from, to}
	case BoolKind:
		v.is, err = parseBool(a.Name, raw)
	case ChoiceKind:
		v.is, err = a.choice(raw)
	case VerbKind:
		v.is, err = n.verb(raw)
	default:
		if n := utf8.RuneCountInString(raw); n > TextMost {
			return v, &Usage{fmt.Sprintf("%s has %d characters and a command takes %d; shorten it", a.Name, n, TextMost)}
		}
		v.is = raw
	}
	return v, err
}

// verb finds the command or the root that a line names.
func (n named) verb(raw string) (any, error) {
	words := split(strings.TrimLeft(raw, "/"))
	c, root, used := n.set.find(n.platform, words)
	switch {
	case used < len(words), c == nil && root == "":
		return nil, n.set.noCommand(n.platform, root, words, used)
	case c == nil:
		return root, nil
	}
	return c, nil
}

func (a Arg) number(raw string) (int64, error) {
	n, err := strconv.ParseInt(raw, 10, 64)
	if err != nil || n < a.Min || n > a.Max {
		return 0, &Usage{fmt.Sprintf("%s is a number from %d to %d, not %q", a.Name, a.Min, a.Max, clip(raw))}
	}
	return n, nil
}

// money reads an amount with its currency: a number alone may be meant as tokens.
func (a Arg) money(raw string) (office.Money, error) {
	m, err := office.ParseMoney(raw)
	if _, bare := strconv.ParseFloat(raw, 64); err != nil || bare == nil || m == 0 {
		return 0, &Usage{fmt.Sprintf("%s is an amount of money like \"20 USD\" or 0.50USD, not %q", a.Name, clip(raw))}
	}
	return m, nil
}

func (a Arg) choice(raw string) (string, error) {
	key := wake.Fold(strings.TrimLeft(raw, "-"))
	var all []string
	for _, c := range a.Choices {
		if wake.Fold(c.Value) == key {
			return c.Value, nil
		}
		all = append(all, c.Value)
	}
	return "", &Usage{fmt.Sprintf("%s is one of %s, not %q", a.Name, strings.Join(all, ", "), clip(raw))}
}

// parseRange reads 12, 12- and 12-20.
func parseRange(s string) (from, to int64, ok bool) {
	a, b, open := strings.Cut(s, "-")
	from, err := strconv.ParseInt(a, 10, 64)
	if err != nil || from < 1 {
		return 0, 0, false
	}
	switch {
	case !open:
		return from, from, true
	case b == "":
		return from, 0, true
	}
	to, err = strconv.ParseInt(b, 10, 64)
	return from, to, err == nil && to >= from
}

func parseBool(name, raw string) (bool, error) {
	switch strings.ToLower(raw) {
	case "on", "yes", "true", "1":
		return true, nil
	case "off", "no", "false", "0":
		return false, nil
	}
	return false, &Usage{fmt.Sprintf("%s is on or off, not %q", name, clip(raw))}
}

// clip bounds what a refusal repeats, and keeps it on one line.
func clip(s string) string {
	r := []rune(s)
	if len(r) > 40 {
		r = append(r[:40:40], '…')
	}
	return strings.Join(strings.Fields(string(r)), " ")
}

func shared(ch office.Channel) bool {
	return !ch.Gone && (ch.Kind == office.GeneralChannel || ch.Kind == office.GroupChannel)
}

func places(v office.View) []string {
	var names []string
	for _, ch := range v.Channels {
		if shared(ch) {
			names = append(names, "#"+ch.Name)
		}
	}
	for _, m := range v.Colleagues {
		names = append(names, "@"+m.Name)
	}
	return names
}

// parseDuration reads what Go writes, and whole days as 2d.
func parseDuration(raw string) (time.Duration, error) {
	s := strings.ToLower(raw)
	if days, ok := strings.CutSuffix(s, "d"); ok {
		if n, err := strconv.Atoi(days); err == nil && n > 0 && n <= 366 {
			return time.Duration(n) * 24 * time.Hour, nil
		}
	}
	d, err := time.ParseDuration(s)
	if err != nil || d <= 0 {
		return 0, &Usage{fmt.Sprintf("%q is no duration; write one like 90s, 30m, 2h or 1d", clip(raw))}
	}
	return d, nil
}
