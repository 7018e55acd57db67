package telegram

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"bullpen/internal/rehearsal"
	sim "bullpen/internal/sim/telegram"
	"bullpen/office/model"
)

// prose is a text of n words.
func prose(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "word%d is ", i)
		if i%12 == 11 {
			b.WriteString("**said**.\n\n")
		}
	}
	return b.String() + "the end."
}

// writes gives an answer out a word at a time, five words a second of the bubble.
func writes(ctx context.Context, text string) error {
	for _, word := range strings.SplitAfter(text, " ") {
		rehearsal.Write(ctx, word)
		select {
		case <-time.After(200 * time.Millisecond):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// saysSlowly has everybody write a text slowly.
func saysSlowly(said string) func(*world) {
	return func(w *world) {
		w.Answer = func(ctx context.Context, _ string, _ *model.Request) (*model.Response, error) {
			return text(said), writes(ctx, said)
		}
	}
}

// drafts are the calls that showed one.
func (w *world) drafts() []sim.Call { return w.srv.Calls("sendMessageDraft") }

// plain is what a reader reads of prose.
func plain(said string) string { return strings.TrimSpace(strings.ReplaceAll(said, "**", "")) }

// A long answer is seen while it is written, under the colleague's name; what was shown
// stays, the message is the whole of it, and nothing stands below it.
func TestALongAnswerIsShownWhileItIsWritten(t *testing.T) {
	said := prose(100)
	bubble(t, func(w *world) {
		w.connected()
		w.srv.User(maria).DM("hello")
		w.Until("some of it is seen", func() bool { _, ok := w.srv.Draft(maria); return ok })
		if e, _ := w.srv.Draft(maria); !slices.Contains(e.Marks, "bold: alice") || strings.Contains(e.Text, "*") {
			w.Errorf("%+v", e)
		}
		w.shows(maria, "alice\n"+plain(said))
		answered := w.srv.Calls("sendMessage")[0].Time
		w.Idle()
		if e, ok := w.srv.Draft(maria); ok {
			w.Errorf("below the answer stands the draft %q", e.Text)
		}
		all := w.drafts()
		if len(all) < 5 {
			w.Fatalf("%d drafts", len(all))
		}
		before := ""
		for i, c := range all {
			shown := c.Params["text"]
			if !strings.HasPrefix("alice\n"+plain(said), shown) || !strings.HasPrefix(shown, before) || i == 0 && len(shown) < 200 {
				w.Errorf("draft %d is %q", i, shown)
			}
			if c.Status != 200 || c.Params["draft_id"] != all[0].Params["draft_id"] || c.Params["chat_id"] != "101" || c.Time.After(answered) {
				w.Errorf("%+v, the answer at %s", c, answered)
			}
			if i > 0 && c.Time.Sub(all[i-1].Time) < time.Second {
				w.Errorf("two drafts within %s", c.Time.Sub(all[i-1].Time))
			}
			before = shown
		}
	}, saysSlowly(said))
}

// What says that there is no answer is never seen, and a short answer only whole.
func TestWhatIsShortIsNotShownWhileItIsWritten(t *testing.T) {
	for said, want := range map[string][]string{
		"NO_REPLY": nil, "  NO_REPLY  \n": nil, "NO_REPLY" + strings.Repeat(" \n", 300): nil,
		"this is " + strings.Repeat("short ", 20) + "enough": {"alice\nthis is " + strings.Repeat("short ", 20) + "enough"},
	} {
		t.Run(said[:8], func(t *testing.T) {
			bubble(t, func(w *world) {
				w.connected()
				w.srv.User(maria).DM("hello")
				w.Idle()
				w.shows(maria, want...)
				if n := len(w.drafts()); n != 0 {
					w.Errorf("%d drafts", n)
				}
			}, saysSlowly(said))
		})
	}
}

// A long silence in the middle does not make it go away.
func TestADraftIsRenewed(t *testing.T) {
	said := prose(60)
	bubble(t, func(w *world) {
		w.connected()
		w.srv.User(maria).DM("hello")
		w.Until("some of it is seen", func() bool { return len(w.drafts()) > 0 })
		for range 80 {
			if _, ok := w.srv.Draft(maria); !ok {
				w.Fatal("it is gone")
			}
			time.Sleep(time.Second) // of the bubble
		}
		w.shows(maria, "alice\n"+plain(said))
	}, func(w *world) {
		w.Answer = func(ctx context.Context, _ string, _ *model.Request) (*model.Response, error) {
			rehearsal.Write(ctx, said[:len(said)/2])
			select {
			case <-time.After(90 * time.Second):
			case <-ctx.Done():
			}
			return text(said), ctx.Err()
		}
	})
}

// What was written before a tool was called gives way to what is written after it.
func TestWhatComesBeforeACallGivesWay(t *testing.T) {
	first, last := "First "+prose(40), "Then "+prose(50)
	bubble(t, func(w *world) {
		w.connected()
		w.srv.User(maria).DM("hello")
		w.shows(maria, "alice\n"+plain(last))
		w.Idle()
		var shown []string
		for _, c := range w.drafts() {
			if c.Params["draft_id"] != w.drafts()[0].Params["draft_id"] {
				w.Errorf("%+v", c)
			}
			if word := strings.Fields(c.Params["text"])[1]; len(shown) == 0 || shown[len(shown)-1] != word {
				shown = append(shown, word)
			}
		}
		if !slices.Equal(shown, []string{"First", "Then"}) {
			w.Errorf("%q", shown)
		}
		if _, ok := w.srv.Draft(maria); ok {
			w.Error("a draft stands below the answer")
		}
	}, func(w *world) {
		w.Answer = func(ctx context.Context, _ string, req *model.Request) (*model.Response, error) {
			if req.Messages[len(req.Messages)-1].Role == model.RoleTool {
				return text(last), writes(ctx, last)
			}
			return &model.Response{Text: first, Stop: model.StopCalls, Calls: []model.Call{{ID: "1", Name: "ls", Args: []byte(`{}`)}}}, writes(ctx, first)
		}
	})
}

// Nothing of an interrupted turn is shown any more.
func TestAnInterruptedAnswerIsShownNoFurther(t *testing.T) {
	bubble(t, func(w *world) {
		w.connected()
		w.srv.User(maria).DM("hello")
		w.Until("some of it is seen", func() bool { return len(w.drafts()) > 1 })
		w.srv.User(maria).DM("/interrupt alice")
		w.Until("it is interrupted", func() bool { return strings.Contains(strings.Join(w.texts(maria), "\n"), "could not finish") })
		n := len(w.drafts())
		time.Sleep(time.Minute) // of the bubble
		if _, ok := w.srv.Draft(maria); ok || len(w.drafts()) != n {
			w.Errorf("%d drafts after the end", len(w.drafts())-n)
		}
	}, saysSlowly(prose(300)))
}

// An answer that breaks off after something of it was seen is not asked for again: whoever
// asked is told. Before that, it is.
func TestAnAnswerThatBreaksOff(t *testing.T) {
	for name, tc := range map[string]struct {
		after string
		seen  bool
	}{"unseen": {prose(5), false}, "seen": {prose(50), true}} {
		t.Run(name, func(t *testing.T) {
			tries := 0
			bubble(t, func(w *world) {
				w.connected()
				w.srv.User(maria).DM("hello")
				if tc.seen {
					w.shows(maria, "alice could not finish dm-c1-maria-1: the line broke; a part of the answer had been shown by then, so it was not asked for again.")
				} else {
					w.shows(maria, "alice\ndone")
				}
				w.Idle()
				if want := map[bool]int{true: 1, false: 2}[tc.seen]; tries != want || (len(w.drafts()) > 0) != tc.seen {
					w.Errorf("%d tries, %d drafts", tries, len(w.drafts()))
				}
			}, func(w *world) {
				w.Answer = func(ctx context.Context, _ string, _ *model.Request) (*model.Response, error) {
					if tries++; tries > 1 {
						return text("done"), nil
					}
					if err := writes(ctx, tc.after); err != nil {
						return nil, err
					}
					return nil, &model.Error{Kind: model.Timeout, Partial: true, Sentence: "the line broke"}
				}
			})
		})
	}
}

// What Telegram says of a draft costs the draft, and never the answer.
func TestADraftThatFailsCostsNothing(t *testing.T) {
	said := prose(60)
	for name, tc := range map[string]struct {
		fault sim.Fault
		again bool // whether the next answer is shown while it is written
	}{
		"a limit":       {sim.Limited(300), false},
		"not for them":  {sim.Fault{Code: 400, Description: "Bad Request: TEXTDRAFT_PEER_INVALID"}, false},
		"not known":     {sim.Fault{Code: 404, Description: "Not Found: method not found"}, false},
		"a lost answer": {sim.LostReply(), true},
		"a lost call":   {sim.LostCall(), true},
		"a bad gateway": {sim.BadGateway(), true},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(w *world) {
				w.connected()
				w.srv.FailNext("sendMessageDraft", tc.fault)
				began := time.Now()
				w.srv.User(maria).DM("hello")
				w.shows(maria, "alice\n"+plain(said))
				if took := time.Since(began); took > 30*time.Second {
					w.Errorf("the answer took %s", took)
				}
				if n := len(w.drafts()); n != 1 {
					w.Errorf("%d drafts", n)
				}
				w.srv.User(maria).DM("once more")
				w.shows(maria, "alice\n"+plain(said), "alice\n"+plain(said))
				if again := len(w.drafts()) > 1; again != tc.again {
					w.Errorf("%d drafts", len(w.drafts()))
				}
				if !strings.Contains(w.State(), "connected") {
					w.Errorf("%s", w.State())
				}
			}, saysSlowly(said))
		})
	}
}

