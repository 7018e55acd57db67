package bridge

import (
	"strings"

	"bullpen/bridge/command"
	"bullpen/office"
)

// Reception is what became of an arrival.
type Reception struct {
	// Ignored says that it is none of the office's business: a place that is not
	// linked, a bot, an echo.
	Ignored bool
	// Receipt says what became of its wakes, unless there is a Refusal or an Answer.
	Receipt office.Receipt
	// Refusal is one sentence for its writer alone, who may not talk here; empty
	// if it was told lately.
	Refusal string
	// Answer is what a command said, for its writer alone, with Choices as buttons.
	Answer  string
	Choices []command.Choice
}

// Kept says that the office has it now, or will when what comes first is there.
func (r Reception) Kept() bool {
	return r.Receipt.Anchor != (office.Anchor{}) || r.Receipt.Parked
}

// Said is what its writer is told at once, and alone if the platform can do that;
// mostly nothing.
func (r Reception) Said() (text string, choices []command.Choice) {
	switch {
	case r.Refusal != "":
		return r.Refusal, nil
	case r.Answer != "":
		return r.Answer, r.Choices
	case r.Receipt.Again:
		return "", nil
	}
	return inWords(r.Receipt), nil
}

// receiptNames bounds the deliveries that a receipt names.
const receiptNames = 20

// inWords says what of a receipt is not simply delivered; usually nothing.
func inWords(rec office.Receipt) string {
	if rec.Note != "" {
		return "Nobody was woken: " + strings.TrimSuffix(rec.Note, ".") + "."
	}
	var lines []string
	for _, d := range rec.Deliveries {
		plain := d.Outcome == office.Steered || d.Outcome == office.InMailbox ||
			(d.Outcome == office.Delivered || d.Outcome == office.Queued) && d.Detail == ""
		if plain {
			continue
		}
		line := d.Name + ": " + string(d.Outcome)
		if d.Detail != "" {
			line += " (" + d.Detail + ")"
		}
		lines = append(lines, line)
	}
	if len(rec.Deliveries) > receiptNames && len(lines) > 0 {
		return office.Tally(rec.Deliveries)
	}
	return strings.Join(lines, "\n")
}

func woken(o office.Outcome) bool {
	return o == office.Delivered || o == office.Steered || o == office.Queued
}
