package slack

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"bullpen/bridge"
	"bullpen/internal/rehearsal"
	sim "bullpen/internal/sim/slack"
	"bullpen/office/model"
)

// saysSlowly has everybody write a text slowly.
func saysSlowly(said string) func(*world) {
	return func(w *world) {
		w.Answer = func(ctx context.Context, _ string, _ *model.Request) (*model.Response, error) {
			return text(said), rehearsal.WriteSlowly(ctx, said)
		}
	}
}

// calls are those of a method.
func (w *world) calls(method string) []sim.Call { return w.srv.Calls(method) }

// answer is the app's only post in a thread, once it grows no more.
func (w *world) answer(channel, root string) sim.Entry {
	w.Helper()
	var found []sim.Entry
	w.Until("the answer", func() bool {
		found = slices.DeleteFunc(w.srv.Thread(channel, root), func(e sim.Entry) bool { return !e.Ours || e.EphemeralTo != "" })
		act, err := w.Office.Activity(w.Context())
		return err == nil && act.Idle() && len(found) > 0 && !found[0].Growing
	})
	w.Until("it is settled", func() bool { return w.OwesNothing(platform) })
	found = slices.DeleteFunc(w.srv.Thread(channel, root), func(e sim.Entry) bool { return !e.Ours || e.EphemeralTo != "" })
	if len(found) != 1 {
		w.Fatalf("%d posts: %v\n%s", len(found), found, w.Logged)
	}
	return found[0]
}

// whole is what the answer has to be in the end: as a post that was never a stream.
func (w *world) whole(e sim.Entry, said string) {
	w.Helper()
	if e.Author != "alice" || e.Growing || e.Blocks == "" || !strings.Contains(string(e.Metadata), metadataKey) || bridge.Letters(e.Shown(), 1<<20) != bridge.Letters(said, 1<<20) {
		w.Errorf("it stands there as %+v\n%s", e, w.Logged)
	}
}

// A long answer grows in its thread under the colleague's name, and in the end is the
// post that it would have been.
func TestALongAnswerGrowsInItsThread(t *testing.T) {
	t.Parallel()
	said := rehearsal.Prose(100)
	bubble(t, func(w *world) {
		w.connected()
		ts := w.says("U0KIM", "dev", "@alice hello")
		w.Until("some of it is seen", func() bool { all := w.srv.Thread("dev", ts); return len(all) == 2 && all[1].Growing })
		if e := w.srv.Thread("dev", ts)[1]; e.Author != "alice" || len(e.Text) < 200 {
			w.Errorf("%+v", e)
		}
		w.whole(w.answer("dev", ts), said)
		begins, grows, stops := w.calls("chat.startStream"), w.calls("chat.appendStream"), w.calls("chat.stopStream")
		if len(begins) != 1 || len(grows) < 3 || len(stops) != 1 || len(w.calls("chat.update")) != 1 || len(w.calls("chat.postMessage")) != 0 {
			w.Errorf("%d begun, %d added, %d ended", len(begins), len(grows), len(stops))
		}
		shown := begins[0].Args["markdown_text"]
		for i, c := range grows {
			shown += c.Args["markdown_text"]
			if i > 0 && c.Time.Sub(grows[i-1].Time) < time.Second {
				w.Errorf("two within %s", c.Time.Sub(grows[i-1].Time))
			}
		}
		if !strings.HasPrefix(said, shown) || begins[0].Args["recipient_user_id"] != "U0KIM" || begins[0].Args["recipient_team_id"] == "" {
			w.Errorf("shown was %q; %v", shown, begins[0].Args)
		}
	}, saysSlowly(said))
}

// What says that there is no answer is never seen, and a short answer only whole.
func TestWhatIsShortIsNotStreamed(t *testing.T) {
	t.Parallel()
	for _, said := range []string{"NO_REPLY", "NO_REPLY" + strings.Repeat(" \n", 300), rehearsal.Prose(20)} {
		t.Run(said[:8], func(t *testing.T) {
			t.Parallel()
			bubble(t, func(w *world) {
				w.connected()
				w.says("U0KIM", "dev", "@alice hello")
				w.Until("it is over", func() bool {
					act, err := w.Office.Activity(w.Context())
					return err == nil && len(w.Turns()) == 1 && act.Idle()
				})
				if n := len(w.calls("chat.startStream")); n != 0 {
					w.Errorf("%d streams", n)
				}
			}, saysSlowly(said))
		})
	}
}

