package slack

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"time"

	"bullpen/adapters/slack/format"
	"bullpen/bridge"
	"bullpen/office"
)

// spoken are the subtypes of messages that somebody said; all others are lines
// of Slack's own, or changes (docs.slack.dev, reference/events/message).
var spoken = []word{"", "file_share", "thread_broadcast", "me_message"}

// handle takes an event in. When it returns without error the event may be
// acknowledged.
func (a *Adapter) handle(ctx context.Context, e *event) error {
	switch e.Type {
	case "message":
		switch {
		case slices.Contains(spoken, e.SubType):
			return a.said(ctx, e)
		case e.SubType == "message_changed":
			return a.changed(ctx, e)
		case e.SubType == "message_deleted":
			return a.deleted(ctx, e)
		}
	case "app_mention":
		if e.editedAt() == "" { // an edit wakes nobody, also not one that adds the mention
			a.hint(ctx, e)
			return a.said(ctx, e)
		}
	case "agent_session_stopped":
		return a.stopped(ctx, e)
	case "app_home_opened":
		a.opened(e)
	case "member_joined_channel":
		if string(e.User) == a.self().UserID {
			return a.joined(ctx, string(e.Channel))
		}
	case "channel_unarchive", "group_unarchive", "channel_rename", "group_rename":
		return a.joined(ctx, string(e.Channel))
	case "channel_archive", "group_archive":
		return a.closed(ctx, string(e.Channel), "is archived, so nothing can be shown there; unarchive it or link another")
	case "app_uninstalled":
		a.die(bridge.Unmendable("the app was removed from the Slack workspace; install it again and start again"))
	case "channel_left", "group_left":
		return a.closed(ctx, string(e.Channel), "no longer has the bot in it; type /invite @"+a.self().Name+" there")
	case "channel_deleted", "group_deleted":
		return a.closed(ctx, string(e.Channel), "was deleted; link another")
	}
	return nil
}

// said takes in a message as it comes over the socket.
func (a *Adapter) said(ctx context.Context, e *event) error {
	arr, ok, err := a.arrival(ctx, e)
	if err != nil || !ok {
		return err
	}
	return a.arrive(ctx, arr)
}

// arrive hands a message to the bridge and shows what became of it.
func (a *Adapter) arrive(ctx context.Context, arr bridge.Arrival) error {
	b := a.attached()
	rec, err := b.Arrive(ctx, arr)
	if err != nil {
		return a.notKept(ctx, arr.Place, arr.Native, err, func(why string) { a.whisper(arr, why) })
	}
	a.show(arr, rec)
	switch {
	case rec.Ignored:
	case arr.Direct && !rec.Kept() && rec.Answer == "":
		a.waits(ctx, arr)
	case !arr.Direct && rec.Refusal == "":
		a.dms.LinkLater(ctx, a.attached(), a.later, arr.Author.Account, a.openDM)
	}
	return nil
}

// arrival makes what the bridge wants of a message; ok is false for what is none
// of the office's business.
func (a *Adapter) arrival(ctx context.Context, e *event) (arr bridge.Arrival, ok bool, err error) {
	place := string(e.Channel)
	direct := e.ChannelType == "im" || isDirect(place)
	raw, sent := string(e.Text), filesOf(e.Files)
	if e.User == "" || e.TS == "" || place == "" || raw == "" && len(sent) == 0 || a.foreign(e) {
		return arr, false, nil
	}
	b := a.attached()
	if !direct {
		_, linked, err := b.Office().Portal(ctx, portalID(place))
		if err == nil && !linked && e.ChannelType == "mpim" && e.Type == "message" {
			a.hint(ctx, e) // Slack tells of no mention there
		}
		if err != nil || !linked {
			return arr, false, err
		}
	}
	author, err := a.author(ctx, string(e.User), string(e.UserTeam))
	if err != nil {
		return arr, false, err
	}
	text, found := format.Decode(a.label(ctx, raw))
	arr = bridge.Arrival{
		Author: author, Place: place, Direct: direct, Native: string(e.TS),
		Text: text, Mentions: a.mentions(found), Files: sent,
	}
	if e.ThreadTS != e.TS {
		arr.Thread = string(e.ThreadTS)
	}
	return arr, true, nil
}

