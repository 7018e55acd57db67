package bridge

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"bullpen/office"
)

// Typer is an Adapter whose platform can show that somebody works on an answer.
type Typer interface {
	// Typing shows it once and says after how long it has to be shown again to
	// stay; 0: it stays by itself until Quiet. It is called while a colleague works
	// in a place, never after it has ended, from one goroutine at a time; what it
	// cannot show it leaves out.
	Typing(ctx context.Context, p Presence) (again time.Duration)
}

// Quieter is a Typer whose sign does not end by itself soon.
type Quieter interface {
	// Quiet takes the sign away when nobody works there any more.
	Quiet(ctx context.Context, p Presence)
}

// Presence says who works where.
type Presence struct {
	// Place and Thread are where, in the platform's ids; Native is the message that
	// is being answered, empty if it is not known.
	Place, Thread, Native string
	// Persona is the colleague, Doing its tool in words ("runs a command"), empty
	// while it thinks.
	Persona, Doing string
}

const (
	// presenceAfter is how long somebody has to work before it is shown: an answer
	// that comes at once needs no sign.
	presenceAfter = 700 * time.Millisecond
	// presenceTime bounds one call.
	presenceTime = 5 * time.Second
	// presenceLongest is how long one turn is shown at most.
	presenceLongest = time.Hour
	// presencePause is how long a platform is left alone when the office cannot be asked.
	presencePause = 5 * time.Second
)

// doing says in words what a tool does; what is not in it is a tool of the office.
var doing = map[string]string{
	"bash": "runs a command", "read": "reads a file", "write": "writes a file", "edit": "edits a file",
	"ls": "looks through files", "find": "looks through files", "grep": "searches files", "send_file": "sends a file",
	"ask_user": "waits for an answer", "web_fetch": "reads a page", "web_search": "searches the web",
}

// present is one platform's show of who works and of what became of messages.
type present struct {
	b        *Bridge
	platform string
	log      *slog.Logger
	typer    Typer   // nil: it cannot show who works
	reactor  Reactor // nil: it cannot react
	writer   Poster  // nil: it cannot show what is written
	turns    map[int64]*shown
	written  map[int64]bool // the turns whose drafts are seen to
	writing  sync.WaitGroup
}

// shown is one turn that runs.
type shown struct {
	turn  office.Happening
	at    []Presence // one for each portal of its conversation here, once it was looked for
	doing string
	began time.Time
	next  time.Time
	on    bool
}

// Present shows on an adapter's platform who works, what they write and, by reactions,
// what became of what people wrote, until ctx ends. An adapter that is a Typer, a
// Drafter, a Streamer or a Reactor runs it beside its own work.
func (b *Bridge) Present(ctx context.Context, a Adapter, log *slog.Logger) {
	p := &present{b: b, platform: a.Platform(), log: log, turns: map[int64]*shown{}, written: map[int64]bool{}}
	p.typer, _ = a.(Typer)
	p.reactor, _ = a.(Reactor)
	p.writer, _ = writes(a)
	defer p.writing.Wait()
	p.missed(ctx)
	for ctx.Err() == nil {
		if err := p.watch(ctx); errors.Is(err, office.ErrClosed) || errors.Is(err, office.ErrFenced) || ctx.Err() != nil {
			return
		}
		select {
		case <-time.After(presencePause):
		case <-ctx.Done():
		}
	}
}

// missed takes away what the process before may have shown of turns that have ended
// since this one opened the office.
func (p *present) missed(ctx context.Context) {
	if _, ok := p.typer.(Quieter); !ok {
		return
	}
	soon, cancel := context.WithTimeout(ctx, time.Millisecond)
	defer cancel()
	news, err := p.b.office.Happened(soon, 0)
	if err != nil {
		return // nothing has happened yet, or too much
	}
	for _, h := range news {
		if h.Kind == office.TurnEnded {
			p.quiet(ctx, &shown{at: p.b.workplaces(ctx, p.platform, h), on: true})
		}
	}
}

// watch takes stock and follows what happens from there.
func (p *present) watch(ctx context.Context) error {
	open, n, err := p.b.office.Working(ctx)
	if err != nil {
		return err
	}
	p.turns = map[int64]*shown{}
	maps.DeleteFunc(p.written, func(turn int64, _ bool) bool {
		return !slices.ContainsFunc(open, func(h office.Happening) bool { return h.Turn == turn })
	})
	for _, h := range open {
		p.take(ctx, h)
		if s := p.turns[h.Turn]; s != nil {
			// As far as is known: the process before may have shown it.
			s.at, s.on = p.b.workplaces(ctx, p.platform, h), true
		}
	}
	for {
		wait := p.renew(ctx)
		some, cancel := context.WithTimeout(ctx, wait)
		news, err := p.b.office.Happened(some, n)
		cancel()
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, office.ErrBehind):
			return nil
		case err != nil && !errors.Is(err, context.DeadlineExceeded):
			return err
		}
		for _, h := range news {
			n = h.N
			p.take(ctx, h)
		}
	}
}

