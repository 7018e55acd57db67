package office

import (
	"errors"
	"strings"
	"testing"
)

// An album and its late parts are one message, also where the album itself has to
// wait, in whatever order and however often they come (B83).
func TestALatePartJoinsWhatWaits(t *testing.T) {
	t.Parallel()
	picture := func(id string) []File { return []File{{ID: id, Name: id + ".png"}} }
	for _, tc := range []struct {
		name    string
		restart bool
	}{{"at once", false}, {"after a restart", true}} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			k := newDesk(t)
			k.link(chatPortal())
			k.must(fill{chatDev, true})
			part := func(native, text string, more ...string) Receipt {
				t.Helper()
				rec, err := k.arrive(Inbound{Portal: chatDev, Person: DefaultOwner, Native: native, Text: text, Files: picture(native), More: append(more, "album"), Of: "album"})
				if err != nil {
					t.Fatal(err)
				}
				return rec
			}
			if rec := part("1", "look", "2"); !rec.Parked {
				t.Fatalf("the album was taken in: %+v", rec)
			}
			k.hear(chatDev, "9", "", "in between")
			if tc.restart {
				k.takeOver()
				k.must(fill{chatDev, true})
			}
			for again := range 2 {
				if rec := part("3", "@alice these"); !rec.Parked || rec.Again != (again == 1) {
					t.Fatalf("the late part, time %d: %+v", again, rec)
				}
			}
			k.must(fill{chatDev, false})
			wantLines(t, "dev", k.texts("dev"), "user: look\n@alice these", "user: in between")
			for _, m := range k.rec.messages {
				if strings.HasPrefix(m.Text, "look") && (len(m.Files) != 2 || !wokeAnybody(m)) {
					t.Errorf("the album is %+v", m)
				}
			}
			// What names a message that was taken in since its caller looked is sent back to look again.
			_, err := k.do(inbound{Inbound: Inbound{Portal: chatDev, Person: DefaultOwner, Native: "4", Files: picture("4"), Of: "album"}})
			if !tc.restart && !errors.Is(err, errLookAgain) {
				t.Errorf("a part of what was just taken in: %v", err)
			}
		})
	}
}

// A late part of what is in the record waits behind nobody.
func TestALatePartOfWhatIsThereDoesNotWait(t *testing.T) {
	t.Parallel()
	k := newDesk(t)
	k.link(chatPortal())
	k.hear(chatDev, "1", "", "@alice look")
	k.must(fill{chatDev, true})
	k.hear(chatDev, "2", "", "waits")
	whole := k.rec.messages[k.rec.natives[nativeKey(chatDev, "1")].Anchor]
	rec := k.must(inbound{of: whole, Inbound: Inbound{
		Portal: chatDev, Person: DefaultOwner, Native: "3", Files: []File{{ID: "3", Name: "3.png"}}, Of: "1", More: []string{"1"},
	}}).(Receipt)
	if rec.Parked || outcomes(rec) == "" {
		t.Errorf("%+v", rec)
	}
	wantLines(t, "dev", k.texts("dev"), "user: @alice look", "user: ")
	if n := k.rec.natives[nativeKey(chatDev, "1")]; n.Anchor != whole.Anchor() {
		t.Errorf("the whole's name went to its part: %+v", n)
	}
}
