package command

import (
	"context"
	"fmt"
	"strings"

	"bullpen/office"
)

var _ = add(Command{
	Name: "who",
	Args: []Arg{{Name: "colleague", Kind: TalkKind, Help: "Whom to tell about; without it, who you are here."}},
	Help: "Tell all about one colleague, or who the office takes you for.",
	Run:  who,
})

func who(ctx context.Context, c Call) (Answer, error) {
	v, err := c.Office.View(ctx)
	if err != nil {
		return Answer{}, err
	}
	if !c.Has("colleague") {
		return c.whoAmI(), nil
	}
	m := c.Colleague("colleague")
	d := dataOf(v, m)
	var b strings.Builder
	fmt.Fprintf(&b, "%s (%s): %s", m.Name, m.Role, m.Status)
	if !m.Since.IsZero() {
		b.WriteString(" since " + clock(m.Since, v.Zone))
	}
	if m.Waiting > 0 {
		fmt.Fprintf(&b, ", %d waiting", m.Waiting)
	}
	b.WriteByte('\n')
	if m.Description != "" {
		b.WriteString(line(m.Description, 500) + "\n")
	}
	fmt.Fprintf(&b, "- model: %s\n", strings.Join(append([]string{m.Model}, m.Fallback...), ", then "))
	fmt.Fprintf(&b, "- permission: %s\n", d.Permission)
	if m.ReportsTo != "" {
		fmt.Fprintf(&b, "- reports to: %s\n", m.ReportsTo)
	}
	fmt.Fprintf(&b, "- reads: %s\n", strings.Join(d.Channels, ", "))
	if at := c.worksIn(m); at != "" {
		d.Cwd = c.folderOf(m)
		b.WriteString("- " + at + " instead of a folder of its own (cwd): it may read and change all that is there\n")
	}
	if m.SharedDM {
		b.WriteString("- one context for everybody who writes to it directly: it may tell each what the others said\n")
	}
	if q := d.Quiet; q != nil {
		fmt.Fprintf(&b, "- not to be disturbed until %s at the latest", q.Until.UTC().Format("15:04 MST"))
		if q.Note != "" {
			b.WriteString(", because " + line(q.Note, 500))
		}
		b.WriteByte('\n')
	}
	if !m.LastActive.IsZero() {
		fmt.Fprintf(&b, "- last worked: %s\n", m.LastActive.UTC().Format("2006-01-02 15:04 MST"))
	}
	return Answer{Text: strings.TrimSuffix(b.String(), "\n"), Data: d}, nil
}

// worksIn says that a colleague works in a folder that office.yaml names; empty if
// it has one of its own.
func (c Call) worksIn(m office.ColleagueView) string {
	switch {
	case m.Cwd == "":
		return ""
	case c.folderOf(m) == "":
		return "works in a folder of the machine"
	default:
		return "works in " + line(m.Cwd, 500)
	}
}

// folderOf is the folder that office.yaml names for a colleague, for those who may
// know how the machine is laid out.
func (c Call) folderOf(m office.ColleagueView) string {
	if !Allowed(c.Way, c.Sender, Admins) {
		return ""
	}
	return m.Cwd
}

// whoAmI says whom a person's account stands for, and what they may do.
func (c Call) whoAmI() Answer {
	accounts := []string{}
	for _, a := range append(c.Person.Accounts[:len(c.Person.Accounts):len(c.Person.Accounts)], c.Person.Paired...) {
		accounts = append(accounts, a.Platform+" "+a.ID)
	}
	said := fmt.Sprintf("You are %s", c.Person.Name)
	switch c.Sender {
	case OwnerSender:
		said += ", the owner of this office."
	case AdminSender:
		said += ", an admin of this office."
	default:
		said += "."
	}
	if len(accounts) > 0 {
		said += " Your accounts: " + strings.Join(accounts, ", ") + "."
	}
	return Answer{Text: said, Data: map[string]any{"id": c.Person.ID, "name": c.Person.Name, "right": c.Sender, "accounts": accounts}}
}
