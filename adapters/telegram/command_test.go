package telegram

import (
	"context"
	"strings"
	"testing"
)

// Ours with our name or none, in any case, is a command; another bot's is not looked
// at; a slash in a text, or a name that is none, is talk (B35).
func TestWhatIsACommandInAGroup(t *testing.T) {
	bubble(t, func(w *world) {
		w.connected()
		answered := 0
		for _, x := range []struct {
			said string
			is   bool
		}{
			{"/who", true},
			{"/who@office_bot", true},
			{"/WHO@Office_Bot", true},
			{"/who@office_bot alice", true},
			{"/office who", true},
			{"/office@office_bot agent", true},
			{"/office nonsense", true},
			{"/agent fire bob", true},
			{"/who@other_bot", false},
			{"/whox", false},
			{"/ who", false},
			{"please /who", false},
			{"/who@other_bot alice", false},
			{"/in #dev", false},
			{"/quit", false},
			{"/interrupt nobody", true},
			{"/interrupt", true},
		} {
			w.says(maria, devs, x.said)
			w.Idle()
			if x.is {
				answered++
			}
			if got := len(w.ours(devs)); got != answered {
				w.Errorf("%s: %d answers, want %d: %+v", x.said, got, answered, w.ours(devs)[max(0, got-1):])
			}
		}
		if all := w.ours(devs); !strings.HasPrefix(all[3].Text, "alice (") || !strings.HasPrefix(all[0].Text, "You are Maria") {
			w.Errorf("%+v", all)
		}
		// What was a message does not become a command when it is edited.
		id := w.says(maria, devs, "hello")
		w.Idle()
		if err := w.srv.User(maria).Edit(devs, id, "/pause"); err != nil {
			w.Fatal(err)
		}
		w.Idle()
		if v, err := w.Office.View(context.Background()); err != nil || v.Pause.On || len(w.ours(devs)) != answered {
			w.Errorf("an edit was carried out: %+v %v", v.Pause, err)
		}
	}, linked("-1001000000001"))
}
