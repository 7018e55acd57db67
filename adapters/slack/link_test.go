package slack

import (
	"strings"
	"testing"

	sim "bullpen/internal/sim/slack"
	"bullpen/office"
)

// linkedTo are the places of the office's channels. One that is linked twice, as for a
// moment while another place takes over, has both.
func (w *world) linkedTo() map[string]string {
	w.Helper()
	all, err := w.Bridge.Office().Portals(w.Context(), platform)
	if err != nil {
		w.Fatal(err)
	}
	out := map[string]string{}
	for _, p := range all {
		if p.Kind == office.ChannelPortal {
			out[string(p.Channel)] = strings.TrimSpace(out[string(p.Channel)] + " " + p.Place)
		}
	}
	return out
}

// follows has the places of a reloaded office.yaml followed, and waits until #dev is
// linked to place.
func (w *world) follows(named, place string) {
	w.Helper()
	w.Bridge.Follow(platform, map[office.ChannelID]string{"general": "C0GEN", "dev": named})
	w.Until("#dev is linked to "+place, func() bool { return w.linkedTo()["dev"] == place })
}

// When office.yaml names another channel, that alone is linked; the one before is no
// longer heard nor shown anything. One that is out of sight keeps what waits for it.
func TestAChangedNameIsAnotherPlace(t *testing.T) {
	t.Parallel()
	bubble(t, func(w *world) {
		w.connected()
		w.follows("#plans", "C0PLANS")
		w.says("kim", "dev", "@bob old")
		w.says("kim", "plans", "@bob new")
		w.shows("plans", "bob: ok")
		w.Idle()
		if got := w.ours("dev"); len(got) != 0 || w.Count("old") != 0 {
			t.Errorf("the old channel shows %q and was read %d times", got, w.Count("old"))
		}
		// It is archived: that is no other name.
		if err := w.srv.Archive("plans", "U0MARIA"); err != nil {
			t.Fatal(err)
		}
		w.Until("that is said", func() bool { return strings.Contains(w.State(), "is archived") })
		if err := w.a.linkChannels(w.Context()); err != nil || w.linkedTo()["dev"] != "C0PLANS" {
			t.Errorf("%q, %v", w.linkedTo(), err)
		}
		// A name that nothing has is a name all the same.
		w.follows("#nowhere", "")
		w.Until("that is said", func() bool { return strings.Contains(w.State(), "there is no channel #nowhere") })
	}, plans)
}

func plans(w *world) {
	c := sim.Channel{ID: "C0PLANS", Name: "plans", Members: []string{"U0BOT", "U0MARIA", "U0KIM"}}
	w.sim.Workspace.Channels = append(w.sim.Workspace.Channels, c)
}

// A channel that was linked by its name is followed when it is renamed, until another
// one gets that name.
func TestARenamedChannelIsFollowed(t *testing.T) {
	t.Parallel()
	bubble(t, func(w *world) {
		w.connected()
		if err := w.srv.Rename("dev", "engineering", "U0MARIA"); err != nil {
			t.Fatal(err)
		}
		w.says("kim", "engineering", "@bob still here?")
		w.shows("engineering", "bob: ok")
		w.Idle()
		w.Shut()
		w.start()
		w.connected()
		if got := w.linkedTo(); got["dev"] != "C0DEV" {
			t.Errorf("after a restart: %q", got)
		}
		if err := w.srv.Rename("plans", "dev", "U0MARIA"); err != nil {
			t.Fatal(err)
		}
		w.follows("#dev", "C0PLANS")
	}, plans)
}

// A channel is linked when it is given the name that office.yaml waits for.
func TestAChannelIsLinkedWhenItGetsItsName(t *testing.T) {
	t.Parallel()
	bubble(t, func(w *world) {
		w.connected()
		if err := w.srv.Rename("plans", "tomorrow", "U0MARIA"); err != nil {
			t.Fatal(err)
		}
		w.Until("it is linked", func() bool { return w.linkedTo()["dev"] == "C0PLANS" })
		w.says("kim", "tomorrow", "@bob hi")
		w.shows("tomorrow", "bob: ok")
	}, plans, func(w *world) { w.opt.Channels["dev"] = Channel{Place: "#tomorrow"} })
}
