package office

import (
	"encoding/json"
	"strings"
	"testing"
)

// structured reads what the last result of somebody's turn says for programs.
func (k *desk) structured(name string, into any) {
	k.Helper()
	var last Entry
	for _, e := range k.rec.entries {
		if e.Turn == k.running(name).ID && e.Kind == EntryResult {
			last = e
		}
	}
	if err := json.Unmarshal(last.Structure, into); err != nil {
		k.Fatalf("the result %q says %s for programs: %v", last.Text, last.Structure, err)
	}
}

func TestResultsSpeakToProgramsAsWell(t *testing.T) {
	t.Parallel()
	k := newDesk(t)
	k.say("general", "@carol go")
	k.say("general", "@bob work")
	var p PostedStructure
	k.call("carol", verb(PostCall{Channel: "dev", Text: "look", Wake: []string{"@alice", "@bob", "@user"}}))
	k.structured("carol", &p)
	if p.Message != "dev-1" || p.Channel != "dev" || len(p.Deliveries) != 3 {
		t.Fatalf("a post: %+v", p)
	}
	found := map[string]DeliveryStructure{}
	for _, x := range p.Deliveries {
		found[x.Name] = x
	}
	if a, b, u := found["alice"], found["bob"], found["user"]; a.Outcome != Delivered || a.Status != Inactive ||
		b.Outcome != Steered || b.Status != Running || b.Detail == "" || u.Outcome != InMailbox || u.Status != "" {
		t.Errorf("deliveries: %+v", found)
	}
	k.call("carol", verb(DMCall{Text: "and you", Wake: []string{"@bob"}}))
	if k.structured("carol", &p); len(p.Deliveries) != 1 || p.Deliveries[0].Status != Running {
		t.Errorf("a direct message: %+v", p)
	}
	k.call("carol", verb(PostCall{Channel: "dev", Text: "nobody", Wake: []string{}}))
	if k.structured("carol", &p); p.Deliveries == nil || len(p.Deliveries) != 0 {
		t.Errorf("a post for nobody: %+v", p)
	}
	var channels []ChannelStructure
	k.call("carol", verb(ChannelsCall{}))
	if k.structured("carol", &channels); len(channels) < 2 || channels[0].Name != "dev" || channels[0].Messages != 2 {
		t.Errorf("channels: %+v", channels)
	}
	var roster []RosterEntry
	k.call("carol", verb(ColleaguesCall{}))
	if k.structured("carol", &roster); len(roster) != len(k.s.roster) || roster[0].Status == "" {
		t.Errorf("colleagues: %+v", roster)
	}
	k.call("carol", verb(PostCall{Channel: "nowhere", Text: "x", Wake: []string{}}))
	if last := k.rec.entries; len(last) > 0 {
		for _, e := range last {
			if e.Failed && e.Structure != nil {
				t.Errorf("a refusal says %s", e.Structure)
			}
		}
	}
	long := `"` + strings.Repeat("x", structureMost) + `"`
	if bounded(json.RawMessage(long)) != nil || bounded(json.RawMessage(`{"`)) != nil || bounded(json.RawMessage(`{}`)) == nil {
		t.Error("what is stored is not bounded")
	}
	k.restart()
}
