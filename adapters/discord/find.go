package discord

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"bullpen/bridge"
)

const (
	// readPage is a page of history, the largest there is (resources/message, get
	// channel messages).
	readPage = 100
	// findPages bounds how much history is looked through for one post.
	findPages = 10
)

// Find looks a post up by who wrote it, its exact text and its time. A message that
// the office knows as another one is not taken for it. See bridge.Poster.
func (a *Adapter) Find(ctx context.Context, out bridge.Outgoing) (bridge.Posted, bool, error) {
	if err := a.identify(ctx); err != nil {
		return bridge.Posted{}, false, err
	}
	t, err := a.target(ctx, out)
	if err != nil {
		return bridge.Posted{}, false, err
	}
	after := strconv.FormatUint(firstID(out.Since), 10)
	if t.post {
		return a.findPost(ctx, t, out, after)
	}
	id, found, err := a.findIn(ctx, t.channel(), t, out, after)
	if codeOf(err) == unknownChannel && t.thread != "" {
		err = nil // the thread is gone, and with it what stood in it
	}
	return bridge.Posted{ID: id, Thread: t.thread}, found, err
}

// findIn looks through one channel or thread.
func (a *Adapter) findIn(ctx context.Context, channel string, t target, out bridge.Outgoing, after string) (string, bool, error) {
	said := a.variants(t, out)
	is := func(m *message) bool { return slices.Contains(said, strings.TrimSpace(m.text())) }
	if out.Head != "" {
		is = func(m *message) bool { return beginsWith(m, out) }
	}
	for range findPages {
		page, err := a.page(ctx, channel, after)
		if err != nil {
			return "", false, err
		}
		for i := range page {
			m := &page[i]
			if !a.ours(m, out) || !is(m) || !carries(m, out.File) {
				continue
			}
			if other, err := a.isAnother(ctx, out.Place, m.ID); err != nil {
				return "", false, err
			} else if !other {
				return m.ID, true, nil
			}
		}
		if len(page) < readPage {
			return "", false, nil
		}
		after = page[len(page)-1].ID
	}
	return "", false, errors.New("too much was said since to look a message up")
}

// page reads a page of history behind an id, oldest first.
func (a *Adapter) page(ctx context.Context, channel, after string) ([]message, error) {
	var page []message
	path := fmt.Sprintf("channels/%s/messages?limit=%d&after=%s", channel, readPage, after)
	if err := a.ask(ctx, http.MethodGet, path, nil, &page); err != nil {
		return nil, err
	}
	slices.SortFunc(page, func(x, y message) int { return int(int64(number(x.ID) - number(y.ID))) })
	return page, nil
}

// variants are the texts that a part can have, by webhook or as the bot.
func (a *Adapter) variants(t target, out bridge.Outgoing) []string {
	var all []string
	quotes := []string{""}
	if t.reply != "" {
		quotes = append(quotes, quote(t))
	}
	for _, q := range quotes {
		text, _ := compose(out, "", q)
		all = append(all, text)
	}
	text, _ := compose(out, persona(out.Persona), "")
	return append(all, text)
}

// ours says whether we wrote a message, in a colleague's name or as the bot.
func (a *Adapter) ours(m *message, out bridge.Outgoing) bool {
	me := a.self()
	switch {
	case m.Author == nil:
		return false
	case m.Webhook != "":
		nobodys := out.Head != "" && out.Persona == "" // one that no answer takes over
		return m.App == me.App && (nobodys || m.Author.Username == persona(out.Persona))
	default:
		return m.Author.ID == me.User
	}
}

// carries says whether a message has the file, or none if there is none.
func carries(m *message, file *bridge.Attachment) bool {
	if file == nil || len(m.Files) != 1 {
		return file == nil && len(m.Files) == 0
	}
	return m.Files[0].Size == file.Size
}

// isAnother says whether a message is known as something else that was shown.
func (a *Adapter) isAnother(ctx context.Context, place, id string) (bool, error) {
	n, known, err := a.attached().Office().Native(ctx, portalID(place), id)
	return known && !n.Alias, err
}

// findPost looks for a post of a forum by its first message.
func (a *Adapter) findPost(ctx context.Context, t target, out bridge.Outgoing, after string) (bridge.Posted, bool, error) {
	var open struct {
		Threads []channel `json:"threads"`
	}
	if err := a.ask(ctx, http.MethodGet, "guilds/"+a.guild()+"/threads/active", nil, &open); err != nil {
		return bridge.Posted{}, false, err
	}
	for _, c := range open.Threads {
		if c.Parent != t.place || number(c.ID) <= number(after) {
			continue
		}
		if n, known, err := a.attached().Office().Native(ctx, portalID(t.place), c.ID); err != nil {
			return bridge.Posted{}, false, err
		} else if known && !n.Alias {
			continue // it is another one's
		}
		before := strconv.FormatUint(number(c.ID)-1, 10)
		_, found, err := a.findIn(ctx, c.ID, t, out, before)
		if err != nil {
			return bridge.Posted{}, false, err
		}
		if found {
			return bridge.Posted{ID: c.ID}, true, nil
		}
	}
	return bridge.Posted{}, false, nil
}