// A draft on its way holds the model up not at all, and its answer for a moment; it
// never comes after it.
func TestASlowDraftIsBehindNobody(t *testing.T) {
	said := prose(60)
	bubble(t, func(w *world) {
		w.connected()
		hold := make(chan struct{})
		w.srv.FailNext("sendMessageDraft", sim.Fault{}, sim.Fault{Hold: hold})
		began := time.Now()
		w.srv.User(maria).DM("hello")
		w.shows(maria, "alice\n"+plain(said))
		if took := time.Since(began); took > 40*time.Second {
			w.Errorf("the answer took %s", took)
		}
		close(hold)
		w.Idle()
	}, saysSlowly(said))
}

// The answer waits for a draft that is on its way, so that it stands below it.
func TestAnAnswerWaitsForADraftOnItsWay(t *testing.T) {
	said := prose(60)
	bubble(t, func(w *world) {
		w.connected()
		hold := make(chan struct{})
		w.srv.FailNext("sendMessageDraft", sim.Fault{Hold: hold})
		w.srv.User(maria).DM("hello")
		w.Until("a draft is on its way", func() bool { return len(w.drafts()) > 0 })
		time.Sleep(2 * time.Second) // of the bubble; the answer is there since one
		if n := len(w.ours(maria)); n != 0 {
			w.Errorf("%d messages before it", n)
		}
		close(hold)
		w.shows(maria, "alice\n"+plain(said))
		w.Idle()
		if _, ok := w.srv.Draft(maria); ok {
			w.Error("the draft stands below its answer")
		}
	}, func(w *world) {
		w.Answer = func(ctx context.Context, _ string, _ *model.Request) (*model.Response, error) {
			rehearsal.Write(ctx, said)
			select {
			case <-time.After(time.Second):
			case <-ctx.Done():
			}
			return text(said), ctx.Err()
		}
	})
}

