package conformance

import (
	"context"
	"regexp"
	"strings"
	"testing"

	"bullpen/bridge"
)

// paused says whether the office is.
func (s *scene) paused() bool {
	s.Helper()
	v, err := s.Office.View(context.Background())
	if err != nil {
		s.Fatal(err)
	}
	return v.Pause.On
}

// A command works as text and in the platform's own form, is told to who gave it, and
// refused with a sentence to who may not.
func TestCommandsInEveryForm(t *testing.T) {
	tell(t, func(s *scene) {
		s.Idle()
		for _, at := range []where{inDev, direct(asMaria)} {
			s.types(asMaria, at, s.typed(at, "office pause"))
			s.Until("it is paused by text", s.paused)
			s.told(asMaria, at, "paused")
			if err := s.native(asMaria, at, "office resume"); err != nil {
				s.Fatal(err)
			}
			s.Until("it goes on by the platform's own", func() bool { return !s.paused() })
			s.told(asMaria, at, "running")
			s.Idle()
		}
		s.types(asKim, inDev, s.typed(inDev, "office pause"))
		s.told(asKim, inDev, "owner and the admins")
		if err := s.native(asKim, direct(asKim), "office pause"); err != nil {
			s.Fatal(err)
		}
		s.told(asKim, direct(asKim), "owner and the admins")
		s.Idle()
		if s.paused() || s.asks("alice", "") != 0 {
			s.Error("kim paused it, or a command was read as talk")
		}
	})
}

// What cannot be undone waits for a press of who ordered it.
func TestADangerousCommandWaitsForAButton(t *testing.T) {
	tell(t, func(s *scene) {
		at := direct(asMaria)
		s.types(asMaria, at, s.typed(at, "agent hire tmp temporary=on"))
		s.told(asMaria, at, "tmp is with the office")
		s.Idle()
		s.types(asMaria, at, s.typed(at, "agent dismiss tmp"))
		q := s.find(asMaria, at, "Dismiss tmp?")
		s.presses(asMaria, at, q.id, "Do it")
		s.told(asMaria, at, "tmp is dismissed")
	})
}

var codeOf = regexp.MustCompile(`/approve (\w+)`)

// A stranger is not heard until an admin lets them in with their code.
func TestAStrangerIsPaired(t *testing.T) {
	tell(t, func(s *scene) {
		at := direct(asEve)
		s.types(asEve, at, "let me in")
		s.told(asEve, at, "code")
		s.Idle()
		var code string
		s.Until("there is a code", func() bool {
			all := codeOf.FindStringSubmatch(s.read(asEve, at) + "\n" + s.read(asMaria, direct(asMaria)))
			if all != nil {
				code = all[1]
			}
			return code != ""
		})
		before := s.read(asEve, at)
		s.types(asEve, at, "please")
		s.Idle()
		if s.read(asEve, at) != before || s.asks("alice", "") != 0 {
			s.Errorf("after the second message: %q", s.read(asEve, at))
		}
		if _, err := s.Bridge.Command(context.Background(), bridge.ConsoleAccount, nil, "approve "+code); err != nil {
			s.Fatal(err)
		}
		s.told(asEve, at, "may talk")
		s.types(asEve, at, "hello")
		s.Until("alice is asked", func() bool { return s.asks("alice", "hello") == 1 })
		s.Until("and answers", func() bool { return strings.Contains(strings.Join(s.ours(at), "\n"), "alice: ok") })
	})
}
