package bridge

import (
	"strings"

	"bullpen/office"
)

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
