package slack

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"bullpen/bridge"
)

const (
	// steadyAfter is how long a socket has to live to count as a good one: the next
	// is opened at once.
	steadyAfter = 10 * time.Second
)

// Run serves the workspace until ctx ends. An error says in a sentence what a
// person has to mend before it can be served; it has been reported as well.
func (a *Adapter) Run(ctx context.Context, b *bridge.Bridge) error {
	a.mu.Lock()
	a.bridge = b
	a.mu.Unlock()
	a.report(bridge.Connecting, "to Slack")
	defer a.http.CloseIdleConnections()
	return b.Serve(ctx, bridge.Service{
		Adapter: a, Later: a.later, Log: a.log, Connect: a.supervise,
		Finish: func(context.Context, error) { a.lanes.Wait() },
	})
}

// supervise opens one socket after another until ctx ends or an error comes that
// waiting cannot mend.
func (a *Adapter) supervise(ctx, work context.Context) error {
	g := &bridge.Outage{}
	for failed := 0; ; {
		lived, err := a.attend(ctx, work, g)
		var stop bridge.Unmendable
		switch {
		case ctx.Err() != nil:
			return nil
		case errors.As(err, &stop):
			return stop
		case lived >= steadyAfter:
			failed = 0
		}
		if lived >= steadyAfter && errors.Is(err, errDropped) {
			a.log.Info("Slack's socket ended; the next one is opened", "why", err)
			continue
		}
		failed++
		wait := bridge.Backoff(failed)
		a.log.Warn("Slack cannot be reached", "err", err, "again", wait)
		a.report(bridge.Reconnecting, fmt.Sprintf("%v; trying again", err))
		if bridge.Pause(ctx, wait) != nil {
			return nil
		}
	}
}

// attend prepares everything and serves one socket. It says how long the socket
// was live.
func (a *Adapter) attend(ctx, work context.Context, g *bridge.Outage) (time.Duration, error) {
	if err := a.prepare(ctx); err != nil {
		return 0, orStop(err)
	}
	// What comes in waits behind the gap from before the socket is live.
	if err := g.Open(ctx, a.attached(), platform); err != nil {
		return 0, err
	}
	s := newSocket(a, g)
	err := orStop(s.serve(ctx, work))
	a.mu.Lock()
	a.up = false
	a.mu.Unlock()
	if s.live.IsZero() {
		return 0, err
	}
	now := a.now()
	g.Lost(s.heard.Add(-overlap), now)
	return now.Sub(s.live), err
}

// orStop is err, or what it says about the bot's token.
func orStop(err error) error {
	if stop := botFault(err); stop != nil {
		return stop
	}
	return err
}

// die ends Run for an error that waiting cannot mend.
func (a *Adapter) die(err error) {
	select {
	case a.dead <- err:
	default:
	}
}

// connected reports a working connection after some time away.
func (a *Adapter) connected(away time.Duration) {
	a.mu.Lock()
	a.up, a.away = true, away
	a.mu.Unlock()
	a.reportConnected()
}

// reportConnected says how the connection is, and what a person should mend.
func (a *Adapter) reportConnected() {
	me := a.self()
	said := []string{fmt.Sprintf("as @%s in %s", me.Name, me.Team)}
	a.mu.Lock()
	up := a.up
	if a.away >= time.Minute {
		said = append(said, fmt.Sprintf("it was away for %s, and commands and buttons of that time are lost", a.away.Round(time.Second)))
	}
	said = append(said, a.problems.All()...)
	a.mu.Unlock()
	if up {
		a.report(bridge.Connected, strings.Join(said, "; "))
	}
}

// problem remembers a sentence about a place for the state and tells whoever sits
// at the console; an empty one forgets it.
func (a *Adapter) problem(key, sentence string) {
	if a.problems.Tell(a.attached(), platform, key, sentence) {
		a.reportConnected()
	}
}
