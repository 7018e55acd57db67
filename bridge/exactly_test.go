package bridge_test

import (
	"fmt"
	"strings"
	"testing"

	"bullpen/bridge"
	"bullpen/bridge/command"
	"bullpen/office"
)

// A command that was begun and never ended, because the process died, is begun once
// more when its platform delivers it again, and then no more.
func TestACommandThatKillsIsNotBegunForEver(t *testing.T) {
	t.Parallel()
	r := newRightful(t)
	give := func(event string) bridge.Reply {
		t.Helper()
		got, err := r.b.Order(t.Context(), bridge.Order{
			Author: bridge.Author{Account: bridge.Account{Platform: "telegram", ID: "2"}, Full: true},
			Way:    command.BySlash, Place: "-100", Event: event, Line: "pause",
		})
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	for died, want := range []bool{true, true, false} {
		event := fmt.Sprint("died ", died)
		for try := 1; try <= died; try++ { // what a process that died leaves behind
			if first, err := r.b.Office().Once(t.Context(), fmt.Sprint("telegram command ", event, " try ", try)); err != nil || !first {
				t.Fatal(err)
			}
		}
		got := give(event)
		if paused := r.paused(); got.Again == want || paused != want {
			t.Errorf("after %d deaths: %+v, paused: %v", died, got, paused)
		}
		if got := give(event); r.paused() || !got.Again {
			t.Errorf("after %d deaths it is done twice: %+v", died, got)
		}
	}
}

// In a direct talk a mistyped command is answered with the one that was meant, and
// wakes nobody; what only begins with a slash is talk.
func TestAMistypedCommandInADirectTalk(t *testing.T) {
	t.Parallel()
	r := newRightful(t)
	by := bridge.Author{Account: bridge.Account{Platform: "telegram", ID: "2"}, Full: true}
	for text, want := range map[string]string{
		"/stauts":                "did you mean /status?",
		"/env alice":             "did you mean /agent env?",
		"/etc/hosts is broken":   "",
		"/1234 is an odd number": "",
		"/xyzzyplugh":            "",
		"/":                      "",
	} {
		got, err := r.b.Arrive(t.Context(), bridge.Arrival{Author: by, Place: "2", Direct: true, Native: text, Text: text})
		talk := got.Receipt.Anchor != office.Anchor{}
		if err != nil || !strings.Contains(got.Answer, want) || talk != (want == "") {
			t.Errorf("%q: %+v (%v)", text, got, err)
		}
	}
	// In a channel it may be another bot's.
	got, err := r.b.Arrive(t.Context(), bridge.Arrival{Author: by, Place: "-100", Native: "c", Text: "/stauts", Command: "stauts"})
	if err != nil || got.Answer != "" {
		t.Errorf("%+v (%v)", got, err)
	}
}
