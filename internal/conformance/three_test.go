package conformance

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"bullpen/bridge"
	"bullpen/internal/rehearsal"
	telegramsim "bullpen/internal/sim/telegram"
	"bullpen/office"
)

// One channel on all three platforms is one: what is said on one is on the others
// under its author's name, once and in order, and follows what becomes of it.
func TestAChannelOnThreePlatformsIsOne(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(today) // of the bubble
		w := &together{Troupe: rehearsal.New(t)}
		defer w.end()
		w.start()
		for i, p := range w.names {
			s := w.on[p]
			words := fmt.Sprintf("@bob number %d", i)
			id, err := s.say(asKim, inDev, said{text: words})
			if err != nil {
				t.Fatal(err)
			}
			w.shared = append(w.shared, "Kim: "+words, "bob: ok")
			w.all()
			if err := s.edit(asKim, inDev, id, words+", mended"); err != nil {
				t.Fatal(err)
			}
			w.shared[len(w.shared)-2] = "Kim: " + words + ", mended"
			w.all()
		}
	})
}

// A file that somebody sends on one platform is shown on the others, once and under
// its sender's name, and stands in the inbox of whom it is for.
func TestAFileIsOnAllPlatforms(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(today) // of the bubble
		w := &together{Troupe: rehearsal.New(t)}
		defer w.end()
		w.start()
		for _, from := range w.names {
			name := "plan-" + from + ".txt"
			if _, err := w.on[from].say(asKim, inDev, said{text: "@bob look", file: name}); err != nil {
				t.Fatal(err)
			}
			copies := func(on string) (n int) {
				for _, l := range w.on[on].shown(asKim, inDev) {
					if data, ok := l.files[name]; ok && data == "data of "+name {
						n++
						if on != from && (!l.ours || !strings.Contains(l.author+l.text, "Kim")) {
							t.Errorf("on %s it is %s's: %s", on, l.author, l.text)
						}
					}
				}
				return n
			}
			for _, on := range w.names {
				w.Until(name+" is on "+on, func() bool { return copies(on) == 1 })
			}
			time.Sleep(time.Minute) // of the bubble: time for a copy that comes back
			for _, on := range w.names {
				if n := copies(on); n != 1 {
					t.Errorf("%s is %d times on %s", name, n, on)
				}
			}
		}
	})
}

// A file that cannot be had from its platform, or that another one does not take, is
// named there, with where it is; what is said after it goes on.
func TestAFileThatCannotBeShownIsNamed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(today) // of the bubble
		w := &together{Troupe: rehearsal.New(t)}
		defer w.end()
		w.start()
		has := func(on, part string) func() bool {
			return func() bool {
				return slices.ContainsFunc(w.on[on].shown(asKim, inDev), func(l line) bool { return strings.Contains(l.text, part) })
			}
		}
		says := func(on string, x said) {
			if _, err := w.on[on].say(asKim, inDev, x); err != nil {
				t.Fatal(err)
			}
		}
		gone := telegramsim.Fault{Code: 400, Description: "Bad Request: wrong file_id or the file is temporarily unavailable"}
		w.on["telegram"].(*onTelegram).srv.FailNext("getFile", gone, gone, gone, gone)
		says("telegram", said{text: "look", file: "gone.txt"})
		says("telegram", said{text: "and go on"})
		for _, on := range []string{"slack", "discord"} {
			w.Until("it is named on "+on, has(on, "[file: gone.txt; it is on Telegram]"))
			w.Until(on+" goes on", has(on, "and go on"))
		}
		w.on["slack"].(*onSlack).srv.RemoveScope("files:write")
		says("discord", said{text: "look", file: "refused.txt"})
		w.Until("it is named on slack", has("slack", "[file: refused.txt; it is on Discord]"))
		// A platform's long outage holds up no other for long.
		lost := slices.Repeat([]telegramsim.Fault{{Status: 502}}, 60)
		w.on["telegram"].(*onTelegram).srv.FailNext("getFile", lost...)
		says("telegram", said{text: "look", file: "late.txt"})
		says("telegram", said{text: "the end"})
		w.Until("it is named on discord", has("discord", "[file: late.txt; it is on Telegram]"))
		w.Until("discord goes on", has("discord", "the end"))
	})
}

// together is one office on all stages.
type together struct {
	*rehearsal.Troupe
	on     map[string]stage
	names  []string
	shared []string // what #dev shows everywhere
}

func (w *together) start() {
	w.on = map[string]stage{}
	kim := office.Person{ID: "kim", Name: "Kim", Owner: true, Admin: true}
	var adapters []bridge.Poster
	for name, open := range stages {
		s, err := open()
		if err != nil {
			w.Fatal(err)
		}
		w.on[name], w.names = s, append(w.names, name)
		kim.Accounts = append(kim.Accounts, office.Account{Platform: name, ID: s.account(asKim)})
		a, err := s.adapter(false)
		if err != nil {
			w.Fatal(err)
		}
		adapters = append(adapters, a)
	}
	slices.Sort(w.names)
	w.Setup.People = []office.Person{kim}
	w.Summary = func() (all string) {
		for _, name := range w.names {
			all += w.on[name].summary() + "\n"
		}
		return all
	}
	w.Open(adapters...)
	w.Until("all are connected", func() bool { return strings.Count(w.State(), ": connected") == len(stages) })
}

func (w *together) end() {
	w.Shut()
	for _, s := range w.on {
		if err := s.close(); err != nil {
			w.Error(err)
		}
	}
}

// all waits until every platform shows the same, and sees that it stays so.
func (w *together) all() {
	w.Helper()
	shown := func(name string) (out []string) {
		for _, l := range w.on[name].shown(asKim, inDev) {
			out = append(out, l.author+": "+l.text)
		}
		return out
	}
	for _, name := range w.names {
		w.Until(fmt.Sprintf("%s shows %q", name, w.shared), func() bool { return slices.Equal(shown(name), w.shared) })
	}
	time.Sleep(time.Minute) // of the bubble: time for a copy that comes back
	for _, name := range w.names {
		if got := shown(name); !slices.Equal(got, w.shared) {
			w.Fatalf("%s shows %q, want %q", name, got, w.shared)
		}
	}
}
