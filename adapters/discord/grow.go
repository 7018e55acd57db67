package discord

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync"
	"time"

	"bullpen/adapters/discord/format"
	"bullpen/bridge"
	"bullpen/bridge/render"
	"bullpen/internal/fault"
)

const (
	// growEvery is the least time between two changes of messages that grow in one
	// channel, growsEvery in all of them together: Discord's headers may ask for more.
	growEvery, growsEvery = 1200 * time.Millisecond, 400 * time.Millisecond
	// growWait is how long a message waits for its next change before it is left alone.
	growWait = 30 * time.Second
	// growsMost is how many grow at once; the answers of more come whole.
	growsMost = 12
	// growsFor is how long one counts to which nothing is added.
	growsFor = 20 * time.Second
	// growthsMost bounds what is remembered of them.
	growthsMost = 500
	// growSettle is how long a change whose end is unknown may still be carried out; an
	// answer that came before it would be overwritten.
	growSettle = 10 * time.Second
	// headMost is by how many letters the beginning of one is recognised.
	headMost = 160
	// cutOff ends one that no answer takes over.
	cutOff = "\n\n-# (it goes on no further)"
)

var _ bridge.Streamer = (*Adapter)(nil)

// growth is a message that grows, as this process knows it.
type growth struct {
	channel      string // or thread in which it stands
	path         string // where it is changed; empty: only its end is possible
	name, quoted string // what stands above its text
	route        route
	at, next     time.Time // when it was changed, and may be again
	doubt        time.Time // when a change was made of which nobody knows whether it was
}

// growths are the messages that grow, by id. The zero value is ready.
type growths struct {
	mu sync.Mutex
	of map[string]*growth
}

// begin takes one in.
func (s *growths) begin(id string, g growth, now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.of == nil || len(s.of) >= growthsMost {
		s.of = map[string]*growth{}
	}
	g.at, g.route = now, routeOf(http.MethodPatch, g.path)
	s.of[id] = &g
	g.next = now.Add(s.pace(&g, now))
}

// find is one of them.
func (s *growths) find(id string) (growth, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	g := s.of[id]
	if g == nil {
		return growth{}, false
	}
	return *g, true
}

// grew notes that one was changed, and gives how soon it may be again.
func (s *growths) grew(id string, now time.Time) time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	g := s.of[id]
	if g == nil {
		return growEvery
	}
	g.at = now
	wait := s.pace(g, now)
	g.next = now.Add(wait)
	return wait
}

// doubts notes that nobody knows whether a change of one was carried out.
func (s *growths) doubts(id string, now time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if g := s.of[id]; g != nil {
		g.doubt = now
	}
}

// pace shares what changes there may be among all that grow.
func (s *growths) pace(g *growth, now time.Time) time.Duration {
	all, near := 0, 0
	for _, other := range s.of {
		if now.Sub(other.at) > growsFor {
			continue
		}
		all++
		if other.route.major == g.route.major {
			near++
		}
	}
	return max(time.Duration(near)*growEvery, time.Duration(all)*growsEvery, growEvery)
}

// grow is how many do.
func (s *growths) grow(now time.Time) (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, g := range s.of {
		if now.Sub(g.at) <= growsFor {
			n++
		}
	}
	return n
}

// end forgets one.
func (s *growths) end(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.of, id)
}

// Streams says whether an answer can grow: everywhere but as a new post of a forum, whose
// name is taken from it, while not too many do. See bridge.Streamer.
func (a *Adapter) Streams(out bridge.Outgoing) bool {
	if a.opt.Whole || out.Thread == "" && a.posts(out.Place) || a.alone(out.Place) != nil {
		return false
	}
	return a.growing.grow(a.now()) < growsMost
}

// Replaces is true: a message is changed as a whole. See bridge.Streamer.
func (a *Adapter) Replaces() bool { return true }

