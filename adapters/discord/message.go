package discord

import (
	"context"
	"slices"
	"strings"

	"bullpen/adapters/discord/format"
	"bullpen/bridge"
)

// said takes in a message. Without an error it is kept, or of no concern.
func (a *Adapter) said(ctx context.Context, at spot, m *message) error {
	a.titles.saw(at.channel(), m.ID)
	arr, ok, err := a.arrival(ctx, at, m)
	if err != nil || !ok {
		return err
	}
	if !arr.Direct {
		if _, linked, err := a.attached().Office().Portal(ctx, portalID(arr.Place)); err != nil {
			return err
		} else if !linked {
			a.hint(at, arr)
			return nil
		}
	}
	return a.arrive(ctx, at, arr)
}

// arrive hands a message to the bridge and shows what became of it.
func (a *Adapter) arrive(ctx context.Context, at spot, arr bridge.Arrival) error {
	rec, err := a.attached().Arrive(ctx, arr)
	if err != nil {
		return a.notKept(ctx, arr.Place, arr.Native, err, func(why string) { a.whisper(at, arr.Native, why) })
	}
	a.titles.keep(at.channel(), arr.Native, arr.Text)
	a.show(at, arr, rec)
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
func (a *Adapter) arrival(ctx context.Context, at spot, m *message) (arr bridge.Arrival, ok bool, err error) {
	if m.Author == nil || m.Author.ID == "" || a.foreign(m) || m.Type != plainMessage && m.Type != replyMessage {
		return arr, false, nil
	}
	text, found := format.Decode(content(m), a.known(ctx, m))
	sent := filesOf(at, m)
	if strings.TrimSpace(text) == "" && len(sent) == 0 {
		return arr, false, nil
	}
	author, err := a.author(ctx, m)
	if err != nil {
		return arr, false, err
	}
	arr = bridge.Arrival{
		Author: author, Place: at.place, Direct: at.direct, Native: m.ID, Text: text, Mentions: a.mentions(found),
		Files: sent, Forwarded: m.Reference != nil && m.Reference.Type == forwarded,
	}
	ref := m.Reference
	replies := ref != nil && ref.Type == replied && ref.Message != ""
	switch {
	case at.thread != "" && at.thread != m.ID:
		arr.Thread = at.thread // the first message of a thread, also of a post, has its id
		if replies {
			arr.Answers = ref.Message
		}
	case at.thread == "" && replies:
		arr.Thread, arr.Reply = ref.Message, true
	}
	return arr, true, nil
}

// content is what a message says, with what it forwards, beside its files.
func content(m *message) string {
	lines := []string{m.text()}
	for _, s := range m.Snapshots {
		lines = append(lines, "[forwarded]", content(&s.Message))
	}
	for _, s := range m.Stickers {
		lines = append(lines, "[sticker: "+oneLine(s.Name)+"]")
	}
	if m.Poll != nil {
		lines = append(lines, "[poll: "+oneLine(m.Poll.Question.Text)+"]")
	}
	return strings.Join(slices.DeleteFunc(lines, func(l string) bool { return l == "" }), "\n")
}

// known tells what the ids in a message mean.
func (a *Adapter) known(ctx context.Context, m *message) format.Known {
	k := format.Known{
		Users: map[string]string{}, Everyone: m.Everyone,
		Role:    func(id string) string { r, _ := a.role(id); return r.Name },
		Channel: func(id string) string { return a.roomName(ctx, id) },
	}
	for i := range m.Mentions {
		k.Users[m.Mentions[i].ID] = shownName(&m.Mentions[i], nil)
	}
	return k
}

// mentions says what the office has to know of what a text mentions. A role that
// came with the bot is the bot; one that is called like a level or a colleague
// calls them.
func (a *Adapter) mentions(found []format.Mention) []bridge.Mention {
	var out []bridge.Mention
	me := a.self().User
	for _, m := range found {
		n := bridge.Mention{Start: m.Start, End: m.End, ID: m.ID, Kind: bridge.MentionOther}
		switch m.Kind {
		case format.User:
			n.Kind = bridge.MentionAccount
			if m.ID == me {
				n.Kind = bridge.MentionSelf
			}
		case format.Channel:
			n.Kind = bridge.MentionPlace
		case format.Broadcast:
			n.Kind = bridge.MentionHere
		case format.Role:
			r, mine := a.role(m.ID)
			if what := a.madeAs(m.ID); mine {
				n.Kind = bridge.MentionSelf
			} else if id, ok := strings.CutPrefix(what, madeColleague); ok {
				n.Kind, n.ID = bridge.MentionColleagueID, id
			} else if level, ok := strings.CutPrefix(what, madeLevel); ok {
				n.Kind, n.ID = bridge.MentionLevel, level
			} else if level, ok := levelOf(r.Name); ok {
				n.Kind, n.ID = bridge.MentionLevel, level
			} else if r.Name != "" {
				n.Kind, n.ID = bridge.MentionColleague, r.Name
			}
		}
		out = append(out, n)
	}
	return out
}

// edited takes an edit in. A preview of a link comes as an update as well, without
// the stamp of an edit.
func (a *Adapter) edited(ctx context.Context, at spot, m *message) error {
	v := version(m.Edited)
	if v == "" || m.Content == nil || m.Author == nil || a.foreign(m) {
		return nil
	}
	text, _ := format.Decode(content(m), a.known(ctx, m))
	return a.revise(ctx, bridge.Change{Platform: platform, Place: at.place, Native: m.ID, Version: v, Text: text})
}

// deleted takes a deletion in: it is the last that happens to a message.
func (a *Adapter) deleted(ctx context.Context, at spot, m *message) error {
	return a.revise(ctx, bridge.Change{
		Platform: platform, Place: at.place, Native: m.ID, Version: "deleted " + a.now().UTC().Format(versionForm), Deleted: true,
	})
}

func (a *Adapter) revise(ctx context.Context, c bridge.Change) error {
	if err := a.attached().Changed(ctx, c); err != nil {
		return a.notKept(ctx, c.Place, c.Native+" "+c.Version, err, nil)
	}
	return nil
}

// notKept decides what it means that the office could not take a message or a
// change in; tell reaches its writer.
func (a *Adapter) notKept(ctx context.Context, place, native string, cause error, tell func(string)) error {
	return a.failures.Judge(ctx, a.attached(), a.log, bridge.Miss{Platform: platform, Place: place, Native: native, Cause: cause, Tell: tell})
}
