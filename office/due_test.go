package office_test

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"bullpen/office"
)

// An office in which nothing can be due leaves its record alone, so that a record
// that nobody uses stays closed; what does get too old leaves it all the same.
func TestTheRecordOfASleepingOfficeIsLeftAlone(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newSite(t, silent)
		s.mustPost("@alice hello")
		time.Sleep(2 * time.Hour) // the first look
		synctest.Wait()
		before := s.store.reads.Load()
		if before == 0 {
			t.Fatal("nobody looked at all")
		}
		time.Sleep(20 * time.Hour)
		synctest.Wait()
		if n := s.store.reads.Load() - before; n != 0 {
			t.Errorf("the record was asked %d times though nothing could be due", n)
		}
		time.Sleep(30 * time.Hour) // an event's life and the retention are over
		synctest.Wait()
		if _, ok, err := s.store.Seen(t.Context(), "@alice hello"); ok || err != nil {
			t.Errorf("the event is known after its time: %v", err)
		}
		if n := s.shelves.count("messages"); n != 1 {
			t.Errorf("%d messages are archived, want 1", n)
		}
		before = s.store.reads.Load()
		time.Sleep(30 * 24 * time.Hour)
		synctest.Wait()
		if n := s.store.reads.Load() - before; n > 60 {
			t.Errorf("an empty office was asked %d times within a month", n)
		}
	})
}

// What a platform calls a message is known as long as the message lives; a
// summary does not end that, age does.
func TestNamesOfMessagesOnPlatformsLeaveWithThem(t *testing.T) {
	t.Parallel()
	for _, compact := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			s := newSite(t, silent)
			if err := s.o.Link(t.Context(), office.Portal{ID: "chat:g", Platform: "chat", Place: "g", Kind: office.ChannelPortal, Channel: office.General}); err != nil {
				t.Fatal(err)
			}
			in := office.Inbound{Portal: "chat:g", Person: office.DefaultOwner, Native: "1", Text: "hello"}
			if _, err := s.o.Inbound(t.Context(), in); err != nil {
				t.Fatal(err)
			}
			rev := office.Revision{Portal: "chat:g", Native: "1", Version: "2", Text: "hello, all"}
			if changed, err := s.o.Revise(t.Context(), rev); err != nil || !changed {
				t.Fatal(changed, err)
			}
			if compact {
				if _, err := s.o.Compact(t.Context(), office.General, 1, 1, "They met.", office.DefaultOwner); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := s.o.Unlink(t.Context(), "chat:g"); err != nil { // nothing of it waits to be shown
				t.Fatal(err)
			}
			time.Sleep(2 * time.Hour)
			synctest.Wait()
			if rec, err := s.o.Inbound(t.Context(), in); err != nil || !rec.Again {
				t.Errorf("compacted %v: the message is taken in twice: %+v, %v", compact, rec, err)
			}
			time.Sleep(100 * time.Hour)
			synctest.Wait()
			if _, known, err := s.store.Native(t.Context(), "chat:g", "1"); known || err != nil {
				t.Errorf("compacted %v: its name is kept for ever: %v", compact, err)
			}
			if revs, err := s.store.Revisions(t.Context(), "chat:g", "1"); len(revs) != 0 || err != nil {
				t.Errorf("compacted %v: what it said before is kept for ever: %v, %v", compact, revs, err)
			}
			if all := strings.Join(s.shelves.rows["messages"], "\n"); !strings.Contains(all, `"id":"1"`) || !strings.Contains(all, `"text":"hello"`) {
				t.Errorf("compacted %v: the archive has %s", compact, all)
			}
			if _, err := s.o.Message(t.Context(), office.Anchor{Channel: office.General, Seq: 1}); !errors.Is(err, office.ErrArchived) {
				t.Errorf("compacted %v: general-1 is %v", compact, err)
			}
			if findings, err := office.Verify(t.Context(), s.store); err != nil || len(findings) > 0 {
				t.Errorf("the record: %v, %v", findings, err)
			}
		})
	}
}

// The contexts of one who left are kept for an adoption, as long as the office
// keeps anything.
func TestContextsOfTheDismissedAreArchived(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newSite(t, silent)
		who, err := s.o.Hire(t.Context(), office.Hire{Setup: office.ColleagueSetup{Name: "rita", Model: "none"}, Ephemeral: true, By: office.DefaultOwner})
		if err != nil {
			t.Fatal(err)
		}
		s.mustPost("@rita hello")
		synctest.Wait()
		in := office.ContextID{Colleague: who.ID}
		entries := func() int {
			all, err := s.o.Transcript(t.Context(), in, 0)
			if err != nil {
				t.Fatal(err)
			}
			return len(all)
		}
		had := entries()
		if _, err := s.o.Dismiss(t.Context(), "rita", office.DefaultOwner, "test"); err != nil {
			t.Fatal(err)
		}
		time.Sleep(40 * time.Hour)
		synctest.Wait()
		if n := entries(); n != had || n == 0 {
			t.Errorf("%d of %d entries are left after a day", n, had)
		}
		time.Sleep(40 * time.Hour)
		synctest.Wait()
		if n := entries(); n != 0 || s.shelves.count("entries") != had {
			t.Errorf("%d entries are left, %d of %d archived", n, s.shelves.count("entries"), had)
		}
	})
}
