package discord

import (
	"context"
	"net/http"
	"strings"
	"sync"

	"bullpen/adapters/discord/format"
	"bullpen/bridge"
	"bullpen/bridge/render"
)

const (
	// archiveAfter is how long a thread of ours stays open without a word, in
	// minutes: three days (resources/channel, start thread from message).
	archiveAfter = 4320
	// titlesMost bounds the texts that are remembered as titles of threads.
	titlesMost = 2000
	// untitled is the name of a thread whose first message has no words.
	untitled = "Thread"
)

// titles remembers where messages stand and how they begin, for the names of
// threads that begin with them, and which is the newest of each channel. The zero value is ready.
type titles struct {
	mu     sync.Mutex
	of     map[string]said
	newest map[string]string
}

// said is where a message stands and how it begins.
type said struct{ channel, title string }

// saw notes a message of a channel or a thread.
func (t *titles) saw(channel, id string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.newest == nil || len(t.newest) >= titlesMost {
		t.newest = map[string]string{}
	}
	if number(id) > number(t.newest[channel]) {
		t.newest[channel] = id
	}
}

// last says whether nothing is known to stand behind a message.
func (t *titles) last(channel, id string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.newest[channel] == id
}

func (t *titles) keep(channel, id, text string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.of == nil || len(t.of) >= titlesMost {
		t.of = map[string]said{}
	}
	t.of[id] = said{channel, title(text)}
}

func (t *titles) find(id string) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.of[id].title
}

// stands is the channel or thread in which a message stands; empty if it is not
// remembered.
func (t *titles) stands(id string) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.of[id].channel
}

// title makes a thread's name of a text.
func title(text string) string {
	doc := render.Parse(text, render.Options{})
	words := strings.Join(strings.Fields(doc.Text()), " ")
	return orElse(render.Truncate(words, format.MaxThreadName, render.UTF16), untitled)
}

// target is where a message goes: a channel or a thread, as an answer to a message
// there or not.
type target struct {
	guild  string // the server, whose id stands in links to messages
	place  string // the portal's channel
	thread string // in it; may be empty
	reply  string
	direct bool
	post   bool // it begins a post of a forum
	mute   bool // it pings nobody
}

// channel is what Discord calls it.
func (t target) channel() string { return orElse(t.thread, t.place) }

// target finds out where a message goes, without changing anything.
func (a *Adapter) target(ctx context.Context, out bridge.Outgoing) (t target, err error) {
	room, known, err := a.lookUp(ctx, out.Place)
	if err != nil {
		return t, err
	}
	// The channel tells its server also before Run has found it: what was sent is
	// looked up as soon as the office is open, and has to be recognised then.
	t = target{guild: orElse(room.Guild, a.guild()), place: out.Place, reply: out.ReplyTo}
	switch {
	case known && room.Type == directMessage:
		t.direct = true
	case out.Thread == "":
		t.post = room.posts()
	case room.posts():
		t.thread, t.reply = out.Thread, ""
	default:
		there, ok, err := a.lookUp(ctx, out.Thread)
		if err != nil {
			return t, err
		}
		if ok && there.thread() {
			t.thread, t.reply = out.Thread, ""
		} else {
			t.reply = out.Thread // a thread of the office's that is none of Discord's yet
		}
	}
	return t, nil
}

// inThread says whether a place answers in threads.
func (a *Adapter) inThread(ctx context.Context, place string) bool {
	p, ok, err := a.attached().Office().Portal(ctx, portalID(place))
	return err == nil && ok && p.ReplyInThread
}

// begin makes a thread of the message that a thread of the office's begins with.
// Where that is not possible any more the answer stands in the channel.
func (a *Adapter) begin(ctx context.Context, t target) (target, *callError) {
	body := map[string]any{"name": a.titleOf(ctx, t.place, t.reply), "auto_archive_duration": archiveAfter}
	var made channel
	err := a.once(ctx, http.MethodPost, "channels/"+t.place+"/messages/"+t.reply+"/threads", body, &made)
	switch {
	case err == nil:
		a.putRoom(made)
	case err.code == threadExists:
		made = channel{ID: t.reply, Type: publicThread, Parent: t.place, Guild: a.guild()}
		a.putRoom(made)
	case err.code == unknownMessage:
		t.reply = ""
		return t, nil
	case err.code == missingPermissions:
		a.problem("threads "+t.place, "the bot may make no threads in "+a.shown(t.place)+", so it answers there in the channel: give it the right Create Public Threads")
		return t, nil
	default:
		return t, err
	}
	t.thread, t.reply = t.reply, ""
	return t, nil
}

// shown is how people call a channel.
func (a *Adapter) shown(id string) string {
	if c, ok := a.room(id); ok && c.Name != "" {
		return "#" + c.Name
	}
	return id
}

// titleOf is the name of the thread that begins with a message.
func (a *Adapter) titleOf(ctx context.Context, place, id string) string {
	if t := a.titles.find(id); t != "" {
		return t
	}
	var m message
	if err := a.once(ctx, http.MethodGet, "channels/"+place+"/messages/"+id, nil, &m); err != nil {
		return untitled
	}
	text, _ := format.Decode(content(&m), a.known(ctx, &m))
	return title(text)
}
