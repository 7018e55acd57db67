package office

import (
	"strings"
	"testing"
)

// withBoss adds a boss that works for the owner alone; kim is there as well.
func withBoss(s *Setup) {
	withKim(s)
	s.Boss = &BossSetup{Model: "demo", People: []PersonID{DefaultOwner}}
}

// bossTurn is the boss's running turn.
func (k *desk) bossTurn() *Turn {
	k.Helper()
	t := k.s.running[BossID]
	if t == nil {
		k.Fatal("the boss is not running")
	}
	return t
}

// bossCalls answers the boss's step with calls of the office's.
func (k *desk) bossCalls(verbs ...Verb) []string {
	k.Helper()
	t := k.bossTurn()
	r := Reply{Ref: t.Ref()}
	for _, v := range verbs {
		c := verb(v)
		c.Need.Boss = true
		r.Calls = append(r.Calls, c)
	}
	k.must(r)
	all := k.results(t.ID)
	return all[len(all)-len(verbs):]
}

func TestNobodyButItsPeopleReachesTheBoss(t *testing.T) {
	t.Parallel()
	k := newDesk(t, withBoss)
	k.link(threadedPortal(), dmPortal(), Portal{ID: "slack:kim", Platform: "slack", Place: "kim", Kind: DMPortal, Person: kim})
	if _, err := k.do(postRequest{Post{Person: kim, To: BossID, Text: "hire my cousin"}}); err == nil || strings.Contains(err.Error(), "boss,") {
		t.Errorf("a stranger to it wrote to the boss: %v", err)
	}
	if _, err := k.do(talkWith{"slack:kim", kim, "boss"}); err == nil {
		t.Error("a stranger to it talks with the boss")
	}
	for _, text := range []string{"@boss hello", "$leader hello", "$member hello", "#dev hello", "$boss hello", "@all hello"} {
		k.say("general", text)
		k.say("dev", text)
	}
	for _, name := range []string{"bob", "carol", "alice"} { // whoever runs tries to write to it
		if k.running(name) == nil {
			continue
		}
		k.call(name, verb(DMCall{Wake: []string{"@boss"}, Text: "psst"}), verb(PostCall{Channel: "general", Text: "psst", Wake: []string{"@boss"}}))
		for _, r := range k.results(k.running(name).ID) {
			if !strings.Contains(r, "Refused") {
				t.Errorf("%s reached the boss: %s", name, r)
			}
		}
	}
	if k.s.running[BossID] != nil || len(k.s.queues[BossID]) > 0 {
		t.Fatal("something woke the boss")
	}
	for _, ask := range []request{
		amended{By: actor{person: DefaultOwner}, What: DismissCall{Name: "boss"}},
		amended{By: actor{person: DefaultOwner}, What: ConfigureCall{Colleague: "boss", Fields: map[string]any{"role": "member"}}},
	} {
		k.must(ask)
		if k.s.boss() == nil || k.s.boss().Role != Boss {
			t.Fatalf("%T changed the boss", ask)
		}
	}
	v := k.s.view(k.now, nil)
	for _, c := range v.Colleagues {
		if c.Role == Boss {
			t.Error("the boss is on the roster")
		}
	}
	if v.Boss == nil || v.Boss.Status != Inactive {
		t.Errorf("the boss is shown as %+v", v.Boss)
	}
	k.must(talkWith{slackUser, DefaultOwner, "boss"})
	if got := outcomes(k.hear(slackUser, "1", "", "pause please")); got != "boss delivered" {
		t.Errorf("its own person's message: %s", got)
	}
	k.restart()
	if k.bossTurn().Person != "" {
		t.Error("the owner's talk is not in the working context")
	}
}

