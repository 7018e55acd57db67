package redis

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"bullpen/office"

	driver "github.com/redis/go-redis/v9"
)

// Messages finds the page in the indexes, channel by channel, and reads only
// its messages then. Without Root, Author and Contains it costs its page; Root
// costs its thread; Author reads the indexes' lines page by page, and Contains
// also the messages that the other fields leave. What is taken in meanwhile is
// left out; a message that is changed meanwhile may be shown as changed.
func (s *Store) Messages(ctx context.Context, q office.MessageQuery) (office.MessagePage, error) {
	if err := ctx.Err(); err != nil {
		return office.MessagePage{}, err
	}
	q.Channels = slices.Clone(q.Channels)
	slices.Sort(q.Channels)
	q.Channels = slices.Compact(q.Channels)
	f := &finder{s: s, q: q}
	var page office.MessagePage
	if err := f.find(ctx); err != nil {
		return office.MessagePage{}, s.fault("read", err)
	}
	page.Total, page.Stored = f.total, f.stored
	var err error
	page.Messages, err = f.read(ctx)
	if err != nil {
		return office.MessagePage{}, err
	}
	return page, nil
}

// finder answers one query.
type finder struct {
	s *Store
	q office.MessageQuery

	found  []line // what may be on the page
	total  int
	stored bool
}

// span is a part of an index.
type span struct {
	index    key
	min, max string
}

// byNumber says whether the office-wide index is read: what came after a
// message is at its end, whichever the channel.
func (f *finder) byNumber() bool { return len(f.q.Channels) == 0 || f.q.After != 0 }

// plain says whether every line of the spans is wanted.
func (f *finder) plain() bool {
	q := &f.q
	if q.Root != 0 || q.Author != "" || q.Contains != "" || q.Looks() {
		return false
	}
	return !f.byNumber() || len(q.Channels) == 0 && q.From == 0 && q.To == 0
}

// spans are the parts of indexes that hold all that the query wants.
func (f *finder) spans() []span {
	if f.byNumber() {
		low := "-inf"
		if f.q.After != 0 {
			low = "(" + id(f.q.After)
		}
		return []span{{f.s.keys.log(), low, "+inf"}}
	}
	low, high := "-inf", "+inf"
	if f.q.From != 0 {
		low = id(f.q.From)
	}
	if f.q.To != 0 {
		high = id(f.q.To)
	}
	all := make([]span, len(f.q.Channels))
	for i, ch := range f.q.Channels {
		all[i] = span{f.s.keys.channel(ch), low, high}
	}
	return all
}

func (f *finder) find(ctx context.Context) error {
	switch {
	case f.plain():
		return f.take(ctx)
	case f.q.Root != 0 && !f.byNumber():
		return f.findThreads(ctx)
	}
	last, err := f.last(ctx)
	if err != nil {
		return err
	}
	for _, sp := range f.spans() {
		if err := f.scan(ctx, sp, last); err != nil {
			return err
		}
	}
	return nil
}

// take counts and reads the wanted end of each span, at one moment.
func (f *finder) take(ctx context.Context) error {
	spans := f.spans()
	var r reads
	for _, sp := range spans {
		r.add("ZCOUNT", sp.index, sp.min, sp.max)
		r.add("EXISTS", sp.index)
		command, args := "ZRANGEBYSCORE", []any{sp.min, sp.max}
		if f.q.Newest {
			command, args = "ZREVRANGEBYSCORE", []any{sp.max, sp.min}
		}
		if f.q.Limit > 0 {
			args = append(args, "LIMIT", 0, f.q.Limit)
		}
		r.add(command, sp.index, args...)
	}
	got, err := f.s.together(ctx, &r)
	if err != nil {
		return err
	}
	for i := range spans {
		f.total += int(got.number(3 * i))
		f.stored = f.stored || got.number(3*i+1) > 0
		for _, text := range got.texts(3*i + 2) {
			l, err := parseLine(text)
			if err != nil {
				return err
			}
			f.found = append(f.found, l)
		}
	}
	return nil
}

