package telegram

import (
	"strings"
	"testing"

	sim "bullpen/internal/sim/telegram"
)

// last is the newest message of ours in a chat.
func last(w *world, chat int64) sim.Entry {
	all := w.ours(chat)
	if len(all) == 0 {
		return sim.Entry{}
	}
	return all[len(all)-1]
}

// press presses a button below the newest message and gives what that was answered.
func press(w *world, who, chat int64, label string) string {
	w.Helper()
	key, err := w.srv.User(who).Press(chat, last(w, chat).ID, label)
	if err != nil {
		w.Fatal(err)
	}
	w.Idle()
	said, answered := w.srv.Answered(key)
	if !answered {
		w.Errorf("the press of %s was not answered", label)
	}
	return said
}

func TestADangerousCommandWaitsForAPress(t *testing.T) {
	bubble(t, func(w *world) {
		w.connected()
		w.srv.User(maria).DM("/hire tmp temporary=on")
		w.Until("tmp came", func() bool { return strings.Contains(last(w, maria).Text, "tmp is with the office") })
		w.says(maria, devs, "/dismiss@office_bot @tmp")
		w.Until("maria is asked", func() bool { return strings.Contains(last(w, devs).Text, "Dismiss tmp?") })
		if said := press(w, kim, devs, "Do it"); !strings.Contains(said, "for who gave the command") {
			w.Errorf("kim's press says %q", said)
		}
		if !strings.Contains(last(w, devs).Text, "Dismiss tmp?") {
			w.Errorf("after kim's press it says %q", last(w, devs).Text)
		}
		press(w, maria, devs, "Do it")
		w.Until("it is done", func() bool { return strings.Contains(last(w, devs).Text, "tmp is dismissed") })
	}, linked("-1001000000001"))
}

// Everybody has the menu of what everybody may do; who may do more has it in their chat.
func TestMenusAreByRightAndSetOnce(t *testing.T) {
	bubble(t, func(w *world) {
		w.srv.User(maria).Start()
		w.connected()
		w.Idle()
		has := func(all []sim.Command, name string) bool {
			for _, c := range all {
				if c.Command == name {
					return true
				}
			}
			return false
		}
		if all := w.srv.Commands(); !has(all, "status") || !has(all, "with") || has(all, "pause") || has(all, "hire") || has(all, "quit") {
			w.Errorf("everybody's menu is %v", all)
		}
		if all := w.srv.Commands(maria); !has(all, "status") || !has(all, "pause") || !has(all, "hire") {
			w.Errorf("maria's menu is %v", all)
		}
		n := len(w.srv.Calls("setMyCommands"))
		w.Shut()
		w.start()
		w.connected().Idle()
		if m := len(w.srv.Calls("setMyCommands")); n != 2 || m != n {
			w.Errorf("the menus were set %d times, then %d", n, m)
		}
	})
}
