package slack

import (
	"context"

	"bullpen/bridge"
	"bullpen/office"
)

// waits remembers somebody who wrote and is not let in yet.
func (a *Adapter) waits(ctx context.Context, arr bridge.Arrival) {
	if a.strangers.Add(ctx, a.attached(), arr, a.now()) {
		a.later.Knock()
	}
}

// lookAfter links the direct messages of those who have been let in since, so
// that mail reaches them, and tells them. It gives how many still wait.
func (a *Adapter) lookAfter(ctx context.Context) int {
	return a.strangers.LookAfter(ctx, a.attached(), a.now(), func(ctx context.Context, arr bridge.Arrival, p office.Person) error {
		if err := a.attached().LinkDM(ctx, platform, arr.Place, p.ID, arr.Native); err != nil {
			a.log.Warn("a person's direct message cannot be linked", "person", p.ID, "err", err)
			return err
		}
		a.whisper(arr, "You may talk to this office now.")
		return nil
	})
}

// hint tells whoever calls the bot in a place that is not linked what is missing.
func (a *Adapter) hint(ctx context.Context, e *event) {
	place := string(e.Channel)
	if a.foreign(e) || e.User == "" || isDirect(place) {
		return
	}
	if _, linked, err := a.attached().Office().Portal(ctx, portalID(place)); err != nil || linked {
		return
	}
	if a.hinted.Tell(place, a.now()) {
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
