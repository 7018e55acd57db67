package storetest

import (
	"fmt"
	"testing"

	"bullpen/office"
)

// testAudits: the audit log is read by pages from its end, and every line is on
// exactly one of them.
func testAudits(t *testing.T, open Open) {
	for _, n := range []int{0, 1, 2, 3, 6, 7} {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			o := own(t, open)
			var want []office.Audit
			for i := range n {
				a := office.Audit{At: now, By: "Ann ☃", From: "slack C1", What: fmt.Sprintf("rename alice to <%d>", i), Outcome: "done"}
				want = append(want, a)
				o.commit(office.AppendAudit{Audit: a})
			}
			o.restart()
			var got []office.Audit
			before := ""
			for pages := 0; ; pages++ {
				lines, earlier, err := o.store.Audits(t.Context(), before, 3)
				if err != nil || len(lines) > 3 || pages > n {
					t.Fatalf("page %d before %q has %d lines: %v", pages, before, len(lines), err)
				}
				got = append(lines, got...)
				if before = earlier; before == "" {
					break
				}
			}
			wantSame(t, "the audit log", got, append([]office.Audit{}, want...))
		})
	}
}
