package office

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"
)

// without takes a colleague off the roster by the declaration.
func (k *desk) without(name string) {
	k.Helper()
	next := k.s.Setup
	next.Colleagues = nil
	for _, c := range k.s.Setup.Colleagues {
		if c.Name != name {
			next.Colleagues = append(next.Colleagues, c)
		}
	}
	k.must(configure{next})
}

func TestRule25DismissalTellsTheWritersOfWhatItDrops(t *testing.T) {
	t.Parallel()
	k := newDesk(t)
	k.say("general", "@carol go")
	k.say("general", "@alice work")
	k.call("carol", verb(DMCall{Wake: []string{"@alice"}, Text: "for later", Notify: TurnEnd}))
	k.say("dev", "@alice and this")
	id := k.id("alice")
	k.without("alice")
	for _, it := range k.rec.items {
		if it.To == id {
			t.Errorf("%+v still waits for somebody who left", it)
		}
	}
	general, dev := k.texts(General), k.texts("dev")
	if last := general[len(general)-1]; !strings.Contains(last, "alice could not finish") || !strings.Contains(last, "left the office") {
		t.Errorf("in general: %q", last)
	}
	if last := dev[len(dev)-1]; last != "office: alice left the office, before anybody read it: dev-1 for alice." {
		t.Errorf("in dev: %q", last)
	}
	direct := k.texts(DirectBetween(id, k.id("carol")))
	if last := direct[len(direct)-1]; !strings.Contains(last, "left the office, before anybody read it") {
		t.Errorf("carol is told %q", last)
	}
	k.call("carol", verb(ColleaguesCall{})) // the note rides with its next step
	if f := k.frame(k.running("carol").ID); !strings.Contains(f, "left the office, before anybody read it") {
		t.Errorf("carol's frames: %s", f)
	}
	k.restart()
}

func TestWakesSwitchedOffStoreAndWakeNobody(t *testing.T) {
	t.Parallel()
	k := newDesk(t)
	k.say("general", "@bob first")
	k.say("general", "@bob second")
	k.must(wakes{On: false, By: DefaultOwner})
	k.must(pause{On: true, By: DefaultOwner}) // wakes come before a pause
	if got := outcomes(k.say("general", "@alice @user look")); got != "user mailbox, alice silent" && got != "alice silent, user mailbox" {
		t.Errorf("outcomes %q", got)
	}
	k.must(pause{On: false, By: DefaultOwner})
	k.finish("bob", "done")
	if k.running("bob") == nil {
		t.Error("what was queued before is not delivered")
	}
	k.must(wakes{On: true, By: DefaultOwner})
	if k.running("alice") != nil {
		t.Error("what was silent wakes somebody afterwards")
	}
	if got := outcomes(k.say("general", "@alice now")); got != "alice delivered" {
		t.Errorf("outcomes %q", got)
	}
	if _, err := k.do(wakes{By: "nobody"}); err == nil {
		t.Error("a stranger switched wakes off")
	}
}

// stuckOnce lets a colleague's turn give no sign of life.
func (k *desk) stuckOnce(name string) {
	k.Helper()
	k.must(stuck{k.ref(name)})
}

