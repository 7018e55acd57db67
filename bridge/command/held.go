package command

import (
	"context"
	"fmt"
	"strings"

	"bullpen/office"
)

var _ = add(Command{
	Name: "held", Group: Steer, Right: Admins, Changes: true,
	Args: []Arg{
		{Name: "do", Kind: ChoiceKind, Choices: []Choice{{Value: "show"}, {Value: "deliver"}, {Value: "drop"}}, Help: "What to do with it; show without it."},
		{Name: "colleague", Kind: TalkKind, Help: "For whom it is held; without it, for anybody."},
		{Name: "message", Kind: WordKind, Help: "Which message, like general-12; without it, all."},
	},
	Help:    "Show what is held back and why; deliver it, or drop it.",
	More:    "deliver lifts the limit for colleagues who wake each other; a pause, a do-not-disturb and a budget have commands of their own.",
	Preview: previewHeld,
	Run:     held,
})

func held(ctx context.Context, c Call) (Answer, error) {
	at, err := c.heldAt()
	if err != nil {
		return Answer{}, err
	}
	name := c.Colleague("colleague").Name
	switch c.Choice("do") {
	case "deliver":
		r, err := c.Office.DeliverHeld(ctx, name, at, c.Person.ID, c.from())
		if err != nil {
			return Answer{}, err
		}
		text := fmt.Sprintf("%d message(s) go on.", len(r.Gone))
		if len(r.Still) > 0 {
			text += "\nStill held:\n" + heldLines(r.Still)
		}
		return Answer{Text: text, Data: r}, nil
	case "drop":
		r, err := c.Office.DropHeld(ctx, name, at, c.Person.ID, c.from())
		if err != nil {
			return Answer{}, err
		}
		return Answer{Text: fmt.Sprintf("%d message(s) are dropped; whoever wrote them is told.", len(r.Gone)), Data: r}, nil
	}
	items, err := c.heldItems(ctx, at)
	if err != nil {
		return Answer{}, err
	}
	if len(items) == 0 {
		return Answer{Text: "Nothing is held.", Data: []any{}}, nil
	}
	return Answer{Text: heldLines(items), Data: items}, nil
}

// previewHeld asks before something is dropped; all else needs no question.
func previewHeld(ctx context.Context, c Call) (string, error) {
	if c.Choice("do") != "drop" {
		return "", nil
	}
	at, err := c.heldAt()
	if err != nil {
		return "", err
	}
	items, err := c.heldItems(ctx, at)
	if err != nil || len(items) == 0 {
		return "", err
	}
	return fmt.Sprintf("Drop %d message(s)? Nobody will read them:\n%s", len(items), heldLines(items)), nil
}

func (c Call) heldAt() (office.Anchor, error) {
	if !c.Has("message") {
		return office.Anchor{}, nil
	}
	return office.ParseAnchor(c.Text("message"))
}

func (c Call) heldItems(ctx context.Context, at office.Anchor) ([]office.HeldItem, error) {
	all, err := c.Office.HeldItems(ctx)
	var out []office.HeldItem
	for _, it := range all {
		if (!c.Has("colleague") || it.To == c.Colleague("colleague").ID) && (at == office.Anchor{} || it.Message == at) {
			out = append(out, it)
		}
	}
	return out, err
}

// heldMost is how many held messages are listed.
const heldMost = 20

func heldLines(items []office.HeldItem) string {
	var b strings.Builder
	for i, it := range items {
		if i == heldMost {
			fmt.Fprintf(&b, "and %d more", len(items)-heldMost)
			break
		}
		var why []string
		for _, h := range it.Holds {
			reason := string(h.Outcome)
			if h.Detail != "" {
				reason += ", " + h.Detail
			}
			why = append(why, reason)
		}
		fmt.Fprintf(&b, "- %s for %s, from %s (%s): %s\n", it.Message, it.Name, it.Author.Name, strings.Join(why, "; "), line(it.Text, 80))
	}
	return strings.TrimSuffix(b.String(), "\n")
}
