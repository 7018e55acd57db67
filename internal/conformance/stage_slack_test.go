package conformance

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"bullpen/adapters/slack"
	"bullpen/bridge"
	"bullpen/internal/sim/memnet"
	sim "bullpen/internal/sim/slack"
)

// onSlack is the stage of Slack.
type onSlack struct {
	srv *sim.Server
	net *memnet.Listener
}

func slackStage() (stage, error) {
	s := &onSlack{net: memnet.Listen("slack.sim")}
	everyone := []string{"U0BOT", "U0MARIA", "U0KIM"}
	var err error
	s.srv, err = sim.Start(sim.Options{Listener: s.net, Workspace: sim.Workspace{
		Name: "Acme", Users: []sim.User{
			{ID: "U0MARIA", Name: "maria", DisplayName: "Maria"},
			{ID: "U0KIM", Name: "kim", DisplayName: "Kim"},
			{ID: "U0EVE", Name: "eve", DisplayName: "Eve"},
		},
		Channels: []sim.Channel{{ID: "C0DEV", Name: "dev", Members: append(everyone, "U0EVE")}},
	}})
	return s, err
}

func (*onSlack) platform() string          { return "slack" }
func (*onSlack) account(who string) string { return "U0" + strings.ToUpper(who) }

func (s *onSlack) adapter(inThread bool) (bridge.Poster, error) {
	return slack.New(slack.Options{
		AppToken: s.srv.AppToken(), BotToken: s.srv.BotToken(), APIURL: s.srv.APIURL(), Dial: s.net.Dial,
		HTTP:     &http.Client{Transport: &http.Transport{DialContext: s.net.Dial, DisableKeepAlives: true}},
		Channels: map[string]slack.Channel{"dev": {Place: "C0DEV", InThread: inThread}},
	})
}

func (s *onSlack) settled() bool { return s.srv.Unsettled() == 0 }
func (s *onSlack) up() bool      { return s.srv.Sockets() == 1 }
func (s *onSlack) close() error  { return s.srv.Close() }

// place is a place's conversation.
func (s *onSlack) place(at where) string {
	if at.dm == "" {
		return "C0DEV"
	}
	id, err := s.srv.User(at.dm).DMChannel()
	if err != nil {
		return at.dm + " has no talk with the bot: " + err.Error()
	}
	return id
}

func (s *onSlack) say(who string, at where, x said) (string, error) {
	p, root := s.srv.User(who), at.thread
	if root == "" {
		root = x.reply // what other platforms' replies are, a thread is here
	}
	switch {
	case x.file != "":
		return p.Share(s.place(at), root, x.text, &sim.File{Name: x.file, Type: "text/plain", Data: []byte("data of " + x.file)})
	case root != "":
		return p.Reply(s.place(at), root, x.text)
	default:
		return p.Post(s.place(at), x.text)
	}
}

func (s *onSlack) edit(who string, at where, id, text string) error {
	return s.srv.User(who).Edit(s.place(at), id, text)
}

func (s *onSlack) remove(who string, at where, id string) error {
	return s.srv.User(who).Delete(s.place(at), id)
}

func (s *onSlack) press(who string, at where, id, label string) error {
	for _, e := range s.srv.Transcript(s.place(at)) {
		if i := slices.IndexFunc(e.Buttons, func(b sim.Button) bool { return b.Label == label }); e.TS == id && i >= 0 {
			_, err := s.srv.User(who).Click(s.place(at), id, e.Buttons[i].ActionID)
			return err
		}
	}
	return errNoButton
}

func (s *onSlack) native(who string, at where, command string) error {
	_, err := s.srv.User(who).Slash(s.place(at), "/office", strings.TrimPrefix(command, "office "))
	return err
}

func (*onSlack) typed(_ where, command string) string {
	return "@office " + strings.TrimPrefix(command, "office ")
}

func (s *onSlack) shown(who string, at where) []line {
	var out []line
	all := s.srv.Transcript(s.place(at))
	if at.thread != "" {
		all = s.srv.Thread(s.place(at), at.thread)
	}
	for _, e := range all {
		if e.EphemeralTo != "" && e.EphemeralTo != s.account(who) || at.thread == "" && e.ThreadTS != "" && e.ThreadTS != e.TS {
			continue
		}
		l := line{id: e.TS, author: e.Author, sender: e.Author, text: e.Shown(), ours: e.Ours, thread: e.ThreadTS, pings: e.Rings, edited: e.Edited, files: map[string]string{}}
		if e.EphemeralTo != "" {
			l.only = who
		}
		for _, b := range e.Buttons {
			l.buttons = append(l.buttons, b.Label)
		}
		for _, f := range e.Files {
			l.files[f.Name] = string(f.Data)
		}
		for emoji, mark := range map[string]string{"eyes": "seen", "white_check_mark": "done", "thinking_face": "failed"} {
			if slices.Contains(e.Reactions[emoji], "U0BOT") {
				l.mark = mark
			}
		}
		out = append(out, l)
	}
	return out
}

func (s *onSlack) heard(who string) []string {
	var out []string
	for _, at := range []where{inDev, direct(who)} {
		for _, l := range s.shown(who, at) {
			if l.only != "" {
				out = append(out, l.text)
			}
		}
	}
	return out
}

func (s *onSlack) fails(t trouble) {
	s.srv.FailNext("chat.postMessage", map[trouble]sim.Fault{
		limited: sim.RateLimited(40), replyLost: sim.LostReply(), callLost: sim.LostCall(), broken: sim.ServerError(503),
	}[t])
}

func (s *onSlack) planned() int { return s.srv.PlannedFaults() }
func (s *onSlack) duplicates()  { s.srv.DuplicateNext(1) }

func (s *onSlack) strange() {
	s.srv.SendEvent(map[string]any{"type": "brand_new", "x": 1})
	s.srv.SendEvent(map[string]any{"type": "message", "subtype": "brand_new", "channel": "C0DEV", "ts": "7"})
	s.srv.SendEnvelope("brand_new_"+strconv.Itoa(1), map[string]any{"x": 1})
}

func (s *onSlack) summary() string { return s.srv.Summary() }

func (s *onSlack) network(on bool) {
	if on {
		s.srv.GoOnline()
	} else {
		s.srv.GoOffline()
	}
}

func (s *onSlack) hangs(until <-chan struct{}) {
	s.srv.FailNext("chat.postMessage", sim.Fault{Hold: until})
}

func (s *onSlack) expel() error {
	return s.srv.Leave("dev", "U0BOT")
}

func (s *onSlack) readmit() error {
	return s.srv.Join("dev", "U0BOT", "U0MARIA")
}
