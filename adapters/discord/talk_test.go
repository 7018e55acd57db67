package discord

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"bullpen/bridge"
	sim "bullpen/internal/sim/discord"
	"bullpen/office"
	"bullpen/office/model"
)

func TestAMessageIsAnsweredUnderTheColleaguesName(t *testing.T) {
	bubble(t, func(w *world) {
		w.connected()
		id := w.says("kim", dev, "@alice hi")
		w.shows(dev, "alice: ok")
		e := w.entries(dev)[0]
		if !e.App || e.AuthorID == w.srv.BotID() || strings.Contains(e.Text, "↩") {
			t.Errorf("%+v", e)
		}
		w.Idle()
		if got := w.entry(dev, id).Reactions; len(got["✅"]) != 1 || len(got["👀"]) != 0 {
			t.Errorf("%v", got)
		}
		w.says("kim", dev, "@bob go")
		w.shows(dev, "alice: ok", "bob: ok")
		if n := len(w.srv.Calls(sim.RouteNewWebhook)); n != 1 {
			t.Errorf("%d webhooks were made", n)
		}
		// After a restart the webhook is found again.
		w.Shut()
		w.start()
		w.connected()
		w.says("kim", dev, "@bob again")
		w.shows(dev, "alice: ok", "bob: ok", "bob: ok")
		if n := len(w.srv.Calls(sim.RouteNewWebhook)); n != 1 {
			t.Errorf("%d webhooks were made", n)
		}
	})
}

// What somebody else has spoken behind is answered with a link to it.
func TestAnAnswerSaysWhatItAnswers(t *testing.T) {
	bubble(t, func(w *world) {
		w.connected()
		id := w.says("kim", dev, "@alice slow one")
		w.Until("she works", func() bool { return w.Count("slow") == 1 })
		w.says("maria", dev, "by the way")
		w.Until("the answer", func() bool { return len(w.entries(dev)) == 1 })
		want := fmt.Sprintf("-# ↩ https://discord.com/channels/%s/%s/%s\nok", server, dev, id)
		if got := w.entries(dev)[0].Text; got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}, slow(10*time.Second, nil))
}

// slow makes every turn take a while, and fail if err is set.
func slow(d time.Duration, err error) func(*world) {
	return func(w *world) {
		w.Answer = func(ctx context.Context, _ string, _ *model.Request) (*model.Response, error) {
			select {
			case <-time.After(d):
			case <-ctx.Done():
				return nil, ctx.Err()
			}
			return text("ok"), err
		}
	}
}

func TestAnAnswerStandsInItsThread(t *testing.T) {
	bubble(t, func(w *world) {
		w.connected()
		id := w.says("kim", dev, "@alice what about **this**?")
		w.Until("a thread", func() bool { return w.entry(dev, id).Thread != "" })
		w.shows(id, "alice: ok")
		if name := w.srv.ChannelName(id); name != "#dev > @alice what about this?" {
			t.Errorf("the thread is called %q", name)
		}
		// In the thread its last speaker is addressed, and answers there.
		w.says("kim", id, "and that?")
		w.shows(id, "alice: ok", "alice: ok")
		w.says("kim", id, "@bob you?")
		w.shows(id, "alice: ok", "alice: ok", "bob: ok")
		w.Idle()
		w.Shut()
		w.start()
		w.connected()
		w.says("kim", id, "still there?")
		w.shows(id, "alice: ok", "alice: ok", "bob: ok", "bob: ok")
		if n := len(w.entries(dev)); n != 0 {
			t.Errorf("%d messages beside the thread", n)
		}
	}, inThreads)
}

// A thread that people began, with or without a message, is a conversation of its own.
func TestPeoplesThreads(t *testing.T) {
	bubble(t, func(w *world) {
		w.connected()
		id := w.says("kim", dev, "look at this")
		thread, err := w.srv.User("kim").Thread(dev, id, "this", "@bob what do you say?")
		if err != nil {
			t.Fatal(err)
		}
		w.shows(thread, "bob: ok")
		other, err := w.srv.User("maria").Thread(dev, "", "plan", "@alice the plan?")
		if err != nil {
			t.Fatal(err)
		}
		w.shows(other, "alice: ok")
		w.says("maria", other, "more")
		w.shows(other, "alice: ok", "alice: ok")
		if got := w.texts(dev); len(got) != 0 {
			t.Errorf("%q", got)
		}
	})
}

// A native reply addresses whom it answers, and is answered natively: by the link
// that a webhook can give.
func TestAReplyAddressesWhomItAnswers(t *testing.T) {
	bubble(t, func(w *world) {
		w.connected()
		w.says("kim", dev, "@bob hi")
		w.shows(dev, "bob: ok")
		w.Idle()
		w.sends("kim", sim.Said{Channel: dev, Text: "and now?", Reply: w.entries(dev)[0].ID})
		w.Until("bob answers", func() bool { return len(w.entries(dev)) == 2 })
		if got := w.texts(dev)[1]; !strings.HasPrefix(got, "bob: ") || !strings.HasSuffix(got, "ok") {
			t.Errorf("%q", got)
		}
		if w.Count("and now?") != 1 {
			t.Errorf("%q", w.Turns())
		}
	})
}

