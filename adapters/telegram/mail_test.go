package telegram

import (
	"context"
	"slices"
	"strings"
	"testing"

	sim "bullpen/internal/sim/telegram"
	"bullpen/office/model"
)

// mails makes bob write mail to the owner whenever somebody wakes him with "mail".
func mails(w *world) {
	w.Answer = func(_ context.Context, name string, req *model.Request) (*model.Response, error) {
		last := req.Messages[len(req.Messages)-1]
		if name == "bob" && last.Role != model.RoleTool && strings.Contains(last.Text, "@bob mail") {
			return &model.Response{Stop: model.StopCalls, Calls: []model.Call{{ID: "1", Name: "office_dm", Args: []byte(`{"wake":["@user"],"text":"the build is green"}`)}}}, nil
		}
		return text("done"), nil
	}
}

// press presses a button and gives what it was answered.
func (w *world) press(who, chat, id int64, label string) string {
	w.Helper()
	key, err := w.srv.User(who).Press(chat, id, label)
	if err != nil {
		w.Fatal(err)
	}
	w.Until("the press is answered", func() bool { _, ok := w.srv.Answered(key); return ok })
	said, _ := w.srv.Answered(key)
	return said
}

// mail is the nth message with buttons in maria's chat.
func (w *world) mail(n int) sim.Entry {
	w.Helper()
	var found []sim.Entry
	w.Until("mail", func() bool {
		found = slices.DeleteFunc(w.ours(maria), func(e sim.Entry) bool { return !strings.Contains(e.Text, "✉️ for you") })
		return len(found) > n
	})
	return found[n]
}

// Mail has buttons: to answer who sent it, to be done with it, and to hear no more of
// its sender. What was pressed holds after a restart.
func TestMailHasButtons(t *testing.T) {
	bubble(t, func(w *world) {
		w.connected()
		w.srv.User(maria).Start()
		w.says(kim, devs, "@bob mail her")
		first := w.mail(0)
		if !slices.Equal(first.Buttons, []string{"Reply", "Done", "Mute bob"}) {
			w.Fatalf("%+v", first)
		}
		if said := w.press(maria, 0, first.ID, "Reply"); said != "What you write here next goes to bob." {
			w.Errorf("%q", said)
		}
		w.srv.User(maria).DM("thanks")
		w.Until("bob has it", func() bool { return w.Count("thanks") == 1 && slices.Contains(w.texts(maria), "bob\ndone") })
		w.Idle()
		w.Shut()
		w.start()
		w.connected()
		if said := w.press(maria, 0, first.ID, "Done"); said != "Done." {
			w.Errorf("%q", said)
		}
		w.Until("it is done", func() bool {
			e := w.mail(0)
			return len(e.Buttons) == 0 && strings.Contains(e.Text, "✓ done")
		})
		w.says(kim, devs, "@bob mail her again")
		second := w.mail(1)
		if said := w.press(maria, 0, second.ID, "Mute bob"); !strings.Contains(said, "no longer shown") {
			w.Errorf("%q", said)
		}
		w.Idle()
		w.Shut()
		w.start()
		w.connected()
		w.says(kim, devs, "@bob mail her once more")
		w.Idle()
		m, err := w.Office.Message(context.Background(), anchorOf("mailbox-maria", 3))
		if err != nil || m.Text != "the build is green" {
			w.Errorf("%+v (%v)", m, err)
		}
		if n := strings.Count(strings.Join(w.texts(maria), "\n"), "the build is green"); n != 2 {
			w.Errorf("mail was shown %d times", n)
		}
		if said := w.press(maria, 0, second.ID, "Mute bob"); !strings.Contains(said, "shown to you here again") {
			w.Errorf("%q", said)
		}
	}, linked("-1001000000001"), mails)
}

// A command without what it needs offers it as buttons: the partner of the chat is
// chosen on the phone.
func TestThePartnerIsChosenByAButton(t *testing.T) {
	bubble(t, func(w *world) {
		w.connected()
		w.srv.User(maria).DM("/with")
		w.Until("the choices", func() bool { return len(w.ours(maria)) == 1 && len(w.ours(maria)[0].Buttons) >= 2 })
		e := w.ours(maria)[0]
		if !slices.Contains(e.Buttons, "bob") {
			w.Fatalf("%+v", e)
		}
		w.press(maria, 0, e.ID, "bob")
		w.Until("it says so in its place", func() bool {
			e := w.ours(maria)[0]
			return strings.Contains(e.Text, "You talk with bob now") && len(e.Buttons) == 0
		})
		w.srv.User(maria).DM("hello")
		w.Until("bob answers", func() bool { return slices.Contains(w.texts(maria), "bob\nok") })
	})
}
