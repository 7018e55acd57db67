package command

import (
	"context"
	"fmt"
	"strconv"
	"strings"

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
		t := &Table{Head: []string{"name", "role", "status", "waiting", "reports to", "what for"}}
		data := []colleagueData{}
		for _, m := range v.Colleagues {
			fmt.Fprintf(&b, "- %s (%s): %s\n", m.Name, m.Role, m.Shown)
			t.Rows = append(t.Rows, []string{m.Name, string(m.Role), string(m.Status), strconv.Itoa(m.Waiting), m.ReportsTo, line(m.Description, 60)})
			data = append(data, dataOf(v, m))
		}
		if v.Pause.On {
			b.WriteString("The office is paused: nobody is woken until it is resumed.\n")
		}
		return Answer{Text: strings.TrimSuffix(b.String(), "\n"), Table: t, Data: data}, nil
	},
})

// colleagueData is a colleague as programs read it.
type colleagueData struct {
	Name        string   `json:"name"`
	Role        string   `json:"role"`
	Status      string   `json:"status"`
	Waiting     int      `json:"waiting"`
	Queued      int      `json:"queued"`
	Held        int      `json:"held"`
	Description string   `json:"description,omitempty"`
	Model       string   `json:"model"`
	Fallback    []string `json:"fallback,omitempty"`
	ReportsTo   string   `json:"reportsTo,omitempty"`
	Channels    []string `json:"channels"`
}

func dataOf(v office.View, m office.ColleagueView) colleagueData {
	return colleagueData{
		Name: m.Name, Role: string(m.Role), Status: string(m.Status), Waiting: m.Waiting, Queued: m.Queued, Held: m.Held, Description: m.Description,
		Model: m.Model, Fallback: m.Fallback, ReportsTo: m.ReportsTo, Channels: channelsOf(v, m.ID),
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
