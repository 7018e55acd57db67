package conformance

import (
	"context"
	"slices"
	"strings"
	"testing"

	"bullpen/office"
	"bullpen/office/model"
)

// taken is what stands in the office's own #dev.
func (s *scene) taken() string {
	s.Helper()
	var all []string
	for seq := int64(1); ; seq++ {
		m, err := s.Office.Message(context.Background(), office.Anchor{Channel: "dev", Seq: seq})
		if err != nil {
			return strings.Join(all, "\n")
		}
		all = append(all, m.Text)
	}
}

// An edit changes what the office has, and wakes nobody.
func TestAnEditIsTakenInAndWakesNobody(t *testing.T) {
	tell(t, func(s *scene) {
		id := s.types(asKim, inDev, "the plan is A")
		s.Idle()
		if err := s.edit(asKim, inDev, id, "@bob the plan is B"); err != nil {
			t.Fatal(err)
		}
		s.Until("the edit is known", func() bool { return strings.Contains(s.taken(), "the plan is B") })
		s.Idle()
		if s.asks("bob", "") != 0 || len(s.lines(inDev)) != 0 {
			s.Errorf("an edit woke: %q", s.ours(inDev))
		}
	})
}

// What somebody deletes is gone in the office as well, where the platform says so.
func TestADeletionIsTakenIn(t *testing.T) {
	tell(t, func(s *scene) {
		id := s.types(asKim, inDev, "a secret")
		s.Idle()
		if err := s.remove(asKim, inDev, id); err != nil {
			t.Fatal(err)
		}
		s.Idle()
		if gone := !strings.Contains(s.taken(), "a secret"); gone == s.lacks(noDeletions) {
			s.Errorf("after the deletion the office has %q", s.taken())
		}
	})
}

// Whoever writes to somebody who cannot be woken now is told, and the mail is
// delivered afterwards, also over a restart.
func TestWhatIsHeldIsSaidAndDeliveredLater(t *testing.T) {
	tell(t, func(s *scene) {
		s.types(asMaria, inDev, s.typed(inDev, "office pause"))
		s.told(asMaria, inDev, "paused")
		s.Idle()
		s.types(asKim, inDev, "@bob are you there?")
		s.told(asKim, inDev, "bob")
		s.Idle()
		if s.asks("bob", "") != 0 {
			s.Fatal("bob was woken in a paused office")
		}
		s.restart()
		s.types(asMaria, inDev, s.typed(inDev, "office resume"))
		s.Until("bob is woken", func() bool { return s.asks("bob", "are you there?") == 1 })
		s.Until("bob answers", func() bool { return slices.Contains(s.ours(inDev), "bob: ok") })
		s.Idle()
		if n := s.asks("bob", "are you there?"); n != 1 {
			s.Errorf("it was delivered %d times", n)
		}
	})
}

// passing makes alice and bob pass work to each other, further than they may.
func passing(s *scene) {
	s.Setup.Limits.Depth = 1
	s.Answer = func(_ context.Context, name string, req *model.Request) (*model.Response, error) {
		if _, tool := wakes(req); tool {
			return text("NO_REPLY")
		}
		other := map[string]string{"alice": "bob", "bob": "alice"}[name]
		return calls("office_post", `{"wake":["@`+other+`"],"text":"over to you, `+other+`"}`)
	}
}

// A question is decided by who may, once, wherever its copies stand, and all of them
// say by whom; a press of somebody else decides nothing and is answered.
func TestAQuestionIsDecidedByWhoMay(t *testing.T) {
	tell(t, func(s *scene) {
		s.types(asKim, inDev, "@alice start")
		const label = "Let them go on"
		asked := func(at where) line {
			for _, l := range s.shown(asMaria, at) {
				if l.ours && slices.Contains(l.buttons, label) {
					return l
				}
			}
			return line{}
		}
		places := []where{inDev, direct(asMaria)}
		ids := map[where]string{}
		for _, at := range places {
			s.Until("the question", func() bool { return asked(at).id != "" })
			ids[at] = asked(at).id
		}
		s.Idle()
		s.restart()
		s.presses(asKim, inDev, ids[inDev], label)
		s.told(asKim, inDev, "Nothing was decided")
		s.Idle()
		if asked(inDev).id == "" {
			s.Fatal("kim decided it")
		}
		s.presses(asMaria, inDev, ids[inDev], label)
		for _, at := range places {
			s.Until("every copy says who decided", func() bool {
				for _, l := range s.shown(asMaria, at) {
					if l.id == ids[at] {
						return len(l.buttons) == 0 && strings.Contains(l.text, "Maria lets them go on")
					}
				}
				return false
			})
		}
		s.Until("alice goes on", func() bool { return s.asks("alice", "over to you, alice") >= 1 })
	}, passing)
}

// Mail has a button to answer it: what is written next goes to who sent it.
func TestMailIsAnsweredByItsButton(t *testing.T) {
	tell(t, func(s *scene) {
		s.types(asKim, inDev, "@bob mail her")
		mail := s.find(asMaria, direct(asMaria), "the build is green")
		if !slices.Equal(mail.buttons, []string{"Reply", "Done", "Mute bob"}) || mail.author != "bob" {
			s.Fatalf("the mail is %+v", mail)
		}
		s.Idle()
		s.restart()
		s.presses(asMaria, direct(asMaria), mail.id, "Reply")
		s.told(asMaria, direct(asMaria), "bob")
		s.Idle()
		s.types(asMaria, direct(asMaria), "deploy it")
		s.Until("bob has the answer", func() bool { return s.asks("bob", "deploy it") == 1 })
		s.presses(asMaria, direct(asMaria), mail.id, "Done")
		s.Until("the mail is done", func() bool {
			l := s.find(asMaria, direct(asMaria), "the build is green")
			return len(l.buttons) == 0
		})
	}, func(s *scene) {
		s.Answer = func(_ context.Context, name string, req *model.Request) (*model.Response, error) {
			if woken, tool := wakes(req); name == "bob" && !tool && strings.Contains(woken, "mail her") {
				return calls("office_dm", `{"wake":["@user"],"text":"the build is green"}`)
			}
			return text("done")
		}
	})
}
