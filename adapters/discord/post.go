package discord

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"bullpen/adapters/discord/format"
	"bullpen/bridge"
	"bullpen/bridge/render"
)

const (
	// margin is the room in a part for native mentions, a name line and a line that
	// says what is answered.
	margin = 350
	// hidePreviews is the flag that keeps links from growing pictures
	// (resources/message, message flags).
	hidePreviews = 1 << 2
	// nonceSize is the length of a nonce (resources/message, create message).
	nonceSize = 24
	// againMark begins what may be a second copy.
	againMark = "(possibly again) "
)

// payload is a message as the API wants it (resources/message, create message;
// resources/webhook, execute webhook).
type payload struct {
	Content    string   `json:"content"`
	Username   string   `json:"username,omitempty"`
	Allowed    allowed  `json:"allowed_mentions"`
	Flags      int      `json:"flags,omitempty"`
	Nonce      string   `json:"nonce,omitempty"`
	Enforce    bool     `json:"enforce_nonce,omitempty"`
	Reference  *replyTo `json:"message_reference,omitempty"`
	Components []any    `json:"components,omitempty"`
	ThreadName string   `json:"thread_name,omitempty"`
}

// allowed says whom a message may ping: those of the list and nobody else,
// whatever its text holds.
type allowed struct {
	Parse   []string `json:"parse"`
	Users   []string `json:"users,omitempty"`
	Replied bool     `json:"replied_user"`
}

type replyTo struct {
	Message string `json:"message_id"`
	Strict  bool   `json:"fail_if_not_exists"`
}

// nobody may be pinged.
func nobody() allowed { return allowed{Parse: []string{}} }

// turn takes a call's turn within bridge.TurnMost, or says how long it would take.
func (a *Adapter) turn(ctx context.Context, r route) *callError {
	for waited := time.Duration(0); ; {
		wait := a.limits.turn(r, a.now())
		if wait <= 0 {
			return nil
		}
		deadline, bounded := ctx.Deadline()
		if waited += wait; waited > bridge.TurnMost || bounded && a.now().Add(wait).After(deadline) {
			return &callError{route: r.shown, limited: true, after: wait, err: errors.New("too many calls at once")}
		}
		if err := bridge.Pause(ctx, wait); err != nil {
			return &callError{route: r.shown, err: err}
		}
	}
}

// once makes a call once, when its turn comes soon.
func (a *Adapter) once(ctx context.Context, method, path string, body, out any) *callError {
	if err := a.turn(ctx, routeOf(method, path)); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	return a.call(ctx, method, path, body, out)
}

var _ bridge.Limiter = (*Adapter)(nil)

// LeaveAlone posts nothing in a channel and its threads until then. See bridge.Limiter.
func (a *Adapter) LeaveAlone(place string, until time.Time) { a.limits.leave(place, until) }

// alone says that a channel is to be left alone now, if it is. What Discord asked for
// before this process is known by its place alone.
func (a *Adapter) alone(place string) *callError {
	wait := a.limits.left(place, a.now())
	if wait <= 0 {
		return nil
	}
	return &callError{route: "POST channels/*/messages", limited: true, after: wait, err: errors.New("a wait that Discord asked for is not over")}
}

// Post shows one part of a message. See bridge.Poster.
func (a *Adapter) Post(ctx context.Context, out bridge.Outgoing) (bridge.Posted, error) {
	at, _, err := a.put(ctx, out, false)
	return at, err
}

