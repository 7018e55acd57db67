package discord

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"bullpen/bridge"
	sim "bullpen/internal/sim/discord"
	"bullpen/office"
	"bullpen/office/model"
)

// What somebody sends stands in the inbox of whom it is for, also if it was sent
// while the office was away.
func TestFilesOfAMessageStandInTheInbox(t *testing.T) {
	bubble(t, func(w *world) {
		w.connected()
		two := []sim.File{{Name: "a b$.txt", Type: "text/plain", Data: []byte("hello")}, {Name: "b.txt", Type: "text/plain", Data: []byte("two")}}
		w.sends("kim", sim.Said{Channel: dev, Text: "@bob look", Files: two})
		w.shows(dev, "bob: ok")
		w.sends("maria", sim.Said{Files: two[1:]})
		w.shows("@maria", "office: **alice**\nok")
		w.Idle()
		w.Shut()
		w.sends("kim", sim.Said{Channel: dev, Text: "@bob and this", Files: two[:1]})
		w.start()
		w.connected()
		w.Until("bob answers", func() bool { return len(w.entries(dev)) == 2 })
		got := w.Inbox("bob")
		if len(got) != 3 || !strings.HasSuffix(got[0], "a_b_.txt: hello") || !strings.HasSuffix(got[1], "b.txt: two") {
			t.Errorf("%q", got)
		}
		if got := w.Inbox("alice"); len(got) != 1 {
			t.Errorf("%q", got)
		}
	})
}

// hands makes bob send files of his workspace, one call each, and then say done.
func hands(calls ...string) func(*world) {
	return func(w *world) {
		dir := filepath.Join(w.Dir, "agents", "bob", "workspace")
		if err := os.MkdirAll(dir, 0o700); err != nil {
			w.Fatal(err)
		}
		for name, data := range map[string]string{"a.txt": "hello", "p.png": "\x89PNG\r\n\x1a\nabc"} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o600); err != nil {
				w.Fatal(err)
			}
		}
		w.Answer = func(_ context.Context, name string, req *model.Request) (*model.Response, error) {
			if name != "bob" || req.Messages[len(req.Messages)-1].Role == model.RoleTool {
				return text("done"), nil
			}
			r := &model.Response{Stop: model.StopCalls}
			for i, args := range calls {
				r.Calls = append(r.Calls, model.Call{ID: fmt.Sprint(i), Name: "send_file", Args: json.RawMessage(args)})
			}
			return r, nil
		}
	}
}

// handed are the office's files in a channel.
func (w *world) handed(channel string) []string {
	var out []string
	for _, e := range w.entries(channel) {
		for name, data := range w.srv.Uploaded(channel, e.ID) {
			out = append(out, e.Author+" "+name+": "+string(data))
		}
	}
	return out
}

// A file goes to where it was asked for, under its colleague's name, once, whatever
// becomes of the call.
func TestAColleagueSendsFiles(t *testing.T) {
	for name, faults := range map[string][]sim.Fault{
		"well": nil, "the answer is lost": {sim.LostReply()}, "the call is lost": {sim.LostCall()}, "limited": {sim.Limited(5 * time.Second)},
		"the second answer is lost": {{}, sim.LostReply()},
	} {
		for kind, tc := range map[string]struct {
			change func(*world)
			route  string
			author string
		}{"webhook": {func(*world) {}, sim.RouteWebhook, "bob"}, "bot": {plainLook, sim.RouteSend, "office"}} {
			t.Run(name+", "+kind, func(t *testing.T) {
				bubble(t, func(w *world) {
					w.connected()
					w.srv.FailNext(tc.route, faults...)
					w.says("kim", dev, "@bob send it")
					time.Sleep(5 * time.Minute)
					w.Idle()
					want := []string{tc.author + " a.txt: hello", tc.author + " p.png: \x89PNG\r\n\x1a\nabc"}
					if got := w.handed(dev); !slices.Equal(got, want) {
						t.Errorf("%q", got)
					}
					if all := w.texts(dev); !strings.Contains(all[len(all)-1], "done") || len(all) > 4 {
						t.Errorf("%q", all)
					}
				}, tc.change, hands(`{"path":"a.txt","text":"here"}`, `{"path":"p.png"}`))
			})
		}
	}
}

// An answer of very many parts becomes a file with a line that says so.
func TestALongTextBecomesAFile(t *testing.T) {
	long := strings.Repeat("word and more ", 3000)
	bubble(t, func(w *world) {
		w.connected()
		if _, err := w.Office.Post(context.Background(), office.Post{Person: "maria", Channel: "dev", Text: long}); err != nil {
			t.Fatal(err)
		}
		w.Until("the file", func() bool { return len(w.handed(dev)) == 1 })
		w.Idle()
		if got := w.texts(dev); len(got) != 2 || !strings.Contains(got[0], "is in the file") || w.handed(dev)[0] != "Maria Maria-dev-1.md: "+long {
			t.Errorf("%.200q", got)
		}
	})
}

// What is edited or deleted elsewhere is so on Discord, where the webhook or the
// bot has shown it, in a thread as well.
func TestWhatWasShownIsChangedWhereItStands(t *testing.T) {
	for name, change := range map[string]func(*world){"webhook": func(*world) {}, "bot": plainLook} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(w *world) {
				w.connected()
				if _, err := w.Office.Post(context.Background(), office.Post{Person: "maria", Channel: "dev", Text: "a mistke"}); err != nil {
					t.Fatal(err)
				}
				w.Until("it is shown", func() bool { return len(w.entries(dev)) == 1 })
				shown := w.entries(dev)[0]
				out := bridge.Outgoing{Place: dev, Persona: "Maria", Text: "a mistake"}
				w.Until("it is changed", func() bool { return w.a.Edit(context.Background(), shown.ID, out) == nil })
				if e := w.entry(dev, shown.ID); !strings.HasSuffix(e.Text, "a mistake") || strings.HasPrefix(e.Text, "**Maria**") != (name == "bot") {
					t.Errorf("%+v", e)
				}
				w.Until("it is gone", func() bool { return w.a.Delete(context.Background(), shown.ID, out) == nil })
				if n := len(w.entries(dev)); n != 0 {
					t.Errorf("%q", w.texts(dev))
				}
				if err := w.a.Delete(context.Background(), shown.ID, out); err != nil {
					t.Errorf("what is gone cannot be deleted again: %v", err)
				}
			}, change)
		})
	}
}
