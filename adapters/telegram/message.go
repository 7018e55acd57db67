package telegram

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"bullpen/adapters/telegram/format"
	"bullpen/bridge"
)

// said takes in what somebody wrote. Without an error it is kept, or of no concern.
func (a *Adapter) said(ctx context.Context, m *message) error {
	switch {
	case m.MigrateTo != 0:
		a.migrated(m.Chat.ID, m.MigrateTo)
		return a.keepMoved(ctx)
	case m.MigrateFrom != 0:
		a.migrated(m.MigrateFrom, m.Chat.ID)
		return a.keepMoved(ctx)
	}
	arr, ok := a.arrival(m)
	if !ok {
		return nil
	}
	return a.arrive(ctx, arr, m.From.ID)
}

// arrive hands a message to the bridge and shows what became of it.
func (a *Adapter) arrive(ctx context.Context, arr bridge.Arrival, from int64) error {
	if !arr.Direct {
		p, linked, err := a.attached().Office().Portal(ctx, portalID(arr.Place))
		if err != nil {
			return err
		}
		if !linked || p.Unlinked {
			return a.outside(ctx, arr)
		}
	}
	rec, err := a.attached().Arrive(ctx, arr)
	if err != nil {
		return err
	}
	a.show(arr, rec)
	if arr.Direct && !rec.Ignored && !rec.Kept() && rec.Answer == "" {
		a.waits(ctx, arr)
	}
	return nil
}

// outside hands in what was written in a chat that is not linked, where admins may
// give commands and nothing else is heard.
func (a *Adapter) outside(ctx context.Context, arr bridge.Arrival) error {
	rec, err := a.attached().Arrive(ctx, arr)
	switch {
	case err != nil:
		return err
	case rec.Ignored:
		a.hint(arr)
	default:
		a.show(arr, rec)
	}
	return nil
}

// arrival makes what the bridge wants of a message; ok is false for what is none
// of the office's business: programs, channels' posts, anonymous administrators,
// service messages, another bot's commands.
func (a *Adapter) arrival(m *message) (arr bridge.Arrival, ok bool) {
	if m.From == nil || m.From.ID == 0 || m.From.IsBot || m.SenderChat != nil || m.ID == 0 || m.Chat.ID == 0 || m.Chat.Type == "channel" {
		return arr, false
	}
	text, found := content(m)
	sent := filesOf(m)
	if strings.TrimSpace(text) == "" && len(sent) == 0 {
		return arr, false
	}
	at := a.placeOf(m)
	arr = bridge.Arrival{
		Author: bridge.Author{
			Account: bridge.Account{Platform: platform, ID: itoa(m.From.ID)}, Name: fullName(m.From), Full: true, Gone: m.From.gone(),
		},
		Place: at.String(), Direct: m.Chat.private(), Native: native(at, m), Text: text, Files: sent,
	}
	if to := m.ReplyTo; to != nil && to.ID != 0 && !(m.IsTopic && to.ID == m.Thread) {
		if to.Chat.ID == 0 {
			to.Chat = m.Chat
		}
		arr.Thread, arr.Reply = native(at, to), true
	}
	if len(m.ForwardOrigin) == 0 {
		if verb, other := a.command(&arr, found); other {
			return arr, false
		} else if verb {
			return arr, true
		}
	}
	arr.Forwarded = len(m.ForwardOrigin) > 0
	arr.Text, found = framed(m, text, found)
	arr.Mentions = a.mentions(found)
	return arr, true
}

// framed puts what a message quotes in front of it, and marks what was forwarded
// as somebody else's words: quoted lines address nobody.
func framed(m *message, text string, found []format.Mention) (string, []format.Mention) {
	if len(m.ForwardOrigin) > 0 {
		return strings.TrimSpace("(forwarded" + origin(m.ForwardOrigin) + ")\n" + quoted(text)), nil
	}
	if m.Quote == nil || strings.TrimSpace(m.Quote.Text) == "" {
		return text, found
	}
	head := quoted(m.Quote.Text) + "\n\n"
	found = slices.Clone(found)
	for i := range found {
		found[i].Start += len(head)
		found[i].End += len(head)
	}
	return head + text, found
}

// quoted makes a quotation of a text.
func quoted(text string) string {
	if text == "" {
		return ""
	}
	return "> " + strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n> ")
}

// origin says whom a forwarded message is from, as far as Telegram tells
// (core.telegram.org/bots/api#messageorigin).
func origin(raw json.RawMessage) string {
	var o struct {
		User  *user  `json:"sender_user"`
		Name  string `json:"sender_user_name"`
		Chat  *chat  `json:"chat"`
		Group *chat  `json:"sender_chat"`
	}
	if json.Unmarshal(raw, &o) != nil {
		return ""
	}
	name := o.Name
	switch {
	case o.User != nil:
		name = fullName(o.User)
	case o.Chat != nil:
		name = o.Chat.Title
	case o.Group != nil:
		name = o.Group.Title
	}
	if name = strings.Join(strings.Fields(name), " "); name == "" {
		return ""
	}
	return " from " + format.Clip(strings.NewReplacer("@", "", "#", "", "$", "").Replace(name), personaMost)
}

