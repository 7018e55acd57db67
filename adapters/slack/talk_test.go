package slack

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/slack-go/slack"

	sim "bullpen/internal/sim/slack"
	"bullpen/office"
	"bullpen/office/model"
)

func TestAMessageIsAnsweredInItsThreadUnderTheColleaguesName(t *testing.T) {
	t.Parallel()
	w := newWorld(t).connected()
	ts := w.says("kim", "dev", "@alice hi")
	w.shows("dev", "alice: ok")
	thread := w.srv.Thread("dev", ts)
	if len(thread) != 2 || thread[1].Author != "alice" || thread[1].Misplaced {
		t.Errorf("the thread is %v", thread)
	}
	w.Idle()
	w.Until("it was dealt with", func() bool {
		r := w.srv.Thread("dev", ts)[0].Reactions
		return len(r["white_check_mark"]) == 1 && len(r["eyes"]) == 0
	})
	// A reply in the thread addresses its last speaker.
	w.replies("kim", "dev", ts, "and now?")
	w.shows("dev", "alice: ok", "alice: ok")
	if thread := w.srv.Thread("dev", ts); len(thread) != 4 {
		t.Errorf("the thread is %v", thread)
	}
}

// One post that mentions the bot comes as two events, in any order (B01).
func TestAMentionWakesOnceInWhateverFormItComes(t *testing.T) {
	t.Parallel()
	for _, first := range []bool{false, true} {
		t.Run(fmt.Sprintf("app_mention first %v", first), func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, func(w *world) { w.sim.Quirks.MentionFirst = first }).connected()
			w.says("kim", "dev", "<@U0BOT> @bob hi")
			w.shows("dev", "bob: ok")
			w.Idle()
			w.shows("dev", "bob: ok")
			if n := len(w.Turns()); n != 1 {
				t.Errorf("%d turns: %q", n, w.Turns())
			}
		})
	}
	t.Run("in a direct message", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t).connected()
		w.srv.HoldEvents()
		ts := w.dm("maria", "@office hi")
		dm := w.dmChannel("maria")
		w.srv.SendEvent(map[string]any{"type": "app_mention", "user": "U0MARIA", "ts": ts, "text": "<@U0BOT> hi", "team": "T0SIM", "channel": dm, "event_ts": ts})
		if err := w.srv.ReleaseEvents(1, 0); err != nil {
			t.Fatal(err)
		}
		w.shows(dm, "alice: ok")
		w.Idle()
		w.shows(dm, "alice: ok")
	})
	t.Run("a form without the text is no message", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t).connected()
		w.srv.HoldEvents()
		ts := w.says("kim", "dev", "@bob hi")
		w.srv.SendEvent(map[string]any{"type": "app_mention", "user": "U0KIM", "ts": ts, "text": 42, "channel": "C0DEV", "event_ts": ts})
		if err := w.srv.ReleaseEvents(1, 0); err != nil {
			t.Fatal(err)
		}
		w.shows("dev", "bob: ok")
		w.Idle()
		if n := len(w.Turns()); n != 1 {
			t.Errorf("%d turns", n)
		}
	})
}

