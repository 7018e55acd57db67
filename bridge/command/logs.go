package command

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

var _ = add(Command{
	Name: "logs", Group: About, Right: Admins, Bundle: AdminBundle,
	Args: []Arg{
		{Name: "which", Kind: ChoiceKind, Choices: []Choice{{Value: "audit"}, {Value: "tail"}}, Help: "audit: who had the office do what; tail: the end of the log."},
		{Name: "count", Kind: NumberKind, Min: 1, Max: pageMost, Help: "How many lines, from 1 to 100; 20 without it."},
		{Name: "before", Kind: WordKind, Option: true, Help: "The page of the audit log before that one."},
	},
	Help: "Show who had the office do what, or the end of its log.",
	Run: func(ctx context.Context, c Call) (Answer, error) {
		n := int(c.Number("count", pageSize))
		if c.Choice("which") == "tail" {
			return c.tail(n)
		}
		return c.audits(ctx, n)
	},
})

func (c Call) audits(ctx context.Context, n int) (Answer, error) {
	lines, earlier, err := c.Office.Audits(ctx, c.Text("before"), n)
	if err != nil {
		return Answer{}, err
	}
	if len(lines) == 0 {
		return Answer{Text: "Nobody has had the office do anything yet.", Data: []any{}}, nil
	}
	var b strings.Builder
	t := &Table{Head: []string{"when", "who", "where", "what", "outcome"}}
	for _, a := range lines {
		at := a.At.UTC().Format("2006-01-02 15:04:05")
		fmt.Fprintf(&b, "- %s %s", at, a.By)
		if a.From != "" {
			b.WriteString(" (" + a.From + ")")
		}
		fmt.Fprintf(&b, ": %s: %s\n", a.What, a.Outcome)
		t.Rows = append(t.Rows, []string{at, a.By, a.From, a.What, a.Outcome})
	}
	if earlier != "" {
		fmt.Fprintf(&b, "Earlier: %s audit %d before=%s", c.typed(c.cmd), n, earlier)
	}
	return Answer{Text: strings.TrimSuffix(b.String(), "\n"), Table: t, Data: map[string]any{"lines": lines, "earlier": earlier}}, nil
}

// tailSize is how much of the log's end is looked at, in bytes, tailLine how many
// characters of a line are shown.
const (
	tailSize = 64 << 10
	tailLine = 400
)

// tail shows the end of the log, from which secrets were taken as it was written.
func (c Call) tail(n int) (Answer, error) {
	if c.Premises.Log == "" {
		return Answer{}, errors.New("this office writes no log")
	}
	f, err := os.Open(c.Premises.Log)
	if err != nil {
		return Answer{}, fmt.Errorf("the log cannot be read: %w", err)
	}
	defer f.Close()
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return Answer{}, fmt.Errorf("the log cannot be read: %w", err)
	}
	text := make([]byte, min(size, tailSize))
	if _, err := f.ReadAt(text, size-int64(len(text))); err != nil && !errors.Is(err, io.EOF) {
		return Answer{}, fmt.Errorf("the log cannot be read: %w", err)
	}
	if size > tailSize {
		_, text, _ = bytes.Cut(text, []byte("\n"))
	}
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	lines = lines[max(0, len(lines)-n):]
	for i, l := range lines {
		lines[i] = line(l, tailLine)
	}
	if len(lines) == 1 && lines[0] == "" {
		return Answer{Text: "The log is empty.", Data: []string{}}, nil
	}
	return Answer{Text: strings.Join(lines, "\n"), Data: lines}, nil
}