// What was streamed before a tool was called gives way, in its place, to the answer; and
// where there is none, it ends.
func TestWhatWasStreamedBeforeACall(t *testing.T) {
	t.Parallel()
	first := "First " + rehearsal.Prose(40)
	for last, want := range map[string]string{"Then " + rehearsal.Prose(50): "Then", "NO_REPLY": "First"} {
		t.Run(last[:4], func(t *testing.T) {
			t.Parallel()
			bubble(t, func(w *world) {
				w.connected()
				ts := w.says("U0KIM", "dev", "@alice hello")
				e := w.answer("dev", ts)
				if !strings.HasPrefix(e.Shown(), want) || len(w.calls("chat.startStream")) != 1 {
					w.Errorf("%+v", e)
				}
				if ended := strings.Contains(e.Shown(), "goes on no further"); ended != (last == "NO_REPLY") {
					w.Errorf("%q", e.Shown())
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
func TestAStreamThatIsCutShort(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		cut func(w *world, ts string)
		err error
	}{
		"interrupted": {func(w *world, ts string) { w.says("U0MARIA", "dev", "<@U0BOT> interrupt alice") }, nil},
		"failed":      {func(*world, string) {}, &model.Error{Kind: model.Timeout, Partial: true, Sentence: "the line broke"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			bubble(t, func(w *world) {
				w.connected()
				ts := w.says("U0KIM", "dev", "@alice hello")
				w.Until("some of it is seen", func() bool { return len(w.srv.Thread("dev", ts)) == 2 })
				tc.cut(w, ts)
				w.Until("it is told", func() bool {
					all := w.srv.Thread("dev", ts)
					return len(all) == 3 && strings.Contains(all[2].Shown(), "could not finish") && !all[1].Growing
				})
				if e := w.srv.Thread("dev", ts)[1]; !strings.HasSuffix(e.Text, "(it goes on no further)_") || len(w.Turns()) != 1 {
					w.Errorf("%q, %q", e.Text, w.Turns())
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

// Whatever goes wrong with a stream, the answer stands there once, whole.
func TestAStreamThatGoesWrong(t *testing.T) {
	t.Parallel()
	said := rehearsal.Prose(80)
	for name, tc := range map[string]struct {
		method string
		fault  sim.Fault
	}{
		"the beginning is limited":            {"chat.startStream", sim.RateLimited(600)},
		"the beginning is refused":            {"chat.startStream", sim.Refused("channel_type_not_supported")},
		"there are none":                      {"chat.startStream", sim.Refused("unknown_method")},
		"the beginning is lost":               {"chat.startStream", sim.LostCall()},
		"the answer to the beginning is lost": {"chat.startStream", sim.LostReply()},
		"an addition is lost":                 {"chat.appendStream", sim.LostCall()},
		"the answer to an addition is lost":   {"chat.appendStream", sim.LostReply()},
		"it was stopped by its reader":        {"chat.appendStream", sim.Refused("stopped_by_user")},
		"the end is lost":                     {"chat.stopStream", sim.LostCall()},
		"the answer to the end is lost":       {"chat.stopStream", sim.LostReply()},
		"the last change is lost":             {"chat.update", sim.LostCall()},
		"the answer to that is lost":          {"chat.update", sim.LostReply()},
		"the last change is limited":          {"chat.update", sim.RateLimited(30)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			bubble(t, func(w *world) {
				w.connected()
				w.srv.FailNext(tc.method, tc.fault)
				ts := w.says("U0KIM", "dev", "@alice hello")
				w.whole(w.answer("dev", ts), said)
				if n := w.srv.PlannedFaults(); n != 0 {
					w.Errorf("%d faults were never met", n)
				}
			}, saysSlowly(said))
		})
	}
}

// Slack ends a stream by itself after some minutes; a message that somebody took away
// comes anew.
func TestAStreamThatIsNoLongerThere(t *testing.T) {
	t.Parallel()
	said := rehearsal.Prose(80)
	for name, happens := range map[string]func(w *world, ts string){
		"it has ended": func(w *world, _ string) { w.srv.EndStreams() },
		"it was deleted": func(w *world, ts string) {
			if err := w.srv.Remove("dev", w.srv.Thread("dev", ts)[1].TS); err != nil {
				w.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			bubble(t, func(w *world) {
				w.connected()
				ts := w.says("U0KIM", "dev", "@alice hello")
				w.Until("some of it is seen", func() bool { return len(w.srv.Thread("dev", ts)) == 2 })
				happens(w, ts)
				w.whole(w.answer("dev", ts), said)
			}, saysSlowly(said))
		})
	}
}

// A process that dies in the middle answers once.
func TestADeathInTheMiddleOfAStream(t *testing.T) {
	t.Parallel()
	said := rehearsal.Prose(80)
	bubble(t, func(w *world) {
		w.connected()
		ts := w.says("U0KIM", "dev", "@alice hello")
		w.Until("some of it is seen", func() bool { return len(w.srv.Thread("dev", ts)) == 2 })
		w.Shut()
		w.start()
		w.connected()
		w.whole(w.answer("dev", ts), said)
		if n := len(w.calls("chat.startStream")); n != 1 {
			w.Errorf("%d streams", n)
		}
	}, saysSlowly(said))
}

// Where there is no thread, where nobody asked by name, where colleagues cannot have
// their names and where it is switched off, answers come whole.
func TestWhereNothingIsStreamed(t *testing.T) {
	t.Parallel()
	said := rehearsal.Prose(60)
	for name, tc := range map[string]struct {
		change func(*world)
		say    func(*world)
	}{
		"a direct talk without a thread": {func(*world) {}, func(w *world) { w.dm("U0MARIA", "hello") }},
		"one of a crowd":                 {func(*world) {}, func(w *world) { w.says("U0KIM", "dev", "#dev all of you") }},
		"switched off":                   {func(w *world) { w.opt.Whole = true }, func(w *world) { w.says("U0KIM", "dev", "@alice hello") }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			bubble(t, func(w *world) {
				w.connected()
				tc.say(w)
				w.Until("it is over", func() bool {
					act, err := w.Office.Activity(w.Context())
					return err == nil && len(w.Turns()) > 0 && act.Idle() && w.OwesNothing(platform)
				})
				if n := len(w.calls("chat.startStream")); n != 0 {
					w.Errorf("%d streams", n)
				}
			}, tc.change, saysSlowly(said))
		})
	}
}

// Where a change takes the colleague's name away it stands in the text, and what comes
// after that is not streamed.
func TestAStreamThatLosesItsName(t *testing.T) {
	t.Parallel()
	said := rehearsal.Prose(60)
	bubble(t, func(w *world) {
		w.connected()
		ts := w.says("U0KIM", "dev", "@alice hello")
		e := w.answer("dev", ts)
		w.Until("its name stands in the text", func() bool {
			e = w.answer("dev", ts)
			return strings.HasPrefix(e.Shown(), "alice:")
		})
		if bridge.Letters(e.Shown(), 1<<20) != "alice"+bridge.Letters(said, 1<<20) {
			w.Errorf("%q", e.Shown())
		}
		ts = w.says("U0KIM", "dev", "@alice once more")
		w.whole(w.answer("dev", ts), said)
		if n := len(w.calls("chat.startStream")); n != 1 {
			w.Errorf("%d streams", n)
		}
	}, saysSlowly(said), func(w *world) { w.sim.Quirks.UpdateDropsPersona = true })
}

// No more is streamed than Slack allows; the answers come all the same.
func TestMoreAnswersThanStreams(t *testing.T) {
	t.Parallel()
	said := rehearsal.Prose(60)
	bubble(t, func(w *world) {
		w.srv.SetRateLimits(true)
		w.connected()
		var asked []string
		for i := range 15 {
			asked = append(asked, w.says("U0KIM", "dev", fmt.Sprintf("@alice hello %d", i)))
		}
		for _, ts := range asked {
			w.whole(w.answer("dev", ts), said)
		}
		for _, c := range w.srv.Calls() {
			if strings.HasSuffix(c.Method, "Stream") && c.Error != "" {
				w.Errorf("%s: %s", c.Method, c.Error)
			}
		}
		if n := len(w.calls("chat.startStream")); n < 2 || n >= len(asked) {
			w.Errorf("%d streams", n)
		}
	}, func(w *world) {
		w.Answer = func(ctx context.Context, _ string, _ *model.Request) (*model.Response, error) {
			rehearsal.Write(ctx, said)
			select {
			case <-time.After(1500 * time.Millisecond):
			case <-ctx.Done():
			}
			return text(said), ctx.Err()
		}
	})
}

// Nothing that a model writes can call a channel, not even where two pieces meet.
func TestAStreamCallsNobody(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"<!channel> <@U1> <#C1> a < b": "<\u200b!channel> <\u200b@U1> <\u200b#C1> a < b"} {
		for i := range text {
			if got := harmless(text); got != want || !strings.HasPrefix(got, harmless(text[:i])) {
				t.Errorf("%q, and of %q %q", got, text[:i], harmless(text[:i]))
			}
		}
	}
}
