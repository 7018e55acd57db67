package slack

import (
	"context"
	"time"

	"github.com/slack-go/slack"

	"bullpen/adapters/slack/format"
	"bullpen/bridge"
	"bullpen/bridge/command"
)

const (
	// eyesEvery and eyesBurst are half of the documented 50 reactions a minute.
	eyesEvery, eyesBurst = 2400 * time.Millisecond, 10
)

// show tells the writer of a message what became of it.
func (a *Adapter) show(arr bridge.Arrival, rec bridge.Reception) {
	a.attached().Tell(a.later, rec, func(said string, choices ...command.Choice) {
		a.whisper(arr, said, choices...)
	})
	a.attached().Seen(a.later, arr, rec.Receipt, a)
}

// whisper says something to the writer of a message alone. In a channel it is
// gone when they reload; a direct message is private as it is, and there it stays.
func (a *Adapter) whisper(arr bridge.Arrival, text string, choices ...command.Choice) {
	var steps []func(context.Context) error
	for _, part := range withChoices(format.Plan(text, nil), choices) {
		steps = append(steps, func(ctx context.Context) error { return a.whisperPart(ctx, arr, part) })
	}
	a.later.Insist(func(err error) {
		a.log.Info("a receipt could not be shown", "place", arr.Place, "err", err)
	}, steps...)
}

// whisperPart shows one part. The error is a *bridge.PostError.
func (a *Adapter) whisperPart(ctx context.Context, arr bridge.Arrival, part format.Part) error {
	opts := []slack.MsgOption{
		slack.MsgOptionText(part.Text, false), slack.MsgOptionBlocks(part.Blocks...),
		slack.MsgOptionDisableLinkUnfurl(), slack.MsgOptionDisableMediaUnfurl(),
	}
	if arr.Thread != "" {
		opts = append(opts, slack.MsgOptionTS(arr.Thread))
	}
	if !arr.Direct {
		once, at := watched(ctx)
		if _, err := a.api.PostEphemeralContext(once, arr.Place, arr.Author.ID, opts...); err != nil {
			return a.postError(a.explain("chat.postEphemeral", err, at))
		}
		return nil
	}
	// In a direct message it counts as what is owed there does.
	if failed := a.posts.wait(ctx, arr.Place); failed != nil {
		return failed
	}
	once, at := watched(ctx)
	if _, _, err := a.api.PostMessageContext(once, arr.Place, opts...); err != nil {
		e := a.explain("chat.postMessage", err, at)
		a.posts.note(arr.Place, e)
		return a.postError(e)
	}
	return nil
}

// apologise tells the writer of an event that failed here.
func (a *Adapter) apologise(e *event) {
	if e.Type != "message" && e.Type != "app_mention" || e.User == "" || a.foreign(e) {
		return
	}
	a.whisper(bridge.Arrival{
		Author: bridge.Author{Account: bridge.Account{Platform: platform, ID: string(e.User)}}, Place: string(e.Channel),
		Direct: isDirect(string(e.Channel)), Thread: threadOf(string(e.TS), string(e.ThreadTS)),
	}, "An internal error kept this message from being read; the office's log has the details.")
}

// notKept decides what it means that the office could not take a message or a
// change in; tell reaches its writer.
func (a *Adapter) notKept(ctx context.Context, place, native string, cause error, tell func(string)) error {
	return a.failures.Judge(ctx, a.attached(), a.log, bridge.Miss{Platform: platform, Place: place, Native: native, Cause: cause, Tell: tell})
}
