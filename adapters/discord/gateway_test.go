package discord

import (
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"bullpen/internal/rehearsal"
	sim "bullpen/internal/sim/discord"
	"bullpen/office"
)

// However a connection ends, the next one is opened, and what was said in between
// is taken in once and in order.
func TestConnectionsEndAndGoOn(t *testing.T) {
	for name, end := range map[string]func(w *world){
		"reconnect asked for (op 7)":   func(w *world) { w.srv.Reconnect() },
		"resumable session (op 9)":     func(w *world) { w.srv.Invalidate(true) },
		"invalid session (op 9)":       func(w *world) { w.srv.Invalidate(false) },
		"closed with 4000":             func(w *world) { w.srv.CloseGateway(4000) },
		"session timed out (4009)":     func(w *world) { w.srv.CloseGateway(4009) },
		"closed with 1001":             func(w *world) { w.srv.CloseGateway(1001) },
		"cut":                          func(w *world) { w.srv.DropGateway() },
		"no more heartbeats answered":  func(w *world) { w.srv.Zombie(true); time.Sleep(90 * time.Second); w.srv.Zombie(false) },
		"turned away for a while, 503": func(w *world) { w.srv.RefuseGateway(3, 503); w.srv.DropGateway() },
		"not even an answer":           func(w *world) { w.goAway(); time.Sleep(time.Minute); w.comeBack() },
		"a frame that is no JSON":      func(w *world) { w.srv.SendFrame("{"); w.srv.DropGateway() },
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(w *world) {
				w.connected()
				time.Sleep(time.Minute)
				w.says("kim", dev, "@alice one")
				w.Idle()
				end(w)
				w.says("kim", dev, "@alice two")
				w.says("kim", "", "@bob three")
				time.Sleep(5 * time.Second)
				w.says("kim", dev, "@alice four")
				w.Until("all are answered", func() bool { return len(w.entries(dev)) >= 3 && len(w.entries("@kim")) >= 1 })
				w.connected()
				w.Idle()
				for _, said := range []string{"one", "two", "three", "four"} {
					if w.Count(said) != 1 {
						t.Errorf("%s was given %d times: %q", said, w.Count(said), w.Turns())
					}
				}
				if n := len(w.entries(dev)); n != 3 {
					t.Errorf("%q", w.texts(dev))
				}
				if n := w.srv.Identifies(); n > 12 {
					t.Errorf("%d sessions were begun", n)
				}
			}, func(w *world) {
				w.Setup.People = append(w.Setup.People, office.Person{ID: "kim", Name: "Kim", Accounts: []office.Account{{Platform: "discord", ID: kim}}})
			})
		})
	}
}

