package wake

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// shownTokens is how many tokens a refusal writes out.
const shownTokens = 5

// whatCanBeNamed ends the refusals of entries that could be anything.
const whatCanBeNamed = "name a colleague or a person (@name, @user for the owner), a level ($member, $leader) or a channel (#name)"

// ErrNoList is what [ParseList] returns for a list that was not given at all.
var ErrNoList = errors.New(`the wake list is missing: give ["@name"], ["$leader"] or ["#channel"], or [] to wake nobody`)

// Conflict is the refusal of a message that addresses a level or a channel
// together with something else.
type Conflict struct {
	Tokens []string // the conflicting tokens in order of first appearance, no repeats
}

// Error says in one sentence what conflicts and what to write instead.
func (c *Conflict) Error() string {
	choices := c.choices()
	if len(choices) == 2 {
		return fmt.Sprintf("%s and %s cannot be combined: write either %s or %s",
			choices[0], choices[1], choices[0], choices[1])
	}
	return fmt.Sprintf("%s cannot be combined: write only one of them, for example %s",
		strings.Join(choices, ", "), strings.Join(choices[:min(1, len(choices))], ""))
}

// choices returns what could be written instead: all the names together, or one
// of the levels and channels.
func (c *Conflict) choices() []string {
	var names, choices []string
	first := -1
	for _, t := range c.Tokens {
		if !strings.HasPrefix(t, "@") {
			choices = append(choices, t)
			continue
		}
		if first < 0 {
			first = len(choices)
		}
		names = append(names, t)
	}
	if first >= 0 {
		choices = slices.Insert(choices, first, bounded(names, " "))
	}
	if n := len(choices); n > shownTokens {
		choices = append(choices[:shownTokens:shownTokens], fmt.Sprintf("%d more", n-shownTokens))
	}
	return choices
}

// bounded joins the first tokens and counts the rest.
func bounded(tokens []string, separator string) string {
	if n := len(tokens); n > shownTokens {
		return fmt.Sprintf("%s and %d more", strings.Join(tokens[:shownTokens], separator), n-shownTokens)
	}
	return strings.Join(tokens, separator)
}

// Ambiguous is the refusal of a name that belongs to several colleagues or
// several people: the office never guesses which one was meant.
type Ambiguous struct {
	Token string   // the name as it was written, with its sign
	IDs   []string // whom it could mean
}

// Error says in one sentence whom the name could mean.
func (a *Ambiguous) Error() string {
	return fmt.Sprintf("%s is the name of several (%s): rename one of them, or use the platform's own mention",
		a.Token, bounded(a.IDs, ", "))
}

func ambiguous(sign byte, name string, found []target) *Ambiguous {
	a := &Ambiguous{Token: string(sign) + name}
	if checkCharacters(Canonical(name)) != nil {
		a.Token = string(sign) + quote(name)
	}
	for _, t := range found {
		a.IDs = append(a.IDs, t.id)
	}
	return a
}

// ParseList reads the wake list of a tool call: ["@alice", "@bob"], ["$leader"],
// ["#dev"], or [] for nobody. A nil list was not given and is [ErrNoList]; an
// empty one is a decision. An entry is a sign, fullwidth or not, and exactly one
// name; white space around it is ignored and repeats collapse. Refusals name the
// entry; that of an unknown name also gives the nearest names that exist. A level
// or channel beside anything but people is a [*Conflict], a name that is not
// unique an [*Ambiguous].
func ParseList(entries []string, d *Directory) (Wake, error) {
	if entries == nil {
		return Wake{}, ErrNoList
	}
	targets := make([]target, 0, len(entries))
	for i, entry := range entries {
		t, err := parseEntry(entry, d)
		if err != nil {
			return Wake{}, fmt.Errorf("wake entry %d: %w", i+1, err)
		}
		targets = append(targets, t)
	}
	return combine(targets, d)
}

// parseEntry resolves one entry of a wake list.
func parseEntry(entry string, d *Directory) (target, error) {
	entry = strings.TrimSpace(entry)
	if entry == "" {
		return target{}, errors.New("it is empty; " + whatCanBeNamed)
	}
	sign, width := signAt(entry, 0)
	if width == 0 {
		return target{}, unsigned(entry, d)
	}
	name := strings.TrimSpace(entry[width:])
	if name == "" {
		return target{}, fmt.Errorf("%s has no name after the sign; %s", quote(entry), whatCanBeNamed)
	}
	found := d.index(sign).find(Fold(Canonical(name)))
	switch len(found) {
	case 0:
		return target{}, unknown(sign, entry, name, d)
	case 1:
		return found[0], nil
	default:
		return target{}, ambiguous(sign, name, found)
	}
}

// unsigned refuses an entry without a sign, and says how the name is written if
// there is one.
func unsigned(entry string, d *Directory) error {
	key := Fold(Canonical(entry))
	for _, sign := range []byte("@$#") {
		if found := d.index(sign).find(key); len(found) > 0 {
			return fmt.Errorf("%s has no sign: write %s", quote(entry), d.token(found[0].class, found[0].id))
		}
	}
	return fmt.Errorf("%s has no sign; %s", quote(entry), whatCanBeNamed)
}

// unknown refuses an entry that names nobody.
func unknown(sign byte, entry, name string, d *Directory) error {
	key := Fold(Canonical(name))
	switch {
	case sign == '#' && isPrivateChannel(key):
		return fmt.Errorf("%s cannot be addressed: mailboxes and direct channels wake nobody; %s", quote(entry), whatCanBeNamed)
	case sign == '@' && slices.Contains([]string{"all", "here", "channel", "everyone"}, key):
		return fmt.Errorf("%s is not a name: write #general for everyone, or $member for everyone in the channel", quote(entry))
	}
	for _, other := range []byte("@$#") {
		if found := d.index(other).find(key); other != sign && len(found) > 0 {
			return fmt.Errorf("%s names nobody: did you mean %s?", quote(entry), d.token(found[0].class, found[0].id))
		}
	}
	near := d.nearest(sign, key)
	if len(near) == 0 {
		return fmt.Errorf("%s names nobody; %s", quote(entry), whatCanBeNamed)
	}
	return fmt.Errorf("%s names nobody; the nearest names are %s; %s", quote(entry), strings.Join(near, ", "), whatCanBeNamed)
}