func TestFiveTimesWithoutASignOfLifeIsDeath(t *testing.T) {
	t.Parallel()
	k := newDesk(t)
	k.say("general", "@alice work")
	k.call("alice", outside("bash", EffectCall))
	old := k.ref("alice")
	k.stuckOnce("alice")
	if now := k.ref("alice"); now.Turn != old.Turn || now.Attempt != old.Attempt+1 {
		t.Fatalf("after %v runs %v", old, now)
	}
	if got := k.results(old.Turn); len(got) != 1 || !strings.Contains(got[0], "may have run") {
		t.Errorf("the open call returned %q", got)
	}
	if s := k.s.status(k.s.Colleagues[k.id("alice")]); s != Stuck {
		t.Errorf("its status is %s", s)
	}
	if _, err := k.do(stuck{old}); err == nil {
		t.Error("an attempt that is over was given up again")
	}
	k.now = k.now.Add(restartWindow) // long ago does not count
	for range restartsMost {
		k.stuckOnce("alice")
	}
	c := k.s.Colleagues[k.id("alice")]
	if k.running("alice") != nil || k.s.status(c) != Dead {
		t.Fatalf("alice is %s", k.s.status(c))
	}
	r := k.say("general", "@alice still there?")
	if outcomes(r) != "alice dead" || !strings.Contains(r.Deliveries[0].Detail, "no sign of life") {
		t.Errorf("receipt %+v", r.Deliveries)
	}
	k.restart()
	if len(k.mail()) != 1 || len(k.s.Questions) != 1 {
		t.Fatalf("the owner is told once: %q, %d questions", k.mail(), len(k.s.Questions))
	}
	k.must(press{ID: keys(k.s.Questions)[0], By: DefaultOwner})
	wantLines(t, "shown after its revival", k.shown(k.running("alice").ID), r.Anchor.String())
	if len(k.s.Questions) != 0 {
		t.Error("the question is still open")
	}
}

func TestARevivalByWordEndsTheQuestion(t *testing.T) {
	t.Parallel()
	k := newDesk(t)
	k.say("general", "@alice work")
	for range restartsMost {
		k.stuckOnce("alice")
	}
	k.say("general", "@alice and this")
	k.must(revive{Colleague: "alice", By: DefaultOwner})
	if k.running("alice") == nil || len(k.s.Questions) != 0 {
		t.Errorf("turn %v, questions %v", k.running("alice"), k.s.Questions)
	}
}

func TestOutcomesFollowTheOrderOfTheTable(t *testing.T) {
	t.Parallel()
	k := newDesk(t, func(s *Setup) { s.Limits.Depth = 1; s.Limits.ColleagueTokens = 10 })
	k.say("general", "@alice start")
	alice := *k.s.Colleagues[k.id("alice")]
	bob := *k.s.Colleagues[k.id("bob")]
	from := &decision{s: k.s, now: k.now, random: k.random}
	deep := errand{conv: Conversation{Channel: General}, depth: 5}
	for _, step := range []struct {
		want Outcome
		undo func()
	}{
		{Silent, func() { k.s.Meta.Silence = Silence{} }},
		{OfDead, func() { bob.Dead = Death{} }},
		{HopLimited, func() { deep.depth = 0 }},
		{OverBudget, func() { bob.Spent = Spent{} }},
		{Paused, func() { k.s.Meta.Pause = Pause{} }},
		{DoNotDisturb, func() { bob.Quiet = Quiet{} }},
		{Delivered, func() {}},
	} {
		if step.want == Silent {
			k.s.Meta.Silence, k.s.Meta.Pause = Silence{On: true}, Pause{On: true}
			bob.Dead, bob.Spent, bob.Quiet = Death{Since: k.now}, Spent{Day: from.today(), Tokens: 99}, Quiet{On: true, Until: k.now.Add(time.Hour)}
		}
		if got, _ := from.outcome(&bob, deep); got != step.want {
			t.Errorf("outcome %s, want %s", got, step.want)
		}
		step.undo()
	}
	if got, _ := from.outcome(&alice, errand{conv: Conversation{Channel: General}}); got != Steered {
		t.Errorf("for a running colleague: %s", got)
	}
}

func TestADeliveryThatBreaksFailsForItsRecipientAlone(t *testing.T) {
	t.Parallel()
	k := newDesk(t)
	k.say("general", "@alice busy")
	k.s.queues[k.id("alice")] = []*Item{nil} // what no record should give
	d := newDecision(k.s, k.now, k.random)
	out, err := postRequest{Post{Person: DefaultOwner, Channel: General, Text: "@alice @bob look"}}.decide(d)
	if err != nil {
		t.Fatal(err)
	}
	r := out.(Receipt)
	if outcomes(r) != "alice failed, bob delivered" || r.Deliveries[0].Detail == "" {
		t.Errorf("receipt %+v", r.Deliveries)
	}
	if k.s.Channels[General].Last != r.Anchor.Seq {
		t.Error("the message did not stay")
	}
}

