package discord

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"bullpen/adapters/discord/format"
	"bullpen/bridge/render"
)

// forbidden are the words that no webhook may have in its name, in any case
// (resources/webhook, create webhook).
var forbidden = regexp.MustCompile(`(?i)c(lyde)|d(iscord)`)

// persona is the name that a colleague speaks under: with a point in a word that
// Discord forbids, one line, and short enough.
func persona(name string) string {
	name = strings.Join(strings.Fields(name), " ")
	name = forbidden.ReplaceAllStringFunc(name, func(w string) string { return w[:1] + "·" + w[1:] })
	return render.Truncate(name, format.MaxName, render.UTF16)
}

// nameColleagues tells of names that Discord shows otherwise.
func (a *Adapter) nameColleagues(ctx context.Context) error {
	v, err := a.attached().Office().View(ctx)
	if err != nil {
		return err
	}
	var changed []string
	for _, c := range v.Colleagues {
		if shown := persona(c.Name); shown != c.Name {
			changed = append(changed, fmt.Sprintf("%s as %s", c.Name, shown))
		}
	}
	sentence := ""
	if len(changed) > 0 {
		slices.Sort(changed)
		sentence = "Discord takes not every name, so it shows " + strings.Join(changed, ", ")
	}
	a.problem("names", sentence)
	return nil
}
