package slack

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/slack-go/slack"
	"golang.org/x/time/rate"

	"bullpen/adapters/slack/format"
	"bullpen/bridge"
	"bullpen/office"
)

const (
	// receiptRoom bounds the receipts that wait; more are dropped.
	receiptRoom = 256
	// receiptTime is how long one may take.
	receiptTime = 15 * time.Second
	// eyesEvery and eyesBurst are half of the documented 50 reactions a minute.
	eyesEvery, eyesBurst = 2400 * time.Millisecond, 10
	// seenMark is the reaction on what somebody was woken by.
	seenMark = "eyes"
	// maxNames bounds the deliveries that a receipt names.
	maxNames = 20
)

// receipts shows people what became of what they wrote, in the background, as
// well as it goes.
type receipts struct {
	queue chan func(context.Context)
	knock chan struct{} // holds a token when somebody waits to be let in
	eyes  *rate.Limiter
}

func (r *receipts) init() {
	r.queue = make(chan func(context.Context), receiptRoom)
	r.knock = make(chan struct{}, 1)
	r.eyes = rate.NewLimiter(rate.Every(eyesEvery), eyesBurst)
}

// later has something done in the background, or not at all.
func (r *receipts) later(f func(context.Context)) {
	select {
	case r.queue <- f:
	default:
	}
}

// serve works until ctx ends.
func (r *receipts) serve(ctx, work context.Context, a *Adapter) {
	var look <-chan time.Time // while somebody waits to be let in
	for {
		select {
		case <-ctx.Done():
			return
		case <-r.knock:
			look = time.After(strangerLook)
		case <-look:
			look = nil
			if a.lookAfter(work) > 0 {
				look = time.After(strangerLook)
			}
		case f := <-r.queue:
			one, cancel := context.WithTimeout(work, receiptTime)
			a.lanes.do(job{what: "receipt", run: func() { f(one) }})
			cancel()
		}
	}
}

// show tells the writer of a message what became of it.
func (r *receipts) show(a *Adapter, arr bridge.Arrival, rec bridge.Reception) {
	switch {
	case rec.Ignored:
	case rec.Refusal != "":
		a.whisper(arr, rec.Refusal)
	case rec.Answer != "":
		a.whisper(arr, rec.Answer)
	case rec.Receipt.Again:
	default:
		if said := inWords(rec.Receipt); said != "" {
			a.whisper(arr, said)
		}
		if woke(rec.Receipt) && r.eyes.Allow() {
			r.later(func(ctx context.Context) { a.react(ctx, arr) })
		}
	}
}

// woke says whether somebody reads the message now or next.
func woke(rec office.Receipt) bool {
	return slices.ContainsFunc(rec.Deliveries, func(d office.Delivery) bool {
		return d.Outcome == office.Delivered || d.Outcome == office.Steered || d.Outcome == office.Queued
	})
}

// inWords says what is not simply delivered; usually nothing.
func inWords(rec office.Receipt) string {
	if rec.Note != "" {
		return "Nobody was woken: " + strings.TrimSuffix(rec.Note, ".") + "."
	}
	var lines []string
	for _, d := range rec.Deliveries {
		plain := d.Outcome == office.Delivered || d.Outcome == office.Steered || d.Outcome == office.InMailbox ||
			d.Outcome == office.Queued && d.Detail == ""
		if plain {
			continue
		}
		line := d.Name + ": " + string(d.Outcome)
		if d.Detail != "" {
			line += " (" + d.Detail + ")"
		}
		lines = append(lines, line)
	}
	if n := len(lines); n > maxNames {
		lines = append(lines[:maxNames], fmt.Sprintf("and %d more", n-maxNames))
	}
	return strings.Join(lines, "\n")
}

func (a *Adapter) react(ctx context.Context, arr bridge.Arrival) {
	once, at := watched(ctx)
	err := a.api.AddReactionContext(once, seenMark, slack.NewRefToMessage(arr.Place, arr.Native))
	if err != nil {
		a.log.Debug("a reaction could not be added", "err", a.explain("reactions.add", err, at))
	}
}

// whisper says something to the writer of a message alone. In a channel it is
// gone when they reload; a direct message is private as it is, and there it stays.
func (a *Adapter) whisper(arr bridge.Arrival, text string) {
	a.receipt.later(func(ctx context.Context) {
		for _, part := range format.Plan(text, nil) {
			if err := a.whisperPart(ctx, arr, part); err != nil {
				a.log.Info("a receipt could not be shown", "place", arr.Place, "err", err)
				return
			}
		}
	})
}

func (a *Adapter) whisperPart(ctx context.Context, arr bridge.Arrival, part format.Part) error {
	opts := []slack.MsgOption{
		slack.MsgOptionText(part.Text, false), slack.MsgOptionBlocks(part.Blocks...),
		slack.MsgOptionDisableLinkUnfurl(), slack.MsgOptionDisableMediaUnfurl(),
	}
	if arr.Thread != "" {
		opts = append(opts, slack.MsgOptionTS(arr.Thread))
	}
	once, at := watched(ctx)
	var err error
	method := "chat.postEphemeral"
	if arr.Direct {
		method = "chat.postMessage"
		_, _, err = a.api.PostMessageContext(once, arr.Place, opts...)
	} else {
		_, err = a.api.PostEphemeralContext(once, arr.Place, arr.Author.ID, opts...)
	}
	if err != nil {
		return a.explain(method, err, at)
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
		Direct: strings.HasPrefix(string(e.Channel), "D"), Thread: threadOf(string(e.TS), string(e.ThreadTS)),
	}, "An internal error kept this message from being read; the office's log has the details.")
}

// failuresMost is how often the same message may fail to be taken in while the
// office takes other things in.
const failuresMost = 5

// notKept decides what it means that the office could not take a message or a
// change in: the office is in trouble, or that message alone is. Its writer is
// told in the second case.
func (a *Adapter) notKept(ctx context.Context, place, native string, cause error, tell func(string)) error {
	if ctx.Err() != nil {
		return cause
	}
	key := place + " " + native
	a.mu.Lock()
	if len(a.failures) > laneRoom {
		clear(a.failures)
	}
	a.failures[key]++
	n := a.failures[key]
	a.mu.Unlock()
	if n >= failuresMost {
		if _, err := a.attached().Office().Once(ctx, platform+" given up "+key); err == nil {
			a.log.Error("a message is given up: the office cannot take it in", "place", place, "ts", native, "err", cause)
			if tell != nil {
				tell("This message could not be taken in: " + cause.Error() + ".")
			}
			return nil
		}
	}
	return fmt.Errorf("%w: %w", errNotKept, cause)
}
