package telegram

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	tg "github.com/go-telegram-bot-api/telegram-bot-api/v5"

	"bullpen/bridge"
	"bullpen/office"
)

// general is the topic of a forum that is always there. What goes there names no
// topic (core.telegram.org/bots/api#sendmessage; openclaw issue 1339).
const general = 1

// place is a chat, or a topic in one; it is written -1001234 or -1001234/7.
type place struct {
	chat, topic int64 // topic 0: none, or General
}

func (p place) String() string {
	if p.topic == 0 {
		return itoa(p.chat)
	}
	return fmt.Sprintf("%d/%d", p.chat, p.topic)
}

func parsePlace(s string) (place, error) {
	chat, topic, inTopic := strings.Cut(s, "/")
	var p place
	var err, err2 error
	p.chat, err = strconv.ParseInt(chat, 10, 64)
	if inTopic {
		p.topic, err2 = strconv.ParseInt(topic, 10, 64)
	}
	if err != nil || err2 != nil || p.chat == 0 || p.topic < 0 {
		return place{}, fmt.Errorf("%q is no chat of Telegram's; write its id, like -1001234567890, or a topic's, like -1001234567890/7", s)
	}
	if p.topic == general {
		p.topic = 0
	}
	return p, nil
}

// portalID is the office's id of a place, as the bridge forms it.
func portalID(place string) office.PortalID { return office.PortalID(platform + ":" + place) }

func itoa(n int64) string { return strconv.FormatInt(n, 10) }

// placeOf is where a message stands. A thread id names a topic only where the
// message says so: plain replies in supergroups have one as well
// (core.telegram.org/bots/api#message). A group that became a supergroup stays the
// place that it was.
func (a *Adapter) placeOf(m *message) place {
	p := place{chat: m.Chat.ID}
	a.noteForum(m.Chat)
	a.mu.Lock()
	if old, moved := a.from[p.chat]; moved {
		p.chat = old
	}
	a.mu.Unlock()
	if m.IsTopic && m.Thread != general {
		p.topic = m.Thread
	}
	return p
}

// noteForum remembers whether a chat has topics, which can be switched on and off.
func (a *Adapter) noteForum(c chat) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !c.Forum {
		delete(a.forums, c.ID)
	} else if len(a.forums) < chatsMost {
		a.forums[c.ID] = true
	}
}

func (a *Adapter) isForum(chat int64) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.forums[chat]
}

// target is the chat in which a place is now.
func (a *Adapter) target(p place) int64 {
	a.mu.Lock()
	defer a.mu.Unlock()
	if now, moved := a.moved[p.chat]; moved {
		return now
	}
	return p.chat
}

// native is the identity of a message in its place. Message ids begin anew when a
// group becomes a supergroup, so those of there say so.
func native(at place, m *message) string {
	if m.Chat.ID == at.chat {
		return itoa(m.ID)
	}
	return fmt.Sprintf("%d:%d", m.Chat.ID, m.ID)
}

// messageID is what native made, for the chat that a place is in now; 0 if the
// message stands in the group that was there before.
func messageID(native string, at place, chat int64) int64 {
	in := at.chat
	if before, id, ok := strings.Cut(native, ":"); ok {
		n, err := strconv.ParseInt(before, 10, 64)
		if err != nil {
			return 0
		}
		in, native = n, id
	}
	id, err := strconv.ParseInt(native, 10, 64)
	if err != nil || in != chat {
		return 0
	}
	return id
}

// migrated remembers that a group became a supergroup, which may happen to it more
// than once and be told in any order. What in the office points to the place that
// it was goes on pointing there. It is false for what is no news or makes no sense.
func (a *Adapter) migrated(old, now int64) bool {
	if old == 0 || now == 0 || old == now {
		return false
	}
	a.mu.Lock()
	root := old
	if first, ok := a.from[old]; ok {
		root = first
	}
	if at, ok := a.moved[now]; ok && a.from[now] == 0 && at != old {
		// The later step was told first: what was taken for a place is one that was moved to.
		a.from[now] = root
		a.moved[root], a.from[at] = at, root
		delete(a.moved, now)
		a.mu.Unlock()
		return true
	}
	if a.from[now] == root || root == now || a.from[now] != 0 {
		a.mu.Unlock()
		return false
	}
	a.moved[root], a.from[now] = now, root
	a.mu.Unlock()
	a.log.Info("a group became a supergroup", "old", root, "new", now)
	a.tellMoved(root, now)
	return true
}

// followed notes that chat has become now, and says whether the place is elsewhere
// than there after that.
func (a *Adapter) followed(p place, chat, now int64) bool {
	return a.migrated(chat, now) || a.target(p) != chat
}

// tellMoved says in the state that a linked chat has another id now.
func (a *Adapter) tellMoved(root, now int64) {
	for ch, at := range a.channels.All() {
		if p, err := parsePlace(at); err == nil && p.chat == root {
			a.problem("moved "+ch, fmt.Sprintf("the group of #%s became a supergroup and is followed; its id is %d now, and may be written in adapters.telegram.channels", ch, now))
		}
	}
}

