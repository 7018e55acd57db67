package discord

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"bullpen/bridge"
	"bullpen/internal/rehearsal"
	sim "bullpen/internal/sim/discord"
	"bullpen/office/model"
)

// routeGrow is the route by which what stands in channels grows.
const routeGrow = "PATCH /webhooks/{webhook}/{token}/messages/{message}"

// saysSlowly has everybody write a text slowly.
func saysSlowly(said string) func(*world) {
	return func(w *world) {
		w.Answer = func(ctx context.Context, _ string, _ *model.Request) (*model.Response, error) {
			return text(said), rehearsal.WriteSlowly(ctx, said)
		}
	}
}

// over waits until all turns have ended and nothing is owed.
func (w *world) over() {
	w.Helper()
	w.Until("it is over", func() bool {
		act, err := w.Office.Activity(w.Context())
		return err == nil && len(w.Turns()) > 0 && act.Idle() && w.OwesNothing(platform)
	})
}

// seen waits until something of an answer is to be seen in a place.
func (w *world) seen(place string) sim.Entry {
	w.Helper()
	w.Until("some of it is seen", func() bool { return len(w.entries(place)) == 1 })
	return w.entries(place)[0]
}

// whole is what stands in a place in the end: one message, as if it never grew.
func (w *world) whole(place, said string) sim.Entry {
	w.Helper()
	w.over()
	all := w.entries(place)
	if len(all) != 1 || !strings.HasSuffix(bridge.Letters(all[0].Text, 1<<20), bridge.Letters(said, 1<<20)) || strings.Contains(all[0].Text, "no further") {
		w.Fatalf("there stands %q\n%s", all, w.Logged)
	}
	return all[0]
}

// A long answer grows where it stands, under the colleague's name, no faster than all
// that grow may, and in the end is the message that it would have been.
func TestALongAnswerGrows(t *testing.T) {
	said := rehearsal.Prose(100)
	for name, tc := range map[string]struct {
		change func(*world)
		say    func(*world) string // and gives where it is answered
		route  string
		author string
	}{
		"in a channel":    {func(*world) {}, func(w *world) string { w.says("kim", dev, "@alice hi"); return dev }, routeGrow, "alice"},
		"in a thread":     {inThreads, func(w *world) string { return w.says("kim", dev, "@alice hi") }, routeGrow, "alice"},
		"without webhook": {plainLook, func(w *world) string { w.says("kim", dev, "@alice hi"); return dev }, sim.RouteEdit, "office"},
		"directly":        {func(*world) {}, func(w *world) string { w.says("maria", "", "hi"); return "@maria" }, sim.RouteEdit, "office"},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(w *world) {
				w.connected()
				place := tc.say(w)
				e := w.seen(place)
				if e.Author != tc.author || len(e.Text) < 200 || len(e.Text) > 600 {
					w.Errorf("%+v", e)
				}
				if last := w.whole(place, said); last.ID != e.ID || last.Author != tc.author || len(last.Pings) != 0 {
					w.Errorf("%+v", last)
				}
				grows := w.srv.Calls(tc.route)
				if len(grows) < 5 {
					w.Errorf("it grew %d times", len(grows))
				}
				for i := range grows[1 : len(grows)-1] {
					if d := grows[i+1].Time.Sub(grows[i].Time); d < growEvery {
						w.Errorf("two within %s", d)
					}
				}
			}, tc.change, saysSlowly(said))
		})
	}
}

// What says that there is no answer is never seen, and neither is anything where it is
// switched off, or of a short answer, before it is finished.
func TestWhatDoesNotGrow(t *testing.T) {
	whole := func(w *world) { w.opt.Whole = true }
	for name, tc := range map[string]struct {
		said   string
		change func(*world)
	}{
		"none":         {"NO_REPLY", func(*world) {}},
		"none, padded": {"NO_REPLY" + strings.Repeat(" \n", 300), func(*world) {}},
		"short":        {rehearsal.Prose(20), func(*world) {}},
		"switched off": {rehearsal.Prose(80), whole},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(w *world) {
				w.connected()
				w.says("kim", dev, "@alice hi")
				w.over()
				n := len(w.srv.Calls(sim.RouteWebhook))
				if none := strings.HasPrefix(tc.said, "NO_REPLY"); n > 1 || none != (n == 0) || len(w.srv.Calls(routeGrow)) != 0 {
					w.Errorf("%d posts, %q", n, w.texts(dev))
				}
			}, tc.change, saysSlowly(tc.said))
		})
	}
}

