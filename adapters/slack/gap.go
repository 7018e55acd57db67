package slack

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/slack-go/slack"

	"bullpen/bridge"
	"bullpen/office"
)

// Bounds of reading back.
const (
	// gapMost is how far back a gap is filled, threadLife for how long a thread
	// that was talked in is looked at.
	gapMost    = 24 * time.Hour
	threadLife = 7 * 24 * time.Hour
	// overlap is how long before the last event of a socket others may have been
	// lost: those that Slack had to deliver again.
	overlap = 2 * time.Minute
	// readPage is a page of history, the largest there is; at most readPages of a channel and
	// threadPages of a thread are read.
	readPage, readPages, threadPages = 999, 10, 3
	// readEvery and readBurst keep below the documented 50 calls a minute.
	readEvery, readBurst = 1300 * time.Millisecond, 40
)

// fill reads everything back, several portals at once.
func (a *Adapter) fill(ctx, work context.Context, g *bridge.Outage) error {
	return g.Fill(work, a.attached(), func(h *bridge.Hole) error { return a.fillHole(ctx, work, g, h) })
}

// fillHole reads one portal back.
func (a *Adapter) fillHole(ctx, work context.Context, g *bridge.Outage, h *bridge.Hole) error {
	var messages []*event
	for try := 1; ; try++ {
		var err error
		messages, err = a.missed(ctx, g, h)
		if err == nil {
			break
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if e := (*callError)(nil); errors.As(err, &e) && e.code != "" && !e.limited && !slices.Contains(passing, e.code) {
			a.unreadable(h, e)
			break
		}
		a.log.Warn("a gap cannot be read now", "place", h.Portal.Place, "err", err)
		if err := bridge.Pause(ctx, bridge.Backoff(try)); err != nil {
			return err
		}
	}
	for _, e := range messages {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err := a.recall(work, h, e); err != nil {
			return err
		}
	}
	return nil
}

// unreadable tells why a portal's history stays unread.
func (a *Adapter) unreadable(h *bridge.Hole, e *callError) {
	a.log.Warn("a channel's history cannot be read", "place", h.Portal.Place, "err", e)
	where := "#" + string(h.Portal.Channel)
	if h.Portal.Kind == office.DMPortal {
		where = "a direct message"
	}
	switch {
	case e.code == "missing_scope":
		a.problem("history "+e.needed, fmt.Sprintf("the Slack app lacks the scope %s, so what is missed in %s stays lost: add it under OAuth & Permissions and install the app again", e.needed, where))
	case slices.Contains(closing, e.code):
		a.problem(h.Portal.Place, fmt.Sprintf("the Slack channel of %s cannot be read (%s): invite the bot there, or link another", where, e.code))
	}
}

// recall takes in one message of a channel's history, or its edit.
func (a *Adapter) recall(ctx context.Context, h *bridge.Hole, e *event) (err error) {
	defer func() {
		if p := recover(); p != nil {
			a.log.Error("a message of Slack's history failed", "place", h.Portal.Place, "ts", e.TS, "panic", p)
		}
	}()
	if e.SubType == "message_changed" {
		return a.revise(ctx, e, string(e.TS), e.editedAt(), e)
	}
	arr, ok, err := a.arrival(ctx, e)
	if err != nil || !ok {
		return err
	}
	arr.History = true
	return a.arrive(ctx, arr)
}

// behind is the ts behind which everything has to be looked at, by a mark.
func behind(g *bridge.Outage, mark string) string {
	if from := g.From(); !from.IsZero() {
		return min(mark, stamp(from))
	}
	return mark
}

// missed reads what was said in a portal since the gap began, oldest first.
func (a *Adapter) missed(ctx context.Context, g *bridge.Outage, h *bridge.Hole) ([]*event, error) {
	p := h.Portal
	if p.Mark == "" {
		return nil, nil
	}
	a.mu.Lock()
	born := a.born[p.Place]
	a.mu.Unlock()
	now := a.now()
	r := reading{a: a, place: p.Place, seen: map[string]bool{}, since: max(behind(g, p.Mark), born, stamp(now.Add(-gapMost)))}
	low, week := r.since, stamp(now.Add(-threadLife))
	threads := map[string]string{} // thread to the ts behind which it is read
	for _, t := range p.Threads {
		if now.Sub(t.At) < threadLife {
			threads[t.Thread] = max(behind(g, t.Mark), born, stamp(now.Add(-gapMost)))
			if t.Thread >= week {
				low = min(low, t.Thread)
			}
		}
	}
	// One reading of the channel tells of every thread that began in this week
	// whether anything was said in it.
	low, err := r.channel(ctx, low, threads)
	if err != nil {
		return nil, err
	}
	for _, thread := range sortedKeys(threads) {
		if !r.seen[thread] && thread < low {
			r.open = append(r.open, thread)
		}
	}
	for _, thread := range r.open {
		since, known := threads[thread]
		if !known {
			since = r.since
		}
		if err := r.thread(ctx, thread, since); err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(r.found, func(x, y *event) int { return cmp.Compare(x.TS, y.TS) })
	return r.found, nil
}

// reading is the reading back of one place.
type reading struct {
	a     *Adapter
	place string
	since string
	seen  map[string]bool // messages that were met
	open  []string        // threads in which something was said
	found []*event
}

// channel reads the channel itself back to low. It gives how far it came.
func (r *reading) channel(ctx context.Context, low string, threads map[string]string) (string, error) {
	cursor := ""
	for range readPages {
		var page *slack.GetConversationHistoryResponse
		err := r.a.read(ctx, "conversations.history", func(ctx context.Context) (err error) {
			page, err = r.a.api.GetConversationHistoryContext(ctx, &slack.GetConversationHistoryParameters{
				ChannelID: r.place, Oldest: low, Inclusive: true, Limit: readPage, Cursor: cursor,
			})
			return err
		})
		if err != nil {
			return low, err
		}
		for i := range page.Messages {
			r.top(&page.Messages[i].Msg, threads)
		}
		if cursor = page.ResponseMetaData.NextCursor; !page.HasMore || cursor == "" {
			return low, nil
		}
		if n := len(page.Messages); n > 0 {
			r.a.log.Debug("more history is read", "place", r.place, "down to", page.Messages[n-1].Timestamp)
		}
	}
	r.a.log.Warn("more was said in a channel than is read back", "place", r.place, "pages", readPages)
	reached := low
	for ts := range r.seen {
		if reached == low || ts < reached {
			reached = ts
		}
	}
	return reached, nil
}

// top looks at a message of the channel itself.
func (r *reading) top(m *slack.Msg, threads map[string]string) {
	if m.LatestReply != "" {
		since, known := threads[m.Timestamp]
		if !known {
			since = r.since
		}
		if m.LatestReply > since {
			r.open = append(r.open, m.Timestamp)
		}
	}
	r.add(m, r.since)
}

// add keeps a message that is newer than since, and an edit that is.
func (r *reading) add(m *slack.Msg, since string) {
	if r.seen[m.Timestamp] {
		return
	}
	r.seen[m.Timestamp] = true
	e := fromHistory(r.place, m)
	if m.Timestamp > since && slices.Contains(spoken, e.SubType) {
		r.found = append(r.found, e)
	}
	if m.Edited != nil && m.Edited.Timestamp > since && !r.a.foreign(e) {
		// It may have been taken in before it was changed.
		edit := *e
		edit.SubType = "message_changed"
		r.found = append(r.found, &edit)
	}
}

// thread reads a thread's replies.
func (r *reading) thread(ctx context.Context, thread, since string) error {
	cursor := ""
	for range threadPages {
		var page []slack.Message
		var more bool
		var next string
		err := r.a.read(ctx, "conversations.replies", func(ctx context.Context) (err error) {
			page, more, next, err = r.a.api.GetConversationRepliesContext(ctx, &slack.GetConversationRepliesParameters{
				ChannelID: r.place, Timestamp: thread, Oldest: since, Limit: readPage, Cursor: cursor,
			})
			return err
		})
		if codeOf(err) == "thread_not_found" {
			return nil
		}
		if err != nil {
			return err
		}
		for i := range page {
			if m := &page[i].Msg; m.Timestamp != thread {
				r.add(m, since)
			}
		}
		if cursor = next; !more || next == "" {
			return nil
		}
	}
	return nil
}

// read is ask for the methods that share a rate.
func (a *Adapter) read(ctx context.Context, method string, call func(context.Context) error) error {
	if err := a.reads.Wait(ctx); err != nil {
		return err
	}
	return a.ask(ctx, method, call)
}

// fromHistory is a message of the history as the event that it would have been.
func fromHistory(place string, m *slack.Msg) *event {
	e := &event{
		Type: "message", SubType: word(m.SubType), Channel: room(place), User: word(m.User), Text: word(m.Text),
		TS: word(m.Timestamp), ThreadTS: word(m.ThreadTimestamp), BotID: word(m.BotID),
	}
	type named struct {
		Name string `json:"name"`
	}
	var files []named
	for i := range m.Files {
		files = append(files, named{m.Files[i].Name})
	}
	if len(files) > 0 {
		e.Files = marshalled(files)
	}
	if m.Edited != nil {
		e.Edited = marshalled(map[string]string{"ts": m.Edited.Timestamp})
	}
	return e
}

// marshalled encodes what cannot fail to encode.
func marshalled(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		return nil
	}
	return b
}
