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
		w.Idle()
		follow := func(place string) {
			places := map[office.ChannelID]string{}
			if place != "" {
				places["dev"] = place
			}
			w.Bridge.Follow(platform, places)
			w.Idle()
		}
		w.says("kim", talk, "@alice before it is linked")
		w.Idle() // it has come in by now
		follow("#talk")
		w.says("kim", dev, "@alice in the old place")
		w.says("kim", talk, "@alice in the new place")
		w.shows(talk, "alice: ok")
		w.Idle()
		follow("#nowhere")
		follow("")
		w.says("kim", talk, "@alice in no place")
		w.Idle()
		follow(dev)
		w.says("kim", dev, "@alice again in the old place")
		w.Until("it is answered", func() bool { return slices.Contains(w.texts(dev), "alice: ok") })
		w.Idle()
		for said, want := range map[string]int{"before it is linked": 0, "in the new place": 1, "in no place": 0, "again in the old place": 1} {
			if n := w.Count(said); n != want {
				t.Errorf("%q was given %d times: %q", said, n, w.Turns())
			}
		}
		if w.srv.Identifies() != 1 {
			t.Errorf("%d sessions", w.srv.Identifies())
		}
	})
}
