package discord

import (
	"context"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"bullpen/bridge"
	"bullpen/internal/rehearsal"
	sim "bullpen/internal/sim/discord"
	"bullpen/office"
	"bullpen/office/model"
)

// slash uses a command and gives what its user alone reads.
func (w *world) slash(who, place, path string, options map[string]any) string {
	w.Helper()
	id, err := w.srv.User(who).Slash(place, path, options)
	if err != nil {
		w.Fatal(err)
	}
	w.Idle()
	return w.answered(id, who)
}

// answered is what an interaction was answered, and checks that it was in time.
func (w *world) answered(id, who string) string {
	w.Helper()
	i, ok := w.srv.Interaction(id)
	if !ok || i.Failed || !i.Answered || i.Message == nil {
		w.Fatalf("it was not answered in time: %+v\nlog:\n%s", i, w.Logged)
	}
	if i.Message.OnlyFor != who || i.Message.Loading {
		w.Errorf("%+v", i.Message)
	}
	return i.Message.Text
}

func TestCommandsAreDiscordsOwn(t *testing.T) {
	bubble(t, func(w *world) {
		w.connected()
		w.Idle()
		if got := w.slash("maria", dev, "office status", nil); !strings.HasPrefix(got, "Office Acme") {
			t.Errorf("%q", got)
		}
		if got := w.slash("maria", "", "office pause", nil); !strings.Contains(got, "paused") {
			t.Errorf("%q", got)
		}
		if got := w.slash("kim", dev, "office resume", nil); !strings.Contains(got, "owner and the admins") {
			t.Errorf("%q", got)
		}
		if got := w.slash("maria", dev, "office resume", nil); !strings.Contains(got, "running") {
			t.Errorf("%q", got)
		}
		// In a thread they work like in its channel.
		id := w.says("kim", dev, "@alice hi")
		w.Idle()
		if _, err := w.srv.User("kim").Thread(dev, id, "t", "x"); err != nil {
			t.Fatal(err)
		}
		if got := w.slash("kim", id, "office who", nil); got == "" {
			t.Errorf("%q", got)
		}
		// The same commands are not registered again.
		w.Shut()
		w.start()
		w.connected()
		w.Idle()
		puts := 0
		for _, c := range w.srv.Calls("PUT /applications/{application}/commands") {
			if puts++; c.Status != 200 {
				t.Errorf("%s", c.Error)
			}
		}
		if puts != 1 {
			t.Errorf("the commands were registered %d times", puts)
		}
	})
}

func TestNamesAreOfferedWhileTheyAreTyped(t *testing.T) {
	bubble(t, func(w *world) {
		w.connected()
		w.Idle()
		for typed, want := range map[string][]string{"": {"alice", "bob"}, "b": {"bob"}, "@al": {"alice"}, "x": nil} {
			id, err := w.srv.User("maria").Autocomplete(dev, "office interrupt", "colleague", map[string]any{"colleague": typed})
			if err != nil {
				t.Fatal(err)
			}
			w.Idle()
			i, _ := w.srv.Interaction(id)
			var got []string
			for _, c := range i.Choices {
				got = append(got, c.Name)
			}
			if i.Failed || !slices.Equal(got, want) {
				t.Errorf("%q: %q", typed, got)
			}
		}
		if got := w.slash("maria", dev, "office interrupt", map[string]any{"colleague": "bob"}); !strings.Contains(got, "bob is not running") {
			t.Errorf("%q", got)
		}
	})
}

