package conformance

import (
	"net/http"
	"strconv"
	"strings"

	"bullpen/adapters/telegram"
	"bullpen/bridge"
	"bullpen/internal/sim/memnet"
	sim "bullpen/internal/sim/telegram"
)

// onTelegram is the stage of Telegram.
type onTelegram struct {
	srv     *sim.Server
	net     *memnet.Listener
	pressed []press
}

// press is a press of a button, and by whom.
type press struct{ who, key string }

func telegramStage() (stage, error) {
	s := &onTelegram{net: memnet.Listen("telegram.sim")}
	var err error
	s.srv, err = sim.Start(sim.Options{
		Listener: s.net,
		Users:    []sim.User{{ID: maria, First: "Maria"}, {ID: kim, First: "Kim"}, {ID: eve, First: "Eve"}},
		Groups:   []sim.Group{{ID: devs, Title: "Devs", Supergroup: true, Members: []int64{maria, kim}, Admin: true}},
	})
	if err == nil {
		for _, id := range []int64{maria, kim} {
			s.srv.User(id).Start()
		}
	}
	return s, err
}

func (*onTelegram) platform() string { return "telegram" }

func (s *onTelegram) account(who string) string { return strconv.FormatInt(s.user(who), 10) }

func (*onTelegram) user(who string) int64 {
	return map[string]int64{asMaria: maria, asKim: kim, asEve: eve}[who]
}

func (s *onTelegram) adapter(bool) (bridge.Poster, error) {
	return telegram.New(telegram.Options{
		Token: s.srv.Token(), APIURL: s.srv.APIURL(), Channels: map[string]string{"dev": strconv.Itoa(devs)},
		HTTP: &http.Client{Transport: &http.Transport{DialContext: s.net.Dial, DisableKeepAlives: true}},
	})
}

func (s *onTelegram) settled() bool { return s.srv.Pending() == 0 }
func (s *onTelegram) up() bool      { return s.srv.Polling() }
func (s *onTelegram) close() error  { return s.srv.Close() }

func (s *onTelegram) place(at where) int64 {
	if at.dm == "" {
		return devs
	}
	return s.user(at.dm)
}

func number(id string) int64 {
	n, err := strconv.ParseInt(id, 10, 64)
	if err != nil {
		return 0
	}
	return n
}

func (s *onTelegram) say(who string, at where, x said) (string, error) {
	w := sim.Said{Chat: s.place(at), Text: x.text, Reply: number(x.reply)}
	if at.thread != "" {
		w.Reply = number(at.thread)
	}
	if x.file != "" {
		w.Media = &sim.Media{Kind: "document", Name: x.file, Type: "text/plain", Data: []byte("data of " + x.file)}
	}
	id, err := s.srv.User(s.user(who)).Say(w)
	return strconv.FormatInt(id, 10), err
}

func (s *onTelegram) edit(who string, at where, id, text string) error {
	return s.srv.User(s.user(who)).Edit(s.place(at), number(id), text)
}

func (*onTelegram) remove(string, where, string) error { return nil } // nobody is told

func (s *onTelegram) press(who string, at where, id, label string) error {
	key, err := s.srv.User(s.user(who)).Press(s.place(at), number(id), label)
	s.pressed = append(s.pressed, press{who, key})
	return err
}

func (s *onTelegram) native(who string, at where, command string) error {
	_, err := s.say(who, at, said{text: "/" + strings.TrimPrefix(command, "office ")})
	return err
}

func (*onTelegram) typed(at where, command string) string {
	if at.dm == "" {
		return "/office@office_bot " + strings.TrimPrefix(command, "office ")
	}
	return "/office " + strings.TrimPrefix(command, "office ")
}

func (s *onTelegram) shown(_ string, at where) []line {
	var out []line
	all := s.srv.Transcript(s.place(at))
	if at.dm == asMaria || at.dm == asKim {
		all = all[min(2, len(all)):] // how the talk began: /start and its answer
	}
	for _, e := range all {
		if at.thread != "" && e.ID != number(at.thread) && e.ReplyTo == 0 {
			continue
		}
		l := line{
			id: strconv.FormatInt(e.ID, 10), author: e.Author, sender: e.Author, text: e.Text, ours: e.Ours, buttons: e.Buttons, edited: e.Edited,
			files: map[string]string{}, mark: map[string]string{"👀": "seen", "👍": "done", "🤔": "failed"}[e.Reaction],
		}
		if e.ReplyTo != 0 {
			l.reply = strconv.FormatInt(e.ReplyTo, 10)
		}
		if e.Ours {
			l.author, l.text = named(e.Author, e.Text)
		}
		if e.File != nil {
			l.files[e.File.Name] = string(e.File.Data)
		}
		out = append(out, l)
	}
	return out
}

// named takes the colleague's name off a text that begins with it in a line.
func named(author, text string) (string, string) {
	head, rest, _ := strings.Cut(text, "\n")
	switch head := strings.Trim(head, "*"); head {
	case "alice", "bob", "Maria", "Kim":
		return head, rest
	}
	return author, text
}

func (s *onTelegram) heard(who string) []string {
	var out []string
	for _, p := range s.pressed {
		if text, _ := s.srv.Answered(p.key); p.who == who && text != "" {
			out = append(out, text)
		}
	}
	return out
}

func (s *onTelegram) fails(t trouble) {
	s.srv.FailNext("sendMessage", map[trouble]sim.Fault{
		limited: sim.Limited(40), replyLost: sim.LostReply(), callLost: sim.LostCall(), broken: {Code: 503, Description: "Service Unavailable"},
	}[t])
}

func (s *onTelegram) planned() int { return s.srv.PlannedFaults() }
func (s *onTelegram) duplicates()  { s.srv.DuplicateNext(1) }

func (s *onTelegram) strange() {
	s.srv.SendUpdate(map[string]any{"brand_new": map[string]any{"x": 1}})
	s.srv.SendUpdate(map[string]any{"message": map[string]any{"message_id": 7000, "chat": map[string]any{"id": devs, "type": "supergroup"}, "brand_new": 1}})
}

func (s *onTelegram) summary() string { return s.srv.Summary() }

func (s *onTelegram) network(on bool) {
	if on {
		s.srv.GoOnline()
	} else {
		s.srv.GoOffline()
	}
}

func (s *onTelegram) hangs(until <-chan struct{}) {
	s.srv.FailNext("sendMessage", sim.Fault{Hold: until})
}

func (s *onTelegram) expel() error {
	s.srv.RemoveBot(devs, maria)
	return nil
}

func (s *onTelegram) readmit() error {
	s.srv.AddBot(devs, maria)
	return nil
}