// What was shown before a tool was called gives way, while the next step writes, to what
// that writes; where there is no answer in the end it is said to go on no further.
func TestWhatWasShownBeforeACall(t *testing.T) {
	first := "First " + rehearsal.Prose(40)
	for last, want := range map[string]string{"Then " + rehearsal.Prose(80): "Then", "NO_REPLY": "First"} {
		t.Run(last[:4], func(t *testing.T) {
			bubble(t, func(w *world) {
				w.connected()
				w.says("kim", dev, "@alice hi")
				id := w.seen(dev).ID
				if last != "NO_REPLY" {
					w.Until("the next step's text stands there, while it is written", func() bool {
						e := w.entry(dev, id)
						return strings.HasPrefix(e.Text, "Then") && !strings.Contains(e.Text, "the end")
					})
				}
				w.over()
				all := w.entries(dev)
				if len(all) != 1 || all[0].ID != id || !strings.HasPrefix(all[0].Text, want) {
					w.Fatalf("%q", all)
				}
				if ended := strings.Contains(all[0].Text, "goes on no further"); ended != (last == "NO_REPLY") {
					w.Errorf("%q", all[0].Text)
				}
			}, func(w *world) {
				w.Answer = func(ctx context.Context, _ string, req *model.Request) (*model.Response, error) {
					if req.Messages[len(req.Messages)-1].Role == model.RoleTool {
						return text(last), rehearsal.WriteSlowly(ctx, last)
					}
					return &model.Response{Text: first, Stop: model.StopCalls, Calls: []model.Call{{ID: "1", Name: "ls", Args: []byte(`{}`)}}}, rehearsal.WriteSlowly(ctx, first)
				}
			})
		})
	}
}

// An answer that is cut short ends where it is, and whoever asked is told why.
func TestAnAnswerThatIsCutShort(t *testing.T) {
	for name, tc := range map[string]struct {
		cut func(w *world)
		err error
	}{
		"interrupted": {func(w *world) { w.slash("maria", dev, "office interrupt", map[string]any{"colleague": "alice"}) }, nil},
		"failed":      {func(*world) {}, &model.Error{Kind: model.Timeout, Partial: true, Sentence: "the line broke"}},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(w *world) {
				w.connected()
				w.says("kim", dev, "@alice hi")
				id := w.seen(dev).ID
				tc.cut(w)
				w.Until("it ends and is told", func() bool {
					return strings.Contains(strings.Join(w.texts(dev), "\n"), "could not finish") && strings.HasSuffix(w.entry(dev, id).Text, "(it goes on no further)")
				})
				if len(w.Turns()) != 1 {
					w.Errorf("%q", w.Turns())
				}
			}, func(w *world) {
				w.Answer = func(ctx context.Context, _ string, _ *model.Request) (*model.Response, error) {
					said := rehearsal.Prose(100)
					return text(said), errors.Join(rehearsal.WriteSlowly(ctx, said), tc.err)
				}
			})
		})
	}
}

// Whatever goes wrong with a message that grows, the answer stands there once, whole.
func TestAnAnswerThatGrowsWrong(t *testing.T) {
	said := rehearsal.Prose(80)
	for name, tc := range map[string]struct {
		route string
		fault sim.Fault
	}{
		"the beginning is limited":            {sim.RouteWebhook, sim.Limited(50 * time.Second)},
		"the beginning is refused":            {sim.RouteWebhook, sim.Refused(50013)},
		"the beginning is lost":               {sim.RouteWebhook, sim.LostCall()},
		"the answer to the beginning is lost": {sim.RouteWebhook, sim.LostReply()},
		"a change is limited":                 {routeGrow, sim.Limited(4 * time.Second)},
		"all is limited":                      {routeGrow, sim.Fault{RetryAfter: 10 * time.Second, Global: true}},
		"a change is limited for long":        {routeGrow, sim.Limited(10 * time.Minute)},
		"a change is forbidden":               {routeGrow, sim.Refused(50013)},
		"a change is lost":                    {routeGrow, sim.LostCall()},
		"the answer to a change is lost":      {routeGrow, sim.LostReply()},
		"an error of Discord's":               {routeGrow, sim.ServerError(502)},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(w *world) {
				w.connected()
				w.srv.FailNext(tc.route, tc.fault)
				w.says("kim", dev, "@alice hi")
				w.whole(dev, said)
				if n := w.srv.PlannedFaults(); n != 0 {
					w.Errorf("%d faults were never met", n)
				}
			}, saysSlowly(said))
		})
	}
}

