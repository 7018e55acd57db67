package telegram

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

	sim "bullpen/internal/sim/telegram"
	"bullpen/office"
	"bullpen/office/model"
)

const png = "\x89PNG\r\n\x1a\nabc"

// sends makes bob send files of his workspace, one call each, and then say done.
func sends(calls ...string) func(*world) {
	return func(w *world) {
		dir := filepath.Join(w.Dir, "agents", "bob", "workspace")
		if err := os.MkdirAll(dir, 0o700); err != nil {
			w.Fatal(err)
		}
		for name, data := range map[string]string{"a.txt": "hello", "p.png": png, "empty": ""} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o600); err != nil {
				w.Fatal(err)
			}
		}
		if err := os.Symlink("/etc/passwd", filepath.Join(dir, "link")); err != nil {
			w.Fatal(err)
		}
		w.Answer = func(_ context.Context, name string, req *model.Request) (*model.Response, error) {
			if name != "bob" || req.Messages[len(req.Messages)-1].Role == model.RoleTool {
				return text("done"), nil
			}
			r := &model.Response{Stop: model.StopCalls}
			for i, args := range calls {
				r.Calls = append(r.Calls, model.Call{ID: itoa(int64(i)), Name: "send_file", Args: json.RawMessage(args)})
			}
			return r, nil
		}
	}
}

// sent are the files of ours in a chat, as "name: data".
func (w *world) sent(chat int64) []string {
	var out []string
	for _, e := range w.ours(chat) {
		if e.File != nil {
			out = append(out, e.File.Kind+" "+e.File.Name+": "+string(e.File.Data))
		}
	}
	return out
}

// A file goes to where it was asked for, in its topic, under its colleague's name;
// a picture as a picture; what is said with it before it.
func TestAColleagueSendsFiles(t *testing.T) {
	bubble(t, func(w *world) {
		w.connected()
		id := w.writes(kim, sim.Said{Chat: forum, Topic: 42, Text: "@bob send it"})
		w.Until("the files", func() bool { return len(w.sent(forum)) == 2 })
		w.Until("the answer", func() bool { return slices.Contains(w.texts(forum), "bob\ndone") })
		if got := w.sent(forum); !slices.Equal(got, []string{"document a.txt: hello", "photo p.png: " + png}) {
			w.Errorf("%q", got)
		}
		if got := w.texts(forum); !slices.Equal(got, []string{"bob\nhere", "bob", "bob", "bob\ndone"}) {
			w.Errorf("%q", got)
		}
		for _, e := range w.ours(forum) {
			if e.Topic != 42 || e.ReplyTo != id {
				w.Errorf("%+v", e)
			}
		}
	}, linked("-1001000000002/42"), sends(`{"path":"a.txt","text":"here"}`, `{"path":"p.png"}`))
}

// A file for a person goes to their mailbox; what cannot be sent is said to whoever
// asks for it, and nothing outside of the workspace is ever read.
func TestFilesThatCannotBeSentAreRefused(t *testing.T) {
	bubble(t, func(w *world) {
		w.connected()
		w.srv.User(maria).Start()
		w.says(kim, devs, "@bob send it")
		w.Until("the mail", func() bool { return len(w.sent(maria)) == 1 })
		w.Until("the answer", func() bool { return slices.Contains(w.texts(devs), "bob\ndone") })
		all := w.Given("bob")
		for _, want := range []string{"empty is empty", "leaves the workspace", "no-such", "is no person", "bigger than the office takes"} {
			if !strings.Contains(all, want) {
				w.Errorf("no %q in\n%s", want, all)
			}
		}
		if got := w.sent(maria); !slices.Equal(got, []string{"document a.txt: hello"}) || strings.Contains(all, "root:") {
			w.Errorf("%q", got)
		}
	}, linked("-1001000000001"), sends(`{"path":"a.txt","to":"@Maria"}`, `{"path":"empty"}`, `{"path":"../../x"}`, `{"path":"link"}`,
		`{"path":"no-such"}`, `{"path":"a.txt","to":"@bob"}`, `{"path":"p.png"}`), func(w *world) { w.Setup.Limits.FileSize = 10 })
}

