package telegram

import (
	"context"
	"regexp"
	"strings"
	"testing"

	"bullpen/office"
)

var codeIn = regexp.MustCompile(`connect ([A-Z0-9]{8})`)

// A code that somebody got from an account of theirs makes another one theirs as
// well, with their rights, once; guessing is bounded.
func TestAnAccountIsConnectedByACode(t *testing.T) {
	bubble(t, func(w *world) {
		w.connected()
		w.srv.User(maria).DM("/connect")
		w.Until("a code", func() bool { return codeIn.MatchString(strings.Join(w.texts(maria), "\n")) })
		code := codeIn.FindStringSubmatch(strings.Join(w.texts(maria), "\n"))[1]
		if _, err := w.Office.Approve(context.Background(), code, "maria", "console"); err == nil {
			w.Error("the code lets strangers in")
		}
		w.srv.User(kim).DM("/connect WRONGXYZ")
		w.Until("kim is told", func() bool { return strings.Contains(strings.Join(w.texts(kim), "\n"), "Nothing was connected") })
		w.srv.User(kim).DM("/connect " + strings.ToLower(code))
		w.Until("kim's account is maria's", func() bool { return strings.Contains(strings.Join(w.texts(kim), "\n"), "Hello Maria") })
		w.Idle()
		w.Shut()
		w.start()
		w.connected()
		p, ok, err := w.Office.PersonBy(context.Background(), office.Account{Platform: "telegram", ID: "102"})
		if err != nil || !ok || p.ID != "maria" || !p.Owner {
			w.Errorf("%+v %v (%v)", p, ok, err)
		}
		n := len(w.ours(kim))
		w.srv.User(kim).DM("hello")
		w.Until("alice answers", func() bool {
			return len(w.ours(kim)) > n && strings.HasPrefix(w.texts(kim)[len(w.ours(kim))-1], "alice")
		})
		for range 7 {
			w.srv.User(kim).DM("connect " + code)
		}
		w.Until("guessing ends", func() bool { return strings.Contains(strings.Join(w.texts(kim), "\n"), "Too many codes") })
		w.srv.User(maria).DM("/disconnect telegram")
		w.Until("it is gone", func() bool { return strings.Contains(strings.Join(w.texts(maria), "\n"), "no longer yours here") })
		if _, ok, err := w.Office.PersonBy(context.Background(), office.Account{Platform: "telegram", ID: "102"}); err != nil || ok {
			w.Errorf("still known (%v)", err)
		}
	})
}