// A change of unknown end may be carried out late: the answer waits for it, so as not to
// be overwritten.
func TestAnAnswerWaitsForAChangeOfUnknownEnd(t *testing.T) {
	said := rehearsal.Prose(80)
	bubble(t, func(w *world) {
		w.connected()
		w.says("kim", dev, "@alice hi")
		w.seen(dev)
		w.Until("its end is near", func() bool { return strings.Contains(w.entries(dev)[0].Text, "word70") })
		w.srv.FailNext(routeGrow, sim.LostCall())
		w.whole(dev, said)
		all := w.srv.Calls(routeGrow)
		if n := len(all); all[n-1].Time.Sub(all[n-2].Time) < growSettle {
			w.Errorf("%s behind it", all[n-1].Time.Sub(all[n-2].Time))
		}
	}, saysSlowly(said))
}

// The last change goes wrong: it is made again, or the answer is posted anew.
func TestTheEndOfWhatGrewGoesWrong(t *testing.T) {
	said := rehearsal.Prose(80)
	for name, f := range map[string]sim.Fault{
		"lost": sim.LostCall(), "its answer is lost": sim.LostReply(), "limited": sim.Limited(20 * time.Second),
		"blocked": sim.Refused(200000), "502": sim.ServerError(502),
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(w *world) {
				w.connected()
				w.says("kim", dev, "@alice hi")
				w.seen(dev)
				w.Until("its end is near", func() bool { return strings.Contains(w.entries(dev)[0].Text, "word70") })
				time.Sleep(8 * time.Second) // of the bubble: no more is written
				w.srv.FailNext(routeGrow, f)
				w.whole(dev, said)
				if n := w.srv.PlannedFaults(); n != 0 {
					w.Errorf("%d faults were never met", n)
				}
			}, func(w *world) {
				w.Answer = func(ctx context.Context, _ string, _ *model.Request) (*model.Response, error) {
					err := rehearsal.WriteSlowly(ctx, said)
					select {
					case <-time.After(20 * time.Second):
					case <-ctx.Done():
					}
					return text(said), errors.Join(err, ctx.Err())
				}
			})
		})
	}
}

// What is taken away from under an answer that grows: the message, the webhook, the
// thread's being open.
func TestAnAnswerLosesWhatItGrowsIn(t *testing.T) {
	said := rehearsal.Prose(80)
	for name, tc := range map[string]struct {
		happens func(w *world, place string)
		shut    bool // the process ends then, and another goes on
	}{
		"the message is deleted": {func(w *world, place string) {
			if err := w.srv.User("maria").Delete(place, w.entries(place)[0].ID); err != nil {
				w.Fatal(err)
			}
		}, false},
		"the webhook is deleted":                  {func(w *world, _ string) { w.srv.DeleteWebhooks(dev) }, false},
		"the webhook is deleted before a restart": {func(w *world, _ string) { w.srv.DeleteWebhooks(dev) }, true},
		"the thread is archived": {func(w *world, place string) {
			if err := w.srv.ArchiveThread(place, true, false); err != nil {
				w.Fatal(err)
			}
		}, false},
		"the process ends": {func(*world, string) {}, true},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(w *world) {
				w.connected()
				place := w.says("kim", dev, "@alice hi")
				w.seen(place)
				tc.happens(w, place)
				if tc.shut {
					w.Shut()
					w.start()
					w.connected()
				}
				w.whole(place, said)
			}, inThreads, saysSlowly(said), func(w *world) { w.sim.Guilds[0].Owner = "maria" })
		})
	}
}

// A thread that is locked takes no answer: it is told, and nothing is shown anywhere else.
func TestAnAnswerGrowsInAThreadThatIsLocked(t *testing.T) {
	bubble(t, func(w *world) {
		w.connected()
		place := w.says("kim", dev, "@alice hi")
		w.seen(place)
		if err := w.srv.ArchiveThread(place, true, true); err != nil {
			t.Fatal(err)
		}
		w.over()
		if len(w.entries(place)) > 1 || len(w.entries(dev)) != 0 {
			t.Errorf("%q, %q", w.texts(place), w.texts(dev))
		}
	}, inThreads, saysSlowly(rehearsal.Prose(80)))
}

