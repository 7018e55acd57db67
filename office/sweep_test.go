package office_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"bullpen/office"
)

// shelves is an archive in memory that can be full.
type shelves struct {
	mu   sync.Mutex
	rows map[string][]string
	full error
}

func (s *shelves) Append(_ context.Context, kind string, rows []json.RawMessage) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.full != nil {
		return s.full
	}
	for _, r := range rows {
		s.rows[kind] = append(s.rows[kind], string(r))
	}
	return nil
}

func (s *shelves) count(kind string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.rows[kind])
}

// Promise 7: what is older than retention leaves the record for the archive, in
// which it stands before.
func TestWhatIsTooOldIsArchived(t *testing.T) {
	t.Parallel()
	for _, full := range []bool{false, true} {
		t.Run(fmt.Sprintf("full %v", full), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				s := newSite(t, silent)
				for i := range 210 { // more than one commit's worth
					if err := s.crowdPost(t.Context(), i); err != nil {
						t.Fatal(err)
					}
				}
				s.mustPost("@alice hello") // with an event's id
				if full {
					s.shelves.full = errors.New("the disk is full")
				}
				time.Sleep(25 * time.Hour)
				synctest.Wait()
				if _, ok, err := s.store.Seen(t.Context(), "@alice hello"); ok || err != nil {
					t.Errorf("an event is known after a day: %v", err)
				}
				if n := s.shelves.count("messages"); n != 0 {
					t.Errorf("%d messages are archived after a day", n)
				}
				time.Sleep(25 * time.Hour)
				synctest.Wait()
				s.mustPost("new")
				page, err := s.store.Messages(t.Context(), office.MessageQuery{Channels: []office.ChannelID{office.General}})
				if err != nil {
					t.Fatal(err)
				}
				want := 1
				if full {
					want = 212
				}
				if page.Total != want || page.Messages[want-1].Seq != 212 {
					t.Errorf("%d messages are left, want %d", page.Total, want)
				}
				if !full && (s.shelves.count("messages") != 211 || s.shelves.count("turns") != 1) {
					t.Errorf("archived: %d messages, %d turns", s.shelves.count("messages"), s.shelves.count("turns"))
				}
				_, err = s.o.Message(t.Context(), office.Anchor{Channel: office.General, Seq: 3})
				if errors.Is(err, office.ErrArchived) == full {
					t.Errorf("full %v, and general-3 is %v", full, err)
				}
				if findings, err := office.Verify(t.Context(), s.store); err != nil || len(findings) > 0 {
					t.Errorf("the record: %v, %v", findings, err)
				}
			})
		})
	}
}

// A compacted range is archived at once; its anchors lead to the summary, and a
// restart changes nothing.
func TestAnchorsOfASummarisedRangeLeadToTheSummary(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newSite(t, silent)
		for i := range 9 {
			if err := s.crowdPost(t.Context(), i); err != nil {
				t.Fatal(err)
			}
		}
		rec, err := s.o.Compact(t.Context(), office.General, 2, 6, "They counted.", office.DefaultOwner)
		if err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		for _, when := range []string{"at once", "after another summary"} {
			for seq := int64(2); seq <= 6; seq++ {
				m, err := s.o.Message(t.Context(), office.Anchor{Channel: office.General, Seq: seq})
				if err != nil || m.Seq < rec.Anchor.Seq || !strings.Contains(m.Text, "They counted") {
					t.Fatalf("%s: general-%d is %+v, %v", when, seq, m, err)
				}
			}
			by := office.Reader{Colleague: "c1"}
			got, err := s.o.Read(t.Context(), by, office.ReadCall{Channel: "general", From: 3, To: 7})
			if err != nil || !strings.Contains(got.Text, "They counted") || strings.Contains(got.Text, "crowd 3") || !strings.Contains(got.Text, "crowd 6") {
				t.Errorf("%s: reading 3 to 7 gives %s, %v", when, got.Text, err)
			}
			if findings, err := office.Verify(t.Context(), s.store); err != nil || len(findings) > 0 {
				t.Errorf("%s: the record: %v, %v", when, findings, err)
			}
			if when == "at once" {
				if n := s.shelves.count("messages"); n != 5 {
					t.Errorf("%d messages are archived, want 5", n)
				}
				if _, err := s.o.Compact(t.Context(), office.General, 8, 9, "They counted on.", office.DefaultOwner); err != nil {
					t.Fatal(err)
				}
				synctest.Wait()
			}
		}
	})
}

// An edit that came before its message waits for it for a day, and stays no longer.
func TestEditsWhoseMessageNeverComesAreForgotten(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newSite(t, silent)
		if err := s.o.Link(t.Context(), office.Portal{ID: "chat:g", Platform: "chat", Place: "g", Kind: office.ChannelPortal, Channel: office.General}); err != nil {
			t.Fatal(err)
		}
		for _, native := range []string{"1", "2"} {
			rev := office.Revision{Portal: "chat:g", Native: native, Version: "2", Text: "as edited"}
			if changed, err := s.o.Revise(t.Context(), rev); err != nil || changed {
				t.Fatal(changed, err)
			}
		}
		time.Sleep(22 * time.Hour)
		rec, err := s.o.Inbound(t.Context(), office.Inbound{Portal: "chat:g", Person: office.DefaultOwner, Native: "1", Text: "as written"})
		if err != nil {
			t.Fatal(err)
		}
		kept := func() int {
			revs, err := s.store.Revisions(t.Context(), "chat:g", "2")
			if err != nil {
				t.Fatal(err)
			}
			return len(revs)
		}
		if n := kept(); n != 1 {
			t.Errorf("within the day %d edits wait for their message, want 1", n)
		}
		time.Sleep(4 * time.Hour)
		synctest.Wait()
		if n := kept(); n != 0 {
			t.Errorf("after the day %d edits wait for their message", n)
		}
		if m, err := s.o.Message(t.Context(), rec.Anchor); err != nil || m.Text != "as edited" || !m.Edited {
			t.Errorf("the message that came reads %+v, %v", m, err)
		}
		if n := s.shelves.count(string(office.LogEarly)); n != 0 {
			t.Errorf("%d of them are in the archive", n)
		}
	})
}