// In a thread, too, a native reply addresses whom it answers, not whoever spoke last.
func TestAReplyInAThreadAddressesWhomItAnswers(t *testing.T) {
	bubble(t, func(w *world) {
		w.connected()
		thread, err := w.srv.User("maria").Thread(dev, "", "plan", "@alice the plan?")
		if err != nil {
			t.Fatal(err)
		}
		w.shows(thread, "alice: ok")
		w.says("maria", thread, "@bob and yours?")
		w.shows(thread, "alice: ok", "bob: ok")
		w.Idle()
		w.sends("maria", sim.Said{Channel: thread, Text: "are you sure?", Reply: w.entries(thread)[0].ID})
		w.shows(thread, "alice: ok", "bob: ok", "alice: ok")
	})
}

func TestAForumsPostsAreThreads(t *testing.T) {
	sent := false
	bubble(t, func(w *world) {
		w.connected()
		post, err := w.srv.User("kim").Thread(posts, "", "An idea", "@alice what if?")
		if err != nil {
			t.Fatal(err)
		}
		w.shows(post, "alice: ok")
		w.says("kim", post, "and then?")
		w.shows(post, "alice: ok", "alice: ok")
		// What a colleague says to the channel itself is a new post.
		w.says("kim", post, "@bob post it")
		w.Until("a post of bob's", func() bool { return len(w.srv.Channels()) > 6 })
		w.Idle()
		var names []string
		for _, id := range w.srv.Channels() {
			names = append(names, w.srv.ChannelName(id))
		}
		if !slices.Contains(names, "#ideas > news for all") {
			t.Fatalf("%q", names)
		}
		made, _ := w.srv.ChannelID("news for all")
		w.says("kim", made, "nice")
		w.Until("bob answers there", func() bool { return len(w.entries(made)) == 2 })
	}, linked(Channel{Place: posts}), func(w *world) {
		w.Answer = func(_ context.Context, name string, _ *model.Request) (*model.Response, error) {
			if name == "bob" && !sent {
				sent = true
				return &model.Response{Stop: model.StopCalls, Calls: []model.Call{{ID: "1", Name: "office_post", Args: []byte(`{"channel":"#dev","text":"news for all","wake":[],"root":"none"}`)}}}, nil
			}
			return text("ok"), nil
		}
	})
}

// Roles that are called like a level or a colleague call them; the bot's own calls
// the front desk; any other nobody.
func TestRolesCallWhomTheyAreCalledAfter(t *testing.T) {
	bubble(t, func(w *world) {
		w.connected()
		for i, tc := range []struct{ said, turn string }{
			{"hey" + w.srv.Mention("alice") + "!", "alice"},
			{w.srv.Mention("Leaders") + " all", "alice"},
			{w.srv.Mention("guests") + " look", ""},
			{w.srv.Mention("office") + " hello", "alice"},
		} {
			before := len(w.Turns())
			w.says("kim", dev, fmt.Sprintf("%s %d", tc.said, i))
			w.Idle()
			got := w.Turns()[before:]
			if tc.turn == "" && len(got) != 0 || tc.turn != "" && (len(got) != 1 || !strings.HasPrefix(got[0], tc.turn+": ")) {
				t.Errorf("%s: %q", tc.said, got)
			}
		}
	})
}

func TestHereCallsTheChannel(t *testing.T) {
	bubble(t, func(w *world) {
		w.connected()
		w.says("kim", dev, "@here look")
		w.Until("both are woken", func() bool { return w.Count("wake #dev") == 2 })
	})
}

func TestADirectMessageReachesEveryColleague(t *testing.T) {
	bubble(t, func(w *world) {
		w.connected()
		id := w.says("maria", "", "hello")
		w.shows("@maria", "office: **alice**\nok") // the front desk
		if e := w.entries("@maria")[0]; e.ReplyTo != id {
			t.Errorf("%+v", e)
		}
		w.says("maria", "", "@bob hi")
		w.shows("@maria", "office: **alice**\nok", "office: **bob**\nok")
		w.says("maria", "", "still there?")
		w.Until("bob goes on", func() bool { return len(w.entries("@maria")) == 3 })
		w.Shut()
		w.start()
		w.connected()
		first := w.entries("@maria")[0].ID
		w.sends("maria", sim.Said{Text: "you again", Reply: first})
		w.Until("alice is answered natively", func() bool { return len(w.entries("@maria")) == 4 })
		if got := w.texts("@maria"); got[2] != "office: **bob**\nok" || got[3] != "office: **alice**\nok" {
			t.Errorf("%q", got)
		}
		w.says("maria", "", "$member all")
		w.Until("a note", func() bool { return len(w.entries("@maria")) == 5 || len(w.entries("@maria")) == 6 })
		if !slices.ContainsFunc(w.texts("@maria"), func(s string) bool { return strings.Contains(s, "nobody was woken. Post it in #general?") }) {
			t.Errorf("%q", w.texts("@maria"))
		}
	})
}