func TestARoleChangeHoldsAtTheNextCall(t *testing.T) {
	t.Parallel()
	k := newDesk(t)
	k.say("general", "@carol go")
	interruptCall := verb(InterruptCall{Colleague: "alice"})
	interruptCall.Name, interruptCall.Need = "office_interrupt", Need{Leader: true}
	k.call("carol", interruptCall, outside("bash", EffectCall), interruptCall)
	next := k.s.Setup
	next.Colleagues = append([]ColleagueSetup(nil), next.Colleagues...)
	next.Colleagues[0].Role = Member
	k.must(configure{next})
	p := k.must(callResult{k.ref("carol"), 1, Result{Text: "ok"}, []PreparedCall{interruptCall, outside("bash", EffectCall), interruptCall}}).(Progress)
	if p.Colleague.Role != Member {
		t.Errorf("the runner is told that carol is a %s", p.Colleague.Role)
	}
	got := k.results(k.running("carol").ID)
	if len(got) != 3 || strings.Contains(got[0], "Refused") || !strings.Contains(got[2], "you do not hold the tool office_interrupt any more") {
		t.Errorf("results %q", got)
	}
}

func TestRolePermissionsBoundWhatARoleMayChange(t *testing.T) {
	t.Parallel()
	k := newDesk(t, func(s *Setup) { s.RolePermissions = map[Role]Preset{Member: ReadOnly, Leader: AskBeforeChange} })
	effect, pure := outside("bash", EffectCall), outside("read", PureCall)
	effect.Need.Effect = true
	k.say("general", "@alice @carol go")
	k.call("alice", pure)
	k.must(callResult{k.ref("alice"), 0, Result{Text: "text"}, []PreparedCall{pure}})
	k.call("alice", effect)
	if got := k.results(k.running("alice").ID); len(got) != 2 || !strings.Contains(got[1], "Refused") {
		t.Errorf("a read-only member's results: %q", got)
	}
	if p := k.call("carol", effect); !p.Waits {
		t.Errorf("a leader who has to ask goes on: %+v", p)
	}
	next := k.s.Setup
	next.RolePermissions = map[Role]Preset{Member: "all"}
	if _, err := k.do(configure{next}); err == nil || !strings.Contains(err.Error(), "ask-before-change") {
		t.Errorf("an unknown preset: %v", err)
	}
}

func TestALeaderIsToldOnceThatTheRosterChanged(t *testing.T) {
	t.Parallel()
	k := newDesk(t)
	const news = "roster has changed"
	turn := func() string {
		k.Helper()
		k.say("general", "@carol look")
		id := k.running("carol").ID
		k.finish("carol", "NO_REPLY")
		return k.frame(id)
	}
	if f := turn(); strings.Contains(f, news) || !strings.Contains(f, "Office status: carol") {
		t.Errorf("the first frame: %s", f)
	}
	next := k.s.Setup
	next.Colleagues = append([]ColleagueSetup(nil), append(next.Colleagues, ColleagueSetup{Name: "dave", Role: Member, Model: "demo"})...)
	k.must(configure{next})
	if f := turn(); !strings.Contains(f, news) || !strings.Contains(f, "dave inactive") {
		t.Errorf("after somebody came: %s", f)
	}
	if f := turn(); strings.Contains(f, news) {
		t.Errorf("told again: %s", f)
	}
	k.say("general", "@alice look")
	if f := k.frame(k.running("alice").ID); strings.Contains(f, news) || strings.Contains(f, "Office status") {
		t.Errorf("a member's frame: %s", f)
	}
}