// foreign says whether a message is by a program, our own posts among them: by
// its ids, never by its name.
func (a *Adapter) foreign(e *event) bool {
	return e.BotID != "" || e.AppID != "" && e.SubType == "bot_message" || string(e.User) == a.self().UserID || e.User == slackbot
}

const slackbot = "USLACKBOT"

// isDirect says whether a place is a talk with the office's bot, by its id.
func isDirect(place string) bool { return strings.HasPrefix(place, "D") }

// portalID is the office's id of a place, as the bridge forms it.
func portalID(place string) office.PortalID { return office.PortalID(platform + ":" + place) }

// mentions says what the office has to know of what a text mentions.
func (a *Adapter) mentions(found []format.Mention) []bridge.Mention {
	var out []bridge.Mention
	self := a.self().UserID
	for _, m := range found {
		n := bridge.Mention{Start: m.Start, End: m.End, ID: m.ID}
		switch {
		case m.Kind == format.User && m.ID == self:
			n.Kind = bridge.MentionSelf
		case m.Kind == format.User:
			n.Kind = bridge.MentionAccount
		case m.Kind == format.Channel:
			n.Kind = bridge.MentionPlace
		case m.Kind == format.Broadcast:
			n.Kind = bridge.MentionHere
		default:
			n.Kind = bridge.MentionOther
		}
		out = append(out, n)
	}
	return out
}

var bareMention = regexp.MustCompile(`<([@#])([A-Z0-9]{2,32})>`)

// labelTime bounds how long names are looked for.
const labelTime = time.Second

// label gives the mentions in a text names, where they can be had quickly, so
// that a reader sees @Kim and not an id.
func (a *Adapter) label(ctx context.Context, raw string) string {
	if !bareMention.MatchString(raw) {
		return raw
	}
	ctx, cancel := context.WithTimeout(ctx, labelTime)
	defer cancel()
	return bareMention.ReplaceAllStringFunc(raw, func(token string) string {
		id := token[2 : len(token)-1]
		name := ""
		switch {
		case token[1] == '#':
			if p, ok, err := a.attached().Office().Portal(ctx, portalID(id)); err == nil && ok {
				name = string(p.Channel)
			}
		case id == a.self().UserID:
			name = a.self().Name
		default:
			if m, err := a.member(ctx, id); err == nil {
				name = m.name
			}
		}
		if name == "" || strings.ContainsAny(name, "|<>\n") {
			return token
		}
		return token[:len(token)-1] + "|" + format.Escape(name) + ">"
	})
}

// changed takes an edit in, if what people see has changed: a preview of a link
// comes as one as well.
func (a *Adapter) changed(ctx context.Context, e *event) error {
	now, before := inner(e.Message), inner(e.Previous)
	if now == nil || now.TS == "" || a.foreign(now) && now.SubType != "tombstone" {
		return nil
	}
	if now.SubType == "tombstone" { // a thread whose first message was deleted
		if before != nil && a.foreign(before) {
			return nil
		}
		return a.revise(ctx, e, string(now.TS), string(e.EventTS), nil)
	}
	if before != nil && before.Text == now.Text {
		return nil
	}
	version := now.editedAt()
	if version == "" {
		version = string(e.EventTS)
	}
	return a.revise(ctx, e, string(now.TS), version, now)
}

func (a *Adapter) deleted(ctx context.Context, e *event) error {
	if before := inner(e.Previous); before != nil && a.foreign(before) {
		return nil
	}
	return a.revise(ctx, e, string(e.DeletedTS), string(e.EventTS), nil)
}

// revise passes a change on; without a new message, a deletion.
func (a *Adapter) revise(ctx context.Context, e *event, native, version string, now *event) error {
	if native == "" || version == "" {
		return nil
	}
	c := bridge.Change{Platform: platform, Place: string(e.Channel), Native: native, Version: version, Deleted: now == nil}
	if now != nil {
		c.Text, _ = format.Decode(a.label(ctx, string(now.Text)))
	}
	if err := a.attached().Changed(ctx, c); err != nil {
		return a.notKept(ctx, c.Place, c.Native+" "+version, err, nil)
	}
	return nil
}
