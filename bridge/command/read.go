package command

import (
	"context"
	"fmt"
	"strings"
	"time"

	"bullpen/office"
	"bullpen/office/wake"
)

var _ = add(Command{
	Name: "read",
	Args: []Arg{
		{Name: "place", Kind: PlaceKind, Help: "A channel, or @ and a colleague's name; without it, the one you are in."},
		{Name: "range", Kind: RangeKind, Help: "Which messages: 12, 12- or 12-20; without it, the newest."},
		{Name: "by", Kind: WordKind, Option: true, Complete: offerAuthors, Help: "Only what this colleague or person wrote, or me."},
		{Name: "contains", Kind: WordKind, Option: true, Help: "Only what has this text in it; capitals make no difference."},
		{Name: "mentions", Kind: WordKind, Option: true, Complete: offerAuthors, Help: "Only what woke, or was mailed to, this one, or me."},
		{Name: "since", Kind: WordKind, Option: true, Help: "Not before: 2026-11-30, 09:00 of today, 2026-11-30T09:00, or 2h ago."},
		{Name: "until", Kind: WordKind, Option: true, Help: "Not after; written like since."},
		{Name: "thread", Kind: NumberKind, Option: true, Min: 1, Max: 1 << 40, Help: "Only the thread that begins with this number."},
		{Name: "count", Kind: NumberKind, Option: true, Min: 1, Max: pageMost, Help: "How many, from 1 to 100; 20 without it."},
		{Name: "with", Kind: ColleagueKind, Option: true, Help: "Read what @place and this colleague tell each other; for admins."},
	},
	Help: "Show messages of this channel, or of another.",
	Run:  readPlace,
})

// pageSize is how many messages a read shows unless told otherwise; pageMost bounds it.
const (
	pageSize = 20
	pageMost = 100
)

func readPlace(ctx context.Context, c Call) (Answer, error) {
	place := *c.Place
	if c.Has("place") {
		place = c.At("place")
	}
	if place.Channel == "" && place.To == "" {
		return Answer{}, &Usage{"say which channel to read, like " + c.typed(c.cmd) + " #general"}
	}
	q := office.MessageQuery{Channels: []office.ChannelID{place.Channel}, Limit: pageSize, Newest: true}
	switch {
	case c.Has("with") && place.To == "":
		return Answer{}, &Usage{"name the first of the two colleagues too, like " + c.typed(c.cmd) + " @alice with=bob"}
	case c.Has("with"):
		with := c.Colleague("with")
		id, err := c.Office.Overhear(ctx, c.Person.ID, place.To, with.ID)
		if err != nil {
			return Answer{}, &Refusal{err.Error()}
		}
		q.Channels[0], place.Label = id, place.Label+" with @"+with.Name
	case place.To != "":
		q.Channels[0] = office.DirectWithPerson(place.To, c.Person.ID)
	}
	if r := get[numbers](c, "range"); r.from > 0 {
		q.From, q.To, q.Limit = r.from, r.to, pageMost
	}
	if err := c.narrow(ctx, &q); err != nil {
		return Answer{}, err
	}
	return show(ctx, c, q, "No messages yet in "+place.Label+".")
}

// narrow adds what the options say to a query.
func (c Call) narrow(ctx context.Context, q *office.MessageQuery) (err error) {
	if q.Author, err = c.author(ctx, "by"); err != nil {
		return err
	}
	if q.Woke, err = c.author(ctx, "mentions"); err != nil {
		return err
	}
	v, err := c.Office.View(ctx)
	if err != nil {
		return err
	}
	now := time.Now().In(v.Zone)
	if q.Since, err = momentOf("since", get[string](c, "since"), now, false); err != nil {
		return err
	}
	if q.Until, err = momentOf("until", get[string](c, "until"), now, true); err != nil {
		return err
	}
	if !q.Since.IsZero() && !q.Until.IsZero() && q.Until.Before(q.Since) {
		return &Usage{"until is before since; nothing can be between"}
	}
	q.Contains, q.Root = get[string](c, "contains"), c.Number("thread", 0)
	q.Limit = int(c.Number("count", int64(q.Limit)))
	return nil
}

