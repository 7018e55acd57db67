package console

import (
	"fmt"
	"testing"
)

func TestReceipts(t *testing.T) {
	t.Parallel()
	many := receipt{anchor: "general-9"}
	for i := range 25 {
		o := outcome{name: fmt.Sprintf("c%d", i), word: "delivered"}
		if i >= 23 {
			o = outcome{name: o.name, word: "queued", detail: "it is working"}
		}
		many.outcomes = append(many.outcomes, o)
	}
	twenty := receipt{anchor: "g-1"}
	for range maxNames {
		twenty.outcomes = append(twenty.outcomes, outcome{name: "a", word: "delivered"})
	}
	for want, r := range map[string]receipt{
		"general-1: nobody woken":                      {anchor: "general-1"},
		`general-2: nobody woken: write one of them\n`: {anchor: "general-2", note: "write one of them\n"},
		"general-3: alice delivered":                   {anchor: "general-3", outcomes: []outcome{{name: "alice", word: "delivered"}}},
		"general-4: alice queued (it is working), user mailbox": {
			anchor:   "general-4",
			outcomes: []outcome{{"alice", "queued", "it is working"}, {name: "user", word: "mailbox"}},
		},
		"general-9: 23 delivered, 2 queued": many,
	} {
		if got := r.String(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	if got := twenty.String(); got == "g-1: 20 delivered" {
		t.Errorf("%d names are counted although they can be named", maxNames)
	}
}
