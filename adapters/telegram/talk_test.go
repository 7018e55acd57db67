package telegram

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"bullpen/bridge"
	sim "bullpen/internal/sim/telegram"
	"bullpen/office"
	"bullpen/office/model"
)

func TestAPrivateChatReachesEveryColleague(t *testing.T) {
	bubble(t, func(w *world) {
		w.connected()
		id := w.srv.User(maria).DM("hello")
		w.shows(maria, "alice\nok") // the front desk
		if e := w.ours(maria)[0]; e.ReplyTo != id || !slices.Contains(e.Marks, "bold: alice") {
			w.Errorf("%+v", e)
		}
		w.srv.User(maria).DM("@bob hi")
		w.shows(maria, "alice\nok", "bob\nok")
		w.srv.User(maria).DM("still there?")
		w.shows(maria, "alice\nok", "bob\nok", "bob\nok")
		w.Shut()
		w.start()
		w.srv.User(maria).DM("and after a restart?")
		w.shows(maria, "alice\nok", "bob\nok", "bob\nok", "bob\nok")
		w.srv.User(maria).DM("$member all")
		w.Until("a note", func() bool { return len(w.ours(maria)) == 5 })
		if e := w.ours(maria)[4]; !strings.Contains(e.Text, "nobody was woken") || !slices.Equal(e.Buttons, []string{"Post it in #general", "No"}) {
			w.Errorf("%+v", e)
		}
	})
}

func TestTheFirstToWriteBecomesTheOwner(t *testing.T) {
	bubble(t, func(w *world) {
		w.connected()
		w.srv.User(kim).Start()
		w.Until("a code", func() bool { return len(w.ours(kim)) == 1 })
		_, rest, _ := strings.Cut(w.texts(kim)[0], "/approve ")
		code, _, _ := strings.Cut(rest, " ")
		w.srv.User(kim).DM("let me in")
		w.Idle()
		if _, err := w.Office.Approve(context.Background(), code, "user", "console"); err != nil {
			w.Fatal(err)
		}
		w.Until("they are told", func() bool { return strings.Contains(strings.Join(w.texts(kim), "\n"), "You may talk") })
		w.srv.User(kim).Start()
		w.Until("help", func() bool { return strings.Contains(strings.Join(w.texts(kim), "\n"), "/status") })
		n := len(w.ours(kim))
		w.srv.User(kim).DM("hello")
		w.Until("an answer", func() bool { return len(w.ours(kim)) > n })
		if got := w.texts(kim)[n]; got != "alice\nok" {
			w.Errorf("%q", got)
		}
		if w.Count("let me in") != 0 {
			w.Error("a stranger's text reached a model")
		}
	}, func(w *world) { w.Setup.People = []office.Person{{ID: "user", Name: "user", Owner: true, Admin: true}} })
}

// Mail arrives in the private chat, and a native reply reaches who wrote it.
func TestAReplyToMailReachesItsSender(t *testing.T) {
	sent := false
	bubble(t, func(w *world) {
		w.connected()
		w.srv.User(maria).DM("@alice hi")
		w.shows(maria, "alice\ndone")
		w.says(kim, devs, "@bob tell the owner")
		w.Until("the mail", func() bool { return len(w.ours(maria)) == 2 })
		mail := w.ours(maria)[1]
		if !strings.HasPrefix(mail.Text, "bob\n✉️ for you") || !strings.Contains(mail.Text, "the build is green") {
			w.Fatalf("%+v", mail)
		}
		w.Idle()
		id := w.writes(maria, sim.Said{Text: "thanks", Reply: mail.ID})
		w.Until("bob's answer", func() bool { return len(w.ours(maria)) == 3 })
		if e := w.ours(maria)[2]; e.Text != "bob\ndone" || e.ReplyTo != id || w.Count("thanks") != 1 {
			w.Errorf("%+v", e)
		}
		w.srv.User(maria).DM("and you?")
		w.Until("alice is still the partner", func() bool { return len(w.ours(maria)) == 4 })
		if got := w.texts(maria)[3]; got != "alice\ndone" {
			w.Errorf("%q", got)
		}
	}, linked("-1001000000001"), func(w *world) {
		w.Answer = func(_ context.Context, name string, _ *model.Request) (*model.Response, error) {
			if name == "bob" && !sent {
				sent = true
				return &model.Response{Stop: model.StopCalls, Calls: []model.Call{{ID: "1", Name: "office_dm", Args: []byte(`{"wake":["@user"],"text":"the build is green"}`)}}}, nil
			}
			return text("done"), nil
		}
	})
}

