package discord

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"bullpen/bridge"
)

const (
	// steadyAfter is how long a connection has to live to count as a good one.
	steadyAfter = 10 * time.Second
	// identifyEvery is the least time between two sessions (events/gateway,
	// identifying: one in 5 s).
	identifyEvery = 6 * time.Second
	// identifiesLeft is how many sessions of the day are never used: Discord takes
	// the token away from a bot that begins more than it may.
	identifiesLeft = 20
)

// Run serves the server until ctx ends. An error says in a sentence what a person
// has to mend before it can be served; it has been reported as well.
func (a *Adapter) Run(ctx context.Context, b *bridge.Bridge) error {
	a.mu.Lock()
	a.bridge = b
	a.mu.Unlock()
	a.report(bridge.Connecting, "to Discord")
	defer a.http.CloseIdleConnections()
	return b.Serve(ctx, bridge.Service{
		Adapter: a, Later: a.later, Log: a.log, Connect: a.supervise, Beside: a.keepBoard,
		Finish: func(context.Context, error) { a.lanes.Wait() },
	})
}

// supervise opens one connection after another until ctx ends or an error comes
// that waiting cannot mend.
func (a *Adapter) supervise(ctx, work context.Context) error {
	g := &bridge.Outage{}
	var begun time.Time // the newest session
	for failed := 0; ; {
		if err := bridge.Pause(ctx, identifyEvery-a.now().Sub(begun)); err != nil {
			return nil //nolint:nilerr // ctx has ended
		}
		begun = a.now()
		lived, err := a.attend(ctx, work, g)
		var stop bridge.Unmendable
		switch {
		case ctx.Err() != nil:
			return nil
		case errors.As(err, &stop):
			a.die(stop)
			return stop
		case errors.Is(err, errDeaf):
			a.deafen()
			continue
		case lived >= steadyAfter:
			failed = 0
		}
		if lived >= steadyAfter && errors.Is(err, errDropped) {
			a.log.Info("the connection to Discord ended; the next one is opened", "why", err)
			continue
		}
		failed++
		wait := bridge.Backoff(failed)
		a.log.Warn("Discord cannot be reached", "err", err, "again", wait)
		a.report(bridge.Reconnecting, fmt.Sprintf("%v; trying again", err))
		if bridge.Pause(ctx, wait) != nil {
			return nil
		}
	}
}

// attend prepares everything and serves one connection. It says how long that was
// live.
func (a *Adapter) attend(ctx, work context.Context, g *bridge.Outage) (time.Duration, error) {
	if err := a.mayIdentify(ctx); err != nil {
		return 0, orStop(err)
	}
	if err := a.prepare(ctx); err != nil {
		return 0, orStop(err)
	}
	// What comes in waits behind the gap from before the connection is live.
	if err := g.Open(ctx, a.attached(), platform); err != nil {
		return 0, err
	}
	c, err := newConnection(a, g)
	if err != nil {
		return 0, err
	}
	err = orStop(c.serve(ctx, work))
	a.mu.Lock()
	a.up = false
	a.mu.Unlock()
	if c.live.IsZero() {
		return 0, err
	}
	now := a.now()
	g.Lost(c.heard.Add(-overlap), now)
	return now.Sub(c.live), err
}

// mayIdentify waits until another session may be begun.
func (a *Adapter) mayIdentify(ctx context.Context) error {
	var said struct {
		Limit struct {
			Total     int   `json:"total"`
			Remaining int   `json:"remaining"`
			After     int64 `json:"reset_after"` // milliseconds
		} `json:"session_start_limit"`
	}
	if err := a.ask(ctx, http.MethodGet, "gateway/bot", nil, &said); err != nil {
		return err
	}
	l := said.Limit
	if l.Total == 0 || l.Remaining > min(identifiesLeft, l.Total/10) {
		return nil
	}
	wait := min(time.Duration(l.After)*time.Millisecond+time.Second, 24*time.Hour)
	a.report(bridge.Reconnecting, fmt.Sprintf("Discord allows the bot no more connections for %s; is another copy of this office running with its token?", wait.Round(time.Minute)))
	return bridge.Pause(ctx, wait)
}

// orStop is err, or what it says about the bot's token.
func orStop(err error) error {
	if stop := tokenFault(err); stop != nil {
		return stop
	}
	return err
}

func (a *Adapter) isDeaf() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.deaf
}

// deafen goes on without message content: then only what mentions the bot can be
// read in channels.
func (a *Adapter) deafen() {
	a.mu.Lock()
	a.deaf = true
	a.mu.Unlock()
	a.problem("intent", switchedOff)
}

// connected reports a working connection after some time away.
func (a *Adapter) connected(away time.Duration) {
	a.mu.Lock()
	a.up, a.away = true, away
	a.mu.Unlock()
	a.lookAtBoard()
	a.reportConnected()
}

// reportConnected says how the connection is, and what a person should mend.
func (a *Adapter) reportConnected() {
	a.mu.Lock()
	up := a.up
	said := []string{"as @" + a.me.Name}
	if a.home.Name != "" {
		said[0] += " on " + a.home.Name
	}
	if a.away >= time.Minute {
		said = append(said, fmt.Sprintf("it was away for %s, and commands, buttons and deletions of that time are lost", a.away.Round(time.Second)))
	}
	said = append(said, a.problems.All()...)
	a.mu.Unlock()
	if up {
		a.report(bridge.Connected, strings.Join(said, "; "))
	}
}

// problem remembers a sentence for the state and tells whoever sits at the
// console; an empty one forgets it.
func (a *Adapter) problem(key, sentence string) {
	if a.problems.Tell(a.attached(), platform, key, sentence) {
		a.reportConnected()
	}
}
