package main

import (
	"fmt"
	"strings"
	"testing"

	llmsim "bullpen/internal/sim/llm"
	slacksim "bullpen/internal/sim/slack"
)

// thankful is a model that thanks its colleague for whatever it is told, and so
// has a person's word end nowhere (B06).
func thankful(req *llmsim.Request) llmsim.Reply {
	other := map[string]string{"alice": "bob", "bob": "alice"}[req.Model]
	if req.Last().Role == "tool" {
		return llmsim.Text("NO_REPLY")
	}
	return llmsim.Calls(llmsim.Call{Name: "office_post", Args: fmt.Sprintf(`{"text":"thank you, %s","wake":["@%s"]}`, other, other)})
}

// chain is an office whose two colleagues thank each other for ever.
type chain struct {
	*workplace
	p    *process
	root string // of the thread in which they do
	dm   string // of the owner
}

// thanks counts what they have said to each other.
func (c *chain) thanks() int {
	n := 0
	for _, p := range c.posts() {
		if strings.Contains(p.text, "thank you") {
			n++
		}
	}
	return n
}

// asks are the questions with a button that stand in a channel.
func (c *chain) asks(channel string) []slacksim.Entry {
	var all []slacksim.Entry
	for _, e := range c.slack.Transcript(channel) {
		if e.Ours && len(e.Buttons) > 0 {
			all = append(all, e)
		}
	}
	return all
}

// stopped waits until they have thanked each other n times in all and are held,
// and checks that people are asked once.
func (c *chain) stopped(n int) {
	c.t.Helper()
	c.must(c.p, fmt.Sprintf("they are stopped after %d", n), func() bool {
		return c.thanks() >= n && len(c.asks("dev")) > 0 && len(c.asks(c.dm)) > 0
	})
	for channel, thread := range map[string]string{"dev": c.root, c.dm: ""} {
		asks := c.asks(channel)
		if len(asks) != 1 || len(asks[0].Buttons) != 1 || asks[0].ThreadTS != thread || !strings.Contains(asks[0].Shown(), "colleagues have woken each other 3 times in a row") {
			c.t.Errorf("in %s people are asked %v", channel, asks)
		}
	}
	if got := c.thanks(); got != n {
		c.t.Errorf("they thanked each other %d times, want %d", got, n)
	}
}

func (c *chain) press(user, channel string) {
	c.t.Helper()
	e := c.asks(channel)[0]
	if _, err := c.slack.User(user).Click(channel, e.TS, e.Buttons[0].ActionID); err != nil {
		c.t.Fatal(err)
	}
}

// TestColleaguesThatThankEachOtherAreStopped (B06): at the limit the thread and
// the owner are asked once, with a button that only the owner and admins may
// press; it lets them go on for once more, and so does a person's word.
func TestColleaguesThatThankEachOtherAreStopped(t *testing.T) {
	t.Parallel()
	c := &chain{workplace: newWorkplace(t, plan{think: thankful, limits: "max_depth: 3"})}
	c.dm = c.workplace.dm("maria")
	c.p = c.open()
	c.ready(c.p)
	c.root = c.says("kim", "dev", "@alice start")
	c.stopped(4) // alice's, which a person asked for, and three that colleagues caused
	for user, refusal := range map[string]string{"kim": "only the owner and the admins may decide this", "lee": "only people of this office may decide this"} {
		c.press(user, "dev")
		c.must(c.p, user+" is refused", func() bool { return c.whispered("dev", "U0"+strings.ToUpper(user), refusal) })
	}
	c.stopped(4)
	c.press("maria", c.dm)
	c.must(c.p, "they go on", func() bool { return c.thanks() > 4 })
	c.stopped(7) // what was held counts as the first that a colleague caused
	c.must(c.p, "both copies say who decided", func() bool {
		n := 0
		for _, ch := range []string{"dev", c.dm} {
			for _, e := range c.slack.Transcript(ch) {
				if strings.Contains(e.Shown(), "maria lets them go on") {
					n++
				}
			}
		}
		return n == 2
	})
	before := c.thanks()
	c.replies("kim", "dev", c.root, "@alice and now?")
	c.must(c.p, "a person's word starts them again", func() bool { return c.thanks() > before })
	c.p.end()
	c.p.wantExit(0)
	r := readRecord(t, c.dir)
	r.wantSound(t)
	if t.Failed() {
		t.Log(c.story())
	}
}

// TestTheDaysTokensAreUsedUp: who writes to a colleague whose tokens are used up
// is told so privately, the owner once; nothing is lost.
func TestTheDaysTokensAreUsedUp(t *testing.T) {
	t.Parallel()
	w := newWorkplace(t, plan{limits: "colleague_tokens_per_day: 5000", think: func(req *llmsim.Request) llmsim.Reply {
		return diligent(req).Usage(llmsim.Usage{Prompt: 6000, Completion: 10})
	}})
	dm := w.dm("maria")
	p := w.open()
	w.connected(p)
	s := &talk{w: w}
	s.asks("dev", "", 1)
	notice := shown{dm, "", "office", "alice has used its 5,000 tokens of today"}
	w.must(p, "it is answered, and the owner is told", func() bool { return w.sees(append(s.want, notice)...) })
	for n := 2; n <= 3; n++ {
		w.says("kim", "dev", fmt.Sprintf("@alice Q%d", n))
		w.must(p, "kim is told", func() bool {
			told := 0
			for _, e := range w.slack.Transcript("dev") {
				if e.EphemeralTo == "U0KIM" && strings.Contains(e.Shown(), "alice: over-budget (alice has used its 5,000 tokens of today") {
					told++
				}
			}
			return told == n-1
		})
	}
	ts := w.says("kim", "dev", "@bob Q4")
	s.want = append(s.want, shown{"dev", ts, "bob", answerTo(4)})
	w.must(p, "bob answers", func() bool { return w.sees(s.want...) })
	p.end()
	p.wantExit(0)
	bob := shown{dm, "", "office", "bob has used its 5,000 tokens of today"}
	w.wantExactly(append(s.want, notice, bob)...)
	r := readRecord(t, w.dir)
	r.wantSound(t)
	if n := len(r.snap.Items); n != 2 {
		t.Errorf("%d messages are held, want 2", n)
	}
	if t.Failed() {
		t.Log(w.story())
	}
}
