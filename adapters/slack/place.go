package slack

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/slack-go/slack"

	"bullpen/office"
)

const (
	// relinkAfter is how old what we know of channels may be when a socket is opened.
	relinkAfter = 10 * time.Minute
	// listPage and listPages bound the reading of a workspace's channels.
	listPage, listPages = 200, 25
)

// sortedKeys are a map's keys in order.
func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// prepare finds out who and where we are and links channels and people.
func (a *Adapter) prepare(ctx context.Context) error {
	a.mu.Lock()
	fresh := !a.prepared.IsZero() && a.now().Sub(a.prepared) < relinkAfter
	a.mu.Unlock()
	if fresh {
		return nil
	}
	if _, err := a.identify(ctx); err != nil {
		return err
	}
	a.attached().Recall(ctx, a)
	if err := a.linkChannels(ctx); err != nil {
		return err
	}
	if err := a.dms.LinkAll(ctx, a.attached(), platform, a.openDM); err != nil {
		return err
	}
	a.mu.Lock()
	a.prepared = a.now()
	a.mu.Unlock()
	return nil
}

// linkChannels links what the settings name and the bot is in, and says of the
// rest what is missing.
func (a *Adapter) linkChannels(ctx context.Context) error {
	rooms, err := a.list(ctx, true)
	if err != nil {
		return err
	}
	placed := map[string]string{}
	for i := range rooms {
		ch, ok, err := a.link(ctx, &rooms[i], rooms)
		if err != nil {
			return err
		}
		if ok {
			placed[ch] = rooms[i].ID
		}
	}
	var lost []string
	wanted := a.channels.All()
	for _, ch := range sortedKeys(wanted) {
		if placed[ch] == "" && wanted[ch].Place != "" {
			lost = append(lost, ch)
		}
	}
	if err := a.unlinkDropped(ctx, placed); err != nil {
		return err
	}
	return a.explainLost(ctx, lost)
}

// unlinkDropped unlinks the places that the settings no longer name; placed are the
// channels of the office that were found, with where.
func (a *Adapter) unlinkDropped(ctx context.Context, placed map[string]string) error {
	b := a.attached()
	portals, err := b.Office().Portals(ctx, platform)
	if err != nil {
		return err
	}
	for _, p := range portals {
		if p.Kind != office.ChannelPortal {
			continue
		}
		if named, err := a.stillNamed(ctx, &p, placed[string(p.Channel)]); err != nil {
			return err
		} else if named {
			continue
		}
		if err := b.UnlinkChannel(ctx, platform, p.Place); err != nil {
			return err
		}
	}
	return nil
}

// stillNamed says whether the settings name a linked place; at is where its channel
// was found, if it was. What is only out of sight, archived or without the bot, is
// still named as long as it has the name, or had it before it was renamed.
func (a *Adapter) stillNamed(ctx context.Context, p *office.Portal, at string) (bool, error) {
	place := a.channels.All()[string(p.Channel)].Place
	name, byName := strings.CutPrefix(place, "#")
	switch {
	case place == "":
		return a.opt.AutoLink && (at == "" || at == p.Place), nil
	case !byName:
		return place == p.Place, nil
	case at != "":
		return at == p.Place, nil
	}
	var room *slack.Channel
	err := a.ask(ctx, "conversations.info", func(ctx context.Context) (err error) {
		room, err = a.api.GetConversationInfoContext(ctx, &slack.GetConversationInfoInput{ChannelID: p.Place})
		return err
	})
	switch {
	case codeOf(err) != "":
		return true, nil // it cannot be looked at, and may be as it was
	case err != nil:
		return false, err
	}
	return room.Name == name || slices.Contains(room.PreviousNames, name), nil
}

// link links a place that the bot is in, if the settings want it; rooms are all that
// it is in, as far as they are known. It gives the office's channel.
func (a *Adapter) link(ctx context.Context, room *slack.Channel, rooms []slack.Channel) (string, bool, error) {
	b := a.attached()
	v, err := b.Office().View(ctx)
	if err != nil {
		return "", false, err
	}
	before, err := b.Office().Portals(ctx, platform)
	if err != nil {
		return "", false, err
	}
	for _, ch := range v.Channels {
		if ch.Kind != office.GeneralChannel && ch.Kind != office.GroupChannel {
			continue
		}
		set, listed := a.channels.All()[string(ch.ID)]
		if !a.wants(set, ch, room, rooms, before) {
			continue
		}
		if !listed {
			set.InThread = true
		}
		known := slices.ContainsFunc(before, func(p office.Portal) bool { return p.Place == room.ID })
		mark := stamp(a.now())
		if err := b.LinkChannel(ctx, platform, room.ID, ch.ID, set.InThread, set.Strict, mark); err != nil {
			return "", false, err
		}
		if !known {
			a.mu.Lock()
			a.born[room.ID] = mark
			a.mu.Unlock()
		}
		a.problem(room.ID, "")
		a.problem("channel "+string(ch.ID), "")
		return string(ch.ID), true, nil
	}
	return "", false, nil
}