// put shows a part, which pings nobody if it is mute. The error is a *bridge.PostError.
func (a *Adapter) put(ctx context.Context, out bridge.Outgoing, mute bool) (bridge.Posted, *message, error) {
	if e := a.alone(out.Place); e != nil {
		return bridge.Posted{}, nil, a.postError(e, false)
	}
	if err := a.identify(ctx); err != nil {
		return bridge.Posted{}, nil, a.before(err)
	}
	t, err := a.target(ctx, out)
	if err != nil {
		return bridge.Posted{}, nil, a.before(err)
	}
	t.mute = mute
	if t.reply != "" && !t.direct && out.Thread != "" && a.inThread(ctx, t.place) {
		var e *callError
		if t, e = a.begin(ctx, t); e != nil {
			return bridge.Posted{}, nil, a.postError(e, false)
		}
	}
	m, failed := a.post(ctx, t, out)
	if failed != nil {
		if failed.Closed {
			a.problem("place "+t.place, fmt.Sprintf("nothing can be shown in %s: %s", a.shown(t.place), failed.Reason))
		}
		return bridge.Posted{}, nil, failed
	}
	a.titles.keep(t.channel(), m.ID, out.Text)
	a.titles.saw(t.channel(), m.ID)
	if t.post {
		// The thread has the id of its first message (topics/threads, forums); what
		// people write in it names the thread.
		m.ID = orElse(m.Channel, m.ID)
		a.putRoom(channel{ID: m.ID, Type: publicThread, Parent: t.place, Guild: a.guild()})
	}
	return bridge.Posted{ID: m.ID, Thread: t.thread}, m, nil
}

// before is what an error means that came before anything was sent.
func (a *Adapter) before(err error) error {
	var e *callError
	if errors.As(err, &e) {
		return a.postError(e, false)
	}
	return &bridge.PostError{Kind: bridge.PostNotSent, Reason: "Discord cannot be asked", Err: err}
}

// post sends by the channel's webhook, or, where there is none, as the bot.
func (a *Adapter) post(ctx context.Context, t target, out bridge.Outgoing) (*message, *bridge.PostError) {
	for again := false; out.Persona != "" && !t.direct; again = true {
		w, ok, err := a.hook(ctx, t.place)
		if err != nil {
			return nil, a.postError(err, false)
		}
		if !ok {
			break
		}
		m, err := a.execute(ctx, w, t, out)
		gone := hookGone(err)
		switch {
		case err == nil:
			return m, nil
		case gone && !again:
			a.log.Info("a webhook is gone; there will be another", "channel", t.place)
			a.hooks.forget(t.place)
			continue
		case gone:
			return nil, &bridge.PostError{Kind: bridge.PostNotSent, After: turnedAway, Reason: "the channel's webhook is gone, and so was its successor", Err: err}
		}
		return nil, a.lost(t, err)
	}
	m, err := a.speak(ctx, t, out)
	if err != nil {
		return nil, a.lost(t, err)
	}
	return m, nil
}

// lost is what a failed post means. What is wrong with a thread says nothing of its
// channel.
func (a *Adapter) lost(t target, e *callError) *bridge.PostError {
	failed := a.postError(e, true)
	if t.thread == "" || failed.Kind != bridge.PostRefused {
		return failed
	}
	switch e.code {
	case unknownChannel:
		a.dropRoom(t.thread)
		failed.Closed, failed.Reason = false, "the thread is gone (10003)"
	case missingAccess, missingPermissions:
		failed.Closed = false
	}
	return failed
}

// execute posts through a webhook.
func (a *Adapter) execute(ctx context.Context, w hook, t target, out bridge.Outgoing) (*message, *callError) {
	p := a.payload(t, out, "", a.quoted(t))
	p.Username = persona(out.Persona)
	path := "webhooks/" + w.ID + "/" + w.Token + "?wait=true"
	if t.thread != "" {
		path += "&thread_id=" + t.thread
	}
	if t.post {
		p.ThreadName = titled(out)
	}
	return a.sent(ctx, path, p, out.File)
}

