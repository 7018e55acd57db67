package command

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"bullpen/office"
)

var _ = add(Command{
	Root: ChannelRoot, Name: "list",
	Help: "List the channels with who reads them.",
	Run: func(ctx context.Context, c Call) (Answer, error) {
		v, err := c.Office.View(ctx)
		if err != nil {
			return Answer{}, err
		}
		var b strings.Builder
		t := &Table{Head: []string{"channel", "members", "messages", "topic"}}
		data := []map[string]any{}
		for _, ch := range v.Channels {
			if !shared(ch) {
				continue
			}
			members := membersOf(v, ch)
			fmt.Fprintf(&b, "- #%s: %s", ch.Name, strings.Join(members, ", "))
			if ch.Topic != "" {
				b.WriteString(". " + line(ch.Topic, 80))
			}
			b.WriteByte('\n')
			t.Rows = append(t.Rows, []string{"#" + ch.Name, strings.Join(members, ", "), strconv.FormatInt(ch.Last, 10), line(ch.Topic, 60)})
			data = append(data, map[string]any{"name": ch.Name, "members": members, "messages": ch.Last, "topic": ch.Topic})
		}
		return Answer{Text: strings.TrimSuffix(b.String(), "\n"), Table: t, Data: data}, nil
	},
})

// membersOf names those who read a channel.
func membersOf(v office.View, ch office.Channel) []string {
	if ch.Kind == office.GeneralChannel {
		return []string{"everybody"}
	}
	out := []string{}
	for _, m := range v.Colleagues {
		for _, id := range ch.Members {
			if id == m.ID {
				out = append(out, m.Name)
			}
		}
	}
	if len(out) == 0 {
		return []string{"nobody"}
	}
	return out
}

// colleagues reads a list of names, parted by commas or blanks.
func (c Call) colleagues(ctx context.Context, text string) ([]office.ColleagueView, error) {
	v, err := c.Office.View(ctx)
	if err != nil {
		return nil, err
	}
	var out []office.ColleagueView
	b := &binder{cmd: c.cmd, n: named{v, c.Person.ID, c.set, c.From}, in: apart(strings.FieldsFunc(text, func(r rune) bool { return r == ',' || space(r) }))}
	for i := 0; i < len(b.in.words); {
		x, next, err := b.name(Arg{Kind: ColleagueKind}, i)
		if err != nil {
			return nil, err
		}
		m, _ := x.is.(office.ColleagueView)
		out, i = append(out, m), next
	}
	return out, nil
}