func TestCommandsInAnyForm(t *testing.T) {
	bubble(t, func(w *world) {
		w.connected()
		w.Until("the menu", func() bool { return len(w.srv.Commands()) > 3 })
		for i, said := range []string{"/status", "/STATUS@Office_Bot", "/office status", "🚀 hi", "/status@other_bot"} {
			w.srv.User(maria).DM(said)
			w.Idle()
			want := min(i+1, 4)
			if got := w.texts(maria); len(got) != want || i < 3 && !strings.HasPrefix(got[i], "Office Acme") {
				w.Fatalf("%s: %q", said, got)
			}
		}
		w.says(maria, devs, "/status@office_bot")
		w.Until("the group is answered", func() bool { return len(w.ours(devs)) == 1 })
		if e := w.ours(devs)[0]; !strings.HasPrefix(e.Text, "Office Acme") || !e.Silent {
			w.Errorf("%+v", e)
		}
		w.says(maria, devs, "/status@other_bot")
		w.Idle()
		if n := len(w.ours(devs)); n != 1 || len(w.Turns()) != 1 {
			w.Errorf("%d, %q", n, w.Turns())
		}
		w.Shut()
		w.start()
		w.connected().Idle()
		if n := len(w.srv.Calls("setMyCommands")); n != 2 { // everybody's, and maria's own
			w.Errorf("the menus were set %d times", n)
		}
	}, linked("-1001000000001"))
}

// Emoji before a name move nothing (B13).
func TestMentionsBehindEmoji(t *testing.T) {
	bubble(t, func(w *world) {
		w.connected()
		w.says(kim, devs, "🎉🎉 @office_bot @bob go")
		w.shows(devs, "bob\nok")
		w.says(kim, devs, "𠀀 @office_bot what now")
		w.shows(devs, "bob\nok", "alice\nok")
		w.says(kim, devs, "talk among people")
		w.writes(kim, sim.Said{Chat: devs, Text: "short", Extra: map[string]any{"entities": []any{map[string]any{"type": "mention", "offset": 2, "length": 99}}}})
		w.Idle()
		if n := len(w.Turns()); n != 2 {
			w.Errorf("%q", w.Turns())
		}
	}, linked("-1001000000001"))
}

// General takes no thread id, a topic's posts carry its own, a deleted topic is told
// and never replaced by another place (B30).
func TestTopicsAreTheirOwnPlaces(t *testing.T) {
	long := strings.Repeat("word and more ", 700)
	for _, tc := range []struct {
		place              string
		topic, stands, not int64
	}{{"-1001000000002", 0, 0, 42}, {"-1001000000002/1", 1, 0, 42}, {"-1001000000002/42", 42, 42, 0}} {
		t.Run(tc.place, func(t *testing.T) {
			bubble(t, func(w *world) {
				w.connected()
				w.writes(kim, sim.Said{Chat: forum, Topic: tc.not, Text: "@alice elsewhere"})
				w.writes(kim, sim.Said{Chat: forum, Topic: tc.topic, Text: "@alice write"})
				w.Until("three parts", func() bool { return len(w.ours(forum)) >= 3 })
				w.Idle()
				if len(w.Turns()) != 1 {
					w.Errorf("%q", w.Turns())
				}
				for _, e := range w.ours(forum) {
					if e.Topic != tc.stands {
						w.Errorf("%d stands in topic %d", e.ID, e.Topic)
					}
				}
				if tc.topic != 42 {
					return
				}
				w.srv.DeleteTopic(forum, 42)
				w.srv.User(maria).Start()
				if _, err := w.Office.Post(context.Background(), office.Post{Person: "maria", Channel: "dev", Text: "@alice again"}); err != nil {
					w.Fatal(err)
				}
				w.Until("maria is told", func() bool { return strings.Contains(strings.Join(w.texts(maria), "\n"), "the topic is gone") })
			}, linked(tc.place), func(w *world) {
				w.Answer = func(context.Context, string, *model.Request) (*model.Response, error) { return text(long), nil }
			})
		})
	}
}