// Edits, previews and our own updates start nothing (B03).
func TestEditsAndPreviewsStartNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(w *world) { w.sim.Quirks.Unfurl = true }).connected()
	ts := w.says("kim", "dev", "@alice see https://example.test")
	w.shows("dev", "alice: ok")
	w.Idle()
	reply := w.srv.Thread("dev", ts)[1]
	api := slack.New(w.srv.BotToken(), slack.OptionAPIURL(w.srv.APIURL()))
	for i := range 3 {
		if _, _, _, err := api.UpdateMessageContext(t.Context(), "C0DEV", reply.TS, slack.MsgOptionText(fmt.Sprint("update ", i), false)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.srv.User("kim").Edit("dev", ts, "@alice see https://example.test/2"); err != nil {
		t.Fatal(err)
	}
	if err := w.srv.User("kim").Edit("dev", ts, "@office @bob see https://example.test/3"); err != nil {
		t.Fatal(err)
	}
	w.Idle()
	if n := len(w.Turns()); n != 1 {
		t.Errorf("%d turns: %q", n, w.Turns())
	}
	m, err := w.Office.Message(t.Context(), office.Anchor{Channel: "dev", Seq: 1})
	if err != nil || !m.Edited || !strings.Contains(m.Text, "example.test/3") {
		t.Errorf("the record says %+v (%v)", m, err)
	}
	if err := w.srv.User("kim").Delete("dev", ts); err != nil {
		t.Fatal(err)
	}
	w.Until("the record says that it was deleted", func() bool {
		m, err := w.Office.Message(t.Context(), office.Anchor{Channel: "dev", Seq: 1})
		return err == nil && m.Deleted
	})
}

// Our own posts and those of other programs wake nobody, whatever they are
// called; a person who is called like a colleague is a person (B09, B63).
func TestProgramsAreKnownByTheirIDs(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(w *world) {
		w.sim.Workspace.Users = append(w.sim.Workspace.Users, sim.User{ID: "U0ADA", Name: "alice", DisplayName: "alice"})
		w.sim.Workspace.Channels[1].Members = append(w.sim.Workspace.Channels[1].Members, "U0ADA")
	}).connected()
	echo := func() {
		api := slack.New(w.srv.BotToken(), slack.OptionAPIURL(w.srv.APIURL()))
		if _, _, err := api.PostMessageContext(t.Context(), "C0DEV", slack.MsgOptionText("@bob hello", false), slack.MsgOptionUsername("Kim")); err != nil {
			t.Fatal(err)
		}
		w.says("ci", "dev", "@bob the build is red")
		w.Idle()
	}
	echo()
	w.Shut()
	w.start()
	w.connected()
	echo()
	if n := len(w.Turns()); n != 0 {
		t.Errorf("programs woke somebody: %q", w.Turns())
	}
	w.says("U0ADA", "dev", "@bob hi")
	w.Until("a person of that name is heard", func() bool { return w.Count("hi") == 1 })
}

func TestGuestsAndOtherWorkspacesAreNotRead(t *testing.T) {
	t.Parallel()
	w := newWorld(t).connected()
	w.says("guest", "dev", "@bob hi from a guest")
	w.says("ext", "dev", "@bob hi from elsewhere")
	w.Until("both are told", func() bool { return len(w.whispers("dev", "U0GUEST")) == 1 && len(w.whispers("dev", "U0EXT")) == 1 })
	w.says("guest", "dev", "@bob again")
	w.Idle()
	if len(w.Turns()) != 0 || len(w.whispers("dev", "U0GUEST")) != 1 {
		t.Errorf("asked %q, told %q", w.Turns(), w.whispers("dev", "U0GUEST"))
	}
}

// What came in goes out again unchanged (B21).
func TestTextsGoThroughUnchanged(t *testing.T) {
	t.Parallel()
	framed := regexp.MustCompile(`(?s)~{4,}\n(.*?)\n~{4,}`)
	w := newWorld(t, func(w *world) {
		w.Answer = func(_ context.Context, _ string, req *model.Request) (*model.Response, error) {
			m := framed.FindAllStringSubmatch(req.Messages[len(req.Messages)-1].Text, -1)
			return text(strings.TrimPrefix(m[len(m)-1][1], "@alice ")), nil
		}
	}).connected()
	for _, said := range []string{"if a < b && c > d", "&lt;", "&amp;lt; it's", "see https://e.test/?a=1&b=2"} {
		before := len(w.ours("dev"))
		w.says("kim", "dev", "@alice "+said)
		w.Until("an answer", func() bool { return len(w.ours("dev")) > before })
		if got := w.ours("dev")[before]; got != "alice: "+said {
			t.Errorf("%q came back as %q", said, got)
		}
		if w.Count(said) == 0 {
			t.Errorf("alice was not given %q: %q", said, w.Turns())
		}
	}
	for _, e := range w.srv.Transcript("dev") {
		if strings.Contains(e.Wire, "&amp;lt;") && !strings.Contains(e.Text, "&lt;") || strings.Contains(e.Wire, "&#39;") {
			t.Errorf("encoded too much: %q", e.Wire)
		}
	}
}

// A reader sees no stray marks (B22).
func TestMarkdownIsSeenAsItWasMeant(t *testing.T) {
	t.Parallel()
	said := "**b** *i* ~~s~~ [t](https://e.test/a_b_c) # H\n\n`2 ** 3 * 4`\n\n```\n**x**\n```\n\n**<https://e.test/1>**\n\n中**粗**文 snake_case_name\n\n| a | b |\n|---|---|\n| x | **Speed** |"
	w := newWorld(t, func(w *world) {
		w.Answer = func(context.Context, string, *model.Request) (*model.Response, error) { return text(said), nil }
	}).connected()
	w.says("kim", "dev", "@alice format")
	w.Until("an answer", func() bool { return len(w.ours("dev")) == 1 })
	shown := w.ours("dev")[0]
	for _, want := range []string{"2 ** 3 * 4", "**x**", "snake_case_name", "Speed", "# H", "https://e.test/1"} {
		if !strings.Contains(shown, want) {
			t.Errorf("a reader misses %q in\n%s", want, shown)
		}
	}
	for _, stray := range []string{"**b**", "~~", "**Speed**", "**粗**", "[t]", "**<", "**http"} {
		if strings.Contains(shown, stray) {
			t.Errorf("a reader sees %q in\n%s", stray, shown)
		}
	}
}