// Each command is acknowledged within three seconds before anything else, while the
// store is slow, once however often it is delivered, and a late one is logged (B36).
func TestCommandsAreAcknowledgedFirst(t *testing.T) {
	var wait atomic.Int64
	bubble(t, func(w *world) {
		w.connected()
		w.Idle()
		wait.Store(int64(4 * time.Second))
		w.srv.FailEvents("INTERACTION_CREATE", sim.EventFault{Duplicate: true})
		id, err := w.srv.User("maria").Slash(dev, "office pause", nil)
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(2 * time.Second)
		if i, _ := w.srv.Interaction(id); !i.Answered || i.Status != answerLater {
			t.Errorf("%+v", i)
		}
		time.Sleep(time.Minute)
		if got := w.answered(id, "maria"); !strings.Contains(got, "paused") {
			t.Errorf("%q", got)
		}
		wait.Store(0)
		v, err := w.Office.View(context.Background())
		if err != nil || !v.Pause.On {
			t.Errorf("%+v, %v", v.Pause, err)
		}
		// Somebody without rights, and a token that has lapsed meanwhile.
		if got := w.slash("kim", dev, "office resume", nil); !strings.Contains(got, "admins") {
			t.Errorf("%q", got)
		}
		w.srv.FailNext(sim.RouteCallback, sim.Refused(10062))
		if _, err := w.srv.User("maria").Slash(dev, "office resume", nil); err != nil {
			t.Fatal(err)
		}
		w.Idle()
		if v, err := w.Office.View(context.Background()); err != nil || !v.Pause.On {
			t.Errorf("what was not acknowledged was carried out: %+v, %v", v.Pause, err)
		}
		w.says("kim", dev, "still here")
		w.Idle()
		if !strings.Contains(w.State(), "connected") {
			t.Errorf("%s", w.State())
		}
	}, func(w *world) {
		w.Store = func(s office.Store) office.Store { return &slowStore{Store: s, wait: &wait} }
	})
}

// slowStore takes its time to commit.
type slowStore struct {
	office.Store
	wait *atomic.Int64
}

func (s *slowStore) Commit(ctx context.Context, l office.Lease, b office.Batch) error {
	if d := time.Duration(s.wait.Load()); d > 0 {
		time.Sleep(d)
	}
	return s.Store.Commit(ctx, l, b)
}

func TestACommandWhileTheStoreIsDownSaysSo(t *testing.T) {
	var down atomic.Bool
	bubble(t, func(w *world) {
		w.connected()
		w.Idle()
		down.Store(true)
		id, err := w.srv.User("maria").Slash(dev, "office pause", nil)
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Minute)
		if got := w.answered(id, "maria"); !strings.Contains(got, "Nothing was done") {
			t.Errorf("%q", got)
		}
		down.Store(false)
	}, func(w *world) {
		w.Store = rehearsal.FullDisk(&down)
	})
}

func TestCommandsAsText(t *testing.T) {
	bubble(t, func(w *world) {
		w.connected()
		w.says("maria", "", "/status")
		w.Until("an answer", func() bool { return len(w.entries("@maria")) == 1 })
		if got := w.texts("@maria")[0]; !strings.HasPrefix(got, "office: Office Acme") {
			t.Errorf("%q", got)
		}
		// In a channel the answer goes away again, and is no talk.
		id := w.says("maria", dev, w.srv.Mention(w.srv.BotID())+" status")
		w.Until("an answer", func() bool { return len(w.entries(dev)) == 1 })
		e := w.entries(dev)[0]
		if !strings.HasPrefix(e.Text, "Office Acme") || !e.Silent || e.ReplyTo != id || len(e.Pings) != 0 {
			t.Errorf("%+v", e)
		}
		time.Sleep(2 * time.Minute)
		if n := len(w.entries(dev)); n != 0 || len(w.Turns()) != 0 {
			t.Errorf("%q, %q", w.texts(dev), w.Turns())
		}
		if n := len(w.entries("@maria")); n != 1 {
			t.Errorf("%q", w.texts("@maria"))
		}
	})
}

// The server is made to look like the office, once; what somebody renamed or made
// before stays.
func TestSetupMakesWhatIsMissing(t *testing.T) {
	bubble(t, func(w *world) {
		w.connected()
		w.Idle()
		got := w.slash("maria", dev, "channel setup", nil)
		for _, want := range []string{"the category Acme", "#general", "the role bob", "the role member"} {
			if !strings.Contains(got, want) {
				t.Errorf("%q lacks %s", got, want)
			}
		}
		if strings.Contains(got, "#dev") || strings.Contains(got, "the role alice") || strings.Contains(got, "the role leader") {
			t.Errorf("made again: %q", got)
		}
		general, ok := w.srv.ChannelID("general")
		if !ok {
			t.Fatal("there is no #general")
		}
		w.says("kim", general, w.srv.Mention("bob")+" hi")
		w.shows(general, "bob: ok")
		if err := w.srv.RenameChannel(general, "lobby"); err != nil {
			t.Fatal(err)
		}
		// Roles that have other names by now, even each other's, are known by their ids.
		bob, leader := w.roleID("bob"), w.roleID("Leaders")
		for id, name := range map[string]string{bob: "alice", leader: "the boss"} {
			if err := w.srv.RenameRole(id, name); err != nil {
				t.Fatal(err)
			}
		}
		w.Idle()
		w.Shut()
		w.start()
		w.connected()
		if got := w.slash("maria", dev, "channel setup", nil); !strings.HasPrefix(got, "Everything was there") {
			t.Errorf("%q", got)
		}
		w.says("kim", dev, "<@&"+bob+"> by its role")
		w.says("kim", dev, "<@&"+leader+"> by their level")
		w.Idle()
		if w.Count("bob: ") != 2 || w.Count("by its role") != 1 || w.Count("by their level") != 1 {
			t.Errorf("%q", w.Turns())
		}
		w.says("kim", general, "@alice hi")
		w.shows(general, "bob: ok", "alice: ok")
		if got := w.slash("kim", dev, "channel setup", nil); !strings.Contains(got, "admins") {
			t.Errorf("%q", got)
		}
	}, func(w *world) { w.opt.AutoLink = true })
}

