package discord

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	sim "bullpen/internal/sim/discord"
	"bullpen/office"
	"bullpen/office/model"
)

// crowd adds colleagues c00, c01, … to #dev, who answer with their names.
func crowd(n int) func(*world) {
	return func(w *world) {
		for i := range n {
			name := fmt.Sprintf("c%02d", i)
			w.Setup.Colleagues = append(w.Setup.Colleagues, office.ColleagueSetup{Name: name, Role: office.Member, Model: name})
			w.Setup.Channels[0].Members = append(w.Setup.Channels[0].Members, name)
		}
		w.Answer = func(_ context.Context, name string, _ *model.Request) (*model.Response, error) {
			return text("from " + name), nil
		}
	}
}

// Twelve colleagues finish at once in one channel, and Discord asks to wait forty
// seconds after five: nothing is called there before, also not after a restart, all
// twelve stand there once, and nobody else waits (B27).
func TestTwelveColleaguesInAPlaceThatIsLimited(t *testing.T) {
	bubble(t, func(w *world) {
		w.connected()
		const wait = 40 * time.Second
		var call strings.Builder
		for i := range 12 {
			fmt.Fprintf(&call, "@c%02d ", i)
		}
		reports := func() []sim.Entry { // without receipts
			return slices.DeleteFunc(w.entries(dev), func(e sim.Entry) bool { return !strings.HasPrefix(e.Author, "c") })
		}
		w.srv.FailNext(sim.RouteWebhook, slices.Concat(make([]sim.Fault, 5), []sim.Fault{sim.Limited(wait)})...)
		w.says("kim", dev, call.String()+"report")
		w.Until("it is limited", func() bool { return w.srv.PlannedFaults() == 0 })
		limited := time.Now()
		if n := len(reports()); n != 5 {
			t.Errorf("%d were shown before", n)
		}
		w.says("maria", "", "hi")
		w.Until("the direct talk goes on", func() bool { return len(w.entries("@maria")) == 1 })
		if d := time.Since(limited); d > 5*time.Second {
			t.Errorf("another place waited %s", d)
		}
		time.Sleep(20*time.Second - time.Since(limited))
		w.Shut()
		w.start()
		w.Until("all are shown", func() bool { return len(reports()) >= 12 })
		w.Idle()
		page, err := w.Office.Messages(w.Context(), office.MessageQuery{Channels: []office.ChannelID{"dev"}, Limit: 50})
		if err != nil {
			t.Fatal(err)
		}
		var want, got []string // in the office's order
		for i := range page.Messages {
			if m := &page.Messages[i]; strings.HasPrefix(m.Text, "from ") {
				want = append(want, m.Text)
			}
		}
		for _, e := range reports() {
			got = append(got, e.Text[strings.LastIndex(e.Text, "\n")+1:])
		}
		if len(want) != 12 || !slices.Equal(got, want) {
			t.Errorf("shown: %q\nsaid: %q", got, want)
		}
		posts := w.srv.Calls(sim.RouteWebhook)
		for _, c := range posts[6:] {
			if d := c.Time.Sub(limited); d < wait-time.Second {
				t.Errorf("called %s after the limit: %s", d, c.Error)
			}
		}
		if len(posts) != 13 {
			t.Errorf("%d posts", len(posts))
		}
	}, crowd(12))
}

