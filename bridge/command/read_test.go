package command

import (
	"strings"
	"testing"
	"time"
)

// Times are written as people write them, in the office's zone.
func TestMoments(t *testing.T) {
	t.Parallel()
	zone := time.FixedZone("there", 2*60*60)
	now := time.Date(2026, 11, 30, 14, 30, 0, 0, zone)
	for raw, want := range map[string]string{
		"":                     "0001-01-01T00:00:00Z",
		"2026-11-29":           "2026-11-28T22:00:00Z",
		"until 2026-11-29":     "2026-11-29T21:59:59Z",
		"09:00":                "2026-11-30T07:00:00Z",
		"until 09:00":          "2026-11-30T07:00:59Z",
		"2026-11-29T23:15":     "2026-11-29T21:15:00Z",
		"2026-11-29 23:15:07":  "2026-11-29T21:15:07Z",
		"2026-11-29T23:15:00Z": "2026-11-29T23:15:00Z",
		"2h":                   "2026-11-30T10:30:00Z",
		"90m ago":              "2026-11-30T11:00:00Z",
		"1d":                   "2026-11-29T12:30:00Z",
	} {
		said, end := strings.CutPrefix(raw, "until ")
		got, err := momentOf("since", said, now, end)
		if text := got.UTC().Format(time.RFC3339); err != nil || text != want {
			t.Errorf("%q is %s %v, want %s", raw, text, err, want)
		}
	}
	for _, raw := range []string{"yesterday", "9", "25:00", "2026-13-01", "-2h", "0s", strings.Repeat("x", 500)} {
		if got, err := momentOf("since", raw, now, false); err == nil || len(err.Error()) > 300 {
			t.Errorf("%.20q is %s, %v", raw, got, err)
		}
	}
}
