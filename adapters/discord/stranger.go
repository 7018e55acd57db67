package discord

import (
	"context"
	"slices"

	"bullpen/bridge"
	"bullpen/office"
)

// waits remembers somebody who wrote to the bot directly and is not let in yet.
func (a *Adapter) waits(ctx context.Context, arr bridge.Arrival) {
	if a.strangers.Add(ctx, a.attached(), arr, a.now()) {
		a.later.Knock()
	}
}

// lookAfter links the direct messages of those who have been let in since, so
// that mail reaches them, and tells them. It gives how many still wait.
func (a *Adapter) lookAfter(ctx context.Context) int {
	return a.strangers.LookAfter(ctx, a.attached(), a.now(), func(ctx context.Context, arr bridge.Arrival, p office.Person) error {
		if err := a.attached().LinkDM(ctx, platform, arr.Place, p.ID, mark(number(arr.Native))); err != nil {
			a.log.Warn("a person's direct message cannot be linked", "person", p.ID, "err", err)
			return err
		}
		a.whisper(spot{place: arr.Place, direct: true}, arr.Native, "You may talk to this office now.")
		return nil
	})
}

// hint tells whoever calls the bot in a place that is not linked what is missing.
func (a *Adapter) hint(at spot, arr bridge.Arrival) {
	if !slices.ContainsFunc(arr.Mentions, func(m bridge.Mention) bool { return m.Kind == bridge.MentionSelf }) {
		return
	}
	if a.hinted.Tell(arr.Place, a.now()) {
		a.whisper(at, arr.Native, "I am here, but this channel is linked to none of the office's, so nobody reads it. An admin of the office can link it by using /channel link here; its id is "+arr.Place+".")
	}
}
