package discord

import (
	"slices"
	"testing"

	"bullpen/office"
)

// What office.yaml says of the places of channels holds while the adapter runs:
// another place, none, one that does not exist, and back.
func TestPlacesAreFollowedWhileItRuns(t *testing.T) {
	bubble(t, func(w *world) {
		w.connected()
		w.idle()
		follow := func(place string) {
			places := map[office.ChannelID]string{}
			if place != "" {
				places["dev"] = place
			}
			w.b.Follow(platform, places)
			w.idle()
		}
		w.says("kim", talk, "@alice before it is linked")
		w.idle() // it has come in by now
		follow("#talk")
		w.says("kim", dev, "@alice in the old place")
		w.says("kim", talk, "@alice in the new place")
		w.shows(talk, "alice: ok")
		w.idle()
		follow("#nowhere")
		follow("")
		w.says("kim", talk, "@alice in no place")
		w.idle()
		follow(dev)
		w.says("kim", dev, "@alice again in the old place")
		w.until("it is answered", func() bool { return slices.Contains(w.texts(dev), "alice: ok") })
		w.idle()
		for said, want := range map[string]int{"before it is linked": 0, "in the new place": 1, "in no place": 0, "again in the old place": 1} {
			if n := w.count(said); n != want {
				t.Errorf("%q was given %d times: %q", said, n, w.turns())
			}
		}
		if w.srv.Identifies() != 1 {
			t.Errorf("%d sessions", w.srv.Identifies())
		}
	})
}
