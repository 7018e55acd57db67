package agent

import "strings"

// writes takes what the model writes of the next step, piece by piece: each is a sign of
// life, and makes the draft grow.
func (t *turn) writes() func(piece string) {
	var said strings.Builder
	ref, step := t.start.Turn.Ref(), t.steps+1
	return func(piece string) {
		t.vigil.sign()
		said.WriteString(piece) // what it gave out before shares its memory, and stays as it is
		t.o.WriteDraft(ref, step, said.String())
	}
}

// cutShort is the failure of an answer of which people have seen a part: it is not asked
// for again, or they would see it change into another.
type cutShort struct{ failure error }

// Error is what whoever asked is told.
func (c cutShort) Error() string {
	return sentence(c.failure).Error() + "; a part of the answer had been shown by then, so it was not asked for again"
}