// Twelve connections end in all the ways in which they do; there are never two at
// once, and what is said afterwards comes in once, in order (B29).
func TestAfterManyDisconnectsEverythingIsHeardOnce(t *testing.T) {
	bubble(t, func(w *world) {
		w.connected()
		done := make(chan struct{})
		watched := make(chan int)
		go func() {
			most := 0
			for {
				most = max(most, w.srv.Connected())
				select {
				case <-done:
					watched <- most
					return
				case <-time.After(5 * time.Millisecond):
				}
			}
		}()
		for i, end := range []func(){
			func() { w.srv.Reconnect() },
			func() { w.srv.Invalidate(true) },
			func() { w.srv.Invalidate(false) },
			func() { w.srv.CloseGateway(4000) },
			func() { w.srv.CloseGateway(4007) },
			func() { w.srv.CloseGateway(4009) },
			func() { w.srv.DropGateway() },
			func() { w.srv.Zombie(true); time.Sleep(3 * time.Minute); w.srv.Zombie(false) },
			func() { w.srv.RefuseGateway(2, http.StatusServiceUnavailable); w.srv.DropGateway() },
			func() { w.goAway(); time.Sleep(30 * time.Second); w.comeBack() },
			func() { w.srv.EndSessions() },
			func() { w.Shut(); w.start() },
		} {
			time.Sleep(15 * time.Second)
			end()
			time.Sleep(15 * time.Second)
			w.Until(fmt.Sprintf("it is connected after end %d", i), func() bool { return w.srv.Connected() == 1 })
		}
		w.connected()
		for i := range 20 {
			w.says("kim", dev, fmt.Sprintf("@bob Q%02d", i))
		}
		w.Idle()
		close(done)
		if most := <-watched; most > 1 {
			t.Errorf("%d sessions were live at once", most)
		}
		given := strings.Join(w.Turns(), "\n")
		last := -1
		for i := range 20 {
			q := fmt.Sprintf("Q%02d", i)
			if at := strings.Index(given, q); strings.Count(given, q) != 1 || at < last {
				t.Errorf("%s was given %d times, or too early", q, strings.Count(given, q))
			} else {
				last = at
			}
		}
		if n := w.srv.Identifies(); n > 30 {
			t.Errorf("%d sessions were begun", n)
		}
	})
}

// The process ends at any moment of a burst whose last event is an admin's command:
// each message is answered once, and the command is carried out once (B47).
func TestAnEndAtAnyMoment(t *testing.T) {
	for _, after := range []time.Duration{0, time.Millisecond, 20 * time.Millisecond, 300 * time.Millisecond, 1500 * time.Millisecond, 4 * time.Second} {
		t.Run(after.String(), func(t *testing.T) {
			bubble(t, func(w *world) {
				w.connected()
				w.Idle()
				for i := range 4 {
					w.says("kim", dev, fmt.Sprintf("@bob Q%d", i))
				}
				if _, err := w.srv.User("maria").Slash(dev, "office status", nil); err != nil {
					t.Fatal(err)
				}
				time.Sleep(after)
				for range 3 {
					w.Shut()
					w.start()
					w.connected()
					time.Sleep(time.Minute)
				}
				w.Idle()
				var shown int
				for _, e := range w.entries(dev) {
					if e.OnlyFor == "" {
						shown++
					}
				}
				all := strings.Join(w.Turns(), "\n")
				for i := range 4 {
					if !strings.Contains(all, fmt.Sprintf("Q%d", i)) {
						t.Errorf("Q%d was lost: %q", i, w.Turns())
					}
				}
				if shown == 0 || shown > 4 {
					t.Errorf("%d answers: %q", shown, w.texts(dev))
				}
			})
		})
	}
}

// A call that the library never comes back from costs its own place some time, and
// nobody else any.
func TestACallThatNeverEnds(t *testing.T) {
	bubble(t, func(w *world) {
		w.connected()
		hold := make(chan struct{}) // of the bubble
		defer close(hold)
		w.srv.FailNext(sim.RouteWebhook, sim.Fault{Hold: hold, Cut: sim.CutBefore})
		w.says("kim", dev, "@alice hi")
		w.Until("the call hangs", func() bool { return w.srv.PlannedFaults() == 0 })
		begin := time.Now()
		w.says("maria", "", "hi")
		w.Until("the direct talk goes on", func() bool { return len(w.entries("@maria")) == 1 })
		if got := w.slash("maria", dev, "office status", nil); got == "" || time.Since(begin) > 20*time.Second {
			t.Errorf("%q after %s", got, time.Since(begin))
		}
		w.Until("it is shown in the end", func() bool { return slices.Contains(w.texts(dev), "alice: ok") })
		w.Idle()
		if got := w.texts(dev); len(got) != 2 { // with what the command was answered
			t.Errorf("%q", got)
		}
	})
}
