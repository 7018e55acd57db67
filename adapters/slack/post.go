package slack

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/slack-go/slack"
	"golang.org/x/time/rate"

	"bullpen/adapters/slack/format"
	"bullpen/bridge"
	"bullpen/bridge/render"
)

const (
	// metadataType and metadataKey hold the key by which a post is found again.
	metadataType, metadataKey = "bullpen", "key"
	// decideAction begins the action of a question's buttons.
	decideAction = "bullpen_decide"
	// personaMost is the longest name that a post is headed with.
	personaMost = 80
	// margin is the room in a part for native mentions and a name line.
	margin = 400
	// blockedFor is how long nothing is sent with a token that is not accepted. It
	// outlives the process: whoever has put another one there waits for it.
	blockedFor = 15 * time.Second
)

// Post shows one part of a message. See bridge.Poster.
func (a *Adapter) Post(ctx context.Context, out bridge.Outgoing) (bridge.Posted, error) {
	if failed := a.posts.wait(ctx, out.Place); failed != nil {
		return bridge.Posted{}, failed
	}
	plain := a.isPlain()
	posted, msg, err := a.post(ctx, out, plain)
	if err != nil && err.code == "missing_scope" && !plain && (out.Persona != "") && strings.Contains(err.needed, "chat:write.customize") {
		a.setPlain()
		posted, _, err = a.post(ctx, out, true)
	}
	if err != nil {
		a.posts.note(out.Place, err)
		return bridge.Posted{}, a.postError(err)
	}
	if out.Persona != "" && !plain && msg.Username == "" && msg.SubType != "bot_message" && !a.isPlain() {
		// The right to post under another name is missing, and Slack says so only by
		// not doing it: this one gets its name line afterwards, the next at once.
		a.setPlain()
		a.later.Do(func(ctx context.Context) { a.nameLine(ctx, out, posted.ID) })
	}
	return posted, nil
}

// post makes the call once.
func (a *Adapter) post(ctx context.Context, out bridge.Outgoing, plain bool) (bridge.Posted, slack.Message, *callError) {
	ctx, at := watched(ctx)
	_, ts, msg, err := a.api.PostMessageWithResponseContext(ctx, out.Place, a.options(out, plain)...)
	if err != nil {
		return bridge.Posted{}, msg, a.explain("chat.postMessage", err, at)
	}
	return bridge.Posted{ID: ts, Thread: threadOf(ts, msg.ThreadTimestamp)}, msg, nil
}

// threadOf is the thread in which a message stands; the first of a thread stands
// in none.
func threadOf(ts, thread string) string {
	if thread == ts {
		return ""
	}
	return thread
}

// options are a message as chat.postMessage and chat.update want it.
func (a *Adapter) options(out bridge.Outgoing, plain bool) []slack.MsgOption {
	text, blocks := a.content(out, plain)
	opts := []slack.MsgOption{
		slack.MsgOptionDisableLinkUnfurl(), slack.MsgOptionDisableMediaUnfurl(),
		slack.MsgOptionMetadata(slack.SlackMetadata{EventType: metadataType, EventPayload: map[string]any{metadataKey: out.Key}}),
	}
	if name := persona(out); name != "" && !plain {
		opts = append(opts, slack.MsgOptionUsername(name))
	}
	if out.Thread != "" {
		opts = append(opts, slack.MsgOptionTS(out.Thread))
	}
	opts = append(opts, slack.MsgOptionText(text, false))
	if len(blocks) > 0 {
		opts = append(opts, slack.MsgOptionBlocks(blocks...))
	}
	return opts
}