// An upload of unknown end is made once more, marked; a 429 waits; what Telegram
// does not take as a picture goes as a file; a refusal is told.
func TestUploadsOnABadDay(t *testing.T) {
	for name, tc := range map[string]struct {
		method string
		faults []sim.Fault
		want   []string
	}{
		"lost answer":  {"sendDocument", []sim.Fault{sim.LostReply()}, []string{"bob", "bob (possibly again)"}},
		"502":          {"sendDocument", []sim.Fault{sim.BadGateway()}, []string{"bob (possibly again)"}},
		"429":          {"sendDocument", []sim.Fault{sim.Limited(40)}, []string{"bob"}},
		"no entities":  {"sendDocument", []sim.Fault{{Code: 400, Description: "Bad Request: can't parse entities"}}, []string{"bob"}},
		"refused":      {"sendDocument", []sim.Fault{{Code: 413, Description: "Request Entity Too Large"}}, nil},
		"no picture":   {"sendPhoto", []sim.Fault{{Code: 400, Description: "Bad Request: IMAGE_PROCESS_FAILED"}}, []string{"bob"}},
		"redirect":     {"sendDocument", []sim.Fault{{Status: 302, Location: "http://evil.test/"}}, []string{"bob (possibly again)"}},
		"cut at start": {"sendDocument", []sim.Fault{sim.LostCall(), sim.LostCall()}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			path := "a.txt"
			if tc.method == "sendPhoto" {
				path = "p.png"
			}
			bubble(t, func(w *world) {
				w.connected()
				w.srv.User(maria).Start()
				w.srv.FailNext(tc.method, tc.faults...)
				w.says(kim, devs, "@bob send it")
				time.Sleep(20 * time.Minute) // of the bubble
				w.Idle()
				got := w.texts(devs)
				if !slices.Equal(slices.DeleteFunc(slices.Clone(got), func(s string) bool { return s == "bob\ndone" }), tc.want) {
					w.Errorf("%q", got)
				}
				told := strings.Join(w.texts(maria), "\n")
				if (len(tc.want) == 0) != (strings.Contains(told, "not shown") || strings.Contains(told, "not have been shown")) {
					w.Errorf("maria was told %q", told)
				}
				if strings.Contains(w.Logged.String()+told, w.srv.Token()) {
					w.Error("the token was shown")
				}
			}, linked("-1001000000001"), sends(fmt.Sprintf(`{"path":%q}`, path)))
		})
	}
}

// A text of too many parts goes as a file with a line about it.
func TestALongTextBecomesAFile(t *testing.T) {
	long := strings.Repeat("word and more ", 3000)
	bubble(t, func(w *world) {
		w.connected()
		if _, err := w.Office.Post(context.Background(), office.Post{Person: "maria", Channel: "dev", Text: long}); err != nil {
			w.Fatal(err)
		}
		w.Until("the file", func() bool { return len(w.sent(devs)) == 1 })
		w.Idle()
		if got := w.texts(devs); len(got) != 2 || !strings.Contains(got[0], "is in the file") || w.sent(devs)[0] != "document Maria-dev-1.md: "+long {
			w.Errorf("%.200q", got)
		}
	}, linked("-1001000000001"))
}

// A group may become a supergroup twice, told in any order, or not at all; it is
// found again after a restart (B34).
func TestAGroupThatMovesTwiceIsFollowed(t *testing.T) {
	const first, second = -1001000000077, -1001000000088
	for name, tell := range map[string]func(*world){
		"in order":  func(w *world) { w.srv.Migrate(old, first, true); w.srv.Migrate(first, second, true) },
		"backwards": func(w *world) { w.srv.MigrateTold([3]int64{old, first, second}, true) },
		"twice": func(w *world) {
			w.srv.DuplicateNext(4)
			w.srv.Migrate(old, first, true)
			w.srv.Migrate(first, second, true)
		},
		"untold": func(w *world) { w.srv.Migrate(old, first, false); w.srv.Migrate(first, second, false) },
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(w *world) {
				w.connected()
				w.says(kim, old, "@alice before")
				w.shows(old, "alice\nok")
				tell(w)
				if _, err := w.Office.Post(context.Background(), office.Post{Person: "maria", Channel: "dev", Text: "@bob hi"}); err != nil {
					w.Fatal(err)
				}
				w.Until("both are shown", func() bool { return len(w.ours(second)) == 2 })
				w.says(kim, second, "@alice after")
				w.Until("answered there", func() bool { return len(w.ours(second)) == 3 })
				w.Idle()
				w.Shut()
				w.srv.Forget(old) // Telegram no longer knows what became of it
				w.start()
				w.connected()
				w.says(kim, second, "@alice later")
				w.Until("answered there", func() bool { return len(w.ours(second)) == 4 })
				w.Idle()
				w.shows(old, "alice\nok")
				w.shows(first)
			}, linked("-5001"))
		})
	}
}