// keepMoved stores where the places of portals are now.
func (a *Adapter) keepMoved(ctx context.Context) error {
	b := a.attached()
	portals, err := b.Office().Portals(ctx, platform)
	if err != nil {
		return err
	}
	for _, p := range portals {
		at, err := parsePlace(p.Place)
		if err != nil {
			continue
		}
		if now := a.target(at); now != at.chat && p.Now != itoa(now) {
			if err := b.MovePlace(ctx, platform, p.Place, itoa(now)); err != nil {
				return err
			}
		}
	}
	return nil
}

// recallMoved remembers where the places of portals were last found.
func (a *Adapter) recallMoved(ctx context.Context) error {
	portals, err := a.attached().Office().Portals(ctx, platform)
	for _, p := range portals {
		at, err := parsePlace(p.Place)
		if err != nil || p.Now == "" {
			continue
		}
		if now, err := parsePlace(p.Now); err == nil && a.target(at) == at.chat {
			a.migrated(at.chat, now.chat)
		}
	}
	return err
}

// prepare finds out who we are and links channels and people.
func (a *Adapter) prepare(ctx context.Context) error {
	if err := a.identify(ctx); err != nil {
		return err
	}
	if err := a.recallMoved(ctx); err != nil {
		return err
	}
	a.attached().Recall(ctx, a)
	if err := a.linkChannels(ctx); err != nil {
		return err
	}
	if err := a.keepMoved(ctx); err != nil {
		return err
	}
	return a.linkPeople(ctx)
}

// linkChannels links what the settings name, unlinks what they no longer name,
// and says what is missing.
func (a *Adapter) linkChannels(ctx context.Context) error {
	b := a.attached()
	deaf := false
	wanted := a.channels.All()
	for _, ch := range slices.Sorted(maps.Keys(wanted)) {
		at := wanted[ch]
		if at == "" {
			continue
		}
		if err := b.LinkChannel(ctx, platform, at, office.ChannelID(ch), false, false, ""); err != nil {
			return err
		}
		p, err := parsePlace(at)
		if err != nil {
			return err
		}
		hears, err := a.look(ctx, ch, p)
		if err != nil {
			return err
		}
		deaf = deaf || !hears
	}
	sentence := ""
	if deaf {
		sentence = fmt.Sprintf("privacy mode is on, so in groups @%s sees only commands, mentions of it and replies to it: switch it off at BotFather (/setprivacy, Disable) and take the bot out of the group and in again, or make it an admin there", a.self().Username)
	}
	a.problem("privacy", sentence)
	return a.unlinkDropped(ctx)
}

// look finds out whether the bot is in a chat, and whether it hears everything there.
func (a *Adapter) look(ctx context.Context, ch string, p place) (hears bool, err error) {
	var is chat
	var e *callError
	for range changesMost {
		at := a.target(p)
		err = a.ask(ctx, "getChat", tg.Params{"chat_id": itoa(at)}, &is)
		if !errors.As(err, &e) || e.migrated == 0 || !a.followed(p, at, e.migrated) {
			break
		}
	}
	switch {
	case errors.As(err, &e) && e.answered() && tokenFault(err) == nil:
		a.problem("channel "+ch, fmt.Sprintf("the bot is in no chat %s, so #%s is not shown there: add @%s to it, or correct adapters.telegram.channels", p, ch, a.self().Username))
		return true, nil
	case err != nil:
		return false, err
	}
	a.noteForum(is)
	a.problem("channel "+ch, "")
	a.problem("place "+p.String(), "")
	me := a.self()
	if me.ReadsAll {
		return true, nil
	}
	var as struct {
		Status string `json:"status"`
	}
	err = a.ask(ctx, "getChatMember", tg.Params{"chat_id": itoa(a.target(p)), "user_id": itoa(me.ID)}, &as)
	if errors.As(err, &e) && e.answered() {
		return false, nil
	}
	return as.Status == "administrator", err
}

// unlinkDropped unlinks the places that the settings no longer name.
func (a *Adapter) unlinkDropped(ctx context.Context) error {
	b := a.attached()
	portals, err := b.Office().Portals(ctx, platform)
	if err != nil {
		return err
	}
	for _, p := range portals {
		if p.Kind == office.ChannelPortal && a.channels.All()[string(p.Channel)] != p.Place {
			if err := b.UnlinkChannel(ctx, platform, p.Place); err != nil {
				return err
			}
		}
	}
	return nil
}

// linkPeople links the private chat of everybody whose account is known; it has
// the id of the account. Whoever has not pressed Start yet cannot be written to,
// which the first message finds out.
func (a *Adapter) linkPeople(ctx context.Context) error {
	v, err := a.attached().Office().View(ctx)
	if err != nil {
		return err
	}
	for _, p := range v.People {
		for _, acc := range slices.Concat(p.Accounts, p.Paired) {
			if acc.Platform == platform {
				if err := a.attached().LinkDM(ctx, platform, acc.ID, p.ID, ""); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// problem remembers a sentence for the state and tells whoever sits at the
// console; an empty one forgets it.
func (a *Adapter) problem(key, sentence string) {
	if a.problems.Tell(a.attached(), platform, key, sentence) {
		a.reportConnected()
	}
}

// reportConnected says how the connection is, and what a person should mend.
func (a *Adapter) reportConnected() {
	a.mu.Lock()
	up := a.up
	said := []string{}
	if a.me != nil {
		said = append(said, "as @"+a.me.Username)
	}
	said = append(said, a.problems.All()...)
	a.mu.Unlock()
	if up {
		a.report(bridge.Connected, strings.Join(said, "; "))
	}
}
