package telegram

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	sim "bullpen/internal/sim/telegram"
	"bullpen/office/model"
)

func document(name, data string) *sim.Media {
	return &sim.Media{Kind: "document", Name: name, Type: "text/plain", Data: []byte(data)}
}

// What somebody sends stands in the inbox of whom it is for, and is named to them.
func TestFilesOfAMessageStandInTheInbox(t *testing.T) {
	bubble(t, func(w *world) {
		w.connected()
		w.writes(maria, sim.Said{Text: "@bob look", Media: document("../../a b$.txt", "hello")})
		w.shows(maria, "bob\nok")
		w.writes(maria, sim.Said{Media: &sim.Media{Kind: "voice", Type: "audio/ogg", Data: []byte("OggS")}})
		w.shows(maria, "bob\nok", "bob\nok")
		got := w.Inbox("bob")
		if len(got) != 2 || !strings.HasSuffix(got[0], "-1-1-a_b_.txt: hello") || !strings.HasSuffix(got[1], "-1-voice.ogg: OggS") {
			w.Errorf("%q", got)
		}
		if w.Count("-1-1-a_b_.txt (text/plain, 5 bytes)") != 1 || w.Count("voice.ogg") != 1 {
			w.Errorf("%q", w.Turns())
		}
	})
}

// What is too big, broken, or no longer there is named; the rest goes on, and so
// does the talk (B58).
func TestFilesThatCannotBeTakenAreNamed(t *testing.T) {
	for name, tc := range map[string]struct {
		media  *sim.Media
		faults []sim.Fault
		says   string
		stored bool
	}{
		"over the office's size":   {&sim.Media{Kind: "document", Name: "big.bin", Size: 30 << 20}, nil, `"big.bin" was not taken: it is 30 MB, and the office takes 20 MB`, false},
		"over it, without saying":  {document("long.txt", strings.Repeat("x", 2000)), nil, "bigger than the office takes", false},
		"gone":                     {&sim.Media{Kind: "photo", Data: []byte("x"), Gone: true}, nil, "could not be had", false},
		"text that says picture":   {&sim.Media{Kind: "document", Name: "a.png", Type: "image/png", Data: []byte("words")}, nil, "is no picture: it holds text/plain", true},
		"a broken picture":         {&sim.Media{Kind: "document", Name: "a.png", Type: "image/png", Data: []byte("\x89PNG\r\n\x1a\nxx")}, nil, "it is damaged", true},
		"a download that breaks":   {document("a.txt", "hi"), []sim.Fault{sim.LostCall(), sim.BadGateway()}, "a.txt", true},
		"a redirect, with a token": {document("a.txt", "hi"), slices.Repeat([]sim.Fault{{Status: 302, Location: "http://evil.test/"}}, 3), "could not be had", false},
	} {
		t.Run(name, func(t *testing.T) {
			bubble(t, func(w *world) {
				w.connected()
				w.srv.FailNext("file", tc.faults...)
				w.writes(maria, sim.Said{Text: "@bob look", Media: tc.media})
				w.shows(maria, "bob\nok")
				w.srv.User(maria).DM("hello")
				w.shows(maria, "bob\nok", "bob\nok")
				if !strings.Contains(w.Given("bob"), tc.says) || (len(w.Inbox("bob")) == 1) != tc.stored {
					w.Errorf("%s\n%q", w.Given("bob"), w.Inbox("bob"))
				}
				if strings.Contains(w.Logged.String(), w.srv.Token()) || strings.Contains(w.Given("bob"), w.srv.Token()) {
					w.Error("the token was shown")
				}
			}, func(w *world) {
				if name == "over it, without saying" {
					tc.media.Size = 1
					w.Setup.Limits.FileSize = 1000
				}
			})
		})
	}
}

