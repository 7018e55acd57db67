package rehearsal

import (
	"context"
	"fmt"
	"strings"
	"time"
)

// Prose is a text of n words in paragraphs, for answers that are shown while they are
// written.
func Prose(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "word%d is ", i)
		if i%12 == 11 {
			b.WriteString("**said**.\n\n")
		}
	}
	return b.String() + "the end."
}

// WriteSlowly gives an answer out a word at a time, five words a second; see Write.
func WriteSlowly(ctx context.Context, text string) error {
	for _, word := range strings.SplitAfter(text, " ") {
		Write(ctx, word)
		select {
		case <-time.After(200 * time.Millisecond):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// OwesNothing says that nothing is owed to a platform.
func (r *Troupe) OwesNothing(platform string) bool {
	p, err := r.Office.Portals(r.Context(), platform)
	if err != nil {
		return false
	}
	for i := range p {
		if owed, _, err := r.Office.Pending(r.Context(), p[i].ID); err != nil || owed != 0 {
			return false
		}
	}
	return true
}
