package telegram

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"bullpen/internal/rehearsal"
	sim "bullpen/internal/sim/telegram"
	"bullpen/office"
	"bullpen/office/model"
)

// A post of unknown end is made once more, marked, and never again (B48).
func TestAPostOfUnknownEndIsRepeatedOnceAndMarked(t *testing.T) {
	for name, tc := range map[string]struct {
		faults []sim.Fault
		want   []string
	}{
		"arrived, the answer was lost": {[]sim.Fault{sim.LostReply()}, []string{"alice\nok", "alice\n(possibly again) ok"}},
		"lost":                         {[]sim.Fault{sim.LostCall()}, []string{"alice\n(possibly again) ok"}},
		"502":                          {[]sim.Fault{sim.BadGateway()}, []string{"alice\n(possibly again) ok"}},
		"500":                          {[]sim.Fault{{Code: 500}}, []string{"alice\n(possibly again) ok"}},
		"a redirect":                   {[]sim.Fault{{Status: 302, Location: "http://elsewhere.test/"}}, []string{"alice\n(possibly again) ok"}},
		"lost twice":                   {[]sim.Fault{sim.LostCall(), sim.LostCall()}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(w *world) {
				w.connected()
				w.srv.User(maria).Start()
				w.Idle()
				w.srv.FailNext("sendMessage", tc.faults...)
				w.says(kim, devs, "@alice hi")
				time.Sleep(10 * time.Minute) // of the bubble
				w.Idle()
				if got := w.texts(devs); !slices.Equal(got, tc.want) {
					w.Errorf("%q", got)
				}
				if told := strings.Contains(strings.Join(w.texts(maria), "\n"), "may not have been shown"); told != (len(tc.faults) == 2) {
					w.Errorf("told %v: %q", told, w.texts(maria))
				}
				if len(w.Turns()) != 1 {
					w.Errorf("%q", w.Turns())
				}
			}, linked("-1001000000001"))
		})
	}
}

// The process dies between Telegram's acceptance and the record of it, and starts
// three times (B48).
func TestACrashAfterASendShowsOneMarkedCopyAtMost(t *testing.T) {
	bubble(t, func(w *world) {
		w.connected()
		w.srv.FailNext("sendMessage", sim.LostReply())
		w.srv.User(maria).DM("hi")
		w.Until("it is shown", func() bool { return len(w.ours(maria)) == 1 })
		for range 3 {
			w.Shut()
			w.start()
			w.connected()
		}
		time.Sleep(10 * time.Minute)
		w.Idle()
		w.shows(maria, "alice\nok", "alice\n(possibly again) ok")
		if len(w.Turns()) != 1 {
			w.Errorf("%q", w.Turns())
		}
	})
}

// What was delivered and not confirmed comes again and is handled once (B47).
func TestRedeliveredUpdatesAreHandledOnce(t *testing.T) {
	bubble(t, func(w *world) {
		w.connected()
		w.srv.DuplicateNext(2)
		w.srv.LoseConfirmations(1000)
		w.srv.User(maria).DM("hi")
		w.srv.User(maria).DM("/status")
		w.Until("both are answered", func() bool { return len(w.ours(maria)) >= 2 })
		for range 3 {
			w.Shut()
			w.start()
			w.connected()
			time.Sleep(time.Minute)
		}
		if n := len(w.ours(maria)); n != 2 || len(w.Turns()) != 1 {
			w.Errorf("%q, %q", w.texts(maria), w.Turns())
		}
	})
}

// The store is down: nothing is confirmed, and all is taken in when it is back.
func TestWhatCannotBeKeptIsNotConfirmed(t *testing.T) {
	var down atomic.Bool
	bubble(t, func(w *world) {
		w.connected()
		down.Store(true)
		w.srv.User(maria).DM("hi")
		time.Sleep(3 * time.Minute)
		if w.srv.Pending() != 1 || !strings.Contains(w.State(), "reconnecting") {
			w.Errorf("%d pending, %s", w.srv.Pending(), w.State())
		}
		if n := len(w.srv.Calls("getUpdates")); n > 40 {
			w.Errorf("%d polls", n)
		}
		down.Store(false)
		w.shows(maria, "alice\nok")
		w.Idle()
		if len(w.Turns()) != 1 {
			w.Errorf("%q", w.Turns())
		}
	}, func(w *world) {
		w.Store = rehearsal.FullDisk(&down)
	})
}