// take notes one thing that happened.
func (p *present) take(ctx context.Context, h office.Happening) {
	switch h.Kind {
	case office.TurnBegan:
		now := time.Now()
		if p.typer != nil {
			p.turns[h.Turn] = &shown{turn: h, began: now, next: now.Add(presenceAfter)}
		}
		if p.writer != nil && !p.written[h.Turn] {
			p.written[h.Turn] = true
			w := &writing{b: p.b, to: p.writer, turn: h.Turn, log: p.log}
			p.writing.Go(func() { w.run(ctx) })
		}
	case office.TurnStep:
		s := p.turns[h.Turn]
		if s == nil {
			return
		}
		words := doing[h.Doing]
		if words == "" && h.Doing != "" {
			words = "uses " + h.Doing
		}
		if _, quiets := p.typer.(Quieter); quiets && s.on && s.doing != words {
			s.next = time.Now() // its sign says what it does
		}
		s.doing = words
	case office.TurnEnded:
		delete(p.written, h.Turn)
		if s := p.turns[h.Turn]; s != nil {
			delete(p.turns, h.Turn)
			p.quiet(ctx, s)
		}
		p.dealtWith(ctx, h)
	}
}

// workplaces finds where a turn's conversation stands on a platform.
func (b *Bridge) workplaces(ctx context.Context, platform string, h office.Happening) []Presence {
	portals, err := b.office.Portals(ctx, platform)
	if err != nil {
		return nil
	}
	var out []Presence
	for i := range portals {
		at := &portals[i]
		direct := at.Kind == office.DMPortal && h.Conv.Channel == office.DirectWithPerson(h.Colleague, at.Person)
		if at.Closed != "" || !direct && (at.Kind != office.ChannelPortal || at.Channel != h.Conv.Channel) {
			continue
		}
		s := office.Send{Message: office.Anchor{Channel: h.Conv.Channel}, Root: h.Conv.Root, ReplyTo: h.ReplyTo}
		thread, err := threadOf(ctx, b.office, at, &s)
		if err != nil {
			continue
		}
		native, err := nativeOf(ctx, b.office, at, office.Anchor{Channel: h.Conv.Channel, Seq: h.ReplyTo})
		if err != nil {
			continue
		}
		if direct && native == "" {
			continue // it was asked elsewhere, and is answered there
		}
		out = append(out, Presence{Place: at.Place, Thread: thread, Native: native, Persona: h.Name})
	}
	return out
}

// renew shows what is due and says how long nothing is.
func (p *present) renew(ctx context.Context) time.Duration {
	soonest := time.Hour
	for id, s := range p.turns {
		now := time.Now()
		switch {
		case now.Sub(s.began) > presenceLongest:
			delete(p.turns, id)
			continue
		case !now.Before(s.next):
			// Most turns end before anybody needs to know where they are.
			if s.at == nil {
				s.at = p.b.workplaces(ctx, p.platform, s.turn)
			}
			if len(s.at) == 0 {
				delete(p.turns, id)
				continue
			}
			s.next = now.Add(p.show(ctx, s))
		}
		soonest = min(soonest, time.Until(s.next))
	}
	return max(soonest, time.Millisecond)
}

func (p *present) show(ctx context.Context, s *shown) time.Duration {
	again := time.Duration(0)
	for _, at := range s.at {
		at.Doing = s.doing
		one, cancel := context.WithTimeout(ctx, presenceTime)
		if d := p.typer.Typing(one, at); d > 0 && (again == 0 || d < again) {
			again = d
		}
		cancel()
	}
	s.on = true
	if again == 0 {
		return time.Hour
	}
	return again
}

// quiet takes a sign away, unless somebody else works there as well.
func (p *present) quiet(ctx context.Context, s *shown) {
	q, ok := p.typer.(Quieter)
	if !ok || !s.on {
		return
	}
	for _, at := range s.at {
		if p.busy(at) {
			continue
		}
		one, cancel := context.WithTimeout(ctx, presenceTime)
		q.Quiet(one, at)
		cancel()
	}
}

func (p *present) busy(at Presence) bool {
	for _, s := range p.turns {
		for _, x := range s.at {
			if x.Place == at.Place && x.Thread == at.Thread {
				return true
			}
		}
	}
	return false
}
