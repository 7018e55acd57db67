package conformance

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// A platform that asks to wait is waited for, and shows everything once and in order.
func TestALimitIsObeyed(t *testing.T) {
	tell(t, func(s *scene) {
		s.idle()
		begin := time.Now()
		s.fails(limited)
		s.types(asKim, inDev, "@bob hi")
		s.until("it is limited", func() bool { return s.planned() == 0 })
		s.restart()
		s.shows(inDev, "bob: ok")
		if d := time.Since(begin); d < 40*time.Second || d > 2*time.Minute {
			s.Errorf("it came after %s", d)
		}
		s.idle()
		s.shows(inDev, "bob: ok")
	})
}

// A post of which nobody knows how it ended is shown once, or, where it cannot be
// looked up, at most once more and marked.
func TestAPostOfUnknownEndIsShownOnce(t *testing.T) {
	for name, kind := range map[string]trouble{"its answer is lost": replyLost, "it is lost": callLost, "503": broken} {
		t.Run(name, func(t *testing.T) {
			tell(t, func(s *scene) {
				s.idle()
				s.fails(kind)
				s.types(asKim, inDev, "@bob hi")
				time.Sleep(10 * time.Minute) // of the bubble: time for a second copy
				s.idle()
				want := []string{"bob: ok"}
				if s.lacks(noReadback) {
					want = []string{"bob: (possibly again) ok"}
					if kind == replyLost {
						want = append([]string{"bob: ok"}, want...)
					}
				}
				if got := s.ours(inDev); !slices.Equal(got, want) || s.planned() != 0 || s.asks("bob", "") != 1 {
					s.Errorf("%q, want %q; %d turns", got, want, s.asks("bob", ""))
				}
			})
		})
	}
}

// A message that comes twice is one, and one of a kind that nobody knows stops nothing.
func TestOddEventsStopNothing(t *testing.T) {
	tell(t, func(s *scene) {
		s.idle()
		s.strange()
		s.duplicates()
		s.types(asKim, inDev, "@bob hi")
		s.shows(inDev, "bob: ok")
		s.strange()
		s.idle()
		s.types(asKim, inDev, "@bob again")
		s.shows(inDev, "bob: ok", "bob: ok")
		s.idle()
		if n := s.asks("bob", ""); n != 2 || !strings.Contains(s.state(), ": connected") {
			s.Errorf("%d turns, %s", n, s.state())
		}
	})
}
