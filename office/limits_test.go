package office

import (
	"strings"
	"testing"
)

// What is held over a budget goes on as soon as the limit is higher, and not at
// midnight only.
func TestAHigherLimitHandsOverWhatWasHeld(t *testing.T) {
	t.Parallel()
	k := newDesk(t, perColleague(100), withKim)
	k.say("general", "@alice one")
	k.spend("alice", 100, "done")
	if got := outcomes(k.say("general", "@alice two")); got != "alice over-budget" {
		t.Fatalf("at the limit: %s", got)
	}
	owner := actor{person: DefaultOwner}
	call := LimitsCall{map[string]any{"colleague_tokens_per_day": int64(500)}}
	p := k.must(intend{owner, call, true}).(plan)
	edit, ok := p.edits[0].(SetOffice)
	if !ok || edit.Fields["limits.colleague_tokens_per_day"] != int64(500) {
		t.Fatalf("the file is to change by %+v", p.edits)
	}
	next := k.s.Setup
	next.Limits.ColleagueTokens = 500
	if said := k.must(amended{By: owner, What: call, Setup: &next}).(string); !strings.Contains(said, "each colleague 5 USD and 500 tokens") {
		t.Errorf("it says %q", said)
	}
	if k.running("alice") == nil {
		t.Error("what was held waits for midnight")
	}
	k.say("general", "@carol lead")
	for _, by := range []actor{{turn: k.ref("carol")}, {person: DefaultOwner, turn: k.ref("carol")}, {person: kim}, {}} {
		if _, err := k.do(intend{by, call, true}); err == nil {
			t.Errorf("%+v changes what limits it", by)
		}
	}
	if _, err := k.do(intend{owner, LimitsCall{}, true}); err == nil {
		t.Error("no limit at all is changed")
	}
}
