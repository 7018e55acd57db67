package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	llmsim "bullpen/internal/sim/llm"
	slacksim "bullpen/internal/sim/slack"
)

// workplace is an office whose people are in Slack and whose colleagues think
// with a provider's model: stand-ins of both run here, the office itself in
// processes of its own, one after the other.
type workplace struct {
	// killed says that its processes are killed again and again: see raced.
	killed bool
	t      testing.TB
	slack  *slacksim.Server
	llm    *llmsim.Server
	dir    string
	runs   []*process
}

// plan says what a workplace is like where it differs from the usual one.
type plan struct {
	think    func(*llmsim.Request) llmsim.Reply // default: diligent
	limits   string                             // of office.yaml
	channels []string                           // beside general and dev
	retries  []time.Duration                    // when Slack delivers an event again
	offline  bool                               // Slack is away at first
	bob      string                             // his model, default one of the provider
	deny     string                             // tools that alice does not hold
}

func channelID(name string) string { return "C0" + strings.ToUpper(name) }

// newWorkplace makes the two stand-ins and the folder. Nothing runs in it yet.
func newWorkplace(t testing.TB, p plan) *workplace {
	t.Helper()
	if p.think == nil {
		p.think = diligent
	}
	if p.retries == nil {
		p.retries = []time.Duration{300 * time.Millisecond, time.Second, 3 * time.Second, 6 * time.Second, 12 * time.Second}
	}
	names := append([]string{"general", "dev"}, p.channels...)
	all := []string{"U0BOT", "U0MARIA", "U0KIM", "U0LEE"}
	space := slacksim.Workspace{Users: []slacksim.User{
		{ID: "U0MARIA", Name: "maria", Admin: true}, {ID: "U0KIM", Name: "kim"}, {ID: "U0LEE", Name: "lee"},
	}}
	for _, name := range names {
		space.Channels = append(space.Channels, slacksim.Channel{ID: channelID(name), Name: name, Members: all})
	}
	w := &workplace{t: t}
	var err error
	if w.slack, err = slacksim.Start(slacksim.Options{Workspace: space, RetryDelays: p.retries}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.slack.Close() })
	if p.offline {
		w.slack.GoOffline()
	}
	if w.llm, err = llmsim.Start(llmsim.Options{}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.llm.Close() })
	w.llm.OnFunc(llmsim.Always(), p.think)
	w.dir = quickFolder(t)
	if err := os.MkdirAll(w.dir, 0o700); err != nil {
		t.Fatal(err)
	}
	w.configure(p, names)
	return w
}

// configure writes office.yaml and .env.
func (w *workplace) configure(p plan, names []string) {
	w.t.Helper()
	var office, linked strings.Builder
	for _, name := range names {
		if name != "general" {
			fmt.Fprintf(&office, "    %s: {members: [alice, bob]}\n", name)
		}
		fmt.Fprintf(&linked, "      %s: %s\n", name, channelID(name))
	}
	bob, deny := p.bob, ""
	if bob == "" {
		bob = "sim:bob"
	}
	if p.deny != "" {
		deny = ", permissions: {tools: {deny: [" + p.deny + "]}}"
	}
	yaml := fmt.Sprintf(`
office:
  name: Acme
  owner: maria
  front_desk: alice
  limits: {%s}
  channels:
%speople:
  maria: {slack: U0MARIA, admin: true}
providers:
  sim: {kind: openai, base_url: "%s"}
agents:
  alice: {role: leader, model: "sim:alice"%s}
  bob: {role: member, model: "%s"}
adapters:
  slack:
    app_token: "${SLACK_APP_TOKEN}"
    bot_token: "${SLACK_BOT_TOKEN}"
    api_url: %s
    channels:
%s`, p.limits, &office, w.llm.URL(), deny, bob, w.slack.APIURL(), &linked)
	env := fmt.Sprintf("SLACK_APP_TOKEN=%s\nSLACK_BOT_TOKEN=%s\n", w.slack.AppToken(), w.slack.BotToken())
	for name, text := range map[string]string{"office.yaml": yaml, ".env": env} {
		if err := os.WriteFile(filepath.Join(w.dir, name), []byte(text), 0o600); err != nil {
			w.t.Fatal(err)
		}
	}
}

// inShort are the times of sends in a build with faults: a kill in the middle of
// one costs a test little more than a second.
var inShort = []string{"BULLPEN_SEND_TIME=1s", "BULLPEN_SETTLE_TIME=300ms"}

// open starts the office, in a build with faults.
func (w *workplace) open(set ...string) *process {
	w.t.Helper()
	l := open(w.dir, "--exit-when-idle").with(append(slices.Clone(inShort), set...)...)
	if !w.killed {
		l = l.withRaces()
	}
	return w.run(l)
}

func (w *workplace) run(l launch) *process {
	w.t.Helper()
	p := start(w.t, l)
	w.runs = append(w.runs, p)
	return p
}

// until waits for something to be seen in Slack, or for the death of a process
// that may die; it is false then.
func (w *workplace) until(p *process, what string, cond func() bool) bool {
	w.t.Helper()
	ctx, cancel := context.WithTimeout(w.t.Context(), patience)
	defer cancel()
	dead := func() bool {
		select {
		case <-p.exited:
			return true
		default:
			return false
		}
	}
	go func() { // so that its death is noticed at once
		select {
		case <-p.exited:
			cancel()
		case <-ctx.Done():
		}
	}()
	err := w.slack.WaitFor(ctx, func(*slacksim.Server) bool { return cond() })
	if err == nil {
		return true
	}
	if dead() {
		return cond()
	}
	w.t.Fatalf("it never came to this: %s: %v\n%s", what, err, w.story())
	return false
}