// In groups, in their topics, and where it is switched off, answers come
// whole.
func TestWhereAnswersComeWhole(t *testing.T) {
	said := prose(60)
	for name, tc := range map[string]struct {
		change func(*world)
		say    func(*world)
		at     int64
	}{
		"a group":      {linked("-1001000000001"), func(w *world) { w.says(kim, devs, "@alice hi") }, devs},
		"a topic":      {linked("-1001000000002/42"), func(w *world) { w.writes(kim, sim.Said{Chat: forum, Topic: 42, Text: "@alice hi"}) }, forum},
		"switched off": {func(w *world) { w.opt.Whole = true }, func(w *world) { w.srv.User(maria).DM("hello") }, maria},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(w *world) {
				w.connected()
				tc.say(w)
				w.shows(tc.at, "alice\n"+plain(said))
				w.Idle()
				if n := len(w.drafts()); n != 0 {
					w.Errorf("%d drafts", n)
				}
			}, saysSlowly(said), tc.change)
		})
	}
}

// Who turns to somebody else meanwhile sees what both write, one after the other, each
// under their own name.
func TestTwoWhoWriteInOneChat(t *testing.T) {
	said := prose(100)
	bubble(t, func(w *world) {
		w.connected()
		w.srv.User(maria).DM("@alice hello")
		w.Until("some of alice's is seen", func() bool { return len(w.drafts()) > 0 })
		w.srv.User(maria).DM("/with bob")
		w.srv.User(maria).DM("and you?")
		w.Until("both have answered", func() bool {
			return slices.Contains(w.texts(maria), "alice\n"+plain(said)) && slices.Contains(w.texts(maria), "bob\n"+plain(said))
		})
		w.Idle()
		var names []string
		for _, c := range w.drafts() {
			if name, _, _ := strings.Cut(c.Params["text"], "\n"); len(names) == 0 || names[len(names)-1] != name {
				names = append(names, name)
			}
		}
		if !slices.Equal(names, []string{"alice", "bob"}) {
			w.Errorf("%q", names)
		}
	}, saysSlowly(said))
}

// A process that dies in the middle answers once, and is seen to write again.
func TestADeathInTheMiddleOfAnAnswer(t *testing.T) {
	said := prose(60)
	bubble(t, func(w *world) {
		w.connected()
		w.srv.User(maria).DM("hello")
		w.Until("some of it is seen", func() bool { return len(w.drafts()) > 1 })
		w.abort()
		n := len(w.drafts())
		w.start()
		w.connected()
		w.shows(maria, "alice\n"+plain(said))
		w.Idle()
		if len(w.drafts()) <= n {
			w.Error("nothing is seen after the restart")
		}
		w.shows(maria, "alice\n"+plain(said))
	}, saysSlowly(said))
}
