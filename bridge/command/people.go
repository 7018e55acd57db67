package command

import (
	"context"
	"fmt"
	"strings"

	"bullpen/office"
)

var _ = add(Command{
	Name: "people", Group: People,
	Help: "List the people of the office, with their rights; admins see the accounts.",
	Run: func(ctx context.Context, c Call) (Answer, error) {
		v, err := c.Office.View(ctx)
		if err != nil {
			return Answer{}, err
		}
		var b strings.Builder
		t := &Table{Head: []string{"name", "right", "accounts"}}
		data := []map[string]any{}
		for _, p := range v.People {
			right := rightOf(p)
			fmt.Fprintf(&b, "- %s (%s)", p.Name, right)
			accounts := []string{}
			if Allowed(c.Way, c.Sender, Admins) {
				for _, a := range append(append([]office.Account(nil), p.Accounts...), p.Paired...) {
					accounts = append(accounts, a.Platform+" "+a.ID)
				}
			}
			if len(accounts) > 0 {
				b.WriteString(": " + strings.Join(accounts, ", "))
			}
			b.WriteByte('\n')
			t.Rows = append(t.Rows, []string{p.Name, right, strings.Join(accounts, ", ")})
			data = append(data, map[string]any{"id": p.ID, "name": p.Name, "right": right, "accounts": accounts})
		}
		return Answer{Text: strings.TrimSuffix(b.String(), "\n"), Table: t, Data: data}, nil
	},
})

func rightOf(p office.Person) string {
	switch {
	case p.Owner:
		return "owner"
	case p.Admin:
		return "admin"
	default:
		return "person"
	}
}