func TestNobodyIsPingedByWhatAModelWrites(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(w *world) {
		w.Answer = func(context.Context, string, *model.Request) (*model.Response, error) {
			return text("<!channel> <!here> @everyone @channel <!subteam^S123> for @Maria in #dev"), nil
		}
	}).connected()
	w.says("kim", "dev", "@alice shout")
	w.Until("an answer", func() bool { return len(w.ours("dev")) == 1 })
	var answer sim.Entry
	for _, e := range w.srv.Transcript("dev") {
		if e.Ours && e.EphemeralTo == "" {
			answer = e
		}
	}
	if len(answer.Rings) != 0 || !strings.Contains(answer.Wire, "<@U0MARIA>") || !strings.Contains(answer.Wire, "<#C0DEV>") {
		t.Errorf("rings %q, wire %q", answer.Rings, answer.Wire)
	}
}

// A reader of the model's frame sees names, not ids.
func TestMentionsHaveNamesForTheColleagues(t *testing.T) {
	t.Parallel()
	w := newWorld(t).connected()
	w.says("kim", "dev", "@alice ask <@U0LEE> there")
	w.Until("alice is asked", func() bool { return w.Count("ask @Lee there") == 1 })
}

func TestADirectMessageReachesWhomItNames(t *testing.T) {
	t.Parallel()
	w := newWorld(t).connected()
	dm := w.dmChannel("maria")
	w.dm("maria", "@bob hello")
	w.shows(dm, "bob: ok")
	w.dm("maria", "and again") // stays with bob
	w.shows(dm, "bob: ok", "bob: ok")
	w.dm("maria", "/status")
	w.Until("a status", func() bool { return len(w.ours(dm)) == 3 && strings.Contains(w.ours(dm)[2], "Office Acme") })
	if len(w.Turns()) != 2 {
		t.Errorf("turns %q", w.Turns())
	}
}

// Mail comes as a direct message; the answer in its thread reaches its writer.
func TestMailIsAnsweredInItsThread(t *testing.T) {
	t.Parallel()
	sent := false
	w := newWorld(t, func(w *world) {
		w.Answer = func(_ context.Context, name string, _ *model.Request) (*model.Response, error) {
			if name == "bob" && !sent {
				sent = true
				return &model.Response{Stop: model.StopCalls, Calls: []model.Call{{ID: "1", Name: "office_dm", Args: []byte(`{"wake":["@user"],"text":"the build is green"}`)}}}, nil
			}
			return text("done"), nil
		}
	}).connected()
	w.says("kim", "dev", "@bob tell the owner")
	dm := w.dmChannel("maria")
	w.Until("the mail", func() bool { return len(w.ours(dm)) == 1 })
	mail := w.srv.Transcript(dm)[0]
	if mail.Author != "bob" || !strings.Contains(mail.Shown(), "the build is green") {
		t.Fatalf("the mail is %v", mail)
	}
	w.Idle()
	w.replies("maria", dm, mail.TS, "thanks, deploy it")
	w.Until("bob reads the answer", func() bool { return w.Count("bob: ") >= 3 && w.Count("thanks, deploy it") == 1 })
	w.Until("bob's answer", func() bool { return len(w.srv.Thread(dm, mail.TS)) == 3 })
	if a := w.srv.Thread(dm, mail.TS)[2]; a.Author != "bob" || a.Shown() != "done" {
		t.Errorf("the answer is %v", a)
	}
}

// Where answers do not go into threads they stand in the channel.
func TestAnswersStandInTheChannelWhereItIsSo(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(w *world) { w.opt.Channels = map[string]Channel{"dev": {Place: "#dev"}} }).connected()
	ts := w.says("kim", "dev", "@alice hi")
	w.shows("dev", "alice: ok")
	if n := len(w.srv.Thread("dev", ts)); n != 1 {
		t.Errorf("the answer is in a thread: %v", w.srv.Thread("dev", ts))
	}
	w.replies("lee", "dev", ts, "@bob in a thread")
	w.Until("bob answers in the thread", func() bool { return len(w.srv.Thread("dev", ts)) == 3 })
}
