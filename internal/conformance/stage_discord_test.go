package conformance

import (
	"strings"
	"time"

	"bullpen/adapters/discord"
	"bullpen/bridge"
	sim "bullpen/internal/sim/discord"
	"bullpen/internal/sim/memnet"
)

// The ids of the server's people and channel.
const (
	guild, guildDev = "1100000000000000001", "1100000000000000201"
	guildMaria      = "1100000000000000101"
	guildKim        = "1100000000000000102"
	guildEve        = "1100000000000000103"
)

// onDiscord is the stage of Discord.
type onDiscord struct {
	srv     *sim.Server
	net     *memnet.Listener
	pressed []press
}

func discordStage() (stage, error) {
	s := &onDiscord{net: memnet.Listen("discord.sim")}
	var err error
	s.srv, err = sim.Start(sim.Options{
		Listener: s.net,
		Users: []sim.User{
			{ID: guildMaria, Name: "maria", GlobalName: "Maria"},
			{ID: guildKim, Name: "kim", GlobalName: "Kim"},
			{ID: guildEve, Name: "eve", GlobalName: "Eve"},
		},
		Guilds: []sim.Guild{{
			ID: guild, Name: "Acme", Members: []sim.Member{{User: "maria"}, {User: "kim"}, {User: "eve"}},
			Channels: []sim.Channel{{ID: guildDev, Name: "dev"}},
		}},
	})
	return s, err
}

func (*onDiscord) platform() string { return "discord" }

func (*onDiscord) account(who string) string {
	return map[string]string{asMaria: guildMaria, asKim: guildKim, asEve: guildEve}[who]
}

func (s *onDiscord) adapter(inThread bool) (bridge.Poster, error) {
	return discord.New(discord.Options{
		Token: s.srv.Token(), APIURL: s.srv.APIURL(), Dial: s.net.Dial,
		Channels: map[string]discord.Channel{"dev": {Place: guildDev, InThread: inThread}},
	})
}

func (*onDiscord) settled() bool  { return true }
func (s *onDiscord) up() bool     { return s.srv.Connected() == 1 }
func (s *onDiscord) close() error { return s.srv.Close() }

// place is a channel as its people name it; see is the same for who looks at it.
func (*onDiscord) place(at where) string {
	switch {
	case at.dm != "":
		return ""
	case at.thread != "":
		return at.thread
	default:
		return guildDev
	}
}

func (s *onDiscord) see(at where) string {
	if at.dm != "" {
		return "@" + at.dm
	}
	return s.place(at)
}

func (s *onDiscord) say(who string, at where, x said) (string, error) {
	w := sim.Said{Channel: s.place(at), Text: strings.ReplaceAll(x.text, "@office", s.srv.Mention(s.srv.BotID())), Reply: x.reply}
	if x.file != "" {
		w.Files = []sim.File{{Name: x.file, Type: "text/plain", Data: []byte("data of " + x.file)}}
	}
	return s.srv.User(who).Send(w)
}

func (s *onDiscord) edit(who string, at where, id, text string) error {
	return s.srv.User(who).Edit(s.place(at), id, text)
}

func (s *onDiscord) remove(who string, at where, id string) error {
	return s.srv.User(who).Delete(s.place(at), id)
}

func (s *onDiscord) press(who string, at where, id, label string) error {
	key, err := s.srv.User(who).Press(s.place(at), id, label)
	s.pressed = append(s.pressed, press{who, key})
	return err
}

func (s *onDiscord) native(who string, at where, command string) error {
	key, err := s.srv.User(who).SlashLine(s.place(at), "/"+command)
	s.pressed = append(s.pressed, press{who, key})
	return err
}

func (*onDiscord) typed(_ where, command string) string {
	return "@office " + strings.TrimPrefix(command, "office ")
}

func (s *onDiscord) shown(who string, at where) []line {
	var out []line
	for _, e := range s.srv.User(who).Seen(s.see(at)) {
		l := line{
			id: e.ID, author: e.Author, sender: e.Author, text: e.Shown(), ours: e.Ours, reply: e.ReplyTo, thread: at.thread, only: e.OnlyFor,
			edited: e.Edited, files: map[string]string{},
		}
		if e.Ours {
			l.author, l.text = named(e.Author, l.text)
			if link, rest, ok := strings.Cut(strings.TrimPrefix(l.text, "-# ↩ "), "\n"); ok && strings.HasPrefix(link, "https://discord.com/channels/") {
				l.reply, l.text = link[strings.LastIndexByte(link, '/')+1:], rest // what a webhook can give for a reply
			}
		}
		for _, p := range e.Pings {
			if strings.HasPrefix(p, "@") {
				l.pings = append(l.pings, p)
			}
		}
		for _, b := range e.Buttons {
			l.buttons = append(l.buttons, b.Label)
		}
		for name, data := range s.srv.Uploaded(s.see(at), e.ID) {
			l.files[name] = string(data)
		}
		for emoji, mark := range map[string]string{"👀": "seen", "✅": "done", "🤔": "failed"} {
			if len(e.Reactions[emoji]) > 0 {
				l.mark = mark
			}
		}
		out = append(out, l)
	}
	return out
}

func (s *onDiscord) heard(who string) []string {
	var out []string
	for _, p := range s.pressed {
		if i, ok := s.srv.Interaction(p.key); ok && p.who == who && i.Message != nil && i.Message.OnlyFor != "" {
			out = append(out, i.Message.Shown())
		}
	}
	return out
}

func (s *onDiscord) fails(t trouble) {
	s.srv.FailNext(sim.RouteWebhook, map[trouble]sim.Fault{
		limited: sim.Limited(40 * time.Second), replyLost: sim.LostReply(), callLost: sim.LostCall(), broken: sim.ServerError(503),
	}[t])
}

func (s *onDiscord) planned() int { return s.srv.PlannedFaults() }

func (s *onDiscord) duplicates() {
	s.srv.FailEvents("MESSAGE_CREATE", sim.EventFault{Duplicate: true})
}

func (s *onDiscord) strange() {
	s.srv.SendEvent("BRAND_NEW", map[string]any{"x": 1})
	s.srv.SendFrame(`{"op":99,"d":{"x":1}}`)
}

func (s *onDiscord) summary() string { return s.srv.Summary() }

func (s *onDiscord) network(on bool) {
	if on {
		s.srv.GoOnline()
	} else {
		s.srv.GoOffline()
	}
}

func (s *onDiscord) hangs(until <-chan struct{}) {
	s.srv.FailNext(sim.RouteWebhook, sim.Fault{Hold: until})
}

func (s *onDiscord) expel() error {
	return s.srv.Deny(guildDev, sim.ViewChannel)
}

func (s *onDiscord) readmit() error {
	return s.srv.Deny(guildDev, 0)
}
