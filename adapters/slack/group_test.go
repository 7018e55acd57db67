package slack

import (
	"strings"
	"testing"
	"time"
)

// A direct talk of several people with the bot in it is a place like a channel where it
// is linked. Where it is not, whoever speaks is told so once, and nothing is read.
func TestADirectTalkOfSeveralPeople(t *testing.T) {
	t.Parallel()
	bubble(t, func(w *world) {
		w.connected()
		talk, err := w.srv.User("kim").GroupDM("U0MARIA")
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			w.says("kim", talk, "@alice are you here?")
		}
		w.Until("kim is told", func() bool { return len(w.whispers(talk, "U0KIM")) == 1 })
		w.Idle()
		time.Sleep(time.Minute) // of the bubble
		if got := w.whispers(talk, "U0KIM"); len(got) != 1 || !strings.Contains(got[0], "/office link") || len(w.Turns()) != 0 {
			t.Errorf("kim is told %q, and a model read %q", got, w.Turns())
		}
		if spot, err := w.a.Locate(w.Context(), "dev", talk); err != nil || spot.Place != talk {
			t.Errorf("it is to be linked as %+v: %v", spot, err)
		}
		w.Shut()
		w.opt.Channels = map[string]Channel{"dev": {Place: talk}}
		w.start()
		w.connected()
		w.says("kim", talk, "@bob and now?")
		w.shows(talk, "bob: ok")
		w.says("kim", talk, "<@U0BOT> who is at the desk?")
		w.shows(talk, "bob: ok", "alice: ok")
		w.Idle()
		w.Shut()
		w.says("kim", talk, "@bob you missed this") // read back, as in a channel
		w.start()
		w.connected()
		w.shows(talk, "bob: ok", "alice: ok", "bob: ok")
	})
}

// An app that was made before it asked for these rights works as it did.
func TestWithoutTheRightToTalksOfSeveralPeople(t *testing.T) {
	t.Parallel()
	bubble(t, func(w *world) {
		w.connected()
		w.says("kim", "dev", "@bob hi")
		w.Until("bob answers", func() bool { return w.Count("@bob hi") == 1 })
	}, func(w *world) {
		w.sim.Scopes = []string{"app_mentions:read", "channels:history", "channels:read", "chat:write", "chat:write.customize", "commands", "groups:history", "groups:read", "im:history", "im:write", "reactions:write", "users:read"}
	})
}
