package slack

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	sim "bullpen/internal/sim/slack"
	"bullpen/office"
)

// Twenty minutes without a connection cost twenty minutes.
func TestWhatWasMissedIsReadBackOnceAndInOrder(t *testing.T) {
	t.Parallel()
	bubble(t, func(w *world) {
		w.connected()
		root1, root2 := w.says("kim", "dev", "@alice one"), w.says("lee", "dev", "@bob two")
		w.Until("both answered", func() bool { return len(w.ours("dev")) == 2 })
		w.Idle()
		w.srv.GoOffline()
		var want []string
		say := func(root, user, name, said string) {
			want = append(want, said)
			if root == "" {
				w.says(user, "dev", "@"+name+" "+said)
			} else {
				w.replies(user, "dev", root, "@"+name+" "+said)
			}
			time.Sleep(90 * time.Second)
		}
		for i := range 4 {
			say(root1, "kim", "alice", fmt.Sprintf("missed-a%d", i))
			say(root2, "lee", "alice", fmt.Sprintf("missed-b%d", i))
			say("", "kim", "alice", fmt.Sprintf("missed-c%d", i))
		}
		w.says("maria", "dev", "@office interrupt bob")
		w.srv.GoOnline()
		w.says("kim", "dev", "@alice afterwards")
		want = append(want, "afterwards")
		w.connected().Idle()
		var order []string
		page, err := w.Office.Messages(context.Background(), office.MessageQuery{Channels: []office.ChannelID{"dev"}})
		if err != nil {
			w.Fatal(err)
		}
		for _, m := range page.Messages {
			if m.Author.Kind == office.ByPerson {
				order = append(order, m.Text[strings.LastIndex(m.Text, " ")+1:])
			}
		}
		if want = append([]string{"one", "two"}, want...); !slices.Equal(order, want) {
			w.Errorf("taken in: %q\nwant %q", order, want)
		}
		w.Until("maria is told that her command was lost", func() bool {
			said := w.whispers("dev", "U0MARIA")
			return len(said) == 1 && strings.Contains(said[0], "not carried out")
		})
		if !strings.Contains(w.State(), "commands and buttons of that time are lost") {
			w.Errorf("the state says %q", w.State())
		}
	}, func(w *world) { w.sim.RetryDelays = []time.Duration{} })
}

// What was missed is read back although something was shown meanwhile, which
// moves the portal's mark.
func TestWhatIsSentMeanwhileHidesNothing(t *testing.T) {
	t.Parallel()
	bubble(t, func(w *world) {
		w.connected()
		w.srv.RefuseSockets(1000, 503)
		w.srv.DropSockets()
		time.Sleep(3 * time.Minute)
		w.says("kim", "dev", "@alice missed")
		time.Sleep(time.Minute)
		if _, err := w.Office.Post(context.Background(), office.Post{Person: "maria", Channel: "dev", Text: "@bob from the console"}); err != nil {
			w.Fatal(err)
		}
		w.Until("bob's answer is shown without a socket", func() bool { return len(w.ours("dev")) >= 2 })
		time.Sleep(10 * time.Minute)
		w.srv.RefuseSockets(0, 0)
		w.connected().Idle()
		if w.Count("missed") != 1 {
			w.Errorf("asked: %q", w.Turns())
		}
	}, func(w *world) { w.sim.RetryDelays = []time.Duration{} })
}

// A restart reads what was said while nobody ran; what was said before the first
// link is not taken in.
func TestARestartReadsWhatWasMissed(t *testing.T) {
	t.Parallel()
	bubble(t, func(w *world) {
		w.connected().Idle()
		if len(w.Turns()) != 0 {
			w.Fatalf("what was said before the link woke somebody: %q", w.Turns())
		}
		w.Shut()
		w.says("kim", "dev", "@alice while you were out")
		w.dm("maria", "@bob are you there")
		time.Sleep(time.Hour)
		w.start()
		w.connected().Idle()
		w.shows("dev", "alice: ok")
		w.shows(w.dmChannel("maria"), "bob: ok")
		if len(w.Turns()) != 2 {
			w.Errorf("%q", w.Turns())
		}
	}, func(w *world) { w.sim.RetryDelays = []time.Duration{} })
}

