package redis

import (
	"strings"
	"testing"
	"time"

	"bullpen/office"
)

func TestInspectNamesWhatDoesNotFit(t *testing.T) {
	t.Parallel()
	srv := sharedServer(t)
	s := openAt(t, srv.addr, "inspected")
	raw, lease := srv.client(t), acquire(t, s)
	at := time.Now().UTC()
	mustCommit(t, s, lease, 1, eventBatch(1, at)...)
	mustCommit(t, s, lease, 2, office.PutItem{Item: office.Item{ID: 7, To: "c1"}})
	want := func(when string, parts ...string) {
		t.Helper()
		got, err := s.Inspect(t.Context())
		if err != nil || len(got) != len(parts) {
			t.Fatalf("%s: %q (%v), want %d findings", when, got, err, len(parts))
		}
		for i, part := range parts {
			if !strings.Contains(got[i], part) {
				t.Errorf("%s: %q lacks %q", when, got[i], part)
			}
		}
	}
	want("as it was written")
	for _, command := range [][]any{
		{"ZREM", "bullpen:{inspected}:queue:c1", "7"},
		{"ZADD", "bullpen:{inspected}:queue:c9", "8", "8"},
		{"ZREMRANGEBYRANK", "bullpen:{inspected}:log", "0", "0"},
	} {
		if err := raw.Do(t.Context(), command...).Err(); err != nil {
			t.Fatal(err)
		}
	}
	want("spoilt", "queue:c1 lists the deliveries [], and the record says [7]", "queue:c9 lists the deliveries [8]", "the log lists 0 messages, and there are 1")
}