// Begin posts what is written, under the colleague's name; it pings nobody. See
// bridge.Streamer.
func (a *Adapter) Begin(ctx context.Context, out bridge.Outgoing) (bridge.Posted, error) {
	at, m, err := a.put(ctx, out, true)
	if err != nil {
		return at, err
	}
	g := growth{channel: orElse(m.Channel, orElse(at.Thread, out.Place))}
	g.name, g.quoted = above(m, out)
	if path, failed := a.way(ctx, m, out.Place, g.channel); failed == nil {
		g.path = path
		a.growing.begin(at.ID, g, a.now())
	}
	return at, nil
}

// Grow shows more of it, as often as Discord's headers and all others that grow leave
// room for. See bridge.Streamer.
func (a *Adapter) Grow(ctx context.Context, id string, out bridge.Outgoing, _ string) (time.Duration, error) {
	g, ok := a.growing.find(id)
	if !ok {
		return 0, errors.New("the message is not known to grow")
	}
	now := a.now()
	wait := max(g.next.Sub(now), a.limits.spare(g.route, now))
	if wait <= 0 {
		content, _ := compose(out, g.name, g.quoted)
		e := a.once(ctx, http.MethodPatch, g.path, map[string]any{"content": content, "allowed_mentions": nobody()}, nil)
		switch {
		case e == nil:
			return a.growing.grew(id, a.now()), nil
		case e.reached && !e.limited && !e.answered():
			a.growing.doubts(id, a.now())
			return 0, e
		case !e.limited:
			return 0, e
		}
		wait = max(e.after, growEvery)
	}
	if wait > growWait {
		return 0, errors.New("it would have to wait for too long")
	}
	return wait, bridge.ErrLater
}

// Finish makes it the message that Post would have shown. A change notifies nobody, so
// one that calls people is taken away and posted anew, and so is what was deleted or can
// no longer be changed. See bridge.Streamer.
func (a *Adapter) Finish(ctx context.Context, id string, out bridge.Outgoing) error {
	g, failed := a.grown(ctx, id, out)
	if failed != nil {
		return a.anew(ctx, id, g, failed)
	}
	if e := a.unsettled(g); e != nil {
		return e
	}
	body, users := replacement(out, g.name, g.quoted)
	if len(users) > 0 {
		e := a.takeAway(ctx, id, g)
		if e == nil || !e.answered() {
			return a.anew(ctx, id, growth{}, asPostError(a.changed(e), "it calls people, whom no change notifies"))
		}
		a.log.Info("an answer that calls people could not be posted anew", "err", e)
	}
	fault.Point("discord.finish.before")
	e := a.once(ctx, http.MethodPatch, g.path, body, nil)
	if e != nil && e.code == archivedThread && g.channel != out.Place {
		if a.once(ctx, http.MethodPatch, "channels/"+g.channel, map[string]any{"archived": false}, nil) == nil {
			e = a.once(ctx, http.MethodPatch, g.path, body, nil)
		}
	}
	fault.Point("discord.finish.after")
	switch {
	case e == nil:
		a.growing.end(id)
		return nil
	case e.code == unknownMessage:
		return a.anew(ctx, id, growth{}, &bridge.PostError{Kind: bridge.PostRefused, Reason: "it was deleted"})
	case hookGone(e):
		return a.anew(ctx, id, g, &bridge.PostError{Kind: bridge.PostRefused, Reason: "the webhook that posted it is gone", Err: e})
	}
	return a.anew(ctx, id, g, asPostError(a.changed(e), ""))
}

// unsettled says that the last change of a message may still be carried out.
func (a *Adapter) unsettled(g growth) error {
	wait := g.doubt.Add(growSettle).Sub(a.now())
	if g.doubt.IsZero() || wait <= 0 {
		return nil
	}
	return &bridge.PostError{Kind: bridge.PostNotSent, After: wait, Reason: "a change of unknown end may still come"}
}

