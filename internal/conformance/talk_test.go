package conformance

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"bullpen/office"
	"bullpen/office/model"
)

// The one direct talk with the bot reaches every colleague: without a name the front
// desk, with one that colleague, who stays the partner, also after a restart.
func TestADirectTalkReachesEveryColleague(t *testing.T) {
	tell(t, func(s *scene) {
		at := direct(asMaria)
		s.types(asMaria, at, "hello")
		s.shows(at, "alice: ok")
		s.types(asMaria, at, "@bob hi")
		s.shows(at, "alice: ok", "bob: ok")
		s.restart()
		s.types(asMaria, at, "still you?")
		s.shows(at, "alice: ok", "bob: ok", "bob: ok")
		s.types(asMaria, at, "/with alice")
		s.told(asMaria, at, "alice")
		s.Idle()
		s.types(asMaria, at, "and you?")
		s.Until("alice is asked", func() bool { return s.asks("alice", "and you?") == 1 })
		s.Idle()
		if got := s.ours(at); got[len(got)-1] != "alice: ok" || s.asks("bob", "and you?") != 0 {
			s.Errorf("%q", got)
		}
	})
}

// Who is named in the channel answers there, under their own name.
func TestTheChannelIsAnsweredInItsPlace(t *testing.T) {
	tell(t, func(s *scene) {
		s.types(asKim, inDev, "morning all")
		s.Idle()
		id := s.types(asKim, inDev, "@bob hi")
		s.shows(inDev, "bob: ok")
		if l := s.lines(inDev)[0]; (l.sender == "bob") == s.lacks(noPersonas) {
			s.Errorf("it stands under the name of %s", l.sender)
		}
		if s.asks("alice", "") != 0 || s.asks("bob", "") != 1 {
			s.Errorf("alice was woken %d times, bob %d", s.asks("alice", ""), s.asks("bob", ""))
		}
		s.Until("the message is marked done", func() bool {
			return slices.ContainsFunc(s.shown(asKim, inDev), func(l line) bool { return l.id == id && l.mark == "done" })
		})
	})
}

// In a thread its last speaker is addressed, and answers there; where there are no
// threads the answer stands in the channel as a reply.
func TestAThreadIsAnsweredInTheThread(t *testing.T) {
	tell(t, func(s *scene) {
		id := s.types(asKim, inDev, "@bob what about this?")
		if s.lacks(noThreads) {
			s.shows(inDev, "bob: ok")
			s.says(asKim, inDev, said{text: "and that?", reply: s.lines(inDev)[0].id})
			s.shows(inDev, "bob: ok", "bob: ok")
			return
		}
		thread := where{thread: id}
		answers := func() (n int) {
			for _, l := range s.shown(asKim, thread) {
				if l.author == "bob" && l.text == "ok" {
					n++
				}
			}
			return n
		}
		s.Until("bob answers in the thread", func() bool { return answers() == 1 })
		s.restart()
		s.types(asKim, thread, "and that?")
		s.Until("bob answers again", func() bool { return answers() == 2 })
		s.Idle()
		if got := s.ours(inDev); len(got) != 0 {
			s.Errorf("beside the thread stands %q", got)
		}
	}, func(s *scene) { s.inThread = true })
}

// A native reply addresses whom it answers.
func TestAReplyAddressesWhomItAnswers(t *testing.T) {
	tell(t, func(s *scene) {
		s.types(asKim, inDev, "@bob hi")
		s.shows(inDev, "bob: ok")
		s.Idle()
		s.says(asMaria, inDev, said{text: "and now?", reply: s.lines(inDev)[0].id})
		s.Until("bob is asked", func() bool { return s.asks("bob", "and now?") == 1 })
		s.Idle()
		if s.asks("alice", "") != 0 {
			s.Error("alice was woken")
		}
		if s.lacks(noReplies) {
			return // it was a thread
		}
		// Its own answer stands beside it, as an answer where others wrote in between.
		if got := s.ours(inDev); len(got) != 2 || got[1] != "bob: ok" {
			s.Errorf("%q", got)
		}
	})
}

// What a model writes calls no group of people.
func TestNobodyCanPingEverybody(t *testing.T) {
	const loud = "@everyone @here @channel <!channel> <!here> <@&1> <!subteam^S1> done"
	tell(t, func(s *scene) {
		s.types(asKim, inDev, "@bob tell them")
		s.Until("it is shown", func() bool { return len(s.lines(inDev)) == 1 })
		l := s.lines(inDev)[0]
		if len(l.pings) != 0 || !strings.Contains(l.text, "done") {
			s.Errorf("%q pings %q", l.text, l.pings)
		}
	}, func(s *scene) {
		s.Answer = func(context.Context, string, *model.Request) (*model.Response, error) { return text(loud) }
	})
}

// A text of 40,000 characters whose last fence is not closed is shown whole, in parts
// or as a file.
func TestALongTextLosesNothing(t *testing.T) {
	var b strings.Builder
	for i := range 800 {
		b.WriteString("line " + strings.Repeat("word ", 8) + "\n")
		if i == 700 {
			b.WriteString("```go\n")
		}
	}
	long := b.String() + "the very end"
	tell(t, func(s *scene) {
		s.types(asKim, inDev, "@bob all of it")
		words, last := 0, ""
		s.Until("all of it is shown", func() bool {
			words, last = 0, ""
			for _, l := range s.lines(inDev) {
				if !strings.Contains(l.text, "is in the file.)") {
					words += strings.Count(l.text, "word")
					last += l.text
				}
				for _, data := range l.files {
					words += strings.Count(data, "word")
					last += data
				}
			}
			return words >= 8*800 && strings.Contains(last, "the very end")
		})
		s.Idle()
		if n := strings.Count(last, "the very end"); words != 8*800 || n != 1 {
			s.Errorf("%d words of %d are shown, and %d ends", words, 8*800, n)
		}
		for _, e := range []string{"line", "```"} { // the office's own record is whole as well
			if !strings.Contains(s.taken(), e) {
				s.Errorf("the record lacks %q", e)
			}
		}
	}, func(s *scene) {
		s.Answer = func(context.Context, string, *model.Request) (*model.Response, error) { return text(long) }
	})
}

