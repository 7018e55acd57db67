package slack

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/slack-go/slack"
	"golang.org/x/time/rate"

	"bullpen/bridge"
	"bullpen/internal/fault"
)

const (
	// A stream costs one call to begin and one to end, of about 20 a minute each in a
	// workspace (docs.slack.dev, reference/methods/chat.startStream, "Tier 2").
	streamEvery, streamBurst = 6 * time.Second, 5
	// growEvery is how often one stream grows, growsEvery all of them together.
	growEvery             = 1200 * time.Millisecond
	growsEvery, growBurst = 700 * time.Millisecond, 10
	// headMost is by how many letters the beginning of a stream is recognised.
	headMost = 160
	// cutOff ends a stream that no answer takes over.
	cutOff = "\n\n_(it goes on no further)_"
)

var (
	// noStreamEver are the codes that say that this app can have no streams.
	noStreamEver = []string{"missing_scope", "unknown_method", "not_allowed_token_type", "access_denied", "no_permission", "not_supported"}
	// streamOver are the codes of a stream that has ended: by us before, by itself after
	// some minutes, or by its reader.
	streamOver = []string{"message_not_in_streaming_state", "stopped_by_user"}
)

var _ bridge.Streamer = (*Adapter)(nil)

// newStreamRates pace streams: their beginnings, and all of what is added to them.
func newStreamRates() (begins, grows *rate.Limiter) {
	return rate.NewLimiter(rate.Every(streamEvery), streamBurst), rate.NewLimiter(rate.Every(growsEvery), growBurst)
}

// Streams says whether an answer can grow: in threads alone, in channels for somebody,
// and for some ten answers a minute. See bridge.Streamer.
func (a *Adapter) Streams(out bridge.Outgoing) bool {
	direct := strings.HasPrefix(out.Place, "D")
	if a.opt.Whole || out.Thread == "" || !direct && out.For == "" || a.isPlain() || a.noStreams() {
		return false
	}
	return a.begins.Allow()
}

// Replaces is false: to a stream text is added. See bridge.Streamer.
func (a *Adapter) Replaces() bool { return false }

func (a *Adapter) noStreams() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.streamless
}

// Begin starts a stream under the colleague's name. See bridge.Streamer.
func (a *Adapter) Begin(ctx context.Context, out bridge.Outgoing) (bridge.Posted, error) {
	me, err := a.identify(ctx)
	if err != nil {
		return bridge.Posted{}, &bridge.PostError{Kind: bridge.PostNotSent, Reason: "Slack cannot be asked", Err: err}
	}
	opts := []slack.MsgOption{slack.MsgOptionTS(out.Thread), slack.MsgOptionMarkdownText(harmless(out.Text))}
	if !strings.HasPrefix(out.Place, "D") {
		opts = append(opts, slack.MsgOptionRecipientUserID(out.For), slack.MsgOptionRecipientTeamID(me.TeamID))
	}
	if name := persona(out); name != "" {
		opts = append(opts, slack.MsgOptionUsername(name))
	}
	once, at := watched(ctx)
	_, ts, err := a.api.StartStreamContext(once, out.Place, opts...)
	if err == nil {
		return bridge.Posted{ID: ts, Thread: out.Thread}, nil
	}
	e := a.explain("chat.startStream", err, at)
	if slices.Contains(noStreamEver, e.code) { // it is not asked again
		a.mu.Lock()
		a.streamless = true
		a.mu.Unlock()
		return bridge.Posted{}, &bridge.PostError{Kind: bridge.PostNotSent, Reason: "this app has no streams", Err: e}
	}
	return bridge.Posted{}, a.postError(e)
}

// Grow adds what is new to a stream. See bridge.Streamer.
func (a *Adapter) Grow(ctx context.Context, ts string, out bridge.Outgoing, before string) (time.Duration, error) {
	if err := a.grows.Wait(ctx); err != nil {
		return 0, err
	}
	more := strings.TrimPrefix(harmless(out.Text), harmless(before))
	once, at := watched(ctx)
	if _, _, err := a.api.AppendStreamContext(once, out.Place, ts, slack.MsgOptionMarkdownText(more)); err != nil {
		return 0, a.explain("chat.appendStream", err, at)
	}
	return growEvery, nil
}

// Finish ends a stream and makes it look like any other message. See bridge.Streamer.
func (a *Adapter) Finish(ctx context.Context, ts string, out bridge.Outgoing) error {
	if err := a.stop(ctx, ts, out.Place); err != nil {
		return err
	}
	if err := a.Edit(ctx, ts, out); err != nil {
		return err
	}
	if persona(out) != "" && out.Thread != "" && !a.isPlain() && !a.noStreams() {
		a.later.Do(func(ctx context.Context) { a.checkFace(ctx, out, ts) })
	}
	return nil
}

// checkFace looks whether a message still has its colleague's name: Slack is reported to
// take it away with a change (openclaw issue 58737). Where it does so this one gets a
// name line, and there are no more streams.
func (a *Adapter) checkFace(ctx context.Context, out bridge.Outgoing, ts string) {
	a.mu.Lock()
	known := a.keepsFace
	a.mu.Unlock()
	if known {
		return
	}
	var page []slack.Message
	err := a.read(ctx, "conversations.replies", func(ctx context.Context) (err error) {
		page, _, _, err = a.api.GetConversationRepliesContext(ctx, &slack.GetConversationRepliesParameters{
			ChannelID: out.Place, Timestamp: out.Thread, Oldest: ts, Latest: ts, Inclusive: true, Limit: readPage,
		})
		return err
	})
	i := slices.IndexFunc(page, func(m slack.Message) bool { return m.Timestamp == ts })
	if err != nil || i < 0 {
		return // the next one is looked at
	}
	keeps := page[i].Username != "" || page[i].SubType == "bot_message"
	a.mu.Lock()
	a.keepsFace, a.streamless = keeps, !keeps
	a.mu.Unlock()
	if !keeps {
		a.problem("streams", "Slack takes a colleague's name away from a message that was streamed, so answers come whole: nothing has to be done")
		a.nameLine(ctx, out, ts)
	}
}

// Break ends a stream where it is. See bridge.Streamer.
func (a *Adapter) Break(ctx context.Context, ts string, out bridge.Outgoing) error {
	return a.stop(ctx, ts, out.Place, slack.MsgOptionMarkdownText(cutOff))
}

// stop ends a stream; one that has ended is none of its errors.
func (a *Adapter) stop(ctx context.Context, ts, place string, opts ...slack.MsgOption) error {
	fault.Point("slack.stop.before")
	err := a.change(ctx, "chat.stopStream", func(ctx context.Context) error {
		_, _, err := a.api.StopStreamContext(ctx, place, ts, opts...)
		return err
	})
	fault.Point("slack.stop.after")
	if slices.Contains(streamOver, codeOf(err)) {
		return nil
	}
	return err
}

// harmless is Markdown in which nothing calls a channel, a group or a person: what
// makes a mention of Slack's is parted by a blank that nobody sees. A longer text
// begins with what a shorter one gives.
func harmless(text string) string {
	return strings.NewReplacer("<!", "<\u200b!", "<@", "<\u200b@", "<#", "<\u200b#").Replace(text)
}

// beginsWith says whether a message of ours is a stream that began with head: only
// letters and digits are compared, since Slack keeps no Markdown.
func beginsWith(m *slack.Msg, head string) bool {
	want := bridge.Letters(head, headMost)
	return m.Metadata.EventType == "" && want != "" && strings.HasPrefix(bridge.Letters(m.Text, headMost), want)
}
