package telegram

import (
	"context"
	"errors"
	"slices"
	"time"

	"bullpen/adapters/telegram/format"
	"bullpen/bridge"
	"bullpen/bridge/command"
	"bullpen/bridge/render"
	"bullpen/office"
)

const (
	// strangersMost bounds who is remembered as waiting to be let in, strangerLife
	// for how long.
	strangersMost = 16
	strangerLife  = time.Hour
	// hintEvery is how often somebody is told in a place that it is not linked;
	// hintedMost bounds the places that are remembered.
	hintEvery  = time.Hour
	hintedMost = 1000
)

// show tells the writer of a message what became of it, if it is not simply delivered.
func (a *Adapter) show(arr bridge.Arrival, rec bridge.Reception) {
	switch {
	case rec.Ignored:
	case rec.Refusal != "":
		a.whisper(arr, rec.Refusal)
	case rec.Answer != "":
		a.whisper(arr, rec.Answer, rec.Choices...)
	case rec.Receipt.Again:
	default:
		if said := bridge.InWords(rec.Receipt); said != "" {
			a.whisper(arr, said)
		}
		a.attached().Seen(a.later, arr, rec.Receipt, a)
	}
}

// whisper answers a message outside of the record, silently: Telegram has nothing
// that one person alone sees in a group.
func (a *Adapter) whisper(arr bridge.Arrival, text string, offered ...command.Choice) {
	a.later.Do(func(ctx context.Context) {
		at, err := parsePlace(arr.Place)
		if err != nil {
			return
		}
		parts := render.Split(render.Literal(text, render.Options{}), format.MaxText, format.Length)
		for i, part := range parts {
			out := outgoing{place: at, reply: arr.Native, silent: true}
			if i == len(parts)-1 {
				out.markup = choices(offered)
			}
			out.text, out.entities = format.Write(part)
			if err := a.insist(ctx, out); err != nil {
				a.log.Info("a receipt could not be shown", "place", arr.Place, "err", err)
				return
			}
		}
	})
}

// insist sends until it is sent, refused or in doubt.
func (a *Adapter) insist(ctx context.Context, out outgoing) error {
	for {
		_, err := a.send(ctx, out)
		var failed *bridge.PostError
		if !errors.As(err, &failed) || failed.Kind != bridge.PostNotSent {
			return err
		}
		if err := bridge.Pause(ctx, max(failed.After, bridge.BackoffFirst)); err != nil {
			return failed
		}
	}
}

// apologise tells the writer of a message that failed here.
func (a *Adapter) apologise(m *message) {
	if arr, ok := a.arrival(m); ok {
		a.whisper(arr, "An internal error kept this message from being read; the office's log has the details.")
	}
}

// stranger is somebody who wrote to the bot and was not let in.
type stranger struct {
	arr bridge.Arrival
	at  time.Time
}

// letIn finds the person of an account that may talk to the bot.
func (a *Adapter) letIn(ctx context.Context, acc office.Account) (office.Person, bool) {
	p, ok, err := a.attached().Office().PersonBy(ctx, acc)
	return p, err == nil && ok && (p.Approved || slices.Contains(p.Accounts, acc))
}

// waits remembers somebody who wrote and is not let in yet.
func (a *Adapter) waits(ctx context.Context, arr bridge.Arrival, account int64) {
	if _, ok := a.letIn(ctx, office.Account(arr.Author.Account)); ok {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if _, known := a.strangers[account]; known || len(a.strangers) < strangersMost {
		a.strangers[account] = stranger{arr, a.now()}
	}
	a.later.Knock()
}

// lookAfter links the private chats of those who have been let in since, so that
// mail reaches them, and tells them. It gives how many still wait.
func (a *Adapter) lookAfter(ctx context.Context) int {
	a.mu.Lock()
	waiting := map[int64]stranger{}
	for id, s := range a.strangers {
		if a.now().Sub(s.at) > strangerLife {
			delete(a.strangers, id)
			continue
		}
		waiting[id] = s
	}
	a.mu.Unlock()
	for id, s := range waiting {
		p, ok := a.letIn(ctx, office.Account(s.arr.Author.Account))
		if !ok {
			continue
		}
		if err := a.attached().LinkDM(ctx, platform, s.arr.Place, p.ID, ""); err != nil {
			a.log.Warn("a person's private chat cannot be linked", "person", p.ID, "err", err)
			continue
		}
		a.mu.Lock()
		delete(a.strangers, id)
		a.mu.Unlock()
		a.whisper(s.arr, "You may talk to this office now. /help says how.")
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.strangers)
}

// hint tells whoever calls the bot in a place that is not linked what is missing.
func (a *Adapter) hint(arr bridge.Arrival) {
	if !slices.ContainsFunc(arr.Mentions, func(m bridge.Mention) bool { return m.Kind == bridge.MentionSelf }) {
		return
	}
	a.mu.Lock()
	told, known := a.hinted[arr.Place]
	again := !known || a.now().Sub(told) >= hintEvery
	if len(a.hinted) > hintedMost {
		clear(a.hinted)
	}
	if again {
		a.hinted[arr.Place] = a.now()
	}
	a.mu.Unlock()
	if again {
		a.whisper(arr, "I am here, but this chat is linked to no channel of the office, so nobody reads it. An admin of the office can link it by typing /link and a channel's name here; its id is "+arr.Place+".")
	}
}
