package console

import (
	"fmt"
	"strings"
)

// maxNames is how many deliveries a receipt names; more are counted by outcome.
const maxNames = 20

// receipt is what became of a message that was typed here.
type receipt struct {
	anchor   string
	note     string // why nobody was woken although the text tried to
	outcomes []outcome
}

// outcome is what became of one wake.
type outcome struct {
	name, word string
	detail     string // why, where it is not simply delivered
}

// String is the receipt as one line.
func (r receipt) String() string {
	var said string
	switch {
	case r.note != "":
		said = "nobody woken: " + r.note
	case len(r.outcomes) == 0:
		said = "nobody woken"
	case len(r.outcomes) > maxNames:
		said = r.counted()
	default:
		said = r.named()
	}
	return escaped(r.anchor + ": " + said)
}

func (r receipt) named() string {
	parts := make([]string, len(r.outcomes))
	for i, o := range r.outcomes {
		parts[i] = o.name + " " + o.word
		if o.detail != "" {
			parts[i] += " (" + o.detail + ")"
		}
	}
	return strings.Join(parts, ", ")
}

// counted says how many deliveries had each outcome, in order of appearance.
func (r receipt) counted() string {
	var words []string
	counts := map[string]int{}
	for _, o := range r.outcomes {
		if counts[o.word] == 0 {
			words = append(words, o.word)
		}
		counts[o.word]++
	}
	for i, w := range words {
		words[i] = fmt.Sprintf("%d %s", counts[w], w)
	}
	return strings.Join(words, ", ")
}
