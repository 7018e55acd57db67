package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"slices"
	"strings"
	"time"
	"unicode"

	"bullpen/office"
)

// Messages finds the page's numbers in the indexes first, channel by channel,
// and reads only its messages then. A query with Contains has to look at the
// text of every message that the other fields leave.
func (s *Store) Messages(ctx context.Context, q office.MessageQuery) (office.MessagePage, error) {
	var page office.MessagePage
	if one, err := s.single(ctx, q); err != nil || one.Stored {
		return one, err
	}
	err := s.read(ctx, func(r *session) error {
		f := finder{r: r, q: q}
		if err := f.find(); err != nil {
			return err
		}
		page.Total, page.Stored = f.total, f.stored
		return f.read(&page)
	})
	if err != nil {
		return office.MessagePage{}, err
	}
	return page, nil
}

// single answers the most frequent query, for one message by its anchor, if it is
// that and the message is there.
func (s *Store) single(ctx context.Context, q office.MessageQuery) (page office.MessagePage, err error) {
	if len(q.Channels) != 1 || q.From < 1 || q.From != q.To || q.After != 0 || q.Root != 0 || q.Author != "" || q.Contains != "" || q.Looks() {
		return page, nil
	}
	err = s.ask(ctx, func(r *session) error {
		return r.each(func(rows *sql.Rows) error {
			var m office.Message
			if err := scanMessage(rows, &m); err != nil {
				return err
			}
			page = office.MessagePage{Messages: []office.Message{m}, Total: 1, Stored: true}
			return nil
		}, "SELECT value, text FROM message WHERE channel = ? AND seq = ?", string(q.Channels[0]), q.From)
	})
	return page, err
}

// finder answers one query.
type finder struct {
	r *session
	q office.MessageQuery

	found  []int64 // the numbers that may be on the page
	total  int
	stored bool
}

func (f *finder) find() error {
	if len(f.q.Channels) == 0 {
		if err := f.findWhere(f.conditions()); err != nil {
			return err
		}
		return f.lookFor("1")
	}
	channels := slices.Clone(f.q.Channels)
	slices.Sort(channels)
	for _, ch := range slices.Compact(channels) {
		where, args := f.conditions()
		if err := f.findWhere("channel = ? AND "+where, append([]any{string(ch)}, args...)); err != nil {
			return err
		}
		if err := f.lookFor("channel = ?", string(ch)); err != nil {
			return err
		}
	}
	return nil
}

// conditions are all fields but the channel, in SQL.
func (f *finder) conditions() (string, []any) {
	where, args := []string{"1"}, []any(nil)
	add := func(cond string, values ...any) {
		where, args = append(where, cond), append(args, values...)
	}
	if f.q.From != 0 {
		add("seq >= ?", f.q.From)
	}
	if f.q.To != 0 {
		add("seq <= ?", f.q.To)
	}
	if f.q.After != 0 {
		add("no > ?", f.q.After)
	}
	if f.q.Root != 0 {
		// root > 0 lets the index of threads be used.
		add("(seq = ? OR (root > 0 AND root = ?))", f.q.Root, f.q.Root)
	}
	if f.q.Author != "" {
		add("author = ?", f.q.Author)
	}
	if !f.q.Since.IsZero() {
		add("at >= ?", millis(f.q.Since.Add(time.Millisecond-1))) // nothing is kept between two
	}
	if !f.q.Until.IsZero() {
		add("at <= ?", millis(f.q.Until))
	}
	if f.q.Woke != "" {
		add("EXISTS (SELECT 1 FROM json_each(message.value, '$.deliveries') AS d WHERE json_extract(d.value, '$.to') = ?)", f.q.Woke)
	}
	return strings.Join(where, " AND "), args
}

// findWhere adds what one condition matches.
func (f *finder) findWhere(where string, args []any) error {
	if f.q.Contains != "" {
		return f.scan(where, args)
	}
	// What is counted is bounded, or a page would cost what its channel holds.
	var n int
	err := f.r.one([]any{&n}, "SELECT count(*) FROM (SELECT 1 FROM message WHERE "+where+" LIMIT ?)", append(slices.Clone(args), office.CountMost)...)
	if err != nil || n == 0 {
		return err
	}
	order, limit := "no", -1
	if f.q.Newest {
		order = "no DESC"
	}
	if f.q.Limit > 0 {
		limit = f.q.Limit
	}
	before := len(f.found)
	err = f.r.each(func(rows *sql.Rows) error {
		var no int64
		err := rows.Scan(&no)
		f.found = append(f.found, no)
		return err
	}, "SELECT no FROM message WHERE "+where+" ORDER BY "+order+" LIMIT ?", append(args, limit)...)
	f.total += max(n, len(f.found)-before)
	return err
}

// scan looks into the text of what one condition matches.
func (f *finder) scan(where string, args []any) error {
	want := fold(f.q.Contains)
	return f.r.each(func(rows *sql.Rows) error {
		var no int64
		var text sql.RawBytes
		if err := rows.Scan(&no, &text); err != nil {
			return err
		}
		if strings.Contains(fold(string(text)), want) {
			f.found = append(f.found, no)
			f.total++
		}
		return nil
	}, "SELECT no, text FROM message WHERE "+where, args...)
}

// fold maps the letters that differ only by case to one of them.
func fold(s string) string {
	return strings.Map(func(r rune) rune { return unicode.ToLower(unicode.ToUpper(r)) }, s)
}

// lookFor learns whether there is any message where the query looks.
func (f *finder) lookFor(where string, args ...any) error {
	if f.stored = f.stored || f.total > 0; f.stored {
		return nil
	}
	return f.r.one([]any{&f.stored}, "SELECT EXISTS (SELECT 1 FROM message WHERE "+where+")", args...)
}

// cut keeps the end of what was found that the query wants, in order.
func (f *finder) cut() []int64 {
	slices.Sort(f.found)
	over := len(f.found) - f.q.Limit
	switch {
	case f.q.Limit <= 0 || over <= 0:
		return f.found
	case f.q.Newest:
		return f.found[over:]
	default:
		return f.found[:f.q.Limit]
	}
}

// read fills the page with its messages, by one statement for all of them.
func (f *finder) read(page *office.MessagePage) error {
	if len(f.found) == 0 {
		return nil
	}
	numbers, err := json.Marshal(f.cut())
	if err != nil {
		return err
	}
	return f.r.each(func(rows *sql.Rows) error {
		var m office.Message
		if err := scanMessage(rows, &m); err != nil {
			return err
		}
		page.Messages = append(page.Messages, m)
		return nil
	}, "SELECT value, text FROM message WHERE no IN (SELECT value FROM json_each(?)) ORDER BY no", string(numbers))
}
