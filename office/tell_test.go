package office

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// One who fetches too slowly is told how much it missed, and goes on from there.
func TestASlowWatcherIsToldWhatItMissed(t *testing.T) {
	t.Parallel()
	o := &Office{now: time.Now, done: make(chan struct{})}
	w := &Watch{o: o}
	next := func() []Event {
		t.Helper()
		news, err := w.Next(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return news
	}
	for i := range eventsKept + 7 {
		o.events.add([]Event{{Text: fmt.Sprint(i)}})
	}
	if news := next(); len(news) != 1 || news[0].Kind != EventMissed || !strings.HasPrefix(news[0].Text, fmt.Sprint(eventsKept+7)) {
		t.Errorf("it is told %+v", news)
	}
	o.events.add([]Event{{Text: "after that"}})
	if news := next(); len(news) != 1 || news[0].Text != "after that" || news[0].N != eventsKept+8 {
		t.Errorf("then came %+v", news)
	}
}

// What stands between a colleague and one person alone is told without its words;
// the owner's own talk, and what colleagues tell each other, with them.
func TestEventsDoNotQuoteWhatIsOnePersonsAlone(t *testing.T) {
	t.Parallel()
	k := newDesk(t, withKim)
	said := func(r request) string {
		t.Helper()
		d := newDecision(k.s, k.now, k.random)
		d.watched = true
		if _, err := d.request(r); err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		for _, e := range d.told() {
			fmt.Fprintln(&b, e.Kind, e.Text)
		}
		return b.String()
	}
	if text := said(postRequest{Post: Post{Event: "1", Person: kim, To: k.id("alice"), Text: "my code is oak"}}); strings.Contains(text, "oak") || !strings.Contains(text, "for one person alone") {
		t.Errorf("of kim's talk it is told\n%s", text)
	}
	if text := said(postRequest{Post: Post{Event: "2", Person: DefaultOwner, To: k.id("alice"), Text: "my code is elm"}}); !strings.Contains(text, "elm") {
		t.Errorf("of the owner's talk it is told\n%s", text)
	}
}

func TestToolsInWords(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"office_post": "office post", "git.createIssue": "git, create issue", "HTTPServer.get-all": "http server, get all", "bash": "bash", "": "",
	} {
		if got := toolWords(name); got != want {
			t.Errorf("%q is %q, want %q", name, got, want)
		}
	}
}
