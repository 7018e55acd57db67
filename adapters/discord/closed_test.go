package discord

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	sim "bullpen/internal/sim/discord"
	"bullpen/office"
	"bullpen/office/model"
)

// What is wrong with a thread costs what was to be shown there; what is wrong with
// the channel is told once, and nothing goes anywhere else.
func TestPlacesThatCloseAreTold(t *testing.T) {
	t.Run("a locked thread", func(t *testing.T) {
		bubble(t, func(w *world) {
			w.connected()
			id := w.says("kim", dev, "@alice hi")
			w.shows(id, "alice: ok")
			w.Idle()
			w.says("kim", id, "once more")
			if err := w.srv.ArchiveThread(id, true, true); err != nil {
				t.Fatal(err)
			}
			w.Until("the owner is told", func() bool { return strings.Contains(strings.Join(w.texts("@maria"), "\n"), "locked") })
			w.says("kim", dev, "@bob hi")
			w.Until("the channel goes on", func() bool { return len(w.srv.Transcript(dev)) == 2 && w.srv.Transcript(dev)[1].Thread != "" })
			w.Idle()
			if n := len(w.entries(dev)); n != 0 {
				t.Errorf("%q", w.texts(dev))
			}
		}, inThreads, slow(3*time.Second, nil))
	})
	t.Run("a deleted channel", func(t *testing.T) {
		bubble(t, func(w *world) {
			w.connected()
			w.says("kim", dev, "@alice hi")
			w.Until("she works", func() bool { return len(w.Turns()) == 1 })
			if err := w.srv.DeleteChannel(dev); err != nil {
				t.Fatal(err)
			}
			w.Until("the owner is told", func() bool { return strings.Contains(strings.Join(w.texts("@maria"), "\n"), "gone") })
			if !strings.Contains(w.State(), "deleted") {
				t.Errorf("%s", w.State())
			}
			n := len(w.entries("@maria"))
			for range 3 {
				if _, err := w.Office.Post(context.Background(), office.Post{Person: "maria", Channel: "dev", Text: "more"}); err != nil {
					t.Fatal(err)
				}
			}
			w.Idle()
			if len(w.entries("@maria")) != n || len(w.entries(talk)) != 0 {
				t.Errorf("%q", w.texts("@maria"))
			}
		}, linked(Channel{Place: dev}), slow(3*time.Second, nil))
	})
	t.Run("no right to write", func(t *testing.T) {
		bubble(t, func(w *world) {
			w.connected()
			if err := w.srv.Deny(dev, sim.SendMessages|sim.ManageWebhooks); err != nil {
				t.Fatal(err)
			}
			w.says("kim", dev, "@alice hi")
			w.Until("it is told", func() bool { return strings.Contains(w.State(), "Send Messages") })
			if err := w.srv.Deny(dev, 0); err != nil {
				t.Fatal(err)
			}
			w.Idle()
			w.says("kim", dev, "@bob hi")
			w.shows(dev, "bob: ok")
		})
	})
	t.Run("somebody takes no direct messages", func(t *testing.T) {
		bubble(t, func(w *world) {
			w.connected()
			w.says("kim", dev, "@bob tell the owner")
			w.Idle()
			v, err := w.Office.Portals(context.Background(), platform)
			if err != nil {
				t.Fatal(err)
			}
			closed := slices.ContainsFunc(v, func(p office.Portal) bool { return strings.Contains(p.Closed, "direct messages") })
			if !closed || len(w.entries("@maria")) != 0 {
				t.Errorf("%+v, %q", v, w.texts("@maria"))
			}
		}, func(w *world) { w.sim.Users[0].NoDMs = true }, func(w *world) {
			w.Answer = func(_ context.Context, _ string, req *model.Request) (*model.Response, error) {
				if len(req.Messages) > 1 {
					return text("done"), nil
				}
				return &model.Response{Stop: model.StopCalls, Calls: []model.Call{{ID: "1", Name: "office_dm", Args: []byte(`{"wake":["@user"],"text":"the build is green"}`)}}}, nil
			}
		})
	})
}

// A question's button decides it wherever it was pressed; only who may press it
// decides, once, also after a restart (B65).
func TestAQuestionIsDecidedByItsButton(t *testing.T) {
	bubble(t, func(w *world) {
		w.connected()
		w.says("kim", dev, "@alice begin")
		w.Until("the question", func() bool { return len(buttoned(w, dev)) == 1 && len(buttoned(w, "@maria")) == 1 })
		w.Idle()
		q, copied := buttoned(w, dev)[0], buttoned(w, "@maria")[0]
		press := func(who, place string, e sim.Entry) string {
			t.Helper()
			in, err := w.srv.User(who).Press(place, e.ID, e.Buttons[0].CustomID)
			if err != nil {
				t.Fatal(err)
			}
			w.Idle()
			if d, ok := w.srv.Interaction(in); !ok || !d.Answered || d.Failed {
				t.Errorf("it was not answered in time: %+v", d)
			}
			var said []string
			for _, e := range w.srv.User(who).Seen(place) {
				if e.OnlyFor == who {
					said = append(said, e.Text)
				}
			}
			return strings.Join(said, "\n")
		}
		if said := press("kim", dev, q); !strings.Contains(said, "Nothing was decided") {
			t.Errorf("%q", said)
		}
		before := len(w.Turns())
		w.Shut()
		w.start()
		w.connected()
		press("maria", dev, q)
		w.Until("they go on", func() bool { return len(w.Turns()) > before })
		if e := w.entry(dev, q.ID); len(e.Buttons) != 0 || !strings.Contains(e.Text, "Maria") {
			t.Errorf("%+v", e)
		}
		if e := w.entry("@maria", copied.ID); len(e.Buttons) != 0 || !strings.Contains(e.Text, "Maria") {
			t.Errorf("the copy keeps its button: %+v", e)
		}
	}, func(w *world) {
		w.Setup.Limits.Depth = 2
		w.Answer = func(_ context.Context, name string, req *model.Request) (*model.Response, error) {
			if req.Messages[len(req.Messages)-1].Role != model.RoleUser {
				return text("NO_REPLY"), nil
			}
			other := map[string]string{"alice": "bob", "bob": "alice"}[name]
			return &model.Response{Stop: model.StopCalls, Calls: []model.Call{{ID: "1", Name: "office_post", Args: []byte(`{"text":"your turn","wake":["@` + other + `"]}`)}}}, nil
		}
	})
}

func buttoned(w *world, channel string) []sim.Entry {
	return slices.DeleteFunc(w.entries(channel), func(e sim.Entry) bool { return len(e.Buttons) == 0 })
}