// A file of a person's stands in the inbox of whom it is for, and a file of a
// colleague's is shown once.
func TestFilesGoBothWays(t *testing.T) {
	tell(t, func(s *scene) {
		s.says(asKim, inDev, said{text: "@bob look", file: "in.txt"})
		s.Until("bob sends one", func() bool {
			return slices.ContainsFunc(s.lines(inDev), func(l line) bool { return len(l.files) > 0 })
		})
		s.Idle()
		if got := s.Inbox("bob"); len(got) != 1 || !strings.HasSuffix(got[0], "in.txt: data of in.txt") || s.asks("bob", "in.txt") != 1 {
			s.Errorf("the inbox holds %q", got)
		}
		sent := 0
		for _, l := range s.lines(inDev) {
			if data, ok := l.files["out.txt"]; ok {
				if sent++; data != "the result" {
					s.Errorf("it holds %q", data)
				}
			}
		}
		if sent != 1 {
			s.Errorf("it was shown %d times", sent)
		}
	}, func(s *scene) {
		workspace := filepath.Join(s.Dir, "agents", "bob", "workspace")
		if err := errors.Join(os.MkdirAll(workspace, 0o700), os.WriteFile(filepath.Join(workspace, "out.txt"), []byte("the result"), 0o600)); err != nil {
			s.Fatal(err)
		}
		s.Answer = func(_ context.Context, _ string, req *model.Request) (*model.Response, error) {
			if _, tool := wakes(req); tool {
				return text("done")
			}
			return calls("send_file", `{"path":"out.txt","text":"here"}`)
		}
	})
}

// Code across the limits of parts is shown in order and whole, whatever has to be
// closed and opened again for it (B16).
func TestCodeAcrossLimitsIsShownWhole(t *testing.T) {
	var code strings.Builder
	for i := range 300 {
		fmt.Fprintf(&code, "n%03d = %d\n", i, i)
	}
	for name, said := range map[string]string{
		"between prose":            strings.Repeat("p", 1990) + "\n\n```python\n" + code.String() + "```\n" + strings.Repeat("t", 1995),
		"a long info string":       "```" + strings.Repeat("i", 400) + "\n" + code.String() + "```",
		"the end at 2000":          strings.Repeat("p", 2000-4-len("```\n```")) + "\n```\n" + code.String() + "```",
		"the end at 4096":          strings.Repeat("p", 4096-4-len("```\n```")) + "\n```\n" + code.String() + "```",
		"a fence that is not shut": "so:\n```go\n" + code.String(),
	} {
		t.Run(name, func(t *testing.T) {
			tell(t, func(s *scene) {
				s.types(asKim, inDev, "@bob all of it")
				var shown []string
				s.Until("all of it is shown", func() bool {
					var all string
					for _, l := range s.lines(inDev) {
						all += l.text + "\n"
					}
					shown = codeLine.FindAllString(all, -1)
					return len(shown) >= 300
				})
				s.Idle()
				for i, n := range shown {
					if n != fmt.Sprintf("n%03d = %d", i, i) {
						s.Fatalf("line %d is %q, of %d", i, n, len(shown))
					}
				}
				for _, l := range s.lines(inDev) {
					if strings.Count(l.text, "```")%2 != 0 || strings.TrimSpace(strings.ReplaceAll(l.text, "`", "")) == "" {
						s.Errorf("a part is %q", l.text)
					}
				}
			}, func(s *scene) {
				s.Answer = func(context.Context, string, *model.Request) (*model.Response, error) { return text(said) }
			})
		})
	}
}

var codeLine = regexp.MustCompile(`n\d{3} = \d+`)

// Whatever colleagues are called, their posts arrive, and each is told from the others (B80).
func TestEveryColleagueIsToldApart(t *testing.T) {
	names := []string{"ada", "clyde", "discord-helper", strings.Repeat("long", 15), strings.Repeat("long", 15) + "er"}
	tell(t, func(s *scene) {
		for i, n := range names {
			s.types(asKim, inDev, "@"+n+" report")
			s.Until(n+" has reported", func() bool { return len(s.ours(inDev)) > i })
		}
		s.Idle()
		authors := map[string]bool{}
		for _, l := range s.lines(inDev) {
			authors[l.author+" "+l.text] = true // where the name stands in the text
		}
		if len(authors) != len(names) || len(s.lines(inDev)) != len(names) {
			s.Errorf("%d authors of %d lines: %q", len(authors), len(s.lines(inDev)), s.ours(inDev))
		}
	}, func(s *scene) {
		s.Setup.Colleagues = nil
		for _, n := range names {
			s.Setup.Colleagues = append(s.Setup.Colleagues, office.ColleagueSetup{Name: n, Role: office.Member, Model: n})
		}
		s.Setup.FrontDesk, s.Setup.Channels[0].Members = "ada", names
	})
}
