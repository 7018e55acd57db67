package telegram

import (
	"strings"
	"testing"

	"bullpen/adapters/telegram/format"
	"bullpen/bridge"
	"bullpen/bridge/render"
)

// Every part fits with all that is added to it, in Telegram's unit.
func TestPartsFitWithWhatIsAdded(t *testing.T) {
	t.Parallel()
	a, err := New(Options{Token: "1:x"})
	if err != nil {
		t.Fatal(err)
	}
	long := bridge.Native{Kind: bridge.NativePerson, ID: "5", Label: "Somebody"}
	for name, text := range map[string]string{
		"emoji": strings.Repeat("🎉", 5000), "words": strings.Repeat("word ", 3000), "code": "```go\n" + strings.Repeat("x := 1\n", 2000) + "```",
		"mentions": strings.Repeat("@kim ", 900), "at the edge": strings.Repeat("🎉", (format.MaxText-margin)/2) + "x",
	} {
		shown := 0
		for _, part := range a.Split(text) {
			got, _ := textOf(bridge.Outgoing{
				Text: part, Persona: strings.Repeat("🦊", 100), Again: true,
				Mentions: func(string) (bridge.Native, bool) { return long, true },
			})
			if n := render.UTF16(got); n > format.MaxText {
				t.Errorf("%s: %d units", name, n)
			}
			shown += strings.Count(got, "🎉")
		}
		if shown != strings.Count(text, "🎉") {
			t.Errorf("%s: %d of %d are shown", name, shown, strings.Count(text, "🎉"))
		}
	}
}

func TestAButtonsDataFits(t *testing.T) {
	t.Parallel()
	one := func(value string) []bridge.Button { return []bridge.Button{{Label: "Go", Value: value}} }
	fits := strings.Repeat("q", dataMost-len(decidePrefix))
	if keyboard(one(fits)) == "" || keyboard(one(fits+"q")) != "" || keyboard(nil) != "" {
		t.Error("a question's button is there exactly where its data fits")
	}
}

func TestPlaces(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"-1001": "-1001", "-1001/7": "-1001/7", "-1001/1": "-1001", "42": "42", "": "", "x": "", "-1/x": "", "-1/-2": "", "0": "", "-1/2/3": "",
	} {
		p, err := parsePlace(in)
		if (err == nil) != (want != "") || err == nil && p.String() != want {
			t.Errorf("%q is %v (%v)", in, p, err)
		}
	}
	at := place{chat: -5}
	for in, want := range map[string]int64{"7": 0, "-100:8": 8, "x": 0, "-9:8": 0} {
		if got := messageID(in, at, -100); got != want {
			t.Errorf("%q is message %d", in, got)
		}
	}
}
