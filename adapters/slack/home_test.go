package slack

import (
	"strings"
	"testing"
)

// Home shows people of the office who is there and what waits for them, and tells
// others nothing.
func TestHomeShowsRosterAndMailbox(t *testing.T) {
	t.Parallel()
	w := newWorld(t).connected()
	w.says("kim", "dev", "@Maria have a <look> & see")
	w.Idle()
	for _, who := range []string{"maria", "lee"} {
		if err := w.srv.User(who).OpenHome("home"); err != nil {
			t.Fatal(err)
		}
	}
	w.Until("maria's home", func() bool {
		h := w.srv.Home("U0MARIA")
		return strings.Contains(h, "alice") && strings.Contains(h, "bob") && strings.Contains(h, "have a <look> & see")
	})
	w.Until("lee's home", func() bool { return strings.Contains(w.srv.Home("U0LEE"), "let in") })
	if h := w.srv.Home("U0LEE"); strings.Contains(h, "alice") {
		t.Errorf("a stranger sees %q", h)
	}
}