// A command that lacks an argument offers it with buttons, which are for who typed it.
func TestALackingArgumentIsOffered(t *testing.T) {
	bubble(t, func(w *world) {
		w.connected()
		w.says("maria", "", "/interrupt")
		w.Until("the buttons", func() bool { return len(buttoned(w, "@maria")) == 1 })
		e := buttoned(w, "@maria")[0]
		if len(e.Buttons) != 2 || e.Buttons[1].Label != "bob" {
			t.Fatalf("%+v", e.Buttons)
		}
		if _, err := w.srv.User("maria").Press("", e.ID, "bob"); err != nil {
			t.Fatal(err)
		}
		w.Idle()
		if e := w.entry("@maria", e.ID); len(e.Buttons) != 0 || !strings.Contains(e.Text, "bob is not running") {
			t.Errorf("%+v", e)
		}
	})
}

// While a colleague works Discord shows that the bot types, renewed before it
// lapses, and never after the end.
func TestWhoWorksIsShown(t *testing.T) {
	bubble(t, func(w *world) {
		w.connected()
		begin := time.Now()
		id := w.says("kim", dev, "@alice go")
		w.Until("the eyes", func() bool { return len(w.entry(dev, id).Reactions["👀"]) == 1 })
		w.Until("the end", func() bool { return len(w.entries(dev)) == 1 })
		ended := time.Now()
		w.Until("it is done", func() bool { return len(w.entry(dev, id).Reactions["✅"]) == 1 })
		time.Sleep(time.Minute)
		all := w.srv.Typings()
		if n := len(all); n < 3 || n > 5 {
			t.Fatalf("typing was shown %d times in 30 s", n)
		}
		last := begin
		for _, x := range all {
			if x.Channel != dev || x.Time.Sub(last) > 10*time.Second || x.Time.After(ended) {
				t.Errorf("%+v, the one before at %s, the end at %s", x, last, ended)
			}
			last = x.Time
		}
	}, slow(30*time.Second, nil))
}

func TestAFailedTurnShowsSo(t *testing.T) {
	bubble(t, func(w *world) {
		w.connected()
		id := w.says("kim", dev, "@alice go")
		w.Until("it failed", func() bool { return len(w.entry(dev, id).Reactions["🤔"]) == 1 })
	}, slow(time.Second, &model.Error{Kind: model.Refused, Sentence: "no"}))
}

// Strangers get a code once, and a refusal no more than once an hour.
func TestStrangersInAChannel(t *testing.T) {
	bubble(t, func(w *world) {
		w.connected()
		for range 3 {
			w.says("kim", dev, "@alice hi")
		}
		w.Until("a refusal", func() bool { return len(w.entries(dev)) == 1 })
		w.Idle()
		if len(w.entries(dev)) != 1 || len(w.Turns()) != 0 {
			t.Errorf("%q, %q", w.texts(dev), w.Turns())
		}
	}, func(w *world) { w.Access = bridge.Access{Talk: bridge.TalkAllowlist} })
}

// Whoever calls the bot where nobody listens is told what is missing, once an hour.
func TestAPlaceThatIsNotLinkedSaysSo(t *testing.T) {
	bubble(t, func(w *world) {
		w.connected()
		for range 3 {
			w.says("kim", talk, w.srv.Mention(w.srv.BotID())+" hello?")
		}
		w.Until("a hint", func() bool { return len(w.entries(talk)) == 1 })
		w.Idle()
		if got := w.texts(talk); len(got) != 1 || !strings.Contains(got[0], talk) {
			t.Errorf("%q", got)
		}
	})
}
