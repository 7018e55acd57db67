package command

import (
	"context"
	"fmt"
	"strings"
)

var _ = add(Command{
	Name: "status",
	Help: "Show who is doing what, and the connections.",
	Run:  status,
})

func status(ctx context.Context, c Call) (Answer, error) {
	v, err := c.Office.View(ctx)
	if err != nil {
		return Answer{}, err
	}
	type row struct {
		Name    string `json:"name"`
		Role    string `json:"role"`
		Status  string `json:"status"`
		Waiting int    `json:"waiting"`
		Quiet   bool   `json:"doNotDisturb,omitempty"`
		Cwd     string `json:"cwd,omitempty"` // for the owner and the admins
	}
	data := struct {
		Office      string   `json:"office"`
		Paused      bool     `json:"paused"`
		Colleagues  []row    `json:"colleagues"`
		Boss        *row     `json:"boss,omitempty"`
		Connections []string `json:"connections"`
	}{Office: v.Name, Paused: v.Pause.On}
	var b strings.Builder
	fmt.Fprintf(&b, "Office %s\n", v.Name)
	if p := v.Pause; p.On {
		fmt.Fprintf(&b, "Paused since %s by %s", p.Since.UTC().Format("2006-01-02 15:04 MST"), p.By)
		if p.Note != "" {
			b.WriteString(": " + p.Note)
		}
		b.WriteByte('\n')
	}
	for _, m := range v.Colleagues {
		fmt.Fprintf(&b, "- %s (%s): %s", m.Name, m.Role, m.Status)
		if m.Waiting > 0 {
			fmt.Fprintf(&b, ", %d waiting", m.Waiting)
		}
		if q := m.Quiet; q.On {
			fmt.Fprintf(&b, ", not to be disturbed until %s at the latest", q.Until.UTC().Format("15:04 MST"))
			if q.Note != "" {
				b.WriteString(" (" + q.Note + ")")
			}
		}
		if at := c.worksIn(m); at != "" {
			b.WriteString(", " + at)
		}
		b.WriteByte('\n')
		data.Colleagues = append(data.Colleagues, row{m.Name, string(m.Role), string(m.Status), m.Waiting, m.Quiet.On, c.folderOf(m)})
	}
	if m := v.Boss; m != nil {
		fmt.Fprintf(&b, "- the boss: %s", m.Status)
		if m.Waiting > 0 {
			fmt.Fprintf(&b, ", %d waiting", m.Waiting)
		}
		b.WriteByte('\n')
		data.Boss = &row{m.Name, string(m.Role), string(m.Status), m.Waiting, false, ""}
	}
	if c.Connections != nil {
		data.Connections = c.Connections()
		for _, line := range data.Connections {
			fmt.Fprintf(&b, "- %s\n", line)
		}
	}
	return Answer{Text: strings.TrimSuffix(b.String(), "\n"), Data: data}, nil
}
