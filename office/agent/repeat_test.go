package agent

import (
	"strings"
	"testing"
)

func TestAnAnswerThatRepeatsItselfIsCut(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, text string
		want       string
	}{
		{"prose", "It works. It works well, and it works often.", "It works. It works well, and it works often."},
		{"a rule of dashes", "a\n" + strings.Repeat("-", 80) + "\nb", "a\n" + strings.Repeat("-", 80) + "\nb"},
		{"a long table of like rows", strings.Repeat("| a | b |\n", 30), strings.Repeat("| a | b |\n", 30)},
		{"one sentence for ever", "So: " + strings.Repeat("I will try again. ", 1500), "So: " + strings.Repeat("I will try again. ", 2) + repeatNote},
		{"one character for ever", "Hm" + strings.Repeat("日", 8000), "Hm日日" + repeatNote},
		{"a page of lines that somebody asked for", strings.Repeat("I must not talk in class.\n", 500), strings.Repeat("I must not talk in class.\n", 500)},
		{"empty", "", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			if got := withoutRepeats(tc.text); got != tc.want {
				t.Errorf("got %.200q, want %.200q", got, tc.want)
			}
		})
	}
}
