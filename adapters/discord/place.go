package discord

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"bullpen/office"
)

// portalID is the office's id of a place, as the bridge forms it.
func portalID(place string) office.PortalID { return office.PortalID(platform + ":" + place) }

// prepare finds out who and where we are and links channels and people.
func (a *Adapter) prepare(ctx context.Context) error {
	if err := a.identify(ctx); err != nil {
		return err
	}
	if err := a.findHome(ctx); err != nil {
		return err
	}
	a.attached().Recall(ctx, a)
	if err := a.recallMade(ctx); err != nil {
		return err
	}
	if err := a.linkChannels(ctx); err != nil {
		return err
	}
	return a.dms.LinkAll(ctx, a.attached(), platform, a.openDM)
}

// linkChannels links what the settings name, unlinks what they no longer name, and
// says what is missing.
func (a *Adapter) linkChannels(ctx context.Context) error {
	wanted, err := a.wanted(ctx)
	if err != nil {
		return err
	}
	placed := map[string]string{}
	for _, ch := range slices.Sorted(maps.Keys(wanted)) {
		set := wanted[ch]
		id, err := a.place(ctx, ch, set)
		if err != nil {
			return err
		}
		if placed[ch] = id; id == "" {
			continue
		}
		if err := a.link(ctx, ch, set, id); err != nil {
			return err
		}
	}
	return a.unlinkDropped(ctx, placed)
}

// wanted are the channels of the office that are to be shown, with how.
func (a *Adapter) wanted(ctx context.Context) (map[string]Channel, error) {
	v, err := a.attached().Office().View(ctx)
	if err != nil {
		return nil, err
	}
	out := map[string]Channel{}
	for _, ch := range v.Channels {
		set := a.channels.All()[string(ch.ID)]
		set.auto = set.Place == "" && a.opt.AutoLink
		if set.auto {
			set.Place = "#" + string(ch.ID)
		}
		if set.Place != "" && (ch.Kind == office.GeneralChannel || ch.Kind == office.GroupChannel) {
			out[string(ch.ID)] = set
		}
	}
	return out, nil
}

// place finds the channel that the settings name. One that was linked by its name
// stays linked when it is renamed, unless another has the name that they give.
func (a *Adapter) place(ctx context.Context, ch string, set Channel) (string, error) {
	name, named := strings.CutPrefix(set.Place, "#")
	if !named {
		return set.Place, nil
	}
	a.mu.Lock()
	var found []channel
	for _, c := range a.home.rooms {
		if c.Type != guildCategory && c.Type != guildVoice && strings.EqualFold(c.Name, name) {
			found = append(found, c)
		}
	}
	a.mu.Unlock()
	if len(found) == 1 && !set.auto {
		return found[0].ID, nil
	}
	portals, err := a.attached().Office().Portals(ctx, platform)
	if err != nil {
		return "", err
	}
	for _, p := range portals {
		if _, there := a.room(p.Place); p.Kind == office.ChannelPortal && string(p.Channel) == ch && there {
			return p.Place, nil
		}
	}
	switch len(found) {
	case 0:
		if set.auto {
			return "", nil
		}
		a.problem("channel "+ch, fmt.Sprintf("there is no channel %s on the server that the bot can see, so #%s is not shown: correct adapters.discord.channels, or give the bot the right to view it", set.Place, ch))
		return "", nil
	case 1:
		return found[0].ID, nil
	}
	a.problem("channel "+ch, fmt.Sprintf("several channels of the server are called %s: write the id of the one that is #%s under adapters.discord.channels (Developer Mode, then Copy Channel ID)", set.Place, ch))
	return "", nil
}

// link links a place, if the bot can see it.
func (a *Adapter) link(ctx context.Context, ch string, set Channel, id string) error {
	b := a.attached()
	var c channel
	err := a.ask(ctx, http.MethodGet, "channels/"+id, nil, &c)
	switch e := (*callError)(nil); {
	case err == nil:
		a.putRoom(c)
	case errors.As(err, &e) && e.answered() && tokenFault(err) == nil:
		why := "the server has no such channel, or it is on another server: correct adapters.discord.channels"
		if e.code == missingAccess {
			why = "the bot may not see it: give it the right View Channel there"
		}
		a.problem("channel "+ch, fmt.Sprintf("#%s is not shown in the channel %s: %s", ch, id, why))
		return nil
	default:
		return err
	}
	if c.thread() || c.Type == guildCategory || c.Type == directMessage {
		a.problem("channel "+ch, fmt.Sprintf("%s is no text channel, so #%s is not shown there: link one under adapters.discord.channels", orElse(c.Name, id), ch))
		return nil
	}
	_, known, err := b.Office().Portal(ctx, portalID(id))
	if err != nil {
		return err
	}
	if err := b.LinkChannel(ctx, platform, id, office.ChannelID(ch), set.InThread || c.posts(), set.Strict, mark(number(c.Last))); err != nil {
		return err
	}
	if !known {
		a.mu.Lock()
		a.born[id] = number(c.Last)
		a.mu.Unlock()
	}
	a.problem("channel "+ch, "")
	a.problem("place "+id, "")
	return nil
}

// unlinkDropped unlinks the places that the settings no longer name; placed are
// those of the names that were found.
func (a *Adapter) unlinkDropped(ctx context.Context, placed map[string]string) error {
	b := a.attached()
	portals, err := b.Office().Portals(ctx, platform)
	if err != nil {
		return err
	}
	for _, p := range portals {
		set := a.channels.All()[string(p.Channel)]
		auto := set.Place == "" && a.opt.AutoLink
		named := auto || strings.HasPrefix(set.Place, "#")
		at := placed[string(p.Channel)]
		if p.Kind != office.ChannelPortal || set.Place == p.Place || named && (at == "" || at == p.Place) {
			continue
		}
		if err := b.UnlinkChannel(ctx, platform, p.Place); err != nil {
			return err
		}
	}
	return nil
}

// relink looks at a channel again whose rights or existence have changed.
func (a *Adapter) relink(ctx context.Context, id string) error {
	p, ok, err := a.attached().Office().Portal(ctx, portalID(id))
	if err != nil {
		return err
	}
	if ok && p.Closed != "" || len(a.problems.All()) > 0 {
		return a.linkChannels(ctx)
	}
	return nil
}

// openDM opens the direct message with an account. See bridge.OpenDM.
func (a *Adapter) openDM(ctx context.Context, account string) (place, since string, err error) {
	var dm channel
	err = a.ask(ctx, http.MethodPost, "users/@me/channels", map[string]string{"recipient_id": account}, &dm)
	if err == nil {
		return dm.ID, mark(number(dm.Last)), nil
	}
	if ctx.Err() != nil || tokenFault(err) != nil {
		return "", "", err
	}
	a.log.Warn("a person's direct message cannot be opened", "account", account, "err", err)
	return "", "", nil
}
