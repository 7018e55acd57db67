package conformance

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"bullpen/office"
	"bullpen/office/model"
)

// A platform that asks to wait is waited for, and shows everything once and in order.
func TestALimitIsObeyed(t *testing.T) {
	tell(t, func(s *scene) {
		s.Idle()
		begin := time.Now()
		s.fails(limited)
		s.types(asKim, inDev, "@bob hi")
		s.Until("it is limited", func() bool { return s.planned() == 0 })
		s.restart()
		s.shows(inDev, "bob: ok")
		if d := time.Since(begin); d < 40*time.Second || d > 2*time.Minute {
			s.Errorf("it came after %s", d)
		}
		s.Idle()
		s.shows(inDev, "bob: ok")
	})
}

// A post of which nobody knows how it ended is shown once, or, where it cannot be
// looked up, at most once more and marked.
func TestAPostOfUnknownEndIsShownOnce(t *testing.T) {
	for name, kind := range map[string]trouble{"its answer is lost": replyLost, "it is lost": callLost, "503": broken} {
		t.Run(name, func(t *testing.T) {
			tell(t, func(s *scene) {
				s.Idle()
				s.fails(kind)
				s.types(asKim, inDev, "@bob hi")
				time.Sleep(10 * time.Minute) // of the bubble: time for a second copy
				s.Idle()
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
		s.Idle()
		s.strange()
		s.duplicates()
		s.types(asKim, inDev, "@bob hi")
		s.shows(inDev, "bob: ok")
		s.strange()
		s.Idle()
		s.types(asKim, inDev, "@bob again")
		s.shows(inDev, "bob: ok", "bob: ok")
		s.Idle()
		if n := s.asks("bob", ""); n != 2 || !strings.Contains(s.State(), ": connected") {
			s.Errorf("%d turns, %s", n, s.State())
		}
	})
}

// A network that is gone for ten minutes in the middle of a burst costs its delay and
// nothing else: everything is taken in once and in order, and answered so.
func TestTheNetworkIsGoneInABurst(t *testing.T) {
	number := regexp.MustCompile(`@bob (Q\d\d)`)
	tell(t, func(s *scene) {
		s.Idle()
		var want []string
		for i := range 20 {
			switch i {
			case 5:
				s.network(false)
			case 15:
				time.Sleep(10 * time.Minute) // of the bubble
				s.network(true)
			}
			q := fmt.Sprintf("Q%02d", i)
			want = append(want, q)
			s.types(asKim, inDev, "@bob "+q)
			time.Sleep(3 * time.Second) // of the bubble
		}
		answered := func() (got []string) {
			for _, l := range s.lines(inDev) {
				if l.author == "bob" {
					got = append(got, strings.Fields(strings.TrimPrefix(l.text, "(possibly again) "))...)
				}
			}
			return got
		}
		s.Until("all is answered", func() bool { return len(answered()) >= len(want) })
		s.Idle()
		got := answered()
		if s.lacks(noReadback) { // of what was on its way when it broke, one marked copy
			got = slices.Compact(got)
		}
		if !slices.Equal(got, want) {
			s.Errorf("answered: %q", got)
		}
		for _, q := range want {
			if n := s.asks("bob", "@bob "+q); n != 1 {
				s.Errorf("%s was given %d times", q, n)
			}
		}
	}, func(s *scene) {
		s.Answer = func(_ context.Context, _ string, req *model.Request) (*model.Response, error) {
			woken, _ := wakes(req)
			var all []string
			for _, m := range number.FindAllStringSubmatch(woken, -1) {
				all = append(all, m[1])
			}
			return text(strings.Join(all, " "))
		}
	})
}

// A call that is never answered holds up nobody else, is given up, and does not keep
// the office from ending.
func TestACallThatIsNeverAnswered(t *testing.T) {
	for name, restart := range map[string]bool{"it goes on": false, "the office ends meanwhile": true} {
		t.Run(name, func(t *testing.T) {
			tell(t, func(s *scene) {
				s.Idle()
				never := make(chan struct{})
				defer close(never)
				begin := time.Now()
				s.hangs(never)
				s.types(asKim, inDev, "@bob hi")
				s.Until("the call hangs", func() bool { return s.planned() == 0 })
				s.types(asMaria, direct(asMaria), "hello")
				s.shows(direct(asMaria), "alice: ok")
				if d := time.Since(begin); d > 30*time.Second {
					s.Errorf("another place waited %s", d)
				}
				if restart {
					ends := time.Now()
					s.Shut()
					if d := time.Since(ends); d > 30*time.Second {
						s.Errorf("the office took %s to end", d)
					}
					s.start()
				}
				s.Until("it is shown", func() bool { return len(s.ours(inDev)) > 0 })
				time.Sleep(10 * time.Minute) // of the bubble: time for a second copy
				got := s.ours(inDev)
				if s.lacks(noReadback) { // one marked copy, of what may have been taken all the same
					got = slices.Compact(strings.Split(strings.ReplaceAll(strings.Join(got, "\n"), "(possibly again) ", ""), "\n"))
				}
				if !slices.Equal(got, []string{"bob: ok"}) || len(s.ours(inDev)) > 2 || s.asks("bob", "") != 1 {
					s.Errorf("%q; %d turns", s.ours(inDev), s.asks("bob", ""))
				}
			})
		})
	}
}

// A place that the bot is put out of is told of once, and what was for it goes nowhere
// else; when the bot is let in again the place goes on.
func TestTheBotIsPutOutOfAPlace(t *testing.T) {
	tell(t, func(s *scene) {
		s.types(asMaria, direct(asMaria), "hello")
		s.shows(direct(asMaria), "alice: ok")
		s.Idle()
		if err := s.expel(); err != nil {
			s.Fatal(err)
		}
		for i := range 3 {
			if _, err := s.Office.Post(context.Background(), office.Post{Person: "maria", Channel: "dev", Text: fmt.Sprintf("news %d", i)}); err != nil {
				s.Fatal(err)
			}
		}
		s.Idle()
		time.Sleep(10 * time.Minute) // of the bubble
		s.Idle()
		told := 0
		for _, l := range s.ours(direct(asMaria)) {
			if strings.Contains(l, "dev-1") {
				told++
			}
			if strings.Contains(l, ": news") {
				s.Errorf("it went elsewhere: %q", l)
			}
		}
		if told != 1 || len(s.ours(inDev)) != 0 {
			s.Errorf("maria was told %d times: %q; shown %q\n%s", told, s.ours(direct(asMaria)), s.ours(inDev), s.State())
		}
		if err := s.readmit(); err != nil {
			s.Fatal(err)
		}
		time.Sleep(time.Minute) // of the bubble
		s.types(asKim, inDev, "@bob hi")
		s.Until("the place goes on", func() bool { return slices.Contains(s.ours(inDev), "bob: ok") })
	})
}
