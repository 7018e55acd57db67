package office

import (
	"encoding/json"
	"time"
)

// RosterEntry is a colleague as programs see it.
type RosterEntry struct {
	Name        string    `json:"name"`
	Role        Role      `json:"role"`
	Description string    `json:"description,omitempty"`
	Model       string    `json:"model"`
	Fallback    []string  `json:"fallback,omitempty"`
	Permission  Preset    `json:"permission"`
	Tools       int       `json:"tools,omitempty"` // how many it holds, where they are counted
	ReportsTo   string    `json:"reportsTo,omitempty"`
	Temporary   bool      `json:"temporary,omitempty"`
	Status      Status    `json:"status"`
	Since       time.Time `json:"since,omitzero"`
	LastActive  time.Time `json:"lastActive,omitzero"`
	Queued      int       `json:"queued"`
	Held        int       `json:"held"`
	Quiet       bool      `json:"doNotDisturb,omitempty"`
	QuietUntil  time.Time `json:"doNotDisturbUntil,omitzero"`
	QuietNote   string    `json:"doNotDisturbNote,omitempty"`
	Channels    []string  `json:"channels,omitempty"`
}

// rosterEntries are those of the whole roster; tools counts what each holds, nil:
// nobody does.
func (d *decision) rosterEntries(tools func(*Colleague) int) []RosterEntry {
	all := make([]RosterEntry, 0, len(d.s.roster))
	for _, id := range d.s.roster {
		c := d.s.Colleagues[id]
		now := d.standing(c)
		e := RosterEntry{
			Name: c.Name, Role: c.Role, Description: c.Description, Model: c.Model, Fallback: c.Fallback, Permission: c.Effective(),
			ReportsTo: c.ReportsTo, Temporary: c.Ephemeral, Status: now.Status, Since: now.Since, LastActive: c.LastActive,
			Queued: now.Queued, Held: now.Held, Quiet: d.quietNow(c), Channels: d.s.subscriptions(id),
		}
		if e.Quiet {
			e.QuietUntil, e.QuietNote = c.Quiet.Until, c.Quiet.Note
		}
		if tools != nil {
			e.Tools = tools(c)
		}
		all = append(all, e)
	}
	return all
}

// RosterCall is office_roster: the roster in structure.
type RosterCall struct {
	// Tools counts those that a colleague holds; nil: they are not told.
	Tools func(*Colleague) int
}

func (p RosterCall) run(d *decision, _ *Turn) Result {
	text, err := json.Marshal(d.rosterEntries(p.Tools))
	if err != nil { // numbers, texts and times always encode
		return refused(err.Error())
	}
	return Result{Text: string(text), Structure: bounded(text)}
}