// speak posts as the bot, with the colleague's name in front. The nonce keeps
// Discord from taking the same part twice within a few minutes.
func (a *Adapter) speak(ctx context.Context, t target, out bridge.Outgoing) (*message, *callError) {
	p := a.payload(t, out, persona(out.Persona), "")
	p.Nonce, p.Enforce = nonce(out.Key), true
	if t.reply != "" {
		p.Reference = &replyTo{Message: t.reply}
	}
	if !t.post {
		return a.sent(ctx, "channels/"+t.channel()+"/messages", p, out.File)
	}
	p.Nonce, p.Enforce = "", false
	var made channel
	body := map[string]any{"name": titled(out), "auto_archive_duration": archiveAfter, "message": p}
	if err := a.once(ctx, http.MethodPost, "channels/"+t.place+"/threads", body, &made); err != nil {
		return nil, err
	}
	if made.Message == nil {
		made.Message = &message{ID: made.ID, Channel: made.ID}
	}
	return made.Message, nil
}

// sent makes the call that shows a message, with its file if it has one.
func (a *Adapter) sent(ctx context.Context, path string, p payload, file *bridge.Attachment) (*message, *callError) {
	var m message
	body := any(p)
	if file != nil {
		body = withFile{p, file}
	}
	if err := a.once(ctx, http.MethodPost, path, body, &m); err != nil {
		return nil, err
	}
	if m.ID == "" {
		return nil, &callError{route: "POST", reached: true, err: errors.New("the answer names no message")}
	}
	return &m, nil
}

// titled is the name of the post of a forum that a message begins.
func titled(out bridge.Outgoing) string {
	if out.Text == "" && out.File != nil {
		return title(out.File.Name)
	}
	return title(out.Text)
}

// nonce is the same for every attempt at a part.
func nonce(key string) string {
	sum := sha256.Sum256([]byte(key))
	return hex.EncodeToString(sum[:])[:nonceSize]
}

// payload is a message under a name, which is empty where Discord shows it by
// itself, behind a line that says what it answers, if that is set.
func (a *Adapter) payload(t target, out bridge.Outgoing, name, quoted string) payload {
	content, users := compose(out, name, quoted)
	if t.mute {
		users = nil
	}
	return payload{Content: content, Allowed: allowed{Parse: []string{}, Users: users}, Flags: hidePreviews, Components: buttons(decidePrefix, out.Buttons)}
}

// compose is what a message says, and whom it may ping.
func compose(out bridge.Outgoing, name, quoted string) (string, []string) {
	text, users := composed(out, name, quoted, out.Mentions)
	if render.UTF16(text) > format.MaxText || len(users) > format.MaxMentions { // many mentions of long names
		text, users = composed(out, name, quoted, nil)
	}
	return text, users
}

func composed(out bridge.Outgoing, name, quoted string, find func(string) (bridge.Native, bool)) (string, []string) {
	var users []string
	var resolve render.Resolver
	if find != nil {
		resolve = func(token string) (render.Mention, bool) {
			n, ok := find(token)
			if !ok {
				return render.Mention{}, false
			}
			if n.Kind == bridge.NativeChannel {
				return render.Mention{Kind: render.Channel, ID: n.ID}, true
			}
			if !slices.Contains(users, n.ID) {
				users = append(users, n.ID)
			}
			return render.Mention{Kind: render.Person, ID: n.ID}, true
		}
	}
	var b strings.Builder
	b.WriteString(quoted)
	if name != "" {
		b.WriteString("**" + format.Escape(name) + "**\n")
	}
	if out.Again {
		b.WriteString(format.Escape(againMark))
	}
	b.WriteString(format.Write(render.Parse(out.Text, render.Options{Mentions: resolve})))
	return strings.TrimSpace(b.String()), users
}

// quoted is the line that says what a message answers, where Discord cannot show
// that by itself: a webhook replies to nothing. What stands right behind it needs
// none.
func (a *Adapter) quoted(t target) string {
	if t.reply == "" || a.titles.last(t.channel(), t.reply) {
		return ""
	}
	return quote(t)
}

func quote(t target) string {
	return quoteMark + "https://discord.com/channels/" + t.guild + "/" + t.channel() + "/" + t.reply + "\n"
}

// Split cuts a text into parts that fit a message. See bridge.Poster.
func (a *Adapter) Split(text string) []string {
	return render.Cut(text, format.MaxText-margin, format.Length)
}
