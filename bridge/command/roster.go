package command

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"bullpen/office"
)

var _ = add(Command{
	Name: "roster",
	Help: "List the colleagues with their roles and what they are there for.",
	Run: func(ctx context.Context, c Call) (Answer, error) {
		v, err := c.Office.View(ctx)
		if err != nil {
			return Answer{}, err
		}
		if len(v.Colleagues) == 0 {
			return Answer{Text: "There is no colleague in this office yet.", Data: []any{}}, nil
		}
		var b strings.Builder
		t := &Table{Head: []string{"name", "role", "status", "queued", "held", "model", "permission", "tools", "reads", "last active", "reports to", "what for"}}
		data := []colleagueData{}
		for _, m := range v.Colleagues {
			fmt.Fprintf(&b, "- %s (%s): %s\n", m.Name, m.Role, m.Shown)
			d := dataOf(v, m)
			data = append(data, d)
			t.Rows = append(t.Rows, d.row(v, m))
		}
		for _, note := range v.Notes {
			note = strings.ToUpper(note[:1]) + note[1:] + "."
			t.Foot = append(t.Foot, note)
			b.WriteString(note + "\n")
		}
		return Answer{Text: strings.TrimSuffix(b.String(), "\n"), Table: t, Data: data}, nil
	},
})

// colleagueData is a colleague as programs read it.
type colleagueData struct {
	Name        string    `json:"name"`
	Role        string    `json:"role"`
	Status      string    `json:"status"`
	Since       time.Time `json:"since,omitzero"`
	Until       time.Time `json:"until,omitzero"` // when a quota-retry is tried again
	Waiting     int       `json:"waiting"`
	Queued      int       `json:"queued"`
	Held        int       `json:"held"`
	Description string    `json:"description,omitempty"`
	Model       string    `json:"model"`
	Fallback    []string  `json:"fallback,omitempty"`
	Permission  string    `json:"permission"`
	Tools       int       `json:"tools,omitempty"`
	ReportsTo   string    `json:"reportsTo,omitempty"`
	Cwd         string    `json:"cwd,omitempty"` // for the owner and the admins
	Channels    []string  `json:"channels"`
	LastActive  time.Time `json:"lastActive,omitzero"`
	Quiet       *quietNow `json:"doNotDisturb,omitempty"`
}

// quietNow is a do-not-disturb as programs read it.
type quietNow struct {
	Since time.Time `json:"since"`
	Until time.Time `json:"until"`
	Note  string    `json:"note,omitempty"`
}

func dataOf(v office.View, m office.ColleagueView) colleagueData {
	d := colleagueData{
		Name: m.Name, Role: string(m.Role), Status: string(m.Status), Since: m.Since, Until: m.Until,
		Waiting: m.Waiting, Queued: m.Queued, Held: m.Held, Description: m.Description,
		Model: m.Model, Fallback: m.Fallback, Permission: string(m.Effective()), Tools: m.Tools,
		ReportsTo: m.ReportsTo, Channels: channelsOf(v, m.ID), LastActive: m.LastActive,
	}
	if m.Quieted {
		d.Quiet = &quietNow{m.Quiet.Since, m.Quiet.Until, m.Quiet.Note}
	}
	return d
}

// row is a colleague in the table of the roster.
func (d *colleagueData) row(v office.View, m office.ColleagueView) []string {
	status := d.Status
	if !d.Since.IsZero() {
		status += " since " + clock(d.Since, v.Zone)
	}
	if !d.Until.IsZero() {
		status += " until " + clock(d.Until, v.Zone)
	}
	if q := d.Quiet; q != nil {
		status += ", not to be disturbed until " + clock(q.Until, v.Zone)
		if q.Note != "" {
			status += " (" + line(q.Note, 60) + ")"
		}
	}
	tools, last := "", ""
	if d.Tools > 0 {
		tools = strconv.Itoa(d.Tools)
	}
	if !d.LastActive.IsZero() {
		last = clock(d.LastActive, v.Zone)
	}
	return []string{
		d.Name, d.Role, status, strconv.Itoa(d.Queued), strconv.Itoa(d.Held), d.Model, d.Permission, tools,
		strings.Join(d.Channels, " "), last, d.ReportsTo, line(m.Description, 60),
	}
}

// channelsOf are the channels that a colleague reads.
func channelsOf(v office.View, id office.ColleagueID) []string {
	out := []string{}
	for _, ch := range v.Channels {
		member := ch.Kind == office.GeneralChannel
		for _, m := range ch.Members {
			member = member || ch.Kind == office.GroupChannel && m == id
		}
		if member {
			out = append(out, "#"+ch.Name)
		}
	}
	return out
}

// line is a text on one line of at most n characters.
func line(text string, n int) string {
	r := []rune(strings.Join(strings.Fields(text), " "))
	if len(r) > n {
		return strings.TrimRight(string(r[:n-1]), " ") + "…"
	}
	return string(r)
}
