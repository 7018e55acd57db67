package telegram

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	sim "bullpen/internal/sim/telegram"
	"bullpen/office"
)

// Twelve posts into one group, Telegram limits it, the process restarts meanwhile (B27).
func TestRateLimitsAreObeyedAcrossARestart(t *testing.T) {
	bubble(t, func(w *world) {
		w.connected()
		w.srv.LimitChat(devs, 5, 40*time.Second)
		for i := range 12 {
			if _, err := w.Office.Post(context.Background(), office.Post{Person: "maria", Channel: "dev", Text: fmt.Sprintf("post %02d", i)}); err != nil {
				w.Fatal(err)
			}
		}
		limited := func() []sim.Call {
			return slices.DeleteFunc(w.srv.Calls("sendMessage"), func(c sim.Call) bool { return c.Status != 429 })
		}
		w.Until("it is limited", func() bool { return len(limited()) == 1 })
		w.srv.User(maria).DM("hi")
		before := time.Now()
		w.shows(maria, "alice\nok")
		if d := time.Since(before); d > 5*time.Second {
			w.Errorf("another chat waited %s", d)
		}
		time.Sleep(15 * time.Second)
		w.Shut()
		w.start()
		w.Until("all are shown", func() bool { return len(w.ours(devs)) == 12 })
		w.Idle()
		var want []string
		for i := range 12 {
			want = append(want, fmt.Sprintf("Maria\npost %02d", i))
		}
		if got := w.texts(devs); !slices.Equal(got, want) {
			w.Errorf("%q", got)
		}
		if n := len(limited()); n != 1 {
			w.Errorf("%d calls were refused", n)
		}
	}, linked("-1001000000001"))
}

// A limit is a chat's, with all its topics, also after a restart: nothing at all is
// asked of it before its time (B27).
func TestALimitHoldsForAllTopicsAcrossARestart(t *testing.T) {
	bubble(t, func(w *world) {
		w.connected()
		w.srv.FailNext("sendMessage", sim.Limited(40))
		post := func(ch office.ChannelID, said string) {
			if _, err := w.Office.Post(context.Background(), office.Post{Person: "maria", Channel: ch, Text: said}); err != nil {
				w.Fatal(err)
			}
		}
		post("dev", "in the topic")
		w.Until("it is limited", func() bool { return len(w.srv.Calls("sendMessage")) == 1 })
		limited := time.Now()
		time.Sleep(20 * time.Second)
		w.Shut()
		w.start()
		post("general", "in General")
		w.writes(kim, sim.Said{Chat: forum, Topic: 42, Text: "@alice hi"})
		w.Until("all is shown", func() bool { return len(w.ours(forum)) == 3 })
		w.Idle()
		for _, c := range w.srv.Calls("sendMessage", "setMessageReaction", "sendChatAction")[1:] {
			if d := c.Time.Sub(limited); d < 39*time.Second {
				w.Errorf("%s after %s", c.Method, d)
			}
		}
		w.srv.User(maria).DM("hi")
		w.shows(maria, "alice\nok")
	}, func(w *world) {
		w.opt.Channels = map[string]string{"dev": "-1001000000002/42", "general": "-1001000000002"}
	})
}
