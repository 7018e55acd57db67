package discord

import (
	"encoding/json"
	"time"
)

// scope says who gets an event: sessions with the intent, if the bot can see the channel.
type scope struct {
	guild   *guild
	channel *channel
	intent  Intent // 0: every session
	// message, if it is set, is what the event is about, whose content may have to be left out.
	message *message
}

// emit dispatches an event to the sessions that are to have it.
func (s *Server) emit(event string, to scope, d object) {
	if to.guild != nil && !to.guild.in || to.channel != nil && !s.permissions(s.bot.ID, to.channel).has(ViewChannel) {
		return
	}
	f := s.eventFaults.Take(event)
	if f.Drop {
		return
	}
	if f.Change != nil {
		f.Change(d)
	}
	send := func() {
		for _, v := range s.sessions {
			if v.conn == nil && time.Since(v.left) > s.opts.SessionLife {
				v.ended = true
			}
			if v.ended || to.intent != 0 && v.intents&to.intent == 0 {
				continue
			}
			data := d
			if m := to.message; m != nil && v.intents&IntentMessageContent == 0 && !s.readable(m) {
				data = withoutContent(d)
			}
			v.deliver(event, data)
			if f.Duplicate {
				v.deliver(event, data)
			}
		}
	}
	if f.Delay == 0 {
		send()
		return
	}
	// What is sent later is what it was now.
	var kept object
	if json.Unmarshal(encode(d), &kept) == nil {
		d = kept
	}
	time.AfterFunc(f.Delay, func() { s.set(send) })
}

// deliver sends unless the session is over.
func (v *session) deliver(event string, d any) {
	if !v.ended {
		v.send(event, d)
	}
}

// readable says whether a message's content is shown without the message content intent: the app's own,
// in DMs, and where the app is mentioned (D: events/gateway, message content intent).
func (s *Server) readable(m *message) bool {
	return m.channel.kind == DM || s.ours(m) || m.mentionsUser(s.bot.ID)
}

// ours says whether the app wrote a message, itself or by one of its webhooks.
func (s *Server) ours(m *message) bool {
	return m.author == s.bot.ID || m.hook != nil && m.hook.app == s.bot.ID
}

func withoutContent(d object) object {
	out := object{}
	for k, v := range d {
		out[k] = v
	}
	out["content"] = ""
	for _, k := range []string{"embeds", "attachments", "components"} {
		out[k] = []any{}
	}
	delete(out, "poll")
	return out
}

// messageIntent is the one of events about messages in a channel.
func messageIntent(c *channel) Intent {
	if c.kind == DM {
		return IntentDMs
	}
	return IntentGuildMessages
}

func reactionIntent(c *channel) Intent {
	if c.kind == DM {
		return IntentDMReactions
	}
	return IntentGuildReactions
}

// emitMessage dispatches MESSAGE_CREATE or MESSAGE_UPDATE, with guild_id and member beside the message (D:
// events/gateway-events, message create).
func (s *Server) emitMessage(event string, m *message) {
	d := s.messageObject(m)
	if g := m.channel.guild; g != nil {
		d["guild_id"] = g.id
		if mem := g.members[m.author]; mem != nil && m.hook == nil {
			o := s.memberObject(g, mem)
			delete(o, "user")
			d["member"] = o
		}
	}
	s.emit(event, scope{guild: m.channel.guild, channel: m.channel, intent: messageIntent(m.channel), message: m}, d)
}

// emitAbout dispatches an event about something in a channel, with its ids.
func (s *Server) emitAbout(event string, c *channel, intent Intent, d object) {
	d["channel_id"] = c.id
	if c.guild != nil {
		d["guild_id"] = c.guild.id
	}
	s.emit(event, scope{guild: c.guild, channel: c, intent: intent}, d)
}
