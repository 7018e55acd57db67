package discord

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"bullpen/bridge"
)

// lookTime bounds the asking for a channel that an event names and we do not know.
const lookTime = 5 * time.Second

// dispatch hands one event to its lane. It runs on one goroutine, in the order in
// which Discord sent the events.
func (c *connection) dispatch(work context.Context, kind string, raw json.RawMessage) {
	a := c.a
	switch kind {
	case "READY":
		c.greet(work, raw)
	case "GUILD_CREATE", "GUILD_DELETE":
		c.server(work, kind, raw)
	case "CHANNEL_CREATE", "CHANNEL_UPDATE", "CHANNEL_DELETE", "THREAD_CREATE", "THREAD_UPDATE", "THREAD_DELETE":
		c.roomChanged(work, kind, raw)
	case "THREAD_LIST_SYNC":
		var list struct {
			Threads []channel `json:"threads"`
		}
		if decode(raw, &list) == nil {
			for _, t := range list.Threads {
				a.putRoom(t)
			}
		}
	case "GUILD_ROLE_CREATE", "GUILD_ROLE_UPDATE", "GUILD_ROLE_DELETE":
		c.roleChanged(work, kind, raw)
	case "MESSAGE_CREATE", "MESSAGE_UPDATE", "MESSAGE_DELETE":
		var m message
		if decode(raw, &m) == nil && m.Channel != "" && m.ID != "" {
			c.messageJob(work, kind, m)
		}
	case "MESSAGE_DELETE_BULK":
		var d struct {
			IDs     []string `json:"ids"`
			Channel string   `json:"channel_id"`
		}
		if decode(raw, &d) == nil {
			for _, id := range d.IDs {
				c.messageJob(work, "MESSAGE_DELETE", message{ID: id, Channel: d.Channel})
			}
		}
	case "INTERACTION_CREATE":
		var i interaction
		if decode(raw, &i) == nil && i.ID != "" && i.Token != "" {
			a.interacted(work, &i)
		}
	}
}

// messageJob puts what concerns one message into the lane of its portal.
func (c *connection) messageJob(work context.Context, kind string, m message) {
	a := c.a
	ctx, cancel := context.WithTimeout(c.ctx, lookTime)
	at, ok, err := a.standsIn(ctx, m.Channel, m.Guild == "")
	cancel()
	if err != nil {
		if c.ctx.Err() == nil {
			c.end(fmt.Errorf("a channel cannot be looked up: %w", err))
		}
		return
	}
	if !ok {
		return
	}
	j := bridge.Job{What: kind, Run: func() {
		if c.ctx.Err() != nil {
			return // it is read back
		}
		var err error
		switch kind {
		case "MESSAGE_CREATE":
			err = a.said(work, at, &m)
		case "MESSAGE_UPDATE":
			err = a.edited(work, at, &m)
		default:
			err = a.deleted(work, at, &m)
		}
		if err != nil && c.ctx.Err() == nil {
			a.log.Warn("an event of Discord's could not be kept", "event", kind, "err", a.scrub.Error(err))
			c.end(err)
		}
	}}
	if kind == "MESSAGE_CREATE" {
		j.Failed = func() { a.apologise(at, &m) }
	}
	if !a.lanes.Add(at.place, j) {
		c.end(fmt.Errorf("too many events of Discord's wait"))
	}
}

// spot is where a message stands: a portal's place, and the thread in it, if any.
type spot struct {
	place, thread string
	direct        bool
}

// channel is what Discord calls it.
func (s spot) channel() string { return orElse(s.thread, s.place) }

