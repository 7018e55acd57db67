package discord

import (
	"strings"
	"testing"
	"time"

	sim "bullpen/internal/sim/discord"
)

// The office's status stands in one message of a channel that setup makes. It is
// changed in place, seldom, found again by the next process under whatever name the
// channel has by then, and made again when somebody deletes it.
func TestTheStatusStandsInOneMessage(t *testing.T) {
	bubble(t, func(w *world) {
		w.connected()
		w.Idle()
		if got := w.slash("maria", dev, "channel setup", nil); !strings.Contains(got, "#office-status") {
			t.Fatalf("%q", got)
		}
		room, ok := w.srv.ChannelID("office-status")
		if !ok {
			t.Fatal("there is no #office-status")
		}
		reads := func(what string, parts ...string) sim.Entry {
			t.Helper()
			var e sim.Entry
			w.Until(what, func() bool {
				all := w.entries(room)
				if len(all) != 1 {
					return false
				}
				e = all[0]
				for _, p := range parts {
					if !strings.Contains(e.Text, p) {
						return false
					}
				}
				return true
			})
			return e
		}
		first := reads("the status is shown", "Office Acme", "alice (leader)", "<t:")
		if _, err := w.srv.User("kim").Say(room, "hello?"); err == nil {
			t.Error("people can write there")
		}
		if _, err := w.Office.Pause(w.Context(), true, "lunch", "maria", "test"); err != nil {
			t.Fatal(err)
		}
		if e := reads("it is paused", "Paused since"); e.ID != first.ID {
			t.Errorf("%s became %s", first.ID, e.ID)
		}
		if err := w.srv.RenameChannel(room, "what-goes-on"); err != nil {
			t.Fatal(err)
		}
		w.Shut()
		w.start()
		w.connected()
		if _, err := w.Office.Pause(w.Context(), false, "", "maria", "test"); err != nil {
			t.Fatal(err)
		}
		w.Until("it goes on", func() bool { return len(w.entries(room)) == 1 && !strings.Contains(w.entries(room)[0].Text, "Paused") })
		if e := w.entries(room)[0]; e.ID != first.ID {
			t.Errorf("%s became %s", first.ID, e.ID)
		}
		if got := w.slash("maria", dev, "channel setup", nil); !strings.HasPrefix(got, "Everything was there") {
			t.Errorf("%q", got)
		}
		edits := len(w.srv.Calls(sim.RouteEdit))
		begin := time.Now()
		for range 60 {
			w.says("kim", dev, "@bob hi")
			time.Sleep(2 * time.Second)
		}
		w.Idle()
		most := int(time.Since(begin)/boardEvery) + 1
		if n := len(w.srv.Calls(sim.RouteEdit)) - edits; n > most {
			t.Errorf("%d changes", n)
		}
		time.Sleep(2 * boardLook)
		edits = len(w.srv.Calls(sim.RouteEdit))
		time.Sleep(time.Hour)
		if n := len(w.srv.Calls(sim.RouteEdit)) - edits; n != 0 {
			t.Errorf("%d changes while nothing happened", n)
		}
	}, func(w *world) { w.opt.AutoLink = true })
}