// Any text is shown by the first send, whatever is in it (B20), long ones in order.
func TestAnyTextIsShown(t *testing.T) {
	const odd = "From: Kim & <b>not closed </a> 3 < 5\n\n# T\n\n- a_b*c\n\n|x|y|\n|-|-|\n|1|<2>|"
	long := strings.Repeat("first 🎉 & more ", 300) + "\n\n" + strings.Repeat("second <b> ", 500)
	bubble(t, func(w *world) {
		w.connected()
		w.srv.User(maria).DM("@alice odd")
		w.Until("it is shown", func() bool { return len(w.ours(maria)) == 1 })
		if got := w.texts(maria)[0]; !strings.Contains(got, "<b>not closed </a> 3 < 5") || !strings.Contains(got, "a_b*c") {
			w.Errorf("%q", got)
		}
		w.srv.User(maria).DM("@bob long")
		w.Until("parts", func() bool { return len(w.ours(maria)) >= 4 })
		w.Idle()
		all := strings.Join(w.texts(maria)[1:], " ")
		if strings.Count(all, "first") != 300 || strings.Count(all, "second") != 500 || strings.LastIndex(all, "first") > strings.Index(all, "second") {
			w.Errorf("%d first, %d second", strings.Count(all, "first"), strings.Count(all, "second"))
		}
		for _, c := range w.srv.Calls("sendMessage") {
			if c.Status != 200 || c.Params["parse_mode"] != "" {
				w.Errorf("%d %s", c.Status, c.Error)
			}
		}
	}, func(w *world) {
		w.Answer = func(_ context.Context, who string, _ *model.Request) (*model.Response, error) {
			return text(map[string]string{"alice": odd, "bob": long}[who]), nil
		}
	})
}

// Telegram refuses the look: one plain copy arrives; it refuses that too: it is told (B20).
func TestARefusedLookIsLeftOut(t *testing.T) {
	no := sim.Fault{Code: 400, Description: "Bad Request: can't parse entities: something new"}
	bubble(t, func(w *world) {
		w.connected()
		w.srv.User(maria).Start()
		w.Idle()
		w.srv.FailNext("sendMessage", no)
		w.says(kim, devs, "@alice hi")
		w.shows(devs, "alice\n3 < 5 & <b>")
		if e := w.ours(devs)[0]; len(e.Marks) != 0 {
			w.Errorf("%+v", e)
		}
		w.srv.FailNext("sendMessage", no, no)
		w.says(kim, devs, "@alice again")
		w.Until("the owner is told", func() bool { return strings.Contains(strings.Join(w.texts(maria), "\n"), "is not shown on telegram") })
		w.Idle()
		if n := len(w.ours(devs)); n != 1 {
			w.Errorf("%q", w.texts(devs))
		}
	}, linked("-1001000000001"), func(w *world) {
		w.Answer = func(context.Context, string, *model.Request) (*model.Response, error) {
			return text("**3 < 5** & <b>"), nil
		}
	})
}

func TestALongAbsenceIsSaidToHaveLostMessages(t *testing.T) {
	bubble(t, func(w *world) {
		w.connected()
		w.srv.GoOffline()
		time.Sleep(30 * time.Hour)
		w.srv.GoOnline()
		w.connected()
		if !strings.Contains(w.State(), "Telegram keeps messages for a day") {
			w.Error(w.State())
		}
	})
}

func TestUpdatesThatNobodyKnowsStopNothing(t *testing.T) {
	bubble(t, func(w *world) {
		w.connected()
		for _, body := range []map[string]any{
			{"brand_new": map[string]any{"x": 1}},
			{"message": 7},
			{"message": map[string]any{"message_id": "seven", "chat": "none"}},
			{"message": map[string]any{"message_id": 9, "chat": map[string]any{"id": maria, "type": "private"}, "text": "nobody wrote this"}},
			{"edited_message": map[string]any{"message_id": 9}},
			{"callback_query": map[string]any{"id": "x", "from": map[string]any{"id": maria}, "data": "who knows"}},
			{"callback_query": map[string]any{}},
			{"my_chat_member": map[string]any{"chat": nil}},
			{"message": map[string]any{
				"message_id": 10, "chat": map[string]any{"id": maria, "type": "private"}, "from": map[string]any{"id": maria, "first_name": 5},
				"text": "one odd field", "photo": "no list", "reply_to_message": "odd",
			}},
			{"message": map[string]any{
				"message_id": 11, "chat": map[string]any{"id": maria, "type": "private"}, "from": map[string]any{"id": 999, "is_bot": true}, "text": "a program",
			}},
			{"message": map[string]any{
				"message_id": 12, "chat": map[string]any{"id": devs, "type": "supergroup"}, "from": map[string]any{"id": kim}, "sender_chat": map[string]any{"id": devs}, "text": "@alice anonymous",
			}},
		} {
			w.srv.SendUpdate(body)
		}
		w.srv.User(maria).DM("after all that")
		w.Until("she is answered", func() bool { return w.Count("after all that") == 1 })
		w.Idle()
		if got := w.Turns(); w.Count("one odd field") != 1 || w.Count("a program") != 0 || w.Count("anonymous") != 0 {
			w.Errorf("%q", got)
		}
		if n := len(w.srv.Calls("getUpdates")); n > 20 {
			w.Errorf("%d polls", n)
		}
	}, linked("-1001000000001"))
}