// standsIn finds where messages of a channel stand; ok is false for another
// server's, or one that we may not see.
func (a *Adapter) standsIn(ctx context.Context, id string, mayBeDirect bool) (s spot, ok bool, err error) {
	if mayBeDirect {
		if _, here := a.room(id); !here {
			if p, known, err := a.attached().Office().Portal(ctx, portalID(id)); err != nil || known && p.Person != "" {
				return spot{place: id, direct: true}, err == nil, err
			}
		}
	}
	c, ok, err := a.lookUp(ctx, id)
	switch {
	case err != nil || !ok:
		return s, false, err
	case c.Type == directMessage:
		return spot{place: id, direct: true}, true, nil
	case c.Guild != "" && c.Guild != a.guild():
		return s, false, nil
	case c.thread():
		return spot{place: c.Parent, thread: id}, true, nil
	}
	return spot{place: id}, true, nil
}

// server takes in that the server is there, or no longer.
func (c *connection) server(work context.Context, kind string, raw json.RawMessage) {
	a := c.a
	var g guild
	if decode(raw, &g) != nil || g.ID == "" {
		return
	}
	switch {
	case a.guild() == "" && a.opt.Guild == "" && kind == "GUILD_CREATE":
		c.end(fmt.Errorf("the bot was added to the server %s", g.Name)) // everything is looked at anew
	case g.ID != a.guild():
	case kind == "GUILD_DELETE" && g.Unavailable:
		a.problem("server", "Discord has an outage on this server; what is said meanwhile is read when it is over")
	case kind == "GUILD_DELETE":
		a.problem("server", "the bot was taken off the server: "+a.invite())
	case g.Unavailable:
	case !c.isLive():
		a.settle(&g)
		a.problem("server", "")
		c.begin(work)
	default: // it was away
		a.problem("server", "")
		c.end(errDropped)
	}
}

// roomChanged takes in what became of a channel or a thread.
func (c *connection) roomChanged(work context.Context, kind string, raw json.RawMessage) {
	a := c.a
	var r channel
	if decode(raw, &r) != nil || r.ID == "" || r.Guild != "" && r.Guild != a.guild() {
		return
	}
	if kind == "CHANNEL_DELETE" || kind == "THREAD_DELETE" {
		a.dropRoom(r.ID)
		a.hooks.forget(r.ID)
		if kind == "CHANNEL_DELETE" {
			a.lanes.Add(r.ID, bridge.Job{What: kind, Run: func() { a.closed(work, r.ID) }})
		}
		return
	}
	a.putRoom(r)
	if kind == "CHANNEL_UPDATE" || kind == "CHANNEL_CREATE" {
		a.hooks.allow(r.ID)
		a.lanes.Add(r.ID, bridge.Job{What: kind, Run: func() {
			if err := a.relink(work, r.ID); err != nil {
				a.log.Warn("a channel could not be linked", "place", r.ID, "err", err)
			}
		}})
	}
}

// closed tells of a linked place that is gone.
func (a *Adapter) closed(ctx context.Context, place string) {
	if p, ok, err := a.attached().Office().Portal(ctx, portalID(place)); err == nil && ok {
		a.problem("channel "+string(p.Channel), fmt.Sprintf("the Discord channel of #%s was deleted: link another under adapters.discord.channels", p.Channel))
	}
}

// roleChanged takes in what became of a role, and with it of our rights.
func (c *connection) roleChanged(work context.Context, kind string, raw json.RawMessage) {
	a := c.a
	var e struct {
		Guild string `json:"guild_id"`
		Role  role   `json:"role"`
		ID    string `json:"role_id"`
	}
	if decode(raw, &e) != nil || e.Guild != a.guild() {
		return
	}
	a.mu.Lock()
	if kind == "GUILD_ROLE_DELETE" {
		delete(a.home.roles, e.ID)
	} else if a.home.roles != nil && e.Role.ID != "" {
		a.home.roles[e.Role.ID] = e.Role
	}
	a.mu.Unlock()
	a.hooks.allow("")
	a.lanes.Add("gateway", bridge.Job{What: kind, Run: func() {
		if err := a.relink(work, ""); err != nil {
			a.log.Warn("channels could not be linked", "err", err)
		}
	}})
}
