package office

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// The day of the budgets ends when it does in the office's time zone, also in one that
// is declared while the office runs.
func TestTheDayIsThatOfTheOfficesTimeZone(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		zone string
		want time.Time
	}{
		{"UTC", time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)},
		{"America/New_York", time.Date(2026, 12, 1, 5, 0, 0, 0, time.UTC)},
		{"Asia/Tokyo", time.Date(2026, 11, 30, 15, 0, 0, 0, time.UTC)},
		{"Asia/Kolkata", time.Date(2026, 11, 30, 18, 30, 0, 0, time.UTC)},
	} {
		for _, later := range []bool{false, true} {
			t.Run(fmt.Sprint(tc.zone, " declared later ", later), func(t *testing.T) {
				t.Parallel()
				k := newDesk(t, perColleague(1), func(s *Setup) {
					if s.Timezone = tc.zone; later {
						s.Timezone = "Pacific/Auckland"
					}
				})
				if later {
					k.say("general", "@alice go")
					k.finish("alice", "done")
					next := k.s.Setup
					next.Timezone = tc.zone
					said := k.must(reload{Setup: next, By: actor{person: DefaultOwner}}).(Report).String()
					if !strings.Contains(said, "time zone of the office is "+tc.zone) {
						t.Errorf("the reload says %q", said)
					}
				}
				k.say("general", "@alice one")
				k.spend("alice", 1, "done")
				k.say("general", "@alice two")
				if at := k.s.nextDeadline(k.now); !at.Equal(tc.want) {
					t.Errorf("it waits until %v, want %v", at.UTC(), tc.want)
				}
				k.now = tc.want.Add(-time.Second)
				if k.must(tick{}); k.running("alice") == nil {
					t.Error("it did not go on then")
				}
			})
		}
	}
}