func TestRule26FoldingIsPerContext(t *testing.T) {
	t.Parallel()
	k := newDesk(t, withKim, func(s *Setup) { s.Limits.Queue = 3 })
	k.must(pause{On: true, By: DefaultOwner})
	k.must(postRequest{Post{Person: kim, To: k.id("alice"), Text: "private"}})
	for i := range 6 {
		k.say("general", fmt.Sprint("@alice number ", i))
	}
	folded, private := 0, 0
	for _, it := range k.s.queues[k.id("alice")] {
		if it.Person == kim {
			private++
		}
		if it.Person == kim && it.Folded > 0 || it.Folded > 0 && it.FoldedFrom != (Anchor{General, 1}) {
			t.Errorf("mail was folded into that of another context: %+v", it)
		}
		folded += it.Folded
	}
	if n := len(k.s.queues[k.id("alice")]); n != 3 || folded != 4 || private != 1 {
		t.Errorf("%d wait, %d are folded, of kim %d", n, folded, private)
	}
}

func TestColleaguesShowsWhatEachIsDoingAndSinceWhen(t *testing.T) {
	t.Parallel()
	k := newDesk(t)
	k.say("general", "@carol look")
	k.say("general", "@alice work")
	k.say("dev", "@alice more")
	k.must(waiting{k.ref("alice"), k.now.Add(time.Hour)})
	k.call("carol", verb(ColleaguesCall{Tools: func(*Colleague) int { return 7 }}))
	got := k.results(k.running("carol").ID)[0]
	for _, want := range []string{
		"carol (leader, that is you): running since", "alice (member): quota-retry since", "tries again at", "1 queued",
		"bob (member): inactive", "model demo, permission full, 7 tools", "in #dev",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is not in:\n%s", want, got)
		}
	}
	k.call("carol", verb(DisturbCall{On: true, Note: "thinking"}))
	k.pause(true, "lunch")
	k.call("carol", verb(ColleaguesCall{}))
	for _, want := range []string{"not to be disturbed since", "because thinking", "the office is paused since", "because lunch"} {
		if got := k.lastResult("carol"); !strings.Contains(got, want) {
			t.Errorf("%q is not in:\n%s", want, got)
		}
	}
	k.call("carol", verb(RosterCall{Tools: func(*Colleague) int { return 7 }}))
	var all []RosterEntry
	if err := json.Unmarshal([]byte(k.lastResult("carol")), &all); err != nil {
		t.Fatal(err)
	}
	for _, e := range all {
		switch {
		case e.Tools != 7 || e.Permission != Full || e.Since.IsZero():
			t.Errorf("%s is %+v", e.Name, e)
		case e.Quiet != (e.Name == "carol") || e.Quiet && (e.QuietNote != "thinking" || e.QuietUntil.IsZero()):
			t.Errorf("the do-not-disturb of %s is %+v", e.Name, e)
		}
	}
}

func TestALeaderHiresAndDismissesNobody(t *testing.T) {
	t.Parallel()
	k := newDesk(t)
	k.say("general", "@carol @alice go")
	for _, a := range []Amendment{HireCall{Setup: ColleagueSetup{Name: "x"}}, DismissCall{"bob"}, RenameCall{"bob", "rob"}, RenameOfficeCall{"Mine"}} {
		if _, err := k.do(intend{actor{turn: k.ref("carol")}, a, true}); err == nil || !strings.Contains(err.Error(), "only the owner and the admins") {
			t.Errorf("%T: %v", a, err)
		}
	}
	if _, err := k.do(intend{actor{turn: k.ref("carol")}, ConfigureCall{"bob", map[string]any{"model": "demo2"}}, true}); err == nil || !strings.Contains(err.Error(), "role and description") {
		t.Errorf("a leader configures a model: %v", err)
	}
	if _, err := k.do(intend{actor{turn: k.ref("alice")}, ChannelDeleteCall{"dev"}, true}); err == nil || !strings.Contains(err.Error(), "only leaders") {
		t.Errorf("a member deletes a channel: %v", err)
	}
}