// The network is away for ten minutes in a burst; everything is answered once.
func TestAnOutageInABurst(t *testing.T) {
	bubble(t, func(w *world) {
		w.connected()
		var want []string
		for i := range 30 {
			switch i {
			case 8:
				w.goAway()
			case 25:
				time.Sleep(10 * time.Minute)
				w.comeBack()
			}
			w.says("kim", dev, fmt.Sprintf("@bob Q%02d", i))
			want = append(want, fmt.Sprintf("Q%02d", i))
			time.Sleep(2 * time.Second)
		}
		w.Idle()
		w.connected()
		w.Idle()
		var got []string
		for _, turn := range w.Turns() {
			for _, q := range want {
				if strings.Contains(turn, q+"\n") {
					got = append(got, q)
				}
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("taken in: %q", got)
		}
		if !strings.Contains(w.State(), "it was away for 1") {
			t.Errorf("%s", w.State())
		}
	})
}

// What was said while no process ran is read back: in the channel, in threads, in
// closed ones, in forums' posts and in direct messages; and what happened before
// the office was linked is not.
func TestWhatIsMissedIsReadBack(t *testing.T) {
	bubble(t, func(w *world) {
		w.says("kim", dev, "@alice before anything")
		w.connected()
		w.Idle()
		id := w.says("kim", dev, "@alice one")
		w.Until("a thread", func() bool { return w.entry(dev, id).Thread != "" })
		w.Idle()
		edited := w.says("kim", dev, "a mistke")
		w.Idle()
		w.Shut()
		if err := w.srv.User("kim").Edit(dev, edited, "a mistake"); err != nil {
			t.Fatal(err)
		}
		w.says("kim", id, "two, in the thread")
		w.says("maria", "", "three, directly")
		root := w.says("kim", dev, "four")
		closed, err := w.srv.User("kim").Thread(dev, root, "closed", "@bob five")
		if err != nil {
			t.Fatal(err)
		}
		if err := w.srv.ArchiveThread(closed, true, false); err != nil {
			t.Fatal(err)
		}
		if err := w.srv.ArchiveThread(id, true, false); err != nil {
			t.Fatal(err)
		}
		w.says("kim", dev, "@office pause")
		time.Sleep(2 * time.Hour)
		w.start()
		w.connected()
		w.Idle()
		for said, n := range map[string]int{"before anything": 0, "one": 1, "two, in": 1, "three, dir": 1, "five": 1, "four": 0} {
			if w.Count(said) != n {
				t.Errorf("%q was given %d times: %q", said, w.Count(said), w.Turns())
			}
		}
		if got := w.texts(id); strings.Count(strings.Join(got, "\n"), "alice: ok") != 2 {
			t.Errorf("%q", got)
		}
		if got := w.texts(closed); len(got) != 1 || got[0] != "bob: ok" {
			t.Errorf("%q", got)
		}
	}, inThreads)
}

// What is a day old is not taken up again.
func TestAnOldGapStaysOne(t *testing.T) {
	bubble(t, func(w *world) {
		w.connected()
		w.says("kim", dev, "@alice one")
		w.Idle()
		w.Shut()
		w.says("kim", dev, "@alice too old")
		time.Sleep(30 * time.Hour)
		w.says("kim", dev, "@alice fresh")
		w.start()
		w.connected()
		w.Idle()
		if w.Count("too old") != 0 || w.Count("fresh") != 1 {
			t.Errorf("%q", w.Turns())
		}
	})
}

func TestWhatWaitingCannotMendStops(t *testing.T) {
	for name, tc := range map[string]struct {
		change func(*world)
		do     func(*world)
		want   string
	}{
		"the token is not accepted": {func(w *world) { w.opt.Token = "this.is.not-a-token-of-anybody" }, nil, "Reset Token"},
		"the token is reset":        {nil, func(w *world) { w.connected(); w.srv.RevokeToken(); w.srv.CloseGateway(4004) }, "Reset Token"},
		"a post finds it out":       {nil, func(w *world) { w.connected(); w.srv.RevokeToken(); w.says("kim", dev, "@alice hi") }, "Reset Token"},
	} {
		t.Run(name, func(t *testing.T) {
			change := tc.change
			if change == nil {
				change = func(*world) {}
			}
			bubble(t, func(w *world) {
				if tc.do != nil {
					tc.do(w)
				}
				w.Until("it stops", func() bool { return strings.Contains(w.State(), "stopped") })
				if !strings.Contains(w.State(), tc.want) || strings.Contains(w.Logged.String(), w.srv.Token()) {
					t.Errorf("%s", w.State())
				}
				calls := len(w.srv.Calls())
				time.Sleep(10 * time.Minute)
				if n := len(w.srv.Calls()) - calls; n > 0 {
					t.Errorf("%d calls after that", n)
				}
			}, change)
		})
	}
}

// Without message content the bot goes on with what mentions it, and names the
// switch.
func TestWithoutMessageContentMentionsAreHeard(t *testing.T) {
	bubble(t, func(w *world) {
		w.connected()
		if !strings.Contains(w.State(), "Message Content Intent") {
			t.Errorf("%s", w.State())
		}
		w.says("kim", dev, "@alice not to be read")
		w.says("kim", dev, w.srv.Mention(w.srv.BotID())+" @bob hi")
		w.shows(dev, "bob: ok")
		w.says("maria", "", "directly")
		w.shows("@maria", "office: **alice**\nok")
		if n := w.srv.Identifies(); n != 2 || w.Count("not to be") != 0 {
			t.Errorf("%d sessions, %q", n, w.Turns())
		}
	}, func(w *world) { w.sim.Disallowed = sim.IntentMessageContent })
}

// Discord takes the token from a bot that begins too many sessions.
func TestARefusingGatewayIsNotHammered(t *testing.T) {
	bubble(t, func(w *world) {
		w.connected()
		w.srv.RefuseGateway(1000, 503)
		w.srv.DropGateway()
		time.Sleep(2 * time.Hour)
		if n := len(w.srv.Calls("GET /gateway")); n < 60 || n > 300 {
			t.Errorf("%d attempts in two hours", n)
		}
		if !strings.Contains(w.State(), "reconnecting") {
			t.Errorf("%s", w.State())
		}
	})
}

// The same event twice, unknown events and fields of other types cost nothing.
func TestOddEvents(t *testing.T) {
	bubble(t, func(w *world) {
		w.connected()
		w.srv.FailEvents("MESSAGE_CREATE", sim.EventFault{Duplicate: true})
		w.says("kim", dev, "@alice twice")
		w.srv.SendEvent("SOMETHING_NEW", map[string]any{"x": 1})
		w.srv.SendEvent("MESSAGE_CREATE", map[string]any{"id": 5, "channel_id": []string{"a"}})
		w.srv.SendEvent("MESSAGE_CREATE", "no object")
		w.sends("kim", sim.Said{Channel: dev, Text: "@alice odd", Change: func(d map[string]any) {
			d["components"] = []any{map[string]any{"type": 99, "x": map[string]any{}}}
			d["attachments"] = "none"
			d["flags"] = "many"
		}})
		w.Until("both are answered", func() bool { return len(w.entries(dev)) == 2 })
		w.Idle()
		if w.Count("twice") != 1 || w.Count("odd") != 1 || w.srv.Identifies() != 1 {
			t.Errorf("%q, %d sessions", w.Turns(), w.srv.Identifies())
		}
	})
}

// The store is down: the connection is closed, and all is read back when it is up.
func TestWhatCannotBeKeptIsReadBack(t *testing.T) {
	var down atomic.Bool
	bubble(t, func(w *world) {
		w.connected()
		down.Store(true)
		w.says("kim", dev, "@alice hi")
		time.Sleep(3 * time.Minute)
		w.Until("it says so", func() bool { return strings.Contains(w.State(), "reconnecting") }) // between two attempts
		down.Store(false)
		w.shows(dev, "alice: ok")
		w.Idle()
		if len(w.Turns()) != 1 {
			t.Errorf("%q", w.Turns())
		}
	}, func(w *world) {
		w.Store = rehearsal.FullDisk(&down)
	})
}

func TestTheBotIsTakenOffTheServer(t *testing.T) {
	bubble(t, func(w *world) {
		w.connected()
		if err := w.srv.KickBot(server); err != nil {
			t.Fatal(err)
		}
		w.Until("it says so", func() bool { return strings.Contains(w.State(), "taken off the server") })
		if !strings.Contains(w.State(), "client_id="+w.srv.BotID()) {
			t.Errorf("no address to invite it: %s", w.State())
		}
		if err := w.srv.InviteBot(server, 0); err != nil {
			t.Fatal(err)
		}
		w.Until("it goes on", func() bool {
			return strings.Contains(w.State(), "discord: connected") && !strings.Contains(w.State(), "taken off")
		})
		w.connected()
		w.Idle()
		w.says("kim", dev, "@alice hi")
		w.shows(dev, "alice: ok")
	})
}