func TestTheFirstToWriteBecomesTheOwner(t *testing.T) {
	bubble(t, func(w *world) {
		w.connected()
		w.says("kim", "", "let me in")
		w.Until("a code", func() bool { return len(w.entries("@kim")) == 1 })
		_, rest, _ := strings.Cut(w.texts("@kim")[0], "/approve ")
		code, _, _ := strings.Cut(rest, " ")
		if _, err := w.Office.Approve(context.Background(), code, "user", "console"); err != nil {
			t.Fatal(err)
		}
		w.Until("they are told", func() bool { return strings.Contains(strings.Join(w.texts("@kim"), "\n"), "You may talk") })
		w.says("kim", "", "hello")
		w.Until("an answer", func() bool { return strings.HasSuffix(strings.Join(w.texts("@kim"), "\n"), "**alice**\nok") })
		if w.Count("let me in") != 0 {
			t.Error("a stranger's text reached a model")
		}
	}, func(w *world) { w.Setup.People = []office.Person{{ID: "user", Name: "user", Owner: true, Admin: true}} })
}

// Who may talk is told by stable ids alone, whatever people call themselves (B63).
func TestNamesLetNobodyIn(t *testing.T) {
	bubble(t, func(w *world) {
		w.connected()
		for _, u := range []sim.User{{ID: "1100000000000000301", Name: "maria.", GlobalName: "Maria"}, {ID: "1100000000000000302", Name: "m" + maria}} {
			if err := w.srv.AddUser(u); err != nil {
				t.Fatal(err)
			}
			if err := w.srv.Join(server, sim.Member{User: u.ID, Nick: "Maria"}); err != nil {
				t.Fatal(err)
			}
			w.says(u.ID, dev, "@alice it is me")
			w.says(u.ID, "", "@alice it is me")
		}
		w.Idle()
		if got := w.Turns(); len(got) != 0 {
			t.Errorf("%q", got)
		}
		w.says("maria", dev, "@alice it is me")
		w.shows(dev, append(w.texts(dev), "alice: ok")...)
	}, func(w *world) { w.Access = bridge.Access{DM: bridge.DMAllowlist, Talk: bridge.TalkAllowlist} })
}

// Our own posts come back as a webhook's and wake nobody, also after a restart;
// neither do other programs. Somebody who calls himself alice is a person (B09).
func TestProgramsAreNotHeard(t *testing.T) {
	bubble(t, func(w *world) {
		w.connected()
		w.says("kim", dev, "@alice say it")
		w.shows(dev, "alice: @bob hi")
		w.Idle()
		w.Shut()
		w.start()
		w.connected()
		w.Idle()
		if w.Count("hi") != 0 {
			t.Errorf("%q", w.Turns())
		}
		if err := w.srv.AddUser(sim.User{ID: "1100000000000000303", Name: "alice", GlobalName: "alice"}); err != nil {
			t.Fatal(err)
		}
		if err := w.srv.Join(server, sim.Member{User: "alice"}); err != nil {
			t.Fatal(err)
		}
		w.says("1100000000000000303", dev, "@bob really")
		w.Until("bob is asked", func() bool { return w.Count("really") == 1 })
	}, func(w *world) {
		w.Answer = func(_ context.Context, name string, _ *model.Request) (*model.Response, error) {
			if name == "alice" {
				return text("@bob hi"), nil
			}
			return text("ok"), nil
		}
		w.Setup.Limits.Depth = 1
	})
}

func TestEditsAndDeletions(t *testing.T) {
	bubble(t, func(w *world) {
		w.connected()
		id := w.says("kim", dev, "one")
		gone := w.says("kim", dev, "two")
		w.Idle()
		kim := w.srv.User("kim")
		if err := kim.Edit(dev, id, "@alice one, better"); err != nil {
			t.Fatal(err)
		}
		if err := kim.Delete(dev, gone); err != nil {
			t.Fatal(err)
		}
		w.Idle()
		if n := len(w.Turns()); n != 0 {
			t.Errorf("an edit woke somebody: %q", w.Turns())
		}
		page, err := w.Office.Messages(context.Background(), office.MessageQuery{Channels: []office.ChannelID{"dev"}, Limit: 10})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, m := range page.Messages {
			got = append(got, fmt.Sprintf("%s %v", m.Text, m.Deleted))
		}
		if want := []string{"@alice one, better false", "(deleted by its author) true"}; !slices.Equal(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	})
}

// An account that was deleted is nobody's any more, whatever office.yaml says of it.
func TestADeletedAccountIsNobody(t *testing.T) {
	bubble(t, func(w *world) {
		w.connected()
		w.says("maria", "", "hello")
		w.shows("@maria", "office: **alice**\nok")
		w.Shut()
		w.says("maria", "", "@bob do it")
		if err := w.srv.DeleteAccount("maria"); err != nil {
			w.Fatal(err)
		}
		w.start()
		w.connected()
		w.Idle()
		if w.Count("do it") != 0 {
			w.Error("what a deleted account wrote reached a model")
		}
	})
}
