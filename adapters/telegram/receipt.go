package telegram

import (
	"context"
	"slices"

	"bullpen/adapters/telegram/format"
	"bullpen/bridge"
	"bullpen/bridge/command"
	"bullpen/bridge/render"
	"bullpen/office"
)

// show tells the writer of a message what became of it.
func (a *Adapter) show(arr bridge.Arrival, rec bridge.Reception) {
	a.attached().Tell(a.later, rec, func(said string, choices ...command.Choice) {
		a.whisper(arr, said, choices...)
	})
	a.attached().Seen(a.later, arr, rec.Receipt, a)
}

// whisper answers a message outside of the record, silently: Telegram has nothing
// that one person alone sees in a group.
func (a *Adapter) whisper(arr bridge.Arrival, text string, offered ...command.Choice) {
	at, err := parsePlace(arr.Place)
	if err != nil {
		return
	}
	var steps []func(context.Context) error
	parts := render.Split(render.Literal(text, render.Options{}), format.MaxText, format.Length)
	for i, part := range parts {
		out := outgoing{place: at, reply: arr.Native, silent: true}
		if i == len(parts)-1 {
			out.markup = choices(offered)
		}
		out.text, out.entities = format.Write(part)
		steps = append(steps, func(ctx context.Context) error {
			_, err := a.send(ctx, out)
			return err
		})
	}
	a.later.Insist(func(err error) {
		a.log.Info("a receipt could not be shown", "place", arr.Place, "err", err)
	}, steps...)
}

// apologise tells the writer of a message that failed here.
func (a *Adapter) apologise(m *message) {
	if arr, ok := a.arrival(m); ok {
		a.whisper(arr, "An internal error kept this message from being read; the office's log has the details.")
	}
}

// waits remembers somebody who wrote and is not let in yet.
func (a *Adapter) waits(ctx context.Context, arr bridge.Arrival) {
	if a.strangers.Add(ctx, a.attached(), arr, a.now()) {
		a.later.Knock()
	}
}

// lookAfter links the private chats of those who have been let in since, so that
// mail reaches them, and tells them. It gives how many still wait.
func (a *Adapter) lookAfter(ctx context.Context) int {
	return a.strangers.LookAfter(ctx, a.attached(), a.now(), func(ctx context.Context, arr bridge.Arrival, p office.Person) error {
		if err := a.attached().LinkDM(ctx, platform, arr.Place, p.ID, ""); err != nil {
			a.log.Warn("a person's private chat cannot be linked", "person", p.ID, "err", err)
			return err
		}
		a.whisper(arr, "You may talk to this office now. /help says how.")
		return nil
	})
}

// hint tells whoever calls the bot in a place that is not linked what is missing.
func (a *Adapter) hint(arr bridge.Arrival) {
	if !slices.ContainsFunc(arr.Mentions, func(m bridge.Mention) bool { return m.Kind == bridge.MentionSelf }) {
		return
	}
	if a.hinted.Tell(arr.Place, a.now()) {
		a.whisper(arr, "I am here, but this chat is linked to no channel of the office, so nobody reads it. An admin of the office can link it by typing /link and a channel's name here; its id is "+arr.Place+".")
	}
}
