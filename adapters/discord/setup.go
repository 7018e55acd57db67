package discord

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"bullpen/bridge"
	"bullpen/office"
	"bullpen/office/wake"
)

var _ bridge.Builder = (*Adapter)(nil)

// Build makes the server look like the office: a category with a channel for each of
// the office's, and a role for each colleague and level, so that they can be picked
// from the list when somebody types @. What is there already, under the id that the
// office remembers or under its name, stays as it is. See bridge.Builder.
func (a *Adapter) Build(ctx context.Context) (string, error) {
	if a.guild() == "" {
		return "", fmt.Errorf("the bot is on no server: %s", a.invite())
	}
	v, err := a.attached().Office().View(ctx)
	if err != nil {
		return "", err
	}
	var made []string
	if made, err = a.buildRoles(ctx, v, made); err == nil {
		made, err = a.buildChannels(ctx, v, made)
	}
	if err != nil {
		if codeOf(err) == missingPermissions {
			return "", fmt.Errorf("the bot may not: give its role Manage Channels and Manage Roles on the server (made so far: %s)", orElse(strings.Join(made, ", "), "nothing"))
		}
		return "", err
	}
	if err := a.linkChannels(ctx); err != nil {
		return "", err
	}
	said := "Everything was there already."
	if len(made) > 0 {
		said = "Made: " + strings.Join(made, ", ") + "."
	}
	if !a.opt.AutoLink {
		said += " Channels of the office's names are linked by themselves with auto_link: true under adapters.discord, or each by its name under channels there."
	}
	return said, nil
}

// buildRoles makes the roles that are missing: those that are not there under the id
// that is remembered, nor under their name. They give no right, and everybody may
// mention them.
func (a *Adapter) buildRoles(ctx context.Context, v office.View, made []string) ([]string, error) {
	type wanted struct{ key, name string }
	var all []wanted
	for _, c := range v.Colleagues {
		all = append(all, wanted{madeColleague + string(c.ID), c.Name})
	}
	for _, l := range wake.Levels() {
		all = append(all, wanted{madeLevel + l, l})
	}
	for _, w := range all {
		if a.hasMade(w.key) {
			continue
		}
		id := a.roleNamed(w.name)
		if id == "" {
			var r role
			body := map[string]any{"name": w.name, "mentionable": true, "permissions": "0"}
			if err := a.ask(ctx, http.MethodPost, "guilds/"+a.guild()+"/roles", body, &r); err != nil {
				return made, err
			}
			a.mu.Lock()
			a.home.roles[r.ID] = r
			a.mu.Unlock()
			id, made = r.ID, append(made, "the role "+w.name)
		}
		if err := a.attached().Office().RememberMade(ctx, platform+" "+w.key, id); err != nil {
			return made, err
		}
		if err := a.recallMade(ctx); err != nil {
			return made, err
		}
	}
	return made, nil
}

// hasMade says whether a role that is remembered is still there.
func (a *Adapter) hasMade(key string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	_, there := a.home.roles[a.home.made[key]]
	return there
}

// roleNamed finds a role that calls whom the name means and is not remembered as
// another's; empty if there is none.
func (a *Adapter) roleNamed(name string) string {
	a.mu.Lock()
	defer a.mu.Unlock()
	others := slices.Collect(maps.Values(a.home.made))
	for id, r := range a.home.roles {
		level, _ := levelOf(r.Name)
		if (wake.Fold(r.Name) == wake.Fold(name) || level == wake.Fold(name)) && !slices.Contains(others, id) {
			return id
		}
	}
	return ""
}

// buildChannels makes the category and the channels that are missing.
func (a *Adapter) buildChannels(ctx context.Context, v office.View, made []string) ([]string, error) {
	portals, err := a.attached().Office().Portals(ctx, platform)
	if err != nil {
		return made, err
	}
	category, _ := a.roomNamed(v.Name, guildCategory)
	if status, ok := a.boardRoom(); ok && category.ID == "" { // it was renamed
		category, _ = a.room(status.Parent)
	}
	for _, ch := range v.Channels {
		if ch.Kind != office.GeneralChannel && ch.Kind != office.GroupChannel {
			continue
		}
		remembered := func(p office.Portal) bool {
			_, known := a.room(p.Place)
			return p.Channel == ch.ID && p.Kind == office.ChannelPortal && known
		}
		_, named := a.roomNamed(string(ch.ID), guildText, guildAnnouncement, guildForum, guildMedia)
		if named || slices.ContainsFunc(portals, remembered) {
			continue
		}
		if category, made, err = a.buildCategory(ctx, v.Name, category, made); err != nil {
			return made, err
		}
		body := map[string]any{"name": string(ch.ID), "type": guildText, "parent_id": category.ID, "topic": ch.Topic}
		if _, err := a.makeRoom(ctx, body); err != nil {
			return made, err
		}
		made = append(made, "#"+string(ch.ID))
	}
	if _, there := a.boardRoom(); there {
		return made, nil
	}
	if category, made, err = a.buildCategory(ctx, v.Name, category, made); err != nil {
		return made, err
	}
	return a.buildBoard(ctx, category, made)
}

// buildCategory makes the office's category, if there is none yet.
func (a *Adapter) buildCategory(ctx context.Context, name string, have channel, made []string) (channel, []string, error) {
	if have.ID != "" {
		return have, made, nil
	}
	c, err := a.makeRoom(ctx, map[string]any{"name": name, "type": guildCategory})
	if err != nil {
		return c, made, err
	}
	return c, append(made, "the category "+name), nil
}

func (a *Adapter) makeRoom(ctx context.Context, body map[string]any) (channel, error) {
	var c channel
	err := a.ask(ctx, http.MethodPost, "guilds/"+a.guild()+"/channels", body, &c)
	if err == nil {
		a.putRoom(c)
	}
	return c, err
}

// roomNamed finds a channel of the server by its name.
func (a *Adapter) roomNamed(name string, kinds ...int) (channel, bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, c := range a.home.rooms {
		if strings.EqualFold(c.Name, name) && slices.Contains(kinds, c.Type) {
			return c, true
		}
	}
	return channel{}, false
}