// content is what a message says: as text for notifications and as blocks.
func (a *Adapter) content(out bridge.Outgoing, plain bool) (string, []slack.Block) {
	doc := render.Parse(out.Text, render.Options{Mentions: resolver(out.Mentions)})
	text, blocks := format.Mrkdwn(doc), format.Blocks(doc)
	if name := persona(out); name != "" && plain {
		text = "*" + format.Escape(name) + "*: " + text
		line := slack.NewRichTextSectionTextElement(name+":", &slack.RichTextSectionTextStyle{Bold: true})
		blocks = slices.Insert(blocks, 0, slack.Block(slack.NewRichTextBlock("", slack.NewRichTextSection(line))))
	}
	if len(out.Buttons) > 0 {
		blocks = append(blocks, slack.NewActionBlock("", buttons(out.Buttons)...))
	}
	return text, blocks
}

// buttons are the answers to a question. The ids of actions have to differ
// within a block.
func buttons(all []bridge.Button) []slack.BlockElement {
	var out []slack.BlockElement
	for i, b := range all {
		action := decideAction
		if i > 0 {
			action += strconv.Itoa(i)
		}
		out = append(out, slack.NewButtonBlockElement(action, b.Value, slack.NewTextBlockObject(slack.PlainTextType, b.Label, false, false)))
	}
	return out
}

// persona is the name that a message is headed with; empty is the app's own.
func persona(out bridge.Outgoing) string {
	return render.Truncate(strings.Join(strings.Fields(out.Persona), " "), personaMost, render.UTF16)
}

// resolver asks the bridge for native mentions.
func resolver(find func(string) (bridge.Native, bool)) render.Resolver {
	if find == nil {
		return nil
	}
	return func(token string) (render.Mention, bool) {
		n, ok := find(token)
		if !ok {
			return render.Mention{}, false
		}
		m := render.Mention{Kind: render.Person, ID: n.ID}
		if n.Kind == bridge.NativeChannel {
			m.Kind = render.Channel
		}
		return m, true
	}
}

func (a *Adapter) isPlain() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.plain
}

func (a *Adapter) setPlain() {
	a.mu.Lock()
	a.plain = true
	a.mu.Unlock()
	a.problem("chat:write.customize", "the Slack app lacks the scope chat:write.customize, so colleagues post under the app's name with theirs in front: add it under OAuth & Permissions, install the app again and start again")
}

// nameLine puts the colleague's name in front of a message that went out
// without.
func (a *Adapter) nameLine(ctx context.Context, out bridge.Outgoing, ts string) {
	out.Thread = ""
	err := a.ask(ctx, "chat.update", func(ctx context.Context) error {
		_, _, _, err := a.api.UpdateMessageContext(ctx, out.Place, ts, a.options(out, true)...)
		return err
	})
	if err != nil {
		a.log.Warn("a message stays without its colleague's name", "place", out.Place, "err", err)
	}
}

// postError decides what the end of a call means for the outbox.
func (a *Adapter) postError(e *callError) *bridge.PostError {
	failed := &bridge.PostError{Kind: bridge.PostUnknown, Reason: "Slack did not say whether it has it", Err: e}
	switch {
	case e.limited:
		failed.Kind, failed.After, failed.Reason = bridge.PostNotSent, e.after, "Slack asks to wait"
	case slices.Contains(badToken, e.code):
		failed.Kind, failed.After, failed.Reason = bridge.PostNotSent, blockedFor, "Slack does not accept the bot's token or rights"
		if stop := botFault(e); stop != nil && e.code == "missing_scope" {
			a.problem("chat:write", stop.Error())
		} else if stop != nil {
			a.die(stop)
		}
	case slices.Contains(passing, e.code): // parts of it may have been done
	case e.code != "":
		failed.Kind, failed.Reason = bridge.PostRefused, a.refusal(e.code)
		failed.Closed = slices.Contains(closing, e.code)
	case !e.reached:
		failed.Kind, failed.Reason = bridge.PostNotSent, "Slack cannot be reached"
	}
	return failed
}

