package discord

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"bullpen/office/wake"
)

// threadsMost bounds the threads that are remembered; others are asked for.
const threadsMost = 20_000

// home is what we know of the server: its channels, the threads that are open, its
// roles.
type home struct {
	ID, Name string
	rooms    map[string]channel
	threads  map[string]channel
	none     map[string]bool // messages that began no thread
	roles    map[string]role
	made     map[string]string // roles that setup made or found, by what they stand for
}

// guild is the server's id; empty before it was found.
func (a *Adapter) guild() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.home.ID
}

// invite says how the bot gets onto the server.
func (a *Adapter) invite() string {
	return fmt.Sprintf("open https://discord.com/oauth2/authorize?client_id=%s&scope=bot+applications.commands&permissions=%d and choose it", a.self().App, Permissions)
}

// Permissions are the rights that an invitation asks for (topics/permissions):
// to see, read, write, react, send files, make threads and write in them, manage
// messages, channels, roles, threads and webhooks.
const Permissions = 1<<4 | 1<<6 | 1<<10 | 1<<11 | 1<<13 | 1<<14 | 1<<15 | 1<<16 | 1<<28 | 1<<29 | 1<<34 | 1<<35 | 1<<38

// findHome finds the server, and reads its channels, open threads and roles.
func (a *Adapter) findHome(ctx context.Context) error {
	id := a.opt.Guild
	if id == "" {
		var mine []guild
		if err := a.ask(ctx, http.MethodGet, "users/@me/guilds", nil, &mine); err != nil {
			return err
		}
		switch {
		case len(mine) == 0:
			a.problem("server", "the bot is on no server: "+a.invite())
			return nil
		case len(mine) > 1:
			var names []string
			for _, g := range mine {
				names = append(names, fmt.Sprintf("%s (%s)", g.Name, g.ID))
			}
			a.problem("server", "the bot is on several servers, "+strings.Join(names, ", ")+": write the id of the office's under adapters.discord.guild")
			return nil
		}
		id = mine[0].ID
	}
	var g guild
	err := a.ask(ctx, http.MethodGet, "guilds/"+id, nil, &g)
	if code := codeOf(err); code == unknownGuild || code == missingAccess {
		a.mu.Lock()
		a.home.ID = id
		a.mu.Unlock()
		a.problem("server", "the bot is not on the server of adapters.discord.guild: "+a.invite())
		return nil
	}
	if err != nil {
		return err
	}
	g.ID = id
	if err := a.ask(ctx, http.MethodGet, "guilds/"+id+"/channels", nil, &g.Channels); err != nil {
		return err
	}
	var open struct {
		Threads []channel `json:"threads"`
	}
	if err := a.ask(ctx, http.MethodGet, "guilds/"+id+"/threads/active", nil, &open); err != nil {
		return err
	}
	g.Threads = open.Threads
	a.settle(&g)
	a.problem("server", "")
	return nil
}

// settle takes in everything that is known of the server.
func (a *Adapter) settle(g *guild) {
	h := home{ID: g.ID, Name: g.Name, rooms: map[string]channel{}, threads: map[string]channel{}, none: map[string]bool{}, roles: map[string]role{}}
	for _, c := range g.Channels {
		h.rooms[c.ID] = c
	}
	for _, t := range g.Threads {
		h.threads[t.ID] = t
	}
	for _, r := range g.Roles {
		h.roles[r.ID] = r
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	h.made = a.home.made
	a.home = h
}

// room is a channel or a thread of the server, if it is known.
func (a *Adapter) room(id string) (channel, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if c, ok := a.home.rooms[id]; ok {
		return c, true
	}
	c, ok := a.home.threads[id]
	return c, ok
}

// putRoom remembers a channel or a thread.
func (a *Adapter) putRoom(c channel) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.home.rooms == nil {
		return
	}
	delete(a.home.none, c.ID)
	if !c.thread() {
		a.home.rooms[c.ID] = c
		return
	}
	if len(a.home.threads) >= threadsMost {
		clear(a.home.threads)
	}
	a.home.threads[c.ID] = c
}

func (a *Adapter) dropRoom(id string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.home.rooms, id)
	delete(a.home.threads, id)
}

// lookUp finds a channel or a thread, asking for it if need be. ok is false if
// there is none that we may see.
func (a *Adapter) lookUp(ctx context.Context, id string) (c channel, ok bool, err error) {
	if c, ok := a.room(id); ok {
		return c, true, nil
	}
	a.mu.Lock()
	none := a.home.none[id]
	a.mu.Unlock()
	if none {
		return c, false, nil
	}
	err = a.ask(ctx, http.MethodGet, "channels/"+id, nil, &c)
	switch code := codeOf(err); {
	case err == nil:
		a.putRoom(c)
		return c, true, nil
	case code == unknownChannel || code == missingAccess:
		a.mu.Lock()
		defer a.mu.Unlock()
		if len(a.home.none) >= threadsMost {
			clear(a.home.none)
		}
		if a.home.none != nil && code == unknownChannel {
			a.home.none[id] = true
		}
		return c, false, nil
	}
	return c, false, err
}

// role is a role of the server; mine, that it is the one that came with the bot.
func (a *Adapter) role(id string) (r role, mine bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	r = a.home.roles[id]
	return r, r.Tags != nil && r.Tags.Bot != "" && r.Tags.Bot == a.me.User
}

// What the keys of remembered roles begin with; a colleague's id or a level follows.
const madeColleague, madeLevel = "role colleague:", "role level:"

// recallMade reads which roles are the office's.
func (a *Adapter) recallMade(ctx context.Context) error {
	made, err := a.attached().Office().Made(ctx, platform)
	if err != nil {
		return err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.home.made = made
	return nil
}

// madeAs is what a role is remembered to stand for; empty if it is not remembered.
func (a *Adapter) madeAs(id string) string {
	a.mu.Lock()
	defer a.mu.Unlock()
	for what, role := range a.home.made {
		if role == id {
			return what
		}
	}
	return ""
}

// roomName is how a channel is called here: as the office's, if it is linked.
func (a *Adapter) roomName(ctx context.Context, id string) string {
	if p, ok, err := a.attached().Office().Portal(ctx, portalID(id)); err == nil && ok && p.Channel != "" {
		return string(p.Channel)
	}
	c, _ := a.room(id)
	return c.Name
}

// levelOf is the level that a role's name stands for: "leader", and "leaders" too.
func levelOf(name string) (string, bool) {
	for _, n := range []string{name, strings.TrimSuffix(name, "s")} {
		if _, ok := wake.Rank(n); ok {
			return wake.Fold(n), true
		}
	}
	return "", false
}