// connected waits until the office listens and has read what it missed.
func (w *workplace) connected(p *process) bool {
	w.t.Helper()
	return w.until(p, "the office is connected", func() bool { return w.slack.Sockets() == 1 })
}

// must waits for something to be seen, from a process that must not die.
func (w *workplace) must(p *process, what string, cond func() bool) {
	w.t.Helper()
	if !w.until(p, what, cond) {
		w.t.Fatalf("bullpen died (%s) before this: %s\n%s", p.status(), what, w.story())
	}
}

// says posts as a person and gives the message's ts.
func (w *workplace) says(user, channel, text string) string {
	w.t.Helper()
	ts, err := w.slack.User(user).Post(channel, text)
	if err != nil {
		w.t.Fatal(err)
	}
	return ts
}

func (w *workplace) replies(user, channel, root, text string) string {
	w.t.Helper()
	ts, err := w.slack.User(user).Reply(channel, root, text)
	if err != nil {
		w.t.Fatal(err)
	}
	return ts
}

// dm is a person's direct talk with the office, as a channel.
func (w *workplace) dm(user string) string {
	w.t.Helper()
	id, err := w.slack.User(user).DMChannel()
	if err != nil {
		w.t.Fatal(err)
	}
	return id
}

// shown is one post of the office as people see it.
type shown struct {
	channel string // a name, or the id of a direct talk
	thread  string // the ts of its root
	author  string
	text    string // a part of it, where it is wanted; all of it, where it is found
}

func (s shown) String() string {
	return fmt.Sprintf("%s (thread %s) %s: %s", s.channel, s.thread, s.author, s.text)
}

// posts are all posts of messages of the office, channel by channel, each in
// order. Receipts, which are for their reader alone and may be lost, carry no key.
func (w *workplace) posts() []shown {
	var all []shown
	for _, id := range w.slack.Channels() {
		name := strings.TrimPrefix(w.slack.ChannelName(id), "#")
		if strings.HasPrefix(name, "@") {
			name = id
		}
		for _, e := range w.slack.Transcript(id) {
			if e.Ours && e.EphemeralTo == "" && strings.Contains(string(e.Metadata), "key") {
				all = append(all, shown{name, e.ThreadTS, e.Author, e.Shown()})
			}
		}
	}
	return all
}

func (s shown) is(want shown) bool {
	return s.channel == want.channel && s.thread == want.thread && s.author == want.author && strings.Contains(s.text, want.text)
}

// sees says whether everything that is wanted can be seen.
func (w *workplace) sees(want ...shown) bool { return allIn(w.posts(), want) }

func allIn(posts, want []shown) bool {
	for _, x := range want {
		found := false
		for _, p := range posts {
			found = found || p.is(x)
		}
		if !found {
			return false
		}
	}
	return true
}

// wantExactly: what people see of the office is this, each once, and nothing else.
func (w *workplace) wantExactly(want ...shown) {
	w.t.Helper()
	exactly(w.t, w.posts(), want)
}

func exactly(t testing.TB, posts, want []shown) {
	t.Helper()
	for _, x := range want {
		n := 0
		for _, p := range posts {
			if p.is(x) {
				n++
			}
		}
		if n != 1 {
			t.Errorf("shown %d times, want once: %s", n, x)
		}
	}
	for _, p := range posts {
		known := false
		for _, x := range want {
			known = known || p.is(x)
		}
		if !known {
			t.Errorf("nobody expected this: %s", p)
		}
	}
}

// rest lets the office finish in order. Then it owes nobody anything: what is to
// be seen in Slack is to be seen now, and no second copy can come later.
func (w *workplace) rest(p *process) *record {
	w.t.Helper()
	w.must(p, "Slack has nothing left to deliver", func() bool { return w.slack.Unsettled() == 0 })
	for range 5 {
		p.end()
		p.wantExit(0)
		r := readRecord(w.t, w.dir)
		if len(r.snap.Sends) == 0 && len(r.snap.Turns) == 0 && len(r.snap.Items) == 0 {
			return r
		}
		// A send that is in doubt holds nothing up: it is looked up by the next run.
		p = w.open()
		w.connected(p)
		select {
		case <-time.After(2 * time.Second): // more than that takes
		case <-p.exited:
		}
	}
	w.t.Fatalf("the office never comes to rest\n%s", w.story())
	return nil
}

// story is everything that a failed test may want to know.
func (w *workplace) story() string {
	var b strings.Builder
	for _, p := range w.posts() {
		fmt.Fprintf(&b, "shown: %s\n", p)
	}
	for i, p := range w.runs {
		fmt.Fprintf(&b, "run %d (%s):\n%s", i+1, p.status(), p.transcript())
	}
	log, _ := os.ReadFile(filepath.Join(w.dir, "logs", "bullpen.log"))
	if len(log) > 4000 {
		log = log[len(log)-4000:]
	}
	return b.String() + w.slack.Summary() + "log:\n" + string(log)
}

// atOnce runs tests side by side, more than there are processors: they wait most
// of their time.
func atOnce[T any](t *testing.T, all []T, name func(T) string, f func(t *testing.T, x T)) {
	t.Helper()
	room := make(chan struct{}, 6)
	var running sync.WaitGroup
	for _, x := range all {
		room <- struct{}{}
		running.Go(func() {
			defer func() { <-room }()
			t.Run(name(x), func(t *testing.T) { f(t, x) })
		})
	}
	running.Wait()
}
