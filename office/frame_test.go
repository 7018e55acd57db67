package office

import (
	"strings"
	"testing"
	"time"
)

// frameOf is the frame with which a colleague's running turn began.
func (k *desk) frameOf(name string) string {
	k.Helper()
	t := k.running(name)
	if t == nil {
		k.Fatalf("%s runs nothing", name)
	}
	return k.frame(t.ID)
}

func TestAFrameSaysWhereWhoAndWhen(t *testing.T) {
	t.Parallel()
	k := newDesk(t, withKim)
	k.must(pause{On: true, By: DefaultOwner})
	at := k.now
	k.must(postRequest{Post: Post{Person: kim, Channel: "dev", Text: "@alice old"}})
	k.say("dev", "@alice new")
	k.say("general", "beside")
	k.now = at.Add(61 * time.Second)
	k.say("dev", "@alice and #dev at once") // a conflict: it wakes nobody
	k.must(pause{On: false, By: DefaultOwner})
	wantLines(t, "the frame", strings.Split(k.frameOf("alice"), "\n"),
		`[dev-1 | #dev | from the person "kim" | wake @alice | 1m0s ago]`,
		"~~~~", "@alice old", "~~~~", "",
		"[dev-2 | #dev | from the user | wake @alice | 1m0s ago]",
		"~~~~", "@alice new", "~~~~", "",
		"(#dev has moved on to dev-3; read what is not shown here with office_read.)", "",
		closingLine, "")
	k.finish("alice", "NO_REPLY")
	for _, tc := range []struct {
		age  time.Duration
		want string
	}{{time.Minute, ""}, {61 * time.Second, "1m0s ago"}, {5*time.Minute + time.Second, "5m0s ago"}, {50 * time.Hour, "50h0m0s ago"}} {
		k.must(pause{On: true, By: DefaultOwner})
		k.say("general", "@bob look")
		k.now = k.s.recentAt().Add(tc.age - time.Second) // desk's clock goes on by a second
		k.must(pause{On: false, By: DefaultOwner})
		if f := k.frameOf("bob"); strings.Contains(f, "ago]") != (tc.want != "") || !strings.Contains(f, tc.want) {
			t.Errorf("after %s it says %s, want %q", tc.age, f, tc.want)
		}
		if f := k.frameOf("bob"); strings.Contains(f, "moved on") || strings.Contains(f, "Office status") {
			t.Errorf("a member's frame of the newest message says %s", f)
		}
		k.finish("bob", "NO_REPLY")
	}
	k.say("general", "@carol lead")
	if f := k.frameOf("carol"); !strings.Contains(f, "\nOffice status: carol running; alice idle; bob idle.\n") {
		t.Errorf("a leader's frame says %s", f)
	}
	k.say("general", "@alice work")
	k.say("general", "@carol and?")
	k.call("carol", verb(ColleaguesCall{}))
	if got := k.transcript("carol", ""); !strings.Contains(got, "\nOffice status: carol running; alice running; bob idle.\n") {
		t.Errorf("handed over later, it says %s", got)
	}
}

// recentAt is when the newest message waiting was written.
func (s *State) recentAt() time.Time {
	var at time.Time
	for _, it := range s.Items {
		at = later(at, it.Body.At)
	}
	return at
}
