package discord

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"bullpen/adapters/discord/format"
	"bullpen/bridge"
	"bullpen/bridge/render"
	"bullpen/office"
)

const (
	// boardName is what the channel of the office's status is called when it is made;
	// boardTopic, at the beginning of its topic, is by what it is known.
	boardName  = "office-status"
	boardTopic = "The office's status, kept by Bullpen."
	// boardEvery is the least time between two changes of the status message: it takes
	// what the limit on changes has to spare.
	boardEvery = 15 * time.Second
	// boardLook is how often it is looked at when nothing happens.
	boardLook = time.Minute
	// boardPage is how many messages are searched for ours.
	boardPage = 50
)

// board is the message that shows the office's status, changed where it stands. It
// belongs to one goroutine, but for knock.
type board struct {
	knock   chan struct{} // holds a token when there may be a channel for it
	message string        // id; empty: not known yet
	channel string        // in which it stands
	shown   string
}

func newBoard() board { return board{knock: make(chan struct{}, 1)} }

// boardRoom is the channel of the status.
func (a *Adapter) boardRoom() (channel, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, c := range a.home.rooms {
		if c.Type == guildText && strings.HasPrefix(c.Topic, boardTopic) {
			return c, true
		}
	}
	return channel{}, false
}

// lookAtBoard says that there may be a channel for the status by now.
func (a *Adapter) lookAtBoard() {
	select {
	case a.board.knock <- struct{}{}:
	default:
	}
}

// keepBoard shows the office's status wherever there is a channel for it, until ctx
// ends.
func (a *Adapter) keepBoard(ctx context.Context) {
	n := int64(0)
	for ctx.Err() == nil {
		c, ok := a.boardRoom()
		if !ok {
			select {
			case <-a.board.knock:
			case <-ctx.Done():
			}
			continue
		}
		if err := a.showBoard(ctx, c.ID); err != nil && ctx.Err() == nil {
			a.log.Info("the status could not be shown", "channel", c.ID, "err", err)
		}
		if bridge.Pause(ctx, boardEvery) != nil {
			return
		}
		n = a.somethingHappened(ctx, n)
	}
}

// somethingHappened waits until something happens after n, but not for long, and
// gives the number from which on to wait the next time.
func (a *Adapter) somethingHappened(ctx context.Context, n int64) int64 {
	some, cancel := context.WithTimeout(ctx, boardLook)
	defer cancel()
	o := a.attached().Office()
	news, err := o.Happened(some, n)
	switch {
	case len(news) > 0:
		return news[len(news)-1].N
	case errors.Is(err, office.ErrBehind):
		if _, now, err := o.Working(ctx); err == nil {
			return now
		}
	case err != nil && some.Err() == nil:
		_ = bridge.Pause(some, boardLook) // the office is closing: ctx ends soon
	}
	return n
}

// showBoard shows the status as it is now, if it is another than what is shown.
func (a *Adapter) showBoard(ctx context.Context, room string) error {
	text, err := a.attached().Status(ctx, platform)
	b := &a.board
	if err != nil || b.channel == room && b.message != "" && text == b.shown {
		return err
	}
	if b.channel != room {
		b.channel, b.message = room, ""
	}
	if b.message == "" {
		if b.message, err = a.findBoard(ctx, room); err != nil {
			return err
		}
	}
	path := "channels/" + room + "/messages"
	body := payload{Content: a.boardText(text), Allowed: nobody(), Flags: hidePreviews | silent}
	if b.message != "" {
		e := a.once(ctx, http.MethodPatch, path+"/"+b.message, map[string]any{"content": body.Content, "allowed_mentions": body.Allowed}, nil)
		switch {
		case e == nil:
			b.shown = text
			return nil
		case e.code != unknownMessage:
			return e
		}
		b.message = "" // somebody deleted it
	}
	var m message
	if e := a.once(ctx, http.MethodPost, path, body, &m); e != nil {
		return e
	}
	b.message, b.shown = m.ID, text
	return nil
}

// findBoard finds the message that an earlier process showed; empty: there is none.
func (a *Adapter) findBoard(ctx context.Context, room string) (string, error) {
	var there []message
	path := fmt.Sprintf("channels/%s/messages?limit=%d", room, boardPage)
	if e := a.once(ctx, http.MethodGet, path, nil, &there); e != nil {
		return "", e
	}
	for i := range there {
		if m := &there[i]; m.Author != nil && m.Author.ID == a.self().User && m.Webhook == "" {
			return m.ID, nil
		}
	}
	return "", nil
}

// boardText is the status as it is shown, with when that was.
func (a *Adapter) boardText(text string) string {
	when := fmt.Sprintf("\n-# <t:%d:R>", a.now().Unix())
	parts := render.Split(render.Literal(text, render.Options{}), format.MaxText-len(when), format.Length)
	return format.Write(parts[0]) + when
}

// buildBoard makes the channel of the status, in which the bot alone writes.
func (a *Adapter) buildBoard(ctx context.Context, category channel, made []string) ([]string, error) {
	defer a.lookAtBoard()
	write := fmt.Sprint(sendMessages)
	body := map[string]any{
		"name": boardName, "type": guildText, "parent_id": category.ID, "topic": boardTopic,
		"permission_overwrites": []any{
			map[string]any{"id": a.guild(), "type": 0, "deny": write}, // everybody
			map[string]any{"id": a.self().User, "type": 1, "allow": write},
		},
	}
	if _, err := a.makeRoom(ctx, body); err != nil {
		return made, err
	}
	return append(made, "#"+boardName), nil
}

// sendMessages is the right to write (topics/permissions).
const sendMessages = 1 << 11
