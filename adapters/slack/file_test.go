package slack

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	sim "bullpen/internal/sim/slack"
	"bullpen/office/model"
)

// What somebody shares stands in the inbox of whom it is for; the token goes to no
// other host.
func TestSharedFilesStandInTheInbox(t *testing.T) {
	t.Parallel()
	w := newWorld(t).connected()
	if _, err := w.srv.User("kim").Share("dev", "", "@bob look",
		&sim.File{Name: "plan <v2>.pdf", Type: "application/pdf", Data: []byte("%PDF")},
		&sim.File{Name: "b.txt", Data: []byte("b")},
		&sim.File{Name: "evil.txt", Data: []byte("x"), Elsewhere: "http://evil.test/x"},
	); err != nil {
		t.Fatal(err)
	}
	w.shows("dev", "bob: ok")
	got := strings.Join(w.Inbox("bob"), "\n")
	if !strings.Contains(got, "-1-1-plan__v2_.pdf: %PDF") || !strings.Contains(got, "-1-2-b.txt: b") || strings.Contains(got, "evil") {
		t.Errorf("%s", got)
	}
	if w.Count(`"evil.txt" could not be had`) != 1 && w.Count("evil.txt") == 0 {
		t.Errorf("%q", w.Turns())
	}
	if strings.Contains(w.Logged.String(), sim.DefaultBotToken) {
		t.Error("the token was logged")
	}
	// A direct message with a file and no words.
	dm := w.dmChannel("maria")
	if _, err := w.srv.User("maria").Share(dm, "", "", &sim.File{Name: "c.txt", Data: []byte("c")}); err != nil {
		t.Fatal(err)
	}
	w.Until("alice has it", func() bool { return strings.Contains(strings.Join(w.Inbox("alice"), "\n"), "c.txt: c") })
}

// sender makes bob send a file of his workspace when he is woken.
func sender(w *world) {
	dir := filepath.Join(w.Dir, "agents", "bob", "workspace")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		w.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "a.txt"), []byte("hello"), 0o600); err != nil {
		w.Fatal(err)
	}
	w.Answer = func(_ context.Context, _ string, req *model.Request) (*model.Response, error) {
		if req.Messages[len(req.Messages)-1].Role == model.RoleTool {
			return text("done"), nil
		}
		return &model.Response{Stop: model.StopCalls, Calls: []model.Call{{ID: "1", Name: "send_file", Args: json.RawMessage(`{"path":"a.txt","text":"here"}`)}}}, nil
	}
}

// A colleague's file is shown once, in the thread where it was asked for, whatever
// step of it goes wrong.
func TestAColleaguesFileIsShownOnce(t *testing.T) {
	t.Parallel()
	for name, break1 := range map[string]func(*sim.Server){
		"a good day":         func(*sim.Server) {},
		"the bytes are lost": func(s *sim.Server) { s.FailNext("upload", sim.LostCall()) },
		"the answer is lost": func(s *sim.Server) { s.FailNext("files.completeUploadExternal", sim.LostReply()) },
		"the share is lost":  func(s *sim.Server) { s.FailNext("files.completeUploadExternal", sim.LostCall()) },
		"Slack asks to wait": func(s *sim.Server) {
			s.FailNext("files.completeUploadExternal", sim.Fault{Status: 429, RetryAfter: "1"})
		},
		"no address at first":   func(s *sim.Server) { s.FailNext("files.getUploadURLExternal", sim.LostReply()) },
		"an error of its own":   func(s *sim.Server) { s.FailNext("files.completeUploadExternal", sim.Fault{Status: 503}) },
		"trouble in the middle": func(s *sim.Server) { s.FailNext("files.info", sim.Fault{Status: 503}) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, sender, func(w *world) { w.limits = 500 * time.Millisecond }).connected()
			break1(w.srv)
			ts := w.says("kim", "dev", "@bob send it")
			w.Until("all is shown", func() bool { return len(w.srv.Thread("dev", ts)) >= 4 })
			w.Idle()
			var got []string
			for _, e := range w.srv.Thread("dev", ts)[1:] {
				line := e.Author + ": " + e.Shown()
				for _, f := range e.Files {
					line += " [" + f.Title + ": " + string(f.Data) + "]"
				}
				got = append(got, line)
			}
			if want := "bob: here|Bullpen: bob [a.txt: hello]|bob: done"; !strings.EqualFold(strings.ReplaceAll(strings.Join(got, "|"), "*", ""), strings.Replace(want, "Bullpen", w.srv.Thread("dev", ts)[2].Author, 1)) || w.srv.Thread("dev", ts)[2].Author == "bob" {
				t.Errorf("%q\n%s", got, w.Logged)
			}
		})
	}
}
