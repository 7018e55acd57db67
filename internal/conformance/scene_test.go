package conformance

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"bullpen/internal/rehearsal"
	"bullpen/office"
	"bullpen/office/model"
)

// errNoButton means that a message has no such button.
var errNoButton = errors.New("there is no such button")

// stages are the platforms on which every story is told.
var stages = map[string]func() (stage, error){"slack": slackStage, "telegram": telegramStage, "discord": discordStage}

// today is how much later than a bubble's clock the stories play: Discord's ids have
// as many digits as today's only from 2022 on.
const today = 27 * 366 * 24 * time.Hour

// scene is a rehearsed office on one stage and in a bubble of its own time.
type scene struct {
	*rehearsal.Troupe
	stage
	inThread bool
}

// tell tells a story on every platform.
func tell(t *testing.T, story func(s *scene), change ...func(*scene)) {
	t.Helper()
	t.Parallel()
	for name, open := range stages {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				time.Sleep(today) // of the bubble
				on, err := open()
				if err != nil {
					t.Fatal(err)
				}
				s := &scene{Troupe: rehearsal.New(t, office.Account{Platform: name, ID: on.account(asMaria)}), stage: on}
				s.Settled, s.Summary = on.settled, on.summary
				s.Hears = func(req *model.Request) (string, bool) {
					woken, tool := wakes(req)
					return woken, !tool
				}
				s.Setup.People = append(s.Setup.People, office.Person{
					ID: "kim", Name: "Kim", Accounts: []office.Account{{Platform: name, ID: on.account(asKim)}},
				})
				for _, f := range change {
					f(s)
				}
				s.start()
				defer func() {
					s.Shut()
					if err := on.close(); err != nil {
						t.Error(err)
					}
				}()
				story(s)
			})
		})
	}
}

func text(s string) (*model.Response, error) { return rehearsal.Text(s), nil }

// calls is a turn's step that uses a tool.
func calls(name, args string) (*model.Response, error) {
	return &model.Response{Stop: model.StopCalls, Calls: []model.Call{{ID: "1", Name: name, Args: []byte(args)}}}, nil
}

// wakes is what woke a turn, and afterwards whether a tool has answered.
func wakes(req *model.Request) (text string, tool bool) {
	for _, m := range req.Messages {
		if m.Role == model.RoleTool {
			tool = true
		} else if m.Role == model.RoleUser {
			text, tool = m.Text, false
		}
	}
	return text, tool
}

// asks counts the turns of a colleague that were given a text.
func (s *scene) asks(name, part string) int {
	n := 0
	for _, turn := range s.Turns() {
		if strings.HasPrefix(turn, name+": ") && strings.Contains(turn, part) {
			n++
		}
	}
	return n
}

// start opens the office with the adapter and waits until that listens.
func (s *scene) start() {
	s.Helper()
	a, err := s.adapter(s.inThread)
	if err != nil {
		s.Fatal(err)
	}
	s.Open(a)
	s.Until("the adapter is connected", func() bool { return strings.Contains(s.State(), ": connected") && s.up() })
}

// restart ends the office and opens it again.
func (s *scene) restart() {
	s.Helper()
	s.Shut()
	s.start()
}

// lacks says whether the platform falls short of something.
func (s *scene) lacks(what shortfall) bool {
	_, short := lacks[s.platform()][what]
	return short
}

// says writes a message and gives its id.
func (s *scene) says(who string, at where, x said) string {
	s.Helper()
	id, err := s.say(who, at, x)
	if err != nil {
		s.Fatal(err)
	}
	return id
}

// types writes a text.
func (s *scene) types(who string, at where, words string) string {
	s.Helper()
	return s.says(who, at, said{text: words})
}

// ours are the lasting messages of the office in a place, "author: text".
func (s *scene) ours(at where) []string {
	var out []string
	for _, l := range s.lines(at) {
		out = append(out, l.author+": "+l.text)
	}
	return out
}

// lines are the lasting messages of the office in a place.
func (s *scene) lines(at where) []line {
	who := asMaria
	if at.dm != "" {
		who = at.dm
	}
	return slices.DeleteFunc(s.shown(who, at), func(l line) bool { return !l.ours || l.only != "" })
}

// shows waits until the office's messages in a place are exactly these.
func (s *scene) shows(at where, want ...string) {
	s.Helper()
	s.Shows(fmt.Sprintf("%+v", at), func() []string { return s.ours(at) }, want...)
}

// told waits until somebody reads a text, in whatever form their platform says it:
// alone, or as a message of the office's.
func (s *scene) told(who string, at where, part string) {
	s.Helper()
	s.Until(fmt.Sprintf("%s is told %q", who, part), func() bool { return strings.Contains(s.read(who, at), part) })
}

// read is all that the office said to somebody in a place.
func (s *scene) read(who string, at where) string {
	all := s.heard(who)
	for _, l := range s.shown(who, at) {
		if l.ours {
			all = append(all, l.text)
		}
	}
	return strings.Join(all, "\n")
}

// find waits for the newest message of the office's with a text in a place.
func (s *scene) find(who string, at where, part string) line {
	s.Helper()
	var found line
	s.Until(fmt.Sprintf("%+v shows a message with %q", at, part), func() bool {
		for _, l := range s.shown(who, at) {
			if l.ours && strings.Contains(l.text, part) {
				found = l
			}
		}
		return found.id != ""
	})
	return found
}

// presses presses a button.
func (s *scene) presses(who string, at where, id, label string) {
	s.Helper()
	if err := s.press(who, at, id, label); err != nil {
		s.Fatal(err)
	}
}
