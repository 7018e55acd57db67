package discord

import (
	"context"
	"slices"
	"time"

	"bullpen/bridge"
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

// stranger is somebody who wrote to the bot and was not let in.
type stranger struct {
	spot spot
	arr  bridge.Arrival
	at   time.Time
}

// letIn finds the person of an account that may talk to the bot.
func (a *Adapter) letIn(ctx context.Context, acc office.Account) (office.Person, bool) {
	p, ok, err := a.attached().Office().PersonBy(ctx, acc)
	return p, err == nil && ok && (p.Approved || slices.Contains(p.Accounts, acc))
}

// waits remembers somebody who wrote and is not let in yet.
func (a *Adapter) waits(ctx context.Context, at spot, arr bridge.Arrival) {
	if _, ok := a.letIn(ctx, office.Account(arr.Author.Account)); ok {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if _, known := a.strangers[arr.Author.ID]; known || len(a.strangers) < strangersMost {
		a.strangers[arr.Author.ID] = stranger{at, arr, a.now()}
	}
	a.later.Knock()
}

// lookAfter links the direct messages of those who have been let in since, so
// that mail reaches them, and tells them. It gives how many still wait.
func (a *Adapter) lookAfter(ctx context.Context) int {
	a.mu.Lock()
	waiting := map[string]stranger{}
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
		if err := a.attached().LinkDM(ctx, platform, s.arr.Place, p.ID, mark(number(s.arr.Native))); err != nil {
			a.log.Warn("a person's direct message cannot be linked", "person", p.ID, "err", err)
			continue
		}
		a.mu.Lock()
		delete(a.strangers, id)
		a.mu.Unlock()
		a.whisper(s.spot, s.arr.Native, "You may talk to this office now.")
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.strangers)
}

// hint tells whoever calls the bot in a place that is not linked what is missing.
func (a *Adapter) hint(at spot, arr bridge.Arrival) {
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
		a.whisper(at, arr.Native, "I am here, but this channel is linked to none of the office's, so nobody reads it. An admin of the office can link it by using /channel link here; its id is "+arr.Place+".")
	}
}