// wants says whether a place is where a channel of the office is to be shown. A
// channel that was linked by its name stays linked when it is renamed, unless
// another one has the name by then.
func (a *Adapter) wants(set Channel, ch office.Channel, room *slack.Channel, rooms []slack.Channel, before []office.Portal) bool {
	linked := func(p office.Portal) bool { return p.Place == room.ID && p.Channel == ch.ID }
	name, byName := strings.CutPrefix(set.Place, "#")
	switch {
	case set.Place == room.ID:
		return true
	case byName:
		called := func(c slack.Channel) bool { return c.Name == name }
		return called(*room) || slices.Contains(room.PreviousNames, name) && slices.ContainsFunc(before, linked) && !slices.ContainsFunc(rooms, called)
	case set.Place != "" || !a.opt.AutoLink:
		return false
	}
	here := func(c slack.Channel) bool {
		return slices.ContainsFunc(before, func(p office.Portal) bool { return p.Place == c.ID && p.Channel == ch.ID })
	}
	return slices.ContainsFunc(before, linked) || strings.EqualFold(room.Name, string(ch.ID)) && !slices.ContainsFunc(rooms, here)
}

// explainLost says why channels of the office are shown nowhere.
func (a *Adapter) explainLost(ctx context.Context, lost []string) error {
	if len(lost) == 0 {
		return nil
	}
	all, err := a.list(ctx, false)
	if err != nil {
		return err
	}
	invite := "type /invite @" + a.self().Name + " there"
	for _, ch := range lost {
		place := a.channels.All()[ch].Place
		is := func(c slack.Channel) bool { return c.ID == place || "#"+c.Name == place }
		said := fmt.Sprintf("there is no channel %s that the bot can see, so #%s is not shown: correct adapters.slack.channels, or, if it is private, %s", place, ch, invite)
		if i := slices.IndexFunc(all, is); i >= 0 {
			said = fmt.Sprintf("the bot is not in #%s, so #%s is not shown there: %s", all[i].Name, ch, invite)
			if all[i].IsArchived {
				said = fmt.Sprintf("#%s is archived, so #%s is not shown there: unarchive it or link another", all[i].Name, ch)
			}
		}
		a.problem("channel "+ch, said)
	}
	return nil
}

// list reads the channels of the workspace and the direct talks of several people:
// those that the bot is in, or all that it can see, archived ones too. What it lacks
// the right to see it leaves out.
func (a *Adapter) list(ctx context.Context, own bool) ([]slack.Channel, error) {
	for types := []string{"public_channel", "private_channel", "mpim"}; ; types = types[:len(types)-1] {
		rooms, err := a.listTypes(ctx, own, types...)
		if codeOf(err) != "missing_scope" || len(types) == 1 {
			return rooms, err
		}
	}
}

func (a *Adapter) listTypes(ctx context.Context, own bool, types ...string) ([]slack.Channel, error) {
	var all []slack.Channel
	cursor := ""
	for range listPages {
		var page []slack.Channel
		var next string
		method := "conversations.list"
		if own {
			method = "users.conversations"
		}
		err := a.ask(ctx, method, func(ctx context.Context) (err error) {
			if own {
				page, next, err = a.api.GetConversationsForUserContext(ctx, &slack.GetConversationsForUserParameters{
					Types: types, Cursor: cursor, Limit: listPage, ExcludeArchived: true,
				})
				return err
			}
			page, next, err = a.api.GetConversationsContext(ctx, &slack.GetConversationsParameters{Types: types, Cursor: cursor, Limit: listPage})
			return err
		})
		if err != nil {
			return nil, err
		}
		if all = append(all, page...); next == "" {
			break
		}
		cursor = next
	}
	return all, nil
}

// joined links a channel that the bot has just come into, that is open again, or that
// has another name.
func (a *Adapter) joined(ctx context.Context, place string) error {
	var room *slack.Channel
	err := a.ask(ctx, "conversations.info", func(ctx context.Context) (err error) {
		room, err = a.api.GetConversationInfoContext(ctx, &slack.GetConversationInfoInput{ChannelID: place})
		return err
	})
	if err != nil {
		a.log.Warn("a channel could not be looked at", "place", place, "err", err)
		return ctx.Err()
	}
	if room.IsArchived || !room.IsMember {
		return nil
	}
	_, _, err = a.link(ctx, room, nil)
	return err
}

// closed tells of a linked place in which nothing can be shown any more.
func (a *Adapter) closed(ctx context.Context, place, why string) error {
	p, ok, err := a.attached().Office().Portal(ctx, portalID(place))
	if err == nil && ok {
		a.problem(place, fmt.Sprintf("the Slack channel of #%s %s", p.Channel, why))
	}
	return err
}

// openDM opens the direct message with an account. See bridge.OpenDM.
func (a *Adapter) openDM(ctx context.Context, account string) (place, since string, err error) {
	var dm *slack.Channel
	err = a.ask(ctx, "conversations.open", func(ctx context.Context) (err error) {
		dm, _, _, err = a.api.OpenConversationContext(ctx, &slack.OpenConversationParameters{Users: []string{account}})
		return err
	})
	if err == nil {
		return dm.ID, stamp(a.now()), nil
	}
	if ctx.Err() != nil {
		return "", "", ctx.Err()
	}
	if e := (*callError)(nil); errors.As(err, &e) && e.code == "missing_scope" {
		a.problem("im:write", "the Slack app lacks the scope im:write, so mail reaches only people who have written to the bot: add it under OAuth & Permissions and install the app again")
	}
	a.log.Warn("a person's direct message cannot be opened", "account", account, "err", err)
	return "", "", nil
}

// stamp is a time as Slack writes it in a message's ts.
func stamp(t time.Time) string { return fmt.Sprintf("%d.%06d", t.Unix(), t.Nanosecond()/1000) }
