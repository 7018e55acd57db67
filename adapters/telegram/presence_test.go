package telegram

import (
	"context"
	"errors"
	"testing"
	"time"

	sim "bullpen/internal/sim/telegram"
	"bullpen/office/model"
)

// slow answers after a time of the bubble.
func slow(d time.Duration, err error) func(*world) {
	return func(w *world) {
		w.Answer = func(ctx context.Context, _ string, _ *model.Request) (*model.Response, error) {
			select {
			case <-time.After(d):
			case <-ctx.Done():
				return nil, ctx.Err()
			}
			if err != nil {
				return nil, err
			}
			return text("ok"), nil
		}
	}
}

// While a colleague works the chat shows typing, renewed before it lapses and never
// after the end; the message that it reads carries one sign, which changes once.
func TestWhoWorksIsShown(t *testing.T) {
	bubble(t, func(w *world) {
		w.connected()
		began := time.Now()
		id := w.srv.User(maria).DM("hello")
		w.Until("it is seen", func() bool { return w.reaction(maria, id) == "👀" })
		w.shows(maria, "alice\nok")
		ended := time.Now()
		w.Until("it is done", func() bool { return w.reaction(maria, id) == "👍" })
		time.Sleep(time.Minute) // of the bubble
		calls := w.srv.Calls("sendChatAction")
		if n := len(calls); n < 5 || n > 7 {
			w.Fatalf("typing was shown %d times in 21 s", n)
		}
		for i, last := 0, began; i < len(calls); i++ {
			if c := calls[i]; c.Error != "" || c.Time.Sub(last) > 5*time.Second || c.Time.After(ended) || c.Params["chat_id"] != "101" {
				w.Errorf("%+v, the one before at %s, the end at %s", c, last, ended)
			}
			last = calls[i].Time
		}
		if n := len(w.srv.Calls("setMessageReaction")); n != 2 {
			w.Errorf("%d reactions", n)
		}
	}, slow(21*time.Second, nil))
}

// A topic shows it in the topic; a turn that fails changes the sign to that.
// Who works in a topic is shown there, also in General, whose number nothing else names.
func TestTypingStandsInItsTopic(t *testing.T) {
	for place, want := range map[string]string{"-1001000000002": "1", "-1001000000002/42": "42", "-1001000000001": ""} {
		t.Run(place, func(t *testing.T) {
			bubble(t, func(w *world) {
				w.connected()
				at, err := parsePlace(place)
				if err != nil {
					w.Fatal(err)
				}
				w.writes(kim, sim.Said{Chat: at.chat, Topic: at.topic, Text: "@alice go"})
				w.Until("the answer", func() bool { return len(w.ours(at.chat)) == 1 })
				all := w.srv.Calls("sendChatAction")
				if len(all) == 0 {
					w.Error("nobody was shown to type")
				}
				for _, c := range all {
					if got := c.Params["message_thread_id"]; got != want || c.Status != 200 {
						w.Errorf("typing in %q, want %q; %d", got, want, c.Status)
					}
				}
			}, linked(place), slow(20*time.Second, nil))
		})
	}
}

func TestAFailedTurnShowsSo(t *testing.T) {
	bubble(t, func(w *world) {
		w.connected()
		id := w.writes(kim, sim.Said{Chat: forum, Topic: 42, Text: "@alice go"})
		w.Until("it failed", func() bool { return w.reaction(forum, id) == "🤔" })
		calls := w.srv.Calls("sendChatAction")
		if len(calls) == 0 || calls[0].Params["message_thread_id"] != "42" {
			w.Errorf("%+v", calls)
		}
	}, linked("-1001000000002/42"), slow(3*time.Second, &model.Error{Kind: model.Refused, Sentence: "no"}))
}

// An answer that comes at once needs no typing.
func TestAQuickAnswerShowsNoTyping(t *testing.T) {
	bubble(t, func(w *world) {
		w.connected()
		w.srv.User(maria).DM("hello")
		w.shows(maria, "alice\nok")
		w.Idle()
		if n := len(w.srv.Calls("sendChatAction")); n != 0 {
			w.Errorf("%d times", n)
		}
		w.Idle()
		if n := len(w.srv.Calls("setMessageReaction")); n != 1 {
			w.Errorf("%d reactions were shown", n)
		}
	})
}

// A chat that Telegram asks to leave alone is left alone by signs as well.
func TestALimitedChatIsLeftAlone(t *testing.T) {
	bubble(t, func(w *world) {
		w.connected()
		w.srv.FailNext("sendChatAction", sim.Limited(40))
		w.srv.User(maria).DM("hello")
		time.Sleep(15 * time.Second) // of the bubble
		if n := len(w.srv.Calls("sendChatAction")); n != 1 {
			w.Errorf("%d times", n)
		}
	}, slow(20*time.Second, errors.New("no")))
}

// reaction is the bot's on a message.
func (w *world) reaction(chat, id int64) string {
	for _, e := range w.srv.Transcript(chat) {
		if e.ID == id {
			return e.Reaction
		}
	}
	return ""
}