// An album is one message, however far apart its items come: what comes late
// joins, and is never answered as something new (B83).
func TestAnAlbumIsOneMessage(t *testing.T) {
	gaps := []time.Duration{0, 400 * time.Millisecond, 6 * time.Second, 12 * time.Second}
	for _, gap := range gaps {
		for kill := range 5 {
			if kill > 0 && gap > time.Second && kill != 3 {
				continue
			}
			t.Run(fmt.Sprintf("%s, killed before item %d", gap, kill), func(t *testing.T) {
				bubble(t, func(w *world) {
					w.connected()
					for i := range 4 {
						if kill == i && i > 0 {
							w.abort()
							w.start()
							w.connected()
						}
						said := sim.Said{Chat: devs, Album: "A1", Media: &sim.Media{Kind: "photo", Data: []byte("picture " + itoa(int64(i)))}}
						if i == 1 {
							said.Text = "@bob these four"
						}
						if i == 2 {
							said.Media.Gone = true
						}
						w.writes(kim, said)
						if i == 1 { // somebody else's between
							w.writes(maria, sim.Said{Chat: devs, Album: "B7", Text: "mine", Media: document("m.txt", "m")})
						}
						time.Sleep(gap) // of the bubble
					}
					w.Until("it is answered", func() bool { return len(w.ours(devs)) > 0 })
					w.Idle()
					time.Sleep(30 * time.Second) // of the bubble
					w.says(kim, devs, "@bob and?")
					w.Until("a second answer", func() bool { return len(w.ours(devs)) == 2 })
					w.Idle()
					w.shows(devs, "bob\nok", "bob\nok")
					if w.Count("these four") != 1 {
						w.Errorf("%q", w.Turns())
					}
					var held []string
					for _, f := range w.Inbox("bob") {
						_, what, _ := strings.Cut(f, ": ")
						held = append(held, what)
					}
					slices.Sort(held)
					if want := []string{"picture 0", "picture 1", "picture 3"}; !slices.Equal(held, want) {
						w.Errorf("%q\n%q\nlog:\n%s", held, w.Turns(), w.Logged)
					}
					if all := w.Given("bob"); !strings.Contains(all, "could not be had") {
						w.Errorf("%q", all)
					}
					w.Until("all is confirmed", func() bool { return w.srv.Pending() == 0 })
				}, linked("-1001000000001"))
			})
		}
	}
}

// While an album is waited for others are served, and confirmed after it.
func TestNobodyWaitsBehindAnAlbum(t *testing.T) {
	bubble(t, func(w *world) {
		w.connected()
		w.writes(kim, sim.Said{Chat: devs, Album: "A1", Text: "@bob", Media: document("a", "a")})
		w.srv.User(maria).DM("hello")
		began := time.Now()
		w.shows(maria, "alice\nok")
		if since := time.Since(began); since > albumQuiet {
			w.Errorf("it took %s", since)
		}
		w.Until("the album is answered", func() bool { return len(w.ours(devs)) == 1 })
	}, linked("-1001000000001"))
}

// What was forwarded is somebody else's words: it commands nothing and calls nobody.
func TestAForwardCommandsNothing(t *testing.T) {
	bubble(t, func(w *world) {
		w.connected()
		from := map[string]any{"forward_origin": map[string]any{"type": "user", "date": 1, "sender_user": map[string]any{"id": kim, "first_name": "Kim"}}}
		w.writes(maria, sim.Said{Text: "/status @bob", Extra: from})
		w.shows(maria, "alice\nok")
		if w.Count("(forwarded from Kim)\n> /status @bob") != 1 {
			w.Errorf("%q", w.Turns())
		}
	})
}

// A reply to a part of a message says which part.
func TestAQuoteIsShownToWhoReadsIt(t *testing.T) {
	bubble(t, func(w *world) {
		w.connected()
		w.srv.User(maria).DM("hello")
		w.shows(maria, "alice\nok")
		w.writes(maria, sim.Said{Text: "@bob what of this?", Reply: w.ours(maria)[0].ID, Extra: map[string]any{"quote": map[string]any{"text": "@alice ok", "position": 0}}})
		w.shows(maria, "alice\nok", "bob\nok")
		if w.Count("> @alice ok\n\n@bob what of this?") != 1 {
			w.Errorf("%q", w.Turns())
		}
	}, func(w *world) {
		w.Answer = func(context.Context, string, *model.Request) (*model.Response, error) { return text("ok"), nil }
	})
}