// A reply in a group goes on with whom it answers.
func TestARepliedMessageInAGroupAddressesItsWriter(t *testing.T) {
	bubble(t, func(w *world) {
		w.connected()
		w.says(kim, devs, "@bob hi")
		w.shows(devs, "bob\nok")
		w.writes(kim, sim.Said{Chat: devs, Text: "and now?", Reply: w.ours(devs)[0].ID})
		w.shows(devs, "bob\nok", "bob\nok")
		w.says(kim, devs, "not you")
		w.Idle()
		if len(w.Turns()) != 2 {
			w.Errorf("%q", w.Turns())
		}
	}, linked("-1001000000001"))
}

func TestEditsWakeNobodyAndAreKept(t *testing.T) {
	bubble(t, func(w *world) {
		w.connected()
		id := w.says(kim, devs, "nothing yet")
		w.Idle()
		if err := w.srv.User(kim).Edit(devs, id, "@alice /status"); err != nil {
			w.Fatal(err)
		}
		if err := w.srv.User(kim).Edit(devs, id, "@alice twice in a second"); err != nil {
			w.Fatal(err)
		}
		w.Idle()
		m, err := w.Office.Message(context.Background(), office.Anchor{Channel: "dev", Seq: 1})
		if err != nil || m.Text != "@alice twice in a second" || len(w.Turns()) != 0 {
			w.Errorf("%+v (%v), %q", m, err, w.Turns())
		}
	}, linked("-1001000000001"))
}

// A group becomes a supergroup: it is followed, once, and durably (B34).
func TestAGroupThatBecomesASupergroupIsFollowed(t *testing.T) {
	const now = -1001000000077
	for _, told := range []bool{true, false} {
		t.Run(fmt.Sprintf("told %v", told), func(t *testing.T) {
			bubble(t, func(w *world) {
				w.connected()
				w.says(kim, old, "@alice before")
				w.shows(old, "alice\nok")
				w.srv.Migrate(old, now, told)
				if _, err := w.Office.Post(context.Background(), office.Post{Person: "maria", Channel: "dev", Text: "@bob hi"}); err != nil {
					w.Fatal(err)
				}
				w.Until("both are shown", func() bool { return len(w.ours(now)) == 2 })
				w.says(kim, now, "@alice after")
				w.Until("answered there", func() bool { return len(w.ours(now)) == 3 })
				w.Shut()
				w.start()
				w.connected()
				w.says(kim, now, "@alice later")
				w.Until("answered there", func() bool { return len(w.ours(now)) == 4 })
				w.Idle()
				w.shows(old, "alice\nok")
				if !strings.Contains(w.State(), "its id is -1001000000077 now") {
					w.Error(w.State())
				}
			}, linked("-5001"))
		})
	}
}

func TestWhoCannotBeReachedIsSaid(t *testing.T) {
	bubble(t, func(w *world) {
		w.connected()
		w.srv.User(maria).Start()
		w.Idle()
		w.srv.User(maria).Block()
		if _, err := w.Office.Post(context.Background(), office.Post{Person: "maria", To: w.colleague("bob"), Text: "hi"}); err != nil {
			w.Fatal(err)
		}
		w.Idle()
		portals, err := w.Office.Portals(context.Background(), "telegram")
		if err != nil || len(portals) != 1 || !strings.Contains(portals[0].Closed, "has blocked the bot") {
			w.Fatalf("%+v (%v)", portals, err)
		}
		n := len(w.ours(maria))
		w.srv.User(maria).DM("back")
		w.Until("she is heard again", func() bool { return len(w.ours(maria)) > n })
	})
}

func TestAGroupThatIsNotLinkedIsToldItsID(t *testing.T) {
	bubble(t, func(w *world) {
		w.connected()
		w.srv.AddBot(devs, maria)
		if got := <-w.Bridge.Notices(); !strings.Contains(got, "-1001000000001") {
			w.Errorf("%q", got)
		}
		w.says(kim, devs, "@office_bot hello")
		w.says(kim, devs, "@office_bot hello?")
		w.says(kim, devs, "hello")
		w.Idle()
		if got := w.texts(devs); len(got) != 1 || !strings.Contains(got[0], "-1001000000001") {
			w.Errorf("%q", got)
		}
	})
}

