package office

import (
	"fmt"
	"strings"
)

// Onboarding is the one thing that hiring does beside the roster: a private turn
// of the new colleague, told who it is and how it takes part. It writes nothing
// to any channel, and it runs while the office is paused.

// LeadingNotes is where a leader finds the notes on leading, in its workspace.
const LeadingNotes = "leading.md"

// toOnboard is the colleague whose onboarding comes next, nil if nobody's does.
func (d *decision) toOnboard() *Colleague {
	for _, id := range d.s.roster {
		if c := d.s.Colleagues[id]; c.Onboard && d.s.running[id] == nil {
			return c
		}
	}
	return nil
}

// onboard starts a colleague's onboarding turn; there is never another.
func (d *decision) onboard(who *Colleague) {
	c := *who
	c.Onboard = false
	d.put(PutColleague{c})
	t := Turn{
		ID: d.next(&d.s.Meta.Turn), Colleague: c.ID, Onboarding: true,
		State: TurnOpen, Attempt: 1, Started: d.now,
	}
	d.entry(&t, Entry{Kind: EntryFrame, Text: d.welcome(&c)})
	d.put(PutTurn{t})
	d.begun = append(d.begun, TurnStart{Turn: t, Colleague: c, Limits: d.s.Limits})
}

// welcome is what a new colleague is told.
func (d *decision) welcome(c *Colleague) string {
	var b strings.Builder
	fmt.Fprintf(&b, "[office] You have been hired")
	if c.HiredBy != "" {
		fmt.Fprintf(&b, " by %s", quoted(c.HiredBy))
	}
	fmt.Fprintf(&b, ". Your name is %s, the office is %s, and your role is %s.", quoted(c.Name), quoted(d.s.Setup.Name), c.Role)
	if c.Description != "" {
		fmt.Fprintf(&b, " You are described to the others as: %s.", quotedText(c.Description))
	}
	if c.ReportsTo != "" {
		fmt.Fprintf(&b, " You report to %s.", quoted(c.ReportsTo))
	}
	b.WriteString("\nMessages for you arrive like this one, each with its place, its writer and a text between fences. " +
		"Your own text answers only a person who addressed you; everybody else hears from you through office_post and office_dm alone. " +
		"Silence is a normal answer. office_colleagues and office_channels show who and what there is.")
	if c.Role == Leader {
		fmt.Fprintf(&b, "\nYou lead: the notes on leading are in your workspace, %s. Read them now.", LeadingNotes)
	}
	b.WriteString("\nThis turn is private: nobody reads what you say in it, and nobody waits for an answer. Look around if you like, greet nobody, and end it.")
	return b.String()
}

func quotedText(s string) string {
	return `"` + strings.ReplaceAll(oneLine(s, 300), `"`, "'") + `"`
}