// A socket that stays open and says nothing is replaced.
func TestASilentSocketIsReplaced(t *testing.T) {
	t.Parallel()
	bubble(t, func(w *world) {
		w.connected()
		time.Sleep(10 * time.Minute)
		if w.srv.Connections() != 1 {
			w.Fatalf("%d connections without a reason", w.srv.Connections())
		}
		w.srv.Silence()
		w.says("kim", "dev", "@alice into the void")
		w.shows("dev", "alice: ok")
		if w.srv.Connections() != 2 || w.srv.PeakSockets() > 2 {
			w.Errorf("%d connections, %d at once", w.srv.Connections(), w.srv.PeakSockets())
		}
	}, func(w *world) { w.sim.RetryDelays = []time.Duration{} })
}

// Twelve ends of every kind, then twenty posts: one socket at a time, nothing is
// lost (B29).
func TestTwelveDisconnects(t *testing.T) {
	t.Parallel()
	bubble(t, func(w *world) {
		w.connected()
		ends := []func(){
			func() { w.srv.CloseSockets(1001) }, w.srv.Silence, w.srv.DropSockets, func() { w.srv.Disconnect(sim.Warning) },
			func() { w.srv.Disconnect(sim.RefreshRequested) }, func() { w.srv.RefuseSockets(2, 503); w.srv.DropSockets() },
			func() { w.srv.FailNext("apps.connections.open", sim.ServerError(503)); w.srv.DropSockets() },
			func() { w.srv.Disconnect(sim.TooManyWebsockets) }, func() { w.Shut(); w.start() }, w.srv.DropSockets,
			func() { w.srv.CutFrames(1); w.says("kim", "dev", "cut") }, func() { w.srv.FailNext("apps.connections.open", sim.RateLimited(7)); w.srv.DropSockets() },
		}
		for i, end := range ends {
			before := w.srv.Connections()
			end()
			w.Until(fmt.Sprintf("a new socket after end %d", i), func() bool { return w.srv.Connections() > before && w.srv.Sockets() == 1 })
			w.says("kim", "dev", fmt.Sprintf("in between %d", i))
			time.Sleep(time.Duration(i) * 3 * time.Second)
		}
		w.connected()
		for i := range 20 {
			w.says("kim", "dev", fmt.Sprintf("post %d.", i))
		}
		w.Idle()
		// Slack may notice the end of one only after the next has begun.
		if w.srv.PeakSockets() > 2 {
			w.Errorf("%d sockets at once", w.srv.PeakSockets())
		}
		page, err := w.Office.Messages(context.Background(), office.MessageQuery{Channels: []office.ChannelID{"dev"}})
		if err != nil {
			w.Fatal(err)
		}
		if n := len(page.Messages); n != 12+1+20 {
			w.Errorf("%d messages were taken in, want 33", n)
		}
	})
}

// An event that comes again, in another envelope, on another socket or after a
// restart, is taken in once.
func TestWhatComesAgainIsTakenInOnce(t *testing.T) {
	t.Parallel()
	bubble(t, func(w *world) {
		w.connected()
		w.srv.DuplicateNext(1)
		w.says("kim", "dev", "@alice one")
		w.Idle()
		w.srv.LoseAcks(1)
		w.says("kim", "dev", "@alice two")
		w.Idle()
		w.srv.LoseAcks(1)
		w.says("kim", "dev", "@alice three")
		w.Until("three is read", func() bool { return w.Count("three") == 1 })
		w.Shut()
		w.start()
		w.connected().Idle()
		w.shows("dev", "alice: ok", "alice: ok", "alice: ok")
		if n := len(w.Turns()); n != 3 {
			w.Errorf("%d turns: %q", n, w.Turns())
		}
		// Slack may notice the end of one only after the next has begun.
		if w.srv.PeakSockets() > 2 {
			w.Errorf("%d sockets at once", w.srv.PeakSockets())
		}
	})
}
