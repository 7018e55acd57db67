package office

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// held describes what a colleague's deliveries wait for.
func (k *desk) heldBy(name string) []string {
	k.Helper()
	d := newDecision(k.s, k.now, k.random)
	var out []string
	for _, it := range d.held(k.id(name), Anchor{}) {
		h := d.heldItem(it)
		s := h.Message.String()
		for _, x := range h.Holds {
			s += " " + string(x.Outcome)
		}
		out = append(out, s)
	}
	return out
}

// chained lets alice and bob wake each other until the limit holds bob's mail.
func chained(t *testing.T) *desk {
	t.Helper()
	k := newDesk(t, withKim, func(s *Setup) { s.Limits.Depth = 1 })
	k.say("dev", "@alice go")
	k.call("alice", verb(PostCall{Channel: "dev", Text: "bob?", Wake: []string{"@bob"}}))
	k.finish("alice", "NO_REPLY")
	k.call("bob", verb(PostCall{Channel: "dev", Text: "alice?", Wake: []string{"@alice"}}))
	k.finish("bob", "NO_REPLY")
	wantLines(t, "held", k.heldBy("alice"), "dev-3 hop-limited")
	return k
}

func TestHeldNamesEveryReasonThatIsStillTrue(t *testing.T) {
	t.Parallel()
	k := chained(t)
	k.must(pause{On: true, By: DefaultOwner})
	wantLines(t, "held", k.heldBy("alice"), "dev-3 hop-limited paused")
	k.say("dev", "@bob look")
	wantLines(t, "bob's", k.heldBy("bob"), "dev-5 paused")
	k.must(pause{On: false, By: DefaultOwner})
	wantLines(t, "held", k.heldBy("alice"), "dev-3 hop-limited")
	wantLines(t, "bob's", k.heldBy("bob"))
}

func TestAPersonLetsHeldMailGo(t *testing.T) {
	t.Parallel()
	k := chained(t)
	choice := heldChoice{Colleague: "alice", At: Anchor{"dev", 3}, By: kim}
	if _, err := k.do(deliverHeld{choice}); err == nil {
		t.Error("kim, who is no admin, let it go")
	}
	choice.By = DefaultOwner
	k.must(pause{On: true, By: DefaultOwner})
	out := k.must(deliverHeld{choice}).(Released)
	if len(out.Gone) != 0 || len(out.Still) != 1 || out.Still[0].Holds[0].Outcome != Paused {
		t.Fatalf("%+v: a pause holds on", out)
	}
	if len(k.rec.questions) != 0 {
		t.Error("the question about what is free now is still open")
	}
	k.must(pause{On: false, By: DefaultOwner})
	if turn := k.running("alice"); turn == nil || fmt.Sprint(k.shown(turn.ID)) != "[dev-3]" {
		t.Errorf("alice runs %+v", turn)
	}
	if _, err := k.do(deliverHeld{choice}); err == nil || !strings.Contains(err.Error(), "dev-3 is not held") {
		t.Errorf("again: %v", err)
	}
}

func TestDroppedMailIsToldToItsWriters(t *testing.T) {
	t.Parallel()
	k := chained(t)
	k.must(pause{On: true, By: DefaultOwner})
	k.must(postRequest{Post: Post{Person: kim, Channel: "dev", Text: "@carol one"}})
	k.must(postRequest{Post: Post{Person: kim, Channel: "dev", Text: "@carol two"}})
	k.must(dropHeld{heldChoice{By: DefaultOwner}})
	k.must(pause{On: false, By: DefaultOwner})
	if len(k.rec.items) != 1 || len(k.rec.questions) != 0 || len(k.rec.turns) != 0 {
		t.Fatalf("left: %d items, %d questions, %d turns", len(k.rec.items), len(k.rec.questions), len(k.rec.turns))
	}
	all := k.texts("dev")
	wantLines(t, "the notices", all[len(all)-2:],
		"office: Dropped by user, before anybody read it: dev-5 for carol, dev-6 for carol.",
		"office: Dropped by user, before anybody read it: dev-3 for alice.")
	k.say("dev", "@bob anything new?")
	if f := k.frame(k.running("bob").ID); !strings.Contains(f, "read it: dev-3 for alice") {
		t.Errorf("bob, who wrote it, is told nothing: %s", f)
	}
}

// A preview says what posting the same then does, and changes nothing.
func TestAPreviewSaysWhatPostingDoes(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"@alice hi", "$leader look", "#dev up", "nobody", "@kim see", "@alice and #dev", "`@alice`"} {
		for name, prepare := range map[string]func(k *desk){
			"idle":    func(*desk) {},
			"running": func(k *desk) { k.say("general", "@alice go") },
			"paused":  func(k *desk) { k.must(pause{On: true, By: DefaultOwner}) },
			"quiet": func(k *desk) {
				k.say("general", "@alice go")
				k.call("alice", verb(DisturbCall{On: true, For: time.Hour}))
				k.finish("alice", "NO_REPLY")
			},
		} {
			t.Run(name+" "+text, func(t *testing.T) {
				t.Parallel()
				k := newDesk(t, withKim)
				prepare(k)
				k.now = k.now.Add(time.Second)
				d := newDecision(k.s, k.now, nil)
				p, err := d.preview(DefaultOwner, General, text, nil)
				if err != nil || len(d.batch()) != 0 {
					t.Fatalf("%v, %d changes", err, len(d.batch()))
				}
				k.now = k.now.Add(-time.Second)
				r := k.say("general", text)
				if got, want := outcomes(Receipt{Deliveries: p.Deliveries}), outcomes(r); got != want || p.Note != r.Note {
					t.Errorf("preview %q (%s), posted %q (%s)", got, p.Note, want, r.Note)
				}
			})
		}
	}
}