// author is the id of whom an option names; empty if it was not given.
func (c Call) author(ctx context.Context, name string) (string, error) {
	who := strings.TrimSpace(get[string](c, name))
	switch {
	case who == "":
		return "", nil
	case wake.Fold(strings.TrimPrefix(who, "@")) == "me":
		return string(c.Person.ID), nil
	}
	id, err := c.Office.Author(ctx, who)
	if err != nil {
		return "", &Usage{err.Error()}
	}
	return id, nil
}

// offerAuthors are those who write: colleagues, people, and oneself.
func offerAuthors(ctx context.Context, c Call) ([]Choice, error) {
	v, err := c.Office.View(ctx)
	if err != nil {
		return nil, err
	}
	all := []Choice{{Value: "me"}}
	for _, m := range v.Colleagues {
		all = append(all, Choice{Value: m.Name})
	}
	for _, p := range v.People {
		all = append(all, Choice{Value: p.Name})
	}
	return all, nil
}

// moments are the ways in which a time may be written, beside a duration that
// has passed since. One without a zone is in the office's.
var moments = []string{time.RFC3339, "2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02 15:04:05", "2006-01-02 15:04", time.DateOnly, "15:04"}

// momentOf is the time that an option says; zero if it is empty. A minute or a day
// that ends something does so with its own end.
func momentOf(name, raw string, now time.Time, end bool) (time.Time, error) {
	if raw = strings.TrimSpace(raw); raw == "" {
		return time.Time{}, nil
	}
	if ago, err := parseDuration(strings.TrimSuffix(raw, " ago")); err == nil {
		return now.Add(-ago), nil
	}
	for _, layout := range moments {
		t, err := time.ParseInLocation(layout, raw, now.Location())
		if err != nil {
			continue
		}
		if layout == "15:04" {
			t = time.Date(now.Year(), now.Month(), now.Day(), t.Hour(), t.Minute(), 0, 0, now.Location())
		}
		switch {
		case end && layout == time.DateOnly:
			t = t.AddDate(0, 0, 1).Add(-time.Nanosecond)
		case end && strings.HasSuffix(layout, ":04"):
			t = t.Add(time.Minute - time.Nanosecond)
		}
		return t, nil
	}
	return time.Time{}, &Usage{fmt.Sprintf("%s is %q; write a day like 2026-11-30, a time of today like 09:00, both like 2026-11-30T09:00, or how long ago, like 2h", name, clip(raw))}
}

// show answers with a page of messages.
func show(ctx context.Context, c Call, q office.MessageQuery, none string) (Answer, error) {
	v, err := c.Office.View(ctx)
	if err != nil {
		return Answer{}, err
	}
	page, err := c.Office.Page(ctx, q)
	switch {
	case err != nil:
		return Answer{}, err
	case !page.Stored:
		return Answer{Text: none, Data: []any{}}, nil
	case len(page.Messages) == 0:
		return Answer{Text: "Nothing matches.", Data: []any{}}, nil
	}
	var b strings.Builder
	if page.Total > len(page.Messages) {
		fmt.Fprintf(&b, "%d of %d messages:\n", len(page.Messages), page.Total)
	}
	for i := range page.Messages {
		m := &page.Messages[i]
		more := ""
		if m.Root != 0 {
			more = ", thread of " + office.Anchor{Channel: m.Channel, Seq: m.Root}.String()
		}
		if at := clock(m.At, v.Zone); len(at) > len("15:04") || !q.Since.IsZero() || !q.Until.IsZero() {
			more += ", " + at
		}
		fmt.Fprintf(&b, "%s %s (wake %s%s): %s", m.Anchor(), m.Author.Name, m.Wake.Address(v.Names), more, m.Shown())
		if m.Origin != (office.Anchor{}) {
			fmt.Fprintf(&b, "  [copy of %s]", m.Origin)
		}
		b.WriteByte('\n')
	}
	return Answer{Text: strings.TrimSuffix(b.String(), "\n"), Data: page.Messages}, nil
}

// clock is a time in the office's zone, without the date if it is today's.
func clock(at time.Time, zone *time.Location) string {
	at = at.In(zone)
	if at.Format(time.DateOnly) == time.Now().In(zone).Format(time.DateOnly) {
		return at.Format("15:04")
	}
	return at.Format("2006-01-02 15:04")
}
