package command

import (
	"context"
	"fmt"
	"strings"

	"bullpen/office"
)

var statusCommand = Command{
	Name: "status", Right: Anyone,
	Help: "Show who is doing what, and the connections.",
	Run:  status,
}

func status(ctx context.Context, c Call) (Answer, error) {
	v, err := c.Office.View(ctx)
	if err != nil {
		return Answer{}, err
	}
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
		b.WriteByte('\n')
	}
	if c.Connections != nil {
		for _, line := range c.Connections() {
			fmt.Fprintf(&b, "- %s\n", line)
		}
	}
	return Answer{Text: strings.TrimSuffix(b.String(), "\n")}, nil
}

var interruptCommand = Command{
	Name: "interrupt", Args: "<colleague>", Right: Admins, MinArgs: 1, MaxArgs: 4,
	Help:     "End the turn that a colleague is running now.",
	Run:      interrupt,
	Complete: colleagueNames,
}

func interrupt(ctx context.Context, c Call) (Answer, error) {
	if c.Args == "" {
		return Answer{}, fmt.Errorf("/interrupt takes a colleague's name, like /interrupt alice")
	}
	found, err := c.Office.Interrupt(ctx, strings.TrimPrefix(c.Args, "@"), c.Person.ID, c.From)
	if err != nil {
		return Answer{}, err
	}
	if !found.Was {
		return Answer{Text: found.Name + " is not running; nothing was interrupted."}, nil
	}
	return Answer{Text: found.Name + " has been interrupted; what waits for it is handed over."}, nil
}

var approveCommand = Command{
	Name: "approve", Args: "<code>", Right: Admins, MinArgs: 1, MaxArgs: 1,
	Help: "Let somebody in who was given a code.",
	Run:  approve,
}

func approve(ctx context.Context, c Call) (Answer, error) {
	p, err := c.Office.Approve(ctx, c.Args, c.Person.ID, c.From)
	if err != nil {
		return Answer{}, err
	}
	if p.Owner {
		return Answer{Text: "That account is the owner's now."}, nil
	}
	return Answer{Text: p.Name + " may talk to the office now."}, nil
}

func colleagueNames(ctx context.Context, o *office.Office) ([]string, error) {
	v, err := o.View(ctx)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, m := range v.Colleagues {
		names = append(names, m.Name)
	}
	return names, nil
}

var pauseCommand = Command{
	Name: "pause", Args: "[why]", Right: Admins, MaxArgs: 100,
	Help: "Pause the office: nobody is woken until it is resumed.",
	Run:  pause,
}

func pause(ctx context.Context, c Call) (Answer, error) {
	if _, err := c.Office.Pause(ctx, true, c.Args, c.Person.ID, c.From); err != nil {
		return Answer{}, err
	}
	return Answer{Text: "The office is paused: nobody is woken until /resume. Those who are working finish what they do."}, nil
}

var resumeCommand = Command{
	Name: "resume", Right: Admins,
	Help: "End the pause; whoever has mail is woken.",
	Run:  resume,
}

func resume(ctx context.Context, c Call) (Answer, error) {
	out, err := c.Office.Pause(ctx, false, "", c.Person.ID, c.From)
	if err != nil {
		return Answer{}, err
	}
	if len(out.Woken) == 0 {
		return Answer{Text: "The office is running; nobody had mail."}, nil
	}
	return Answer{Text: "The office is running again; woken: " + strings.Join(out.Woken, ", ") + "."}, nil
}

var disturbCommand = Command{
	Name: "dnd", Args: "<colleague>", Right: Admins, MinArgs: 1, MaxArgs: 4,
	Help:     "Release the do-not-disturb of a colleague that forgot it; /status shows them.",
	Run:      disturb,
	Complete: colleagueNames,
}

func disturb(ctx context.Context, c Call) (Answer, error) {
	if c.Args == "" {
		return Answer{}, fmt.Errorf("/dnd takes a colleague's name, like /dnd alice")
	}
	text, err := c.Office.Disturb(ctx, strings.TrimPrefix(c.Args, "@"), c.Person.ID, c.From)
	return Answer{Text: text}, err
}
