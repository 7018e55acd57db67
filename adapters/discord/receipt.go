package discord

import (
	"context"
	"net/http"
	"sync"
	"time"

	"bullpen/adapters/discord/format"
	"bullpen/bridge"
	"bullpen/bridge/command"
	"bullpen/bridge/render"
)

const (
	// whisperFor is how long what is said to one person stands in a channel, where
	// everybody sees it.
	whisperFor = 90 * time.Second
	// fadingMost bounds what waits to be taken away.
	fadingMost = 500
)

// show tells the writer of a message what became of it.
func (a *Adapter) show(at spot, arr bridge.Arrival, rec bridge.Reception) {
	a.attached().Tell(a.later, rec, func(said string, choices ...command.Choice) {
		a.whisper(at, arr.Native, said, choices...)
	})
	a.attached().Seen(a.later, arr, rec.Receipt, a)
}

// fading is what was shown and is taken away again. The zero value is ready.
type fading struct {
	mu    sync.Mutex
	shown []shortLived // oldest first
}

type shortLived struct {
	channel, message string
	until            time.Time
}

func (f *fading) add(s shortLived) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.shown) < fadingMost {
		f.shown = append(f.shown, s)
	}
}

// due takes what is to go now, and says how much is left.
func (f *fading) due(now time.Time) (gone []shortLived, left int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for len(f.shown) > 0 && !f.shown[0].until.After(now) {
		gone, f.shown = append(gone, f.shown[0]), f.shown[1:]
	}
	return gone, len(f.shown)
}

// look takes away what has been shown for long enough and looks after strangers.
// It gives how much there is still to look after.
func (a *Adapter) look(ctx context.Context) int {
	gone, left := a.fading.due(a.now())
	for _, s := range gone {
		if err := a.ask(ctx, http.MethodDelete, "channels/"+s.channel+"/messages/"+s.message, nil, nil); err != nil {
			a.log.Debug("a receipt stays", "err", err)
		}
	}
	return left + a.lookAfter(ctx)
}

// whisper answers a message outside of the record. Discord has nothing that one
// person alone sees outside of commands, so in a channel it goes away again.
func (a *Adapter) whisper(at spot, to, text string, offered ...command.Choice) {
	var steps []func(context.Context) error
	parts := render.Split(render.Literal(text, render.Options{}), format.MaxText, format.Length)
	for n, part := range parts {
		p := payload{Content: format.Write(part), Allowed: nobody(), Flags: hidePreviews | silent, Reference: &replyTo{Message: to}}
		if n == len(parts)-1 {
			p.Components = choices(offered)
		}
		steps = append(steps, func(ctx context.Context) error { return a.whisperPart(ctx, at, p) })
	}
	a.later.Insist(func(err error) {
		a.log.Info("a receipt could not be shown", "channel", at.channel(), "err", err)
	}, steps...)
}

// whisperPart shows one part and has it taken away again. The error is a
// *bridge.PostError.
func (a *Adapter) whisperPart(ctx context.Context, at spot, p payload) error {
	if e := a.alone(at.place); e != nil {
		return a.postError(e, false)
	}
	var m message
	if e := a.once(ctx, http.MethodPost, "channels/"+at.channel()+"/messages", p, &m); e != nil {
		return a.postError(e, true)
	}
	if !at.direct {
		a.fading.add(shortLived{m.Channel, m.ID, a.now().Add(whisperFor)})
		a.later.Knock()
	}
	return nil
}

// silent is the flag of a message that notifies nobody (resources/message, message
// flags).
const silent = 1 << 12

// apologise tells the writer of a message that failed here.
func (a *Adapter) apologise(at spot, m *message) {
	if !a.foreign(m) {
		a.whisper(at, m.ID, "An internal error kept this message from being read; the office's log has the details.")
	}
}
