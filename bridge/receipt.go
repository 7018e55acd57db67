package bridge

import (
	"context"
	"strings"
	"time"

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

// Tell has the writer of a message told, by whisper, what there is to say of it. That
// it has to wait for its turn is told when it still waits after a moment: most of it
// has been answered by then.
func (b *Bridge) Tell(later *Background, rec Reception, whisper func(said string, offered ...command.Choice)) {
	said, choices := rec.Said()
	switch {
	case said == "":
	case !rec.onlyWaits():
		whisper(said, choices...)
	default:
		time.AfterFunc(presenceAfter, func() {
			later.Do(func(ctx context.Context) {
				if waits, err := b.office.Untaken(ctx, rec.Receipt); err == nil && waits {
					whisper(said)
				}
			})
		})
	}
}

// onlyWaits says whether all that is to be told is that a turn has not begun yet.
func (r Reception) onlyWaits() bool {
	for _, d := range r.Receipt.Deliveries {
		if !woken(d.Outcome) && d.Outcome != office.InMailbox {
			return false
		}
	}
	return r.Refusal == "" && r.Answer == "" && r.Receipt.Note == ""
}

func woken(o office.Outcome) bool {
	return o == office.Delivered || o == office.Steered || o == office.Queued
}
