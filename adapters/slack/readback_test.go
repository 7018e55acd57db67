package slack

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	sim "bullpen/internal/sim/slack"
	"bullpen/office"
)

// taken are the texts of people that the record has of a channel.
func (w *world) taken(channel office.ChannelID) []string {
	w.Helper()
	var out []string
	for from := int64(1); ; {
		page, err := w.Office.Messages(context.Background(), office.MessageQuery{Channels: []office.ChannelID{channel}, From: from, Limit: 500})
		if err != nil {
			w.Fatal(err)
		}
		if len(page.Messages) == 0 {
			return out
		}
		for _, m := range page.Messages {
			if m.Author.Kind == office.ByPerson {
				out = append(out, m.Text)
			}
			from = m.Seq + 1
		}
	}
}

func TestALongGapIsReadPageByPage(t *testing.T) {
	t.Parallel()
	bubble(t, func(w *world) {
		w.connected()
		w.srv.GoOffline()
		w.says("kim", "dev", "first")
		for i := range 2 * readPage {
			w.says("ci", "dev", fmt.Sprint("line ", i))
		}
		w.says("kim", "dev", "last")
		w.srv.GoOnline()
		w.connected().Idle()
		if got := strings.Join(w.taken("dev"), ", "); got != "first, last" {
			w.Errorf("taken in: %s", got)
		}
	}, func(w *world) { w.sim.RetryDelays = []time.Duration{} })
}

// Slack's trouble while a gap is read delays it and loses nothing.
func TestAGapIsReadThroughTrouble(t *testing.T) {
	t.Parallel()
	bubble(t, func(w *world) {
		w.connected()
		w.srv.GoOffline()
		w.says("kim", "dev", "@alice missed")
		time.Sleep(time.Minute)
		w.srv.FailNext("conversations.history", sim.RateLimited(30), sim.ServerError(500), sim.LostReply(), sim.ServerError(503),
			sim.ServerError(500), sim.ServerError(500), sim.ServerError(500), sim.Refused("internal_error"), sim.Fault{Status: 429})
		w.srv.FailNext("users.info", sim.ServerError(500), sim.RateLimited(3), sim.ServerError(500), sim.ServerError(500), sim.ServerError(500))
		w.srv.GoOnline()
		w.says("kim", "dev", "@alice live")
		w.connected().Idle()
		if got := strings.Join(w.taken("dev"), ", "); got != "@alice missed, @alice live" {
			w.Errorf("taken in: %s", got)
		}
	}, func(w *world) { w.sim.RetryDelays = []time.Duration{} })
}

func TestAnEditThatWasMissedIsReadBack(t *testing.T) {
	t.Parallel()
	bubble(t, func(w *world) {
		w.connected()
		ts := w.says("kim", "dev", "@alice hi")
		w.shows("dev", "alice: ok")
		w.Idle()
		w.srv.GoOffline()
		time.Sleep(time.Minute)
		if err := w.srv.User("kim").Edit("dev", ts, "@alice hi, I mean hello"); err != nil {
			w.Fatal(err)
		}
		w.srv.GoOnline()
		w.connected().Idle()
		if got := strings.Join(w.taken("dev"), ", "); got != "@alice hi, I mean hello" || len(w.Turns()) != 1 {
			w.Errorf("the record says %q after %d turns", got, len(w.Turns()))
		}
	}, func(w *world) { w.sim.RetryDelays = []time.Duration{} })
}

// What cannot be read back is said, and what comes in goes on.
func TestAMissingRightToReadBackIsSaid(t *testing.T) {
	t.Parallel()
	bubble(t, func(w *world) {
		w.connected()
		w.srv.RemoveScope("im:history")
		w.srv.FailNext("conversations.replies", sim.Refused("thread_not_found"))
		w.srv.DropSockets()
		w.Until("it is said", func() bool { return strings.Contains(w.State(), "lacks the scope im:history") })
		w.says("kim", "dev", "@alice hi")
		w.shows("dev", "alice: ok")
	})
}

// A thread that began long ago and is still talked in is read back as well.
func TestAnOldThreadIsReadBack(t *testing.T) {
	t.Parallel()
	bubble(t, func(w *world) {
		w.connected()
		root := w.says("kim", "dev", "@alice start")
		w.Idle()
		for range 2 {
			w.Shut()
			time.Sleep(5 * 24 * time.Hour)
			w.replies("kim", "dev", root, "@alice missed")
			time.Sleep(time.Hour)
			w.start()
			w.connected().Idle()
		}
		if got := strings.Join(w.taken("dev"), ", "); got != "@alice start, @alice missed, @alice missed" {
			w.Errorf("taken in: %s", got)
		}
	}, func(w *world) { w.sim.RetryDelays = []time.Duration{} })
}

// A message that the office cannot keep, while it keeps all others, is given up
// after some tries, and its writer is told.
func TestOneMessageThatCannotBeKeptStopsNobody(t *testing.T) {
	t.Parallel()
	bubble(t, func(w *world) {
		w.connected()
		w.says("kim", "dev", "@alice poison")
		w.says("kim", "general", "@bob hi")
		w.shows("general", "bob: ok")
		w.says("kim", "dev", "@alice hi")
		w.shows("dev", "alice: ok")
		w.connected().Idle()
		w.Until("kim is told", func() bool {
			return strings.Contains(strings.Join(w.whispers("dev", "U0KIM"), "\n"), "could not be taken in")
		})
	}, func(w *world) {
		w.Store = func(s office.Store) office.Store { return picky{s} }
	})
}

// picky is a store that refuses one text.
type picky struct{ office.Store }

func (p picky) Commit(ctx context.Context, l office.Lease, b office.Batch) error {
	for _, c := range b.Changes {
		if m, ok := c.(office.PutMessage); ok && strings.Contains(m.Message.Text, "poison") {
			return fmt.Errorf("the text %q cannot be stored", m.Message.Text)
		}
		if x, ok := c.(office.PutParked); ok && strings.Contains(x.Parked.In.Text, "poison") {
			return fmt.Errorf("the text %q cannot be stored", x.Parked.In.Text)
		}
	}
	return p.Store.Commit(ctx, l, b)
}
