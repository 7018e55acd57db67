package telegram

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	sim "bullpen/internal/sim/telegram"
	"bullpen/office/model"
)

// A question has a button; the press decides it, is answered, and the buttons go,
// wherever the question stands.
func TestAQuestionIsDecidedByAButton(t *testing.T) {
	bubble(t, func(w *world) {
		w.connected()
		w.srv.User(maria).Start()
		w.says(kim, devs, "@alice start")
		button := func(chat int64) (e sim.Entry, ok bool) {
			all := w.ours(chat)
			i := slices.IndexFunc(all, func(e sim.Entry) bool { return strings.Contains(e.Text, "go on") && (len(e.Buttons) > 0 || e.Edited) })
			if i < 0 {
				return e, false
			}
			return all[i], true
		}
		for _, chat := range []int64{devs, maria} {
			w.Until("a question", func() bool { _, ok := button(chat); return ok })
		}
		w.Idle()
		w.Shut() // nothing about it is only in memory
		w.start()
		w.connected()
		q, _ := button(devs)
		press := func(who int64) string {
			key, err := w.srv.User(who).Press(devs, q.ID, "Let them go on")
			if err != nil {
				w.Fatal(err)
			}
			w.Until("the press is answered", func() bool { _, ok := w.srv.Answered(key); return ok })
			said, _ := w.srv.Answered(key)
			return said
		}
		if said := press(kim); !strings.Contains(said, "Nothing was decided") {
			w.Errorf("kim is told %q", said)
		}
		if said := press(maria); !strings.Contains(said, "Maria lets them go on") {
			w.Errorf("maria is told %q", said)
		}
		for _, chat := range []int64{devs, maria} {
			w.Until("the button is gone and it says who decided", func() bool {
				e, ok := button(chat)
				return ok && len(e.Buttons) == 0 && strings.Contains(e.Text, "Maria lets them go on")
			})
		}
		w.Until("alice goes on", func() bool { return w.Count("over to you, alice") >= 1 })
	}, linked("-1001000000001"), func(w *world) {
		w.Setup.Limits.Depth = 1
		w.Answer = func(_ context.Context, name string, req *model.Request) (*model.Response, error) {
			if last := req.Messages[len(req.Messages)-1]; last.Role == model.RoleTool {
				return text("NO_REPLY"), nil
			}
			other := map[string]string{"alice": "bob", "bob": "alice"}[name]
			args := fmt.Sprintf(`{"wake":["@%s"],"text":"over to you, %s"}`, other, other)
			return &model.Response{Stop: model.StopCalls, Calls: []model.Call{{ID: "1", Name: "office_post", Args: []byte(args)}}}, nil
		}
	})
}
