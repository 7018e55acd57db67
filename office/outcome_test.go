package office

import (
	"strings"
	"testing"
	"time"
)

// dying kills a colleague.
type dying ColleagueID

func (r dying) decide(d *decision) (any, error) {
	c := *d.s.Colleagues[ColleagueID(r)]
	c.Dead = Death{Since: d.now, Why: "it gave no sign of life"}
	d.put(PutColleague{c})
	return nil, nil
}

// Whoever writes is told what becomes of it and why, and so is whoever asks.
func TestAReceiptSaysWhatHoldsAMessage(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name   string
		state  func(k *desk)
		notify Notify
		want   []string
	}{
		{"paused", func(k *desk) { k.must(pause{On: true, By: DefaultOwner, Note: "moving house"}) }, StepEnd, []string{"bob: paused", "since ", "user", "moving house"}},
		{"do not disturb", func(k *desk) {
			k.say("general", "@bob rest")
			k.call("bob", verb(DisturbCall{On: true, Note: "deep in a proof", For: time.Hour}))
			k.finish("bob", "NO_REPLY")
		}, StepEnd, []string{"bob: do-not-disturb", "since ", "UTC", "deep in a proof"}},
		{"dead", func(k *desk) {
			k.must(dying(k.id("bob")))
		}, StepEnd, []string{"bob: dead", "until a person revives it"}},
		{"its account is exhausted", func(k *desk) {
			k.say("general", "@bob work")
			k.must(waiting{k.ref("bob"), time.Date(2026, 12, 1, 6, 30, 0, 0, time.UTC)})
		}, StepEnd, []string{"bob: steered", "2026-12-01 06:30 UTC"}},
		{"its account is exhausted, for another conversation", func(k *desk) {
			k.must(postRequest{Post: Post{Person: DefaultOwner, To: k.id("bob"), Text: "work"}})
			k.must(waiting{k.ref("bob"), time.Date(2026, 12, 1, 6, 30, 0, 0, time.UTC)})
		}, TurnEnd, []string{"bob: queued", "2026-12-01 06:30 UTC"}},
		{"working", func(k *desk) { k.say("dev", "@bob work") }, StepEnd, []string{"bob: steered", "at its next step"}},
		{"working, and not to be interrupted", func(k *desk) { k.say("dev", "@bob work") }, TurnEnd, []string{"bob: queued", "a turn of its own after that"}},
		{"idle", func(*desk) {}, StepEnd, []string{"bob: delivered"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			k := newDesk(t)
			k.say("general", "@alice go")
			tc.state(k)
			k.call("alice", verb(PostCall{Channel: "general", Text: "bob?", Wake: []string{"@bob"}, Notify: tc.notify}))
			for _, want := range tc.want {
				if got := k.lastResult("alice"); !strings.Contains(got, want) {
					t.Errorf("alice is told %s; want %q", got, want)
				}
			}
			k.call("alice", verb(DMCall{Text: "bob?", Wake: []string{"@bob"}, Notify: tc.notify}))
			status := string(k.s.status(k.s.Colleagues[k.id("bob")]))
			if tc.name == "idle" {
				status = string(Running) // from the post before
			}
			if got := k.lastResult("alice"); !strings.Contains(got, "(bob was "+status+" when it arrived)") {
				t.Errorf("alice is told %s; want what bob was doing: %s", got, status)
			}
		})
	}
}

// Those who go after it are not ahead of it.
func TestOnlyTheMoreUrgentAreAhead(t *testing.T) {
	t.Parallel()
	k := newDesk(t, func(s *Setup) { s.Limits.ConcurrentTurns = 1 })
	k.say("general", "@carol go")
	k.call("carol", verb(PostCall{Channel: "general", Text: "go", Wake: []string{"@alice"}}))
	if r := k.say("general", "@bob go"); !strings.Contains(r.Deliveries[0].Detail, "0 ahead of it") {
		t.Errorf("a person's message goes before a colleague's, and is told %q", r.Deliveries[0].Detail)
	}
	k.finish("carol", "NO_REPLY")
	if k.running("bob") == nil || k.running("alice") != nil {
		t.Error("and the other one went first")
	}
}