func TestTheBossWakesOthersAndIsWokenByNone(t *testing.T) {
	t.Parallel()
	k := newDesk(t, withBoss)
	k.link(threadedPortal())
	k.must(postRequest{Post{Person: DefaultOwner, To: BossID, Text: "get it done"}})
	got := k.bossCalls(
		DMCall{Wake: []string{"@carol"}, Text: "report to me"},
		PostCall{Channel: "dev", Text: "who is free?", Wake: []string{"#dev"}},
	)
	got = append(got, k.bossCalls(PauseCall{On: true, Note: "inventory"})...)
	for i, want := range []string{"carol: delivered", "Posted dev-1", "paused"} {
		if !strings.Contains(got[i], want) {
			t.Errorf("result %d: %s", i, got[i])
		}
	}
	if texts := k.texts("dev"); texts[0] != "boss: who is free?" {
		t.Errorf("in dev: %q", texts)
	}
	k.finish("carol", "I have nothing to report")
	k.must(Reply{Ref: k.bossTurn().Ref(), Text: "asked around"})
	if k.s.running[BossID] != nil {
		t.Error("a colleague's answer started a turn of the boss")
	}
	// A pause is the roster's: who may end it has to be reached.
	if rec := k.must(postRequest{Post{Person: DefaultOwner, To: BossID, Text: "go on"}}).(Receipt); outcomes(rec) != "boss delivered" {
		t.Errorf("while it is paused: %s", outcomes(rec))
	}
	if f := k.frame(k.bossTurn().ID); !strings.Contains(f, "I have nothing to report") || !strings.Contains(f, "Office status:") {
		t.Errorf("what came of its message rides with its next turn: %s", f)
	}
	k.bossCalls(PauseCall{On: false})
	k.must(Reply{Ref: k.bossTurn().Ref(), Text: "done"})
	// A person's reply in a thread where it spoke last addresses nobody.
	s := k.s.natives
	s.add(slackDev, "9", thread{root: k.rec.messages[Anchor{"dev", 1}], speaker: Author{Kind: ByColleague, ID: string(BossID), Name: "boss"}})
	k.hear(slackDev, "10", "9", "well?")
	if k.s.running[BossID] != nil {
		t.Error("a reply in a channel woke the boss")
	}
}

func TestTheBudgetHoldsForTheBoss(t *testing.T) {
	t.Parallel()
	k := newDesk(t, withBoss, func(s *Setup) { s.Limits.ColleagueTokens = 100 })
	k.must(postRequest{Post{Person: DefaultOwner, To: BossID, Text: "think"}})
	k.must(Reply{Ref: k.bossTurn().Ref(), Text: "thought", Usage: []Usage{{Input: 200}}})
	if rec := k.must(postRequest{Post{Person: DefaultOwner, To: BossID, Text: "more"}}).(Receipt); outcomes(rec) != "boss over-budget" {
		t.Errorf("over its budget: %s", outcomes(rec))
	}
}

func TestABossComesAndGoesWithItsDeclaration(t *testing.T) {
	t.Parallel()
	k := newDesk(t, withBoss)
	with := k.s.Setup
	k.must(postRequest{Post{Person: DefaultOwner, To: BossID, Text: "wait"}})
	none := with
	none.Boss = nil
	k.must(configure{none})
	if k.s.boss() != nil || k.s.running[BossID] != nil {
		t.Fatal("it is still there")
	}
	if _, err := k.do(postRequest{Post{Person: DefaultOwner, To: BossID, Text: "still?"}}); err == nil {
		t.Error("a boss that has gone was reached")
	}
	if c := k.s.dismissedNamed("boss"); c != nil {
		t.Error("it can be adopted as a colleague")
	}
	k.must(configure{with})
	k.must(postRequest{Post{Person: DefaultOwner, To: BossID, Text: "again"}})
	k.bossTurn()
	bad := with
	bad.Boss = &BossSetup{Model: "demo"}
	if _, err := k.do(configure{bad}); err == nil {
		t.Error("a boss for nobody was taken")
	}
}

// A call of the boss's in another office is carried out once, whatever becomes of
// the office that it is made in.
func TestACallFromAnotherOfficeIsCarriedOutOnce(t *testing.T) {
	t.Parallel()
	k := newDesk(t, withBoss)
	r := branchCall{"alpha 3.1.0", PostCall{Channel: "dev", Text: "from afar", Wake: []string{}}}
	first := k.must(r).(Result)
	again := k.must(r).(Result)
	if first.Failed || again.Text != doneBefore || len(k.texts("dev")) != 1 {
		t.Errorf("first %q, again %q, in dev %q", first.Text, again.Text, k.texts("dev"))
	}
	if _, seen := k.rec.seen[r.event()]; !seen {
		t.Error("the record does not know the call")
	}
	refused := branchCall{"alpha 3.1.1", PostCall{Channel: "nowhere", Text: "x", Wake: []string{}}}
	if res := k.must(refused).(Result); !res.Failed {
		t.Errorf("a post to nowhere: %+v", res)
	}
	plain := newDesk(t)
	if _, err := plain.do(r); err == nil {
		t.Error("an office without a boss obeyed one")
	}
}