// refusal says to a writer why Slack will not show something, and what mends it.
func (a *Adapter) refusal(code string) string {
	invite := "invite it there with /invite @" + a.self().Name
	said := map[string]string{
		"is_archived":         "the channel is archived; unarchive it or link another",
		"is_inactive":         "the channel is archived; unarchive it or link another",
		"channel_not_found":   "Slack knows no such channel, or the bot may not see it; " + invite + " or link another",
		"not_in_channel":      "the bot is not in the channel; " + invite,
		"restricted_action":   "the workspace's rules let the bot not post there; an admin of the workspace can change them",
		"msg_too_long":        "Slack finds it too long; make it shorter",
		"msg_blocks_too_long": "Slack finds it too long; make it shorter",
		"invalid_blocks":      "Slack does not take its form; write it more simply",
		"no_text":             "there is nothing to see in it",
		"thread_not_found":    "the thread is gone",
		"user_not_found":      "Slack knows no such person",
	}[code]
	if said == "" {
		return "Slack refused it (" + code + ")"
	}
	return said + " (" + code + ")"
}

var _ bridge.Limiter = (*Adapter)(nil)

// LeaveAlone posts nothing in a place until then. See bridge.Limiter.
func (a *Adapter) LeaveAlone(place string, until time.Time) { a.posts.leave(place, until) }

// Split cuts a text into parts that fit a message. See bridge.Poster.
func (a *Adapter) Split(text string) []string { return split(text) }

const (
	// A text below these is one part whatever is in it: each byte may become five
	// when escaped, each line two blocks.
	shortText, shortLines = (format.MaxText - margin) / 5 / 2, 20
)

func split(text string) []string {
	if len(text) <= shortText && strings.Count(text, "\n") < shortLines {
		return []string{text}
	}
	return render.Cut(text, format.MaxText-margin, format.Length)
}

// The rates of posting: about one a second in a channel with short bursts, several
// hundred a minute in the workspace (docs.slack.dev, apis/web-api/rate-limits).
// How short a burst is not documented: a place begins with placeBurst and has
// carefulBurst from the first time that Slack asks to wait there.
const (
	placeEvery, placeBurst         = time.Second, 10
	carefulBurst                   = 3
	workspaceEvery, workspaceBurst = 200 * time.Millisecond, 240
	// placesMost bounds the places whose rate is remembered.
	placesMost = 1000
)

// postRates paces posts. The zero value is ready.
type postRates struct {
	free      bool // there are none
	mu        sync.Mutex
	places    map[string]*rate.Limiter
	until     map[string]time.Time // places that Slack asked to leave alone
	workspace *rate.Limiter
}

// wait waits for a place's turn, or says how long it would take.
func (r *postRates) wait(ctx context.Context, place string) *bridge.PostError {
	if r.free {
		return nil
	}
	now := time.Now()
	turn, all, alone := r.reserve(place, now)
	failed := bridge.WaitTurn(ctx, max(turn.DelayFrom(now), all.DelayFrom(now), alone))
	if failed != nil {
		turn.CancelAt(now)
		all.CancelAt(now)
	}
	return failed
}

// note takes in how a post ended: where Slack asked to wait, the place is left alone
// that long, and its bursts are short from then on.
func (r *postRates) note(place string, e *callError) {
	if !e.limited {
		return
	}
	r.leave(place, time.Now().Add(e.after))
	r.mu.Lock()
	defer r.mu.Unlock()
	if l := r.places[place]; l != nil {
		l.SetBurst(carefulBurst)
	}
}

// leave leaves a place alone until then.
func (r *postRates) leave(place string, until time.Time) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.until == nil || len(r.until) > placesMost {
		r.until = map[string]time.Time{}
	}
	if until.After(r.until[place]) {
		r.until[place] = until
	}
}

func (r *postRates) reserve(place string, now time.Time) (turn, all *rate.Reservation, alone time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.places == nil || len(r.places) > placesMost {
		r.places = map[string]*rate.Limiter{}
	}
	if r.workspace == nil {
		r.workspace = rate.NewLimiter(rate.Every(workspaceEvery), workspaceBurst)
	}
	if r.places[place] == nil {
		r.places[place] = rate.NewLimiter(rate.Every(placeEvery), placeBurst)
	}
	return r.places[place].ReserveN(now, 1), r.workspace.ReserveN(now, 1), r.until[place].Sub(now)
}