// content is what a message says, beside its files.
func content(m *message) (string, []format.Mention) {
	text, entities := m.Text, m.Entities
	if text == "" {
		text, entities = m.Caption, m.CaptionEntities
	}
	text, found := format.Decode(text, entities)
	if text == "" {
		switch {
		case m.Sticker != nil:
			text = strings.TrimSpace("[sticker " + m.Sticker.Emoji)
			text += "]"
		case len(m.Location) > 0:
			text = "[location]"
		}
	}
	return text, found
}

func fullName(u *user) string {
	name := strings.Join(strings.Fields(u.First.text+" "+u.Last), " ")
	if name == "" {
		name = u.Username
	}
	return name
}

// command puts a command into the form in which the bridge knows it, if the text
// begins with one of ours that fits; other says that it is for another bot.
// Commands come as /verb and as /verb@bot, in any case; /start, which Telegram
// sends for its button, asks for help, and /office is a prefix that changes nothing.
func (a *Adapter) command(arr *bridge.Arrival, found []format.Mention) (is, other bool) {
	if len(found) == 0 || found[0].Kind != format.Command || strings.TrimSpace(arr.Text[:found[0].Start]) != "" {
		return false, false
	}
	verb, bot := format.CutCommand(found[0].Word)
	if bot != "" && !strings.EqualFold(bot, a.self().Username) {
		return false, true
	}
	line := strings.TrimSpace(arr.Text[found[0].End:])
	switch {
	case strings.EqualFold(verb, "start") && arr.Direct, strings.EqualFold(verb, "office") && line == "":
		line = "help"
	default:
		line = strings.TrimSpace(verb + " " + line)
	}
	if !a.attached().Commands().Knows(platform, line) {
		return false, false
	}
	arr.Command = line
	return true, false
}

// mentions says what the office has to know of what a text mentions. Somebody's
// @name is text: it may as well be a colleague's.
func (a *Adapter) mentions(found []format.Mention) []bridge.Mention {
	var out []bridge.Mention
	me := a.self()
	for _, m := range found {
		n := bridge.Mention{Start: m.Start, End: m.End}
		switch m.Kind {
		case format.Username:
			if !strings.EqualFold(m.Word, "@"+me.Username) {
				continue
			}
			n.Kind = bridge.MentionSelf
		case format.Command:
			_, bot := format.CutCommand(m.Word)
			if bot == "" {
				continue
			}
			n.Kind = bridge.MentionSelf
			if !strings.EqualFold(bot, me.Username) {
				n.Kind = bridge.MentionOther
			}
		case format.Account:
			n.Kind, n.ID = bridge.MentionAccount, itoa(m.ID)
			if m.ID == me.ID {
				n.Kind = bridge.MentionSelf
			}
		}
		out = append(out, n)
	}
	return out
}

// edited takes an edit in. The stamps of edits are whole seconds, so the update's
// number tells two of one second apart.
func (a *Adapter) edited(ctx context.Context, m *message, id int64) error {
	text, found := content(m)
	text, _ = framed(m, text, found)
	if m.From == nil || m.From.IsBot || m.SenderChat != nil || m.ID == 0 || text == "" {
		return nil
	}
	at := a.placeOf(m)
	return a.attached().Changed(ctx, bridge.Change{
		Platform: platform, Place: at.String(), Native: native(at, m), Text: text,
		Version: fmt.Sprintf("%012d.%020d", m.EditDate, id),
	})
}

// member takes in that the bot's own rights changed somewhere.
func (a *Adapter) member(ctx context.Context, c *membership) error {
	in := c.New.Status == "member" || c.New.Status == "administrator"
	b := a.attached()
	if c.Chat.private() {
		id := itoa(c.Chat.ID)
		p, ok := a.attached().LetIn(ctx, bridge.Account{Platform: platform, ID: id})
		if !in || !ok {
			return nil
		}
		return b.LinkDM(ctx, platform, id, p.ID, "") // they unblocked the bot
	}
	at := a.placeOf(&message{Chat: c.Chat}).String()
	p, linked, err := b.Office().Portal(ctx, portalID(at))
	linked = linked && !p.Unlinked
	switch {
	case err != nil:
		return err
	case in && linked:
		return a.linkChannels(ctx)
	case in:
		b.Notice(fmt.Sprintf("%s: the bot was added to %q; to have a channel of the office there, write its name and %s under adapters.telegram.channels in office.yaml", platform, c.Chat.Title, at))
	case linked:
		a.problem("channel "+string(p.Channel), fmt.Sprintf("the bot was taken out of the chat of #%s, so nothing can be shown there: add @%s again", p.Channel, a.self().Username))
	}
	return nil
}
