package agent

import "unicode/utf8"

// When an answer ends in the same words over and over, it is cut: nobody reads
// it, and kept in the transcript it teaches the model to go on.
const (
	repeatUnit  = 200   // the longest piece, in bytes, whose repetition is looked for
	repeatTimes = 50    // how often it has to stand there
	repeatSpan  = 16384 // and how much of the text that has to be, in bytes: more than anybody asks for
	repeatNote  = "\n[cut here: it went on repeating itself]"
)

// withoutRepeats is a text whose end does not repeat itself without end: two of
// the repetitions stay, with a note.
func withoutRepeats(text string) string {
	for unit := 1; unit <= repeatUnit && unit*repeatTimes <= len(text); unit++ {
		last := text[len(text)-unit:]
		start := len(text) - unit
		for start >= unit && text[start-unit:start] == last {
			start -= unit
		}
		span := len(text) - start
		if span/unit < repeatTimes || span < repeatSpan {
			continue
		}
		end := start + 2*unit
		for end < len(text) && !utf8.RuneStart(text[end]) {
			end++
		}
		return text[:end] + repeatNote
	}
	return text
}