// A process that dies before it knows that an answer has begun to grow looks for it.
func TestABeginningOfUnknownEndIsFound(t *testing.T) {
	said := rehearsal.Prose(80)
	for name, tc := range map[string]struct {
		route string
		say   func(*world) string
	}{
		"in a channel": {sim.RouteWebhook, func(w *world) string { w.says("kim", dev, "@alice hi"); return dev }},
		"directly":     {sim.RouteSend, func(w *world) string { w.says("maria", "", "hi"); return "@maria" }},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(w *world) {
				w.connected()
				w.srv.FailNext(tc.route, sim.LostReply())
				place := tc.say(w)
				id := w.seen(place).ID
				for range 3 {
					w.Shut()
					w.start()
					w.connected()
				}
				if e := w.whole(place, said); e.ID != id {
					w.Errorf("it is another: %+v", e)
				}
			}, saysSlowly(said))
		})
	}
}

// What began to grow and is looked for since its turn failed, ends where it is.
func TestABeginningOfUnknownEndIsCutShort(t *testing.T) {
	bubble(t, func(w *world) {
		w.connected()
		w.srv.FailNext(sim.RouteWebhook, sim.LostReply())
		w.says("kim", dev, "@alice hi")
		id := w.seen(dev).ID
		w.over()
		if e := w.entry(dev, id); !strings.HasSuffix(e.Text, "(it goes on no further)") {
			w.Errorf("%+v", e)
		}
	}, func(w *world) {
		w.Answer = func(ctx context.Context, _ string, _ *model.Request) (*model.Response, error) {
			err := rehearsal.WriteSlowly(ctx, rehearsal.Prose(60))
			return nil, errors.Join(err, &model.Error{Kind: model.Timeout, Partial: true, Sentence: "the line broke"})
		}
	})
}

// Of an answer of several parts the first grows, and the others come behind it.
func TestAnAnswerOfSeveralPartsGrows(t *testing.T) {
	said := rehearsal.Prose(420)
	bubble(t, func(w *world) {
		w.connected()
		w.says("kim", dev, "@alice hi")
		id := w.seen(dev).ID
		w.over()
		var all string
		for _, e := range w.entries(dev) {
			if line, rest, ok := strings.Cut(e.Text, "\n"); ok && strings.HasPrefix(line, quoteMark) {
				e.Text = rest
			}
			all += e.Text + "\n"
		}
		if n := len(w.entries(dev)); n < 3 || w.entries(dev)[0].ID != id || bridge.Letters(all, 1<<20) != bridge.Letters(said, 1<<20) {
			w.Errorf("%d parts, it was %s: %v", n, id, w.entries(dev))
		}
	}, saysSlowly(said))
}

// Nobody is pinged by what grows; whom the answer calls is, once, by the answer.
func TestWhatGrowsPingsNobody(t *testing.T) {
	said := "@maria and @everyone and <@&1100000000000000301>: " + rehearsal.Prose(60)
	bubble(t, func(w *world) {
		w.connected()
		w.says("kim", dev, "@alice hi")
		if e := w.seen(dev); len(e.Pings) != 0 || !strings.Contains(e.Wire, "<@"+maria+">") {
			w.Errorf("%+v", e)
		}
		if e := w.whole(dev, rehearsal.Prose(60)); !slices.Equal(e.Pings, []string{"maria"}) {
			w.Errorf("%+v", e)
		}
		for _, c := range w.srv.Calls(routeGrow) {
			if !strings.Contains(string(c.Body), `"parse":[]`) || strings.Contains(string(c.Body), `"users"`) {
				w.Errorf("%s", c.Body)
			}
		}
	}, saysSlowly(said))
}

// Many answers that grow at once share what Discord allows for: no call meets a limit.
func TestManyAnswersGrowAtOnce(t *testing.T) {
	said := rehearsal.Prose(60)
	bubble(t, func(w *world) {
		w.connected()
		for _, place := range []string{dev, talk} {
			for _, name := range []string{"alice", "bob"} {
				w.says("kim", place, "@"+name+" hi")
			}
		}
		w.says("maria", "", "@bob hi")
		w.over()
		if len(w.srv.Calls(routeGrow)) < 6 {
			w.Errorf("%d changes", len(w.srv.Calls(routeGrow)))
		}
		for _, c := range w.srv.Calls() {
			if c.Status == 429 {
				w.Errorf("%s was limited: %s", c.Route, c.Error)
			}
		}
	}, func(w *world) { w.sim.RateLimits = true }, saysSlowly(said))
}
