package telegram

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	tg "github.com/go-telegram-bot-api/telegram-bot-api/v5"

	"bullpen/bridge"
)

const (
	// keptFor is how long Telegram keeps updates that nobody asked for
	// (core.telegram.org/bots/api#getting-updates).
	keptFor = 24 * time.Hour
	// conflictFirst is the first pause when another program asks for our updates:
	// two that fight for them at once both get none.
	conflictFirst = 10 * time.Second
)

// errNotKept says that the office could not take something in: it is asked for again.
var errNotKept = errors.New("the office cannot take messages in now")

// Run serves the bot until ctx ends. An error says in a sentence what a person has
// to mend before it can be served; it has been reported as well.
func (a *Adapter) Run(ctx context.Context, b *bridge.Bridge) error {
	a.mu.Lock()
	a.bridge = b
	a.mu.Unlock()
	a.report(bridge.Connecting, "to Telegram")
	defer a.http.CloseIdleConnections()
	p := &poller{a: a}
	return b.Serve(ctx, bridge.Service{
		Adapter: a, Later: a.later, Log: a.log,
		Connect: func(ctx, work context.Context) error {
			p.work = work
			return a.supervise(ctx, p)
		},
		Finish: func(work context.Context, err error) {
			if err == nil {
				p.confirm(work)
			}
		},
	})
}

// supervise polls until ctx ends or an error comes that waiting cannot mend.
func (a *Adapter) supervise(ctx context.Context, p *poller) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	ended := make(chan struct{})
	defer func() { cancel(nil); <-ended }()
	go func() {
		defer close(ended)
		select {
		case err := <-a.dead:
			cancel(err)
		case <-ctx.Done():
		}
	}()
	for failed := 0; ; {
		good, err := a.attend(ctx, p)
		var stop bridge.Unmendable
		switch {
		case errors.As(context.Cause(ctx), &stop):
			return stop
		case ctx.Err() != nil:
			return nil
		case tokenFault(err) != nil:
			return tokenFault(err)
		case good:
			failed = 0
		}
		failed++
		wait, sentence := a.explainFailure(ctx, err, failed)
		a.log.Warn("Telegram cannot be asked for updates", "err", err, "again", wait)
		a.mu.Lock()
		if a.up {
			a.lost = a.now()
		}
		a.up = false
		a.mu.Unlock()
		a.report(bridge.Reconnecting, sentence)
		_ = bridge.Pause(ctx, wait) // if ctx has ended, the next attempt ends at once and says why
	}
}

// attend prepares everything once and then polls until something fails. It says
// whether it came to polling.
func (a *Adapter) attend(ctx context.Context, p *poller) (good bool, err error) {
	if !p.prepared {
		if err := a.prepare(ctx); err != nil {
			return false, err
		}
		p.prepared = true
		a.later.Do(a.setMenu)
	}
	// The first poll does not wait, so that it soon shows whether it works.
	for wait := time.Duration(0); ; wait = pollTime {
		if err := p.poll(ctx, wait); err != nil {
			return good, err
		}
		if !good {
			good = true
			a.connected()
		}
	}
}

// connected reports a working connection. What people wrote longer ago than
// Telegram keeps it is said to be lost.
func (a *Adapter) connected() {
	a.mu.Lock()
	a.up = true
	away := time.Duration(0)
	if !a.lost.IsZero() {
		away = a.now().Sub(a.lost)
	}
	a.lost = time.Time{}
	a.mu.Unlock()
	sentence := ""
	if away > keptFor {
		sentence = fmt.Sprintf("it was away for %s, and Telegram keeps messages for a day: what people wrote before that is lost", away.Round(time.Minute))
	}
	a.problem("away", sentence)
	a.reportConnected()
}

// explainFailure says what a failure means and how long to wait.
func (a *Adapter) explainFailure(ctx context.Context, err error, failed int) (time.Duration, string) {
	var e *callError
	if !errors.As(err, &e) {
		return bridge.Backoff(failed), fmt.Sprintf("%v; trying again", err)
	}
	switch {
	case e.after > 0:
		return e.after, "Telegram asks to wait; trying again"
	case e.code == http.StatusConflict && strings.Contains(e.text, "webhook"):
		// Updates go to a webhook that somebody set before: polling takes its place.
		if err := a.ask(ctx, "deleteWebhook", tg.Params{}, nil); err != nil {
			a.log.Warn("the bot's webhook cannot be removed", "err", err)
		}
		return bridge.Backoff(failed), "the bot had a webhook; it is removed and the office asks for updates itself"
	case e.code == http.StatusConflict:
		return min(bridge.Jittered(2*conflictFirst<<min(failed-1, 4)), bridge.BackoffMost),
			"another program asks for the updates of this bot (another copy of this office?), and Telegram serves only one: stop it, or give the office a bot of its own; trying again"
	}
	return bridge.Backoff(failed), fmt.Sprintf("%v; trying again", err)
}