// last is the number of the newest message, and learns whether the channels
// hold any.
func (f *finder) last(ctx context.Context) (int64, error) {
	var r reads
	r.add("ZREVRANGE", f.s.keys.log(), 0, 0)
	for _, ch := range f.q.Channels {
		r.add("EXISTS", f.s.keys.channel(ch))
	}
	got, err := f.s.together(ctx, &r)
	if err != nil {
		return 0, err
	}
	newest := got.texts(0)
	if len(newest) == 0 {
		return 0, nil
	}
	f.stored = len(f.q.Channels) == 0
	for i := range f.q.Channels {
		f.stored = f.stored || got.number(i+1) > 0
	}
	l, err := parseLine(newest[0])
	return l.no, err
}

// scanPage is how many lines of an index are read by one command.
const scanPage = 2000

// scan reads a span page by page and keeps what the query wants, up to the
// number last.
func (f *finder) scan(ctx context.Context, sp span, last int64) error {
	for more := true; more; {
		texts, err := f.s.client.ZRangeArgsWithScores(ctx, driver.ZRangeArgs{
			Key: sp.index.name, Start: sp.min, Stop: sp.max, ByScore: true, Count: scanPage,
		}).Result()
		if err != nil {
			return err
		}
		lines := make([]line, 0, len(texts))
		for _, z := range texts {
			text, _ := z.Member.(string)
			l, err := parseLine(text)
			if err != nil {
				return err
			}
			if l.no <= last && f.wants(l) {
				lines = append(lines, l)
			}
			sp.min = "(" + strconv.FormatFloat(z.Score, 'f', -1, 64)
		}
		if err := f.keep(ctx, lines); err != nil {
			return err
		}
		more = len(texts) == scanPage
	}
	return nil
}

// wants says whether all fields but Contains let the line through.
func (f *finder) wants(l line) bool {
	q := &f.q
	switch {
	case q.From != 0 && l.seq < q.From,
		q.To != 0 && l.seq > q.To,
		q.After != 0 && l.no <= q.After,
		q.Root != 0 && l.root != q.Root && l.seq != q.Root,
		q.Author != "" && l.author != q.Author:
		return false
	}
	if len(q.Channels) == 0 {
		return true
	}
	_, ok := slices.BinarySearch(q.Channels, l.channel)
	return ok
}

// keep adds the lines whose messages contain what they should.
func (f *finder) keep(ctx context.Context, lines []line) error {
	if f.q.Contains != "" || f.q.Looks() {
		want, kept := fold(f.q.Contains), lines[:0:0]
		err := f.s.fetchEach(ctx, anchorsOf(lines), func(i int, value string, ok bool) error {
			if !ok {
				return missing(lines[i])
			}
			sees, err := f.sees(value)
			if err != nil {
				return err
			}
			if sees && strings.Contains(fold(textOf(value)), want) {
				kept = append(kept, lines[i])
			}
			return nil
		})
		if err != nil {
			return err
		}
		lines = kept
	}
	f.total += len(lines)
	f.found = append(f.found, lines...)
	if f.q.Limit > 0 && len(f.found) > 2*scanPage+2*f.q.Limit {
		f.found = slices.Clone(f.cut()) // the rest counts, but is on no page
	}
	return nil
}

// sees says whether a message's own fields let it through.
func (f *finder) sees(value string) (bool, error) {
	if !f.q.Looks() {
		return true, nil
	}
	var m office.Message
	if _, err := decodeWith("message", value, &m); err != nil {
		return false, err
	}
	return f.q.Sees(&m), nil
}

// cut keeps the end of what was found that the query wants, in order.
func (f *finder) cut() []line {
	slices.SortFunc(f.found, func(a, b line) int { return int(a.no - b.no) })
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

// read reads the messages of the page.
func (f *finder) read(ctx context.Context) ([]office.Message, error) {
	lines := f.cut()
	if len(lines) == 0 {
		return nil, nil
	}
	found, err := f.s.fetch(ctx, anchorsOf(lines))
	if err != nil {
		return nil, err
	}
	all := make([]office.Message, len(found))
	for i, m := range found {
		if m == nil {
			return nil, f.s.fault("read", missing(lines[i]))
		}
		all[i] = *m
	}
	return all, nil
}

func anchorsOf(lines []line) []string {
	all := make([]string, len(lines))
	for i, l := range lines {
		all[i] = l.anchor().String()
	}
	return all
}

func missing(l line) error {
	return &badValue{what: "message", err: fmt.Errorf("%s is in an index and nowhere else", l.anchor())}
}

// fold maps the letters that differ only by case to one of them.
func fold(s string) string {
	return strings.Map(func(r rune) rune { return unicode.ToLower(unicode.ToUpper(r)) }, s)
}