func TestAnotherPollerIsExplainedAndNotFought(t *testing.T) {
	bubble(t, func(w *world) {
		w.connected()
		conflict := sim.Fault{Code: 409, Description: "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running"}
		w.srv.FailNext("getUpdates", conflict, conflict, conflict)
		w.srv.User(maria).DM("hi")
		w.Until("it is said", func() bool { return strings.Contains(w.State(), "another program asks for the updates") })
		begin := time.Now()
		w.connected()
		if d := time.Since(begin); d < 10*time.Second {
			w.Errorf("it fought after %s", d)
		}
		w.shows(maria, "alice\nok")
	})
	t.Run("a webhook gives way", func(t *testing.T) {
		bubble(t, func(w *world) {
			w.connected()
			w.Shut()
			w.srv.SetWebhook()
			w.srv.User(maria).DM("hi")
			w.start()
			w.shows(maria, "alice\nok")
		})
	})
}

func TestABadTokenStopsTheAdapterWithASentence(t *testing.T) {
	bubble(t, func(w *world) {
		w.connected()
		w.srv.RevokeToken()
		w.srv.User(maria).DM("hi")
		if w.Ended() == nil || !strings.Contains(w.Ended().Error(), "does not accept adapters.telegram.token") || !strings.Contains(w.State(), "stopped") {
			w.Errorf("%v, %s", w.Ended(), w.State())
		}
		w.Shut()
		w.srv.RestoreToken()
		w.start()
		w.shows(maria, "alice\nok")
	})
	t.Run("of another form", func(t *testing.T) {
		bubble(t, func(w *world) {
			if w.Ended() == nil || !strings.Contains(w.Ended().Error(), "knows no bot") {
				w.Errorf("%v", w.Ended())
			}
		}, func(w *world) { w.opt.Token = "1:short" })
	})
	if _, err := New(Options{Token: "nonsense"}); err == nil || !strings.Contains(err.Error(), "BotFather") {
		t.Errorf("%v", err)
	}
}

func TestTheNetworkIsAwayForAWhile(t *testing.T) {
	bubble(t, func(w *world) {
		w.connected()
		w.srv.GoOffline()
		w.srv.User(maria).DM("hi")
		if _, err := w.Office.Post(context.Background(), office.Post{Person: "maria", Channel: "dev", Text: "news"}); err != nil {
			w.Fatal(err)
		}
		time.Sleep(5 * time.Minute)
		if !strings.Contains(w.State(), "reconnecting") {
			w.Error(w.State())
		}
		w.srv.GoOnline()
		w.connected()
		w.shows(maria, "alice\nok")
		w.Until("what was owed is shown", func() bool { return len(w.ours(devs)) == 1 })
		w.Idle()
		if got := w.texts(devs); len(got) != 1 || len(w.Turns()) != 1 {
			w.Errorf("%q, %q", got, w.Turns())
		}
	}, linked("-1001000000001"))
}

// The token is in no log line, state, notice or stored error, whatever fails (B66).
func TestTheTokenIsNowhere(t *testing.T) {
	bubble(t, func(w *world) {
		w.connected()
		redirect := sim.Fault{Status: 302, Location: "http://elsewhere.test/"}
		echo := sim.Fault{Code: 400, Description: "Bad Request: https://api.telegram.org/bot" + w.srv.Token() + "/x " + w.srv.Token()}
		w.srv.FailNext("getUpdates", sim.BadGateway(), sim.LostCall(), sim.LostReply(), redirect, echo)
		w.srv.FailNext("sendMessage", sim.BadGateway(), redirect, sim.LostCall(), sim.LostReply(), echo)
		for i := range 4 {
			w.srv.User(maria).DM(fmt.Sprint("hi ", i))
		}
		time.Sleep(10 * time.Minute)
		w.srv.GoOffline()
		time.Sleep(3 * time.Minute)
		w.srv.GoOnline()
		w.connected().Idle()
		_, err := w.a.send(w.Context(), outgoing{place: place{chat: 404}, text: "x"})
		all := w.Logged.String() + w.State() + fmt.Sprint(err) + strings.Join(w.texts(maria), "\n")
		if strings.Contains(all, w.srv.Token()) || strings.Contains(all, "sim-token") {
			w.Errorf("the token is in\n%s", all)
		}
	})
}
