package slack

import (
	"context"
	"slices"
	"strings"
	"time"

	"bullpen/bridge"
	"bullpen/office"
)

const (
	// strangersMost bounds who is remembered as waiting to be let in, strangerLife
	// for how long.
	strangersMost = 16
	strangerLife  = time.Hour
	// hintEvery is how often somebody is told in a place that it is not linked.
	hintEvery = time.Hour
)

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
func (a *Adapter) waits(ctx context.Context, arr bridge.Arrival) {
	if _, ok := a.letIn(ctx, office.Account(arr.Author.Account)); ok {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if _, known := a.strangers[arr.Author.ID]; known || len(a.strangers) < strangersMost {
		a.strangers[arr.Author.ID] = stranger{arr, a.now()}
	}
	a.later.Knock()
}

// lookAfter links the direct messages of those who have been let in since, so
// that mail reaches them, and tells them. It gives how many still wait.
func (a *Adapter) lookAfter(ctx context.Context) int {
	a.mu.Lock()
	var waiting []stranger
	for id, s := range a.strangers {
		if a.now().Sub(s.at) > strangerLife {
			delete(a.strangers, id)
			continue
		}
		waiting = append(waiting, s)
	}
	a.mu.Unlock()
	for _, s := range waiting {
		p, ok := a.letIn(ctx, office.Account(s.arr.Author.Account))
		if !ok {
			continue
		}
		if err := a.attached().LinkDM(ctx, platform, s.arr.Place, p.ID, s.arr.Native); err != nil {
			a.log.Warn("a person's direct message cannot be linked", "person", p.ID, "err", err)
			continue
		}
		a.mu.Lock()
		delete(a.strangers, s.arr.Author.ID)
		a.mu.Unlock()
		a.whisper(s.arr, "You may talk to this office now.")
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	return len(a.strangers)
}

// hint tells whoever calls the bot in a place that is not linked what is missing.
func (a *Adapter) hint(ctx context.Context, e *event) {
	place := string(e.Channel)
	if a.foreign(e) || e.User == "" || strings.HasPrefix(place, "D") {
		return
	}
	if _, linked, err := a.attached().Office().Portal(ctx, portalID(place)); err != nil || linked {
		return
	}
	a.mu.Lock()
	told, known := a.hinted[place]
	again := !known || a.now().Sub(told) >= hintEvery
	if len(a.hinted) > placesMost {
		clear(a.hinted)
	}
	if again {
		a.hinted[place] = a.now()
	}
	a.mu.Unlock()
	if again {
		said := "I am here, but this channel is not linked to one of the office's, so nobody reads it. An admin of the office can link it by typing /office link and a channel's name here."
		if e.ChannelType == "mpim" {
			said = "I am here, but nobody of the office reads a direct talk of several people unless it is linked: write to me alone, or an admin links it by typing /office link and a channel's name here."
		}
		a.whisper(bridge.Arrival{
			Author: bridge.Author{Account: bridge.Account{Platform: platform, ID: string(e.User)}}, Place: place,
			Thread: threadOf(string(e.TS), string(e.ThreadTS)),
		}, said)
	}
}