// asPostError is the error of a change; none is a refusal for a reason.
func asPostError(err error, reason string) *bridge.PostError {
	if failed := (*bridge.PostError)(nil); errors.As(err, &failed) {
		return failed
	}
	return &bridge.PostError{Kind: bridge.PostRefused, Reason: reason}
}

// anew takes away what is not finished, where that is final: the answer is posted then.
func (a *Adapter) anew(ctx context.Context, id string, g growth, failed *bridge.PostError) error {
	if failed.Kind != bridge.PostRefused {
		return failed
	}
	a.growing.end(id)
	if g.channel != "" {
		if e := a.takeAway(ctx, id, g); e != nil {
			a.log.Info("what was shown of an answer while it was written stays above it", "err", e)
		}
	}
	failed.Closed = false // a new post finds that out
	return failed
}

// takeAway deletes a message that grew, as the bot where its webhook is gone.
func (a *Adapter) takeAway(ctx context.Context, id string, g growth) *callError {
	as := "channels/" + g.channel + "/messages/" + id
	e := a.once(ctx, http.MethodDelete, orElse(g.path, as), nil, nil)
	if g.path != "" && hookGone(e) {
		e = a.once(ctx, http.MethodDelete, as, nil, nil)
	}
	if e != nil && e.code == unknownMessage {
		return nil
	}
	return e
}

// grown is a message that grew: as it is remembered, or as it stands there.
func (a *Adapter) grown(ctx context.Context, id string, out bridge.Outgoing) (growth, *bridge.PostError) {
	if g, ok := a.growing.find(id); ok {
		return g, nil
	}
	m, g, failed := a.standing(ctx, id, out)
	if m == nil && failed == nil {
		failed = &bridge.PostError{Kind: bridge.PostRefused, Reason: "it was deleted"}
		g = growth{}
	}
	return g, failed
}

// standing looks a message up that grew; it is nil if it is gone.
func (a *Adapter) standing(ctx context.Context, id string, out bridge.Outgoing) (*message, growth, *bridge.PostError) {
	g, known := a.growing.find(id)
	if !known {
		t, err := a.target(ctx, out)
		if err != nil {
			return nil, g, asPostError(a.before(err), "")
		}
		g.channel = orElse(a.titles.stands(id), t.channel())
	}
	m, path, failed := a.ownIn(ctx, id, out.Place, g.channel)
	if m != nil {
		g.path = path
		g.name, g.quoted = above(m, out)
	}
	return m, g, failed
}

// Break says below it that no more will come. See bridge.Streamer.
func (a *Adapter) Break(ctx context.Context, id string, out bridge.Outgoing) error {
	if g, _ := a.growing.find(id); a.unsettled(g) != nil {
		return a.unsettled(g)
	}
	m, g, failed := a.standing(ctx, id, out)
	a.growing.end(id)
	if failed != nil || m == nil {
		return asError(failed)
	}
	if strings.HasSuffix(m.text(), cutOff) {
		return nil
	}
	content := render.Truncate(m.text(), format.MaxText-len(cutOff), render.UTF16) + cutOff
	return a.changed(a.once(ctx, http.MethodPatch, g.path, map[string]any{"content": content, "allowed_mentions": nobody()}, nil))
}

// beginsWith says whether a message is one that began to grow with out's Head: what
// stands above the text is left out, and only letters and digits are compared.
func beginsWith(m *message, out bridge.Outgoing) bool {
	_, quoted := above(m, out)
	text := strings.TrimPrefix(m.text(), quoted)
	if name, rest, ok := strings.Cut(text, "\n"); ok && m.Webhook == "" && strings.HasPrefix(name, "**") {
		text = rest
	}
	out.Text, out.Again = out.Head, false
	head, _ := compose(out, "", "")
	want := bridge.Letters(head, headMost)
	return want != "" && strings.HasPrefix(bridge.Letters(text, headMost), want)
}