func TestPrivacyModeIsExplained(t *testing.T) {
	bubble(t, func(w *world) {
		w.connected()
		if !strings.Contains(w.State(), "privacy mode is on") || !strings.Contains(w.State(), "/setprivacy") {
			w.Error(w.State())
		}
		w.says(kim, devs, "@alice unheard")
		w.says(kim, devs, "@office_bot heard")
		w.shows(devs, "alice\nok")
		if w.Count("unheard") != 0 {
			w.Errorf("%q", w.Turns())
		}
	}, linked("-1001000000001"), func(w *world) { w.sim.Groups[0].Admin = false })
}

// An account that was deleted is nobody's any more, whatever office.yaml says of it:
// Telegram tells nothing of it but its id. What is sent to it is said not to arrive.
func TestADeletedAccountIsNobody(t *testing.T) {
	bubble(t, func(w *world) {
		w.connected()
		w.srv.User(maria).Start()
		w.Idle()
		if err := w.srv.User(maria).DeleteAccount(); err != nil {
			w.Fatal(err)
		}
		for i, text := range []string{"/pause", "@bob work"} {
			m := map[string]any{
				"message_id": 900 + i, "date": 1, "text": text, "from": map[string]any{"id": maria, "is_bot": false, "first_name": ""},
				"chat": map[string]any{"id": maria, "type": "private", "first_name": ""},
			}
			if strings.HasPrefix(text, "/") {
				m["entities"] = []any{map[string]any{"type": "bot_command", "offset": 0, "length": len(text)}}
			}
			w.srv.SendUpdate(map[string]any{"message": m})
		}
		w.Idle()
		if v, err := w.Office.View(context.Background()); err != nil || v.Pause.On {
			w.Errorf("it commanded: %+v (%v)", v.Pause, err)
		}
		if n := w.Count("work"); n != 0 {
			w.Error("it talked to bob")
		}
		if _, err := w.Office.Post(context.Background(), office.Post{Person: "maria", To: w.colleague("bob"), Text: "hi"}); err != nil {
			w.Fatal(err)
		}
		w.Idle()
		portals, err := w.Office.Portals(context.Background(), "telegram")
		if err != nil || len(portals) != 1 || !strings.Contains(portals[0].Closed, "the account was deleted") {
			w.Fatalf("%+v (%v)", portals, err)
		}
	})
}

// Who may talk is told by stable ids alone, whatever people call themselves; who is
// known may change their name (B63).
func TestNamesLetNobodyIn(t *testing.T) {
	bubble(t, func(w *world) {
		w.connected()
		for _, who := range []int64{301, 302, 303} {
			w.says(who, devs, "@alice it is me")
			w.srv.User(who).DM("@alice it is me")
		}
		w.Idle()
		if got := w.Turns(); len(got) != 0 {
			w.Errorf("%q", got)
		}
		w.says(maria, devs, "@alice it is me")
		w.Until("maria is heard", func() bool { return len(w.Turns()) == 1 })
	}, linked("-1001000000001"), func(w *world) {
		w.Access = bridge.Access{DM: bridge.DMAllowlist, Talk: bridge.TalkAllowlist}
		w.sim.Users[0].First = "Somebody Else"
		w.sim.Users = append(w.sim.Users,
			sim.User{ID: 301, First: "Maria", Username: "maria_k2"}, sim.User{ID: 302, First: "101", Username: "id101"},
			sim.User{ID: 303, First: "M\u0430ria", Username: "maria"},
		)
		w.sim.Groups[0].Members = append(w.sim.Groups[0].Members, 301, 302, 303)
	})
}

// A topic that is closed costs what was for it, which its owner is told, and nothing
// of it goes anywhere else; the topic goes on when it is open again.
func TestAClosedTopicIsTold(t *testing.T) {
	bubble(t, func(w *world) {
		w.connected()
		w.srv.User(maria).Start()
		w.Idle()
		w.srv.FailNext("sendMessage", sim.Fault{Code: 400, Description: "Bad Request: TOPIC_CLOSED"})
		w.writes(kim, sim.Said{Chat: forum, Topic: 42, Text: "@alice hi"})
		w.Until("maria is told", func() bool {
			return strings.Contains(strings.Join(w.texts(maria), "\n"), "the topic is closed: open it again")
		})
		w.Idle()
		if n := len(w.ours(forum)); n != 0 || w.srv.PlannedFaults() != 0 {
			w.Errorf("%q", w.texts(forum))
		}
		w.writes(kim, sim.Said{Chat: forum, Topic: 42, Text: "@bob hi"})
		w.shows(forum, "bob\nok")
	}, linked("-1001000000002/42"))
}
