package office_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"bullpen/office"
)

// Every filter of office_read, alone and with others; nothing stored and nothing
// that matches are told apart.
func TestReadingIsNarrowedByEveryFilter(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newSite(t, silent)
		by := office.Reader{Colleague: "c1"}
		read := func(c office.ReadCall) string {
			t.Helper()
			c.Channel = "general"
			got, err := s.o.Read(t.Context(), by, c)
			if err != nil {
				return "error: " + err.Error()
			}
			return got.Text
		}
		if got := read(office.ReadCall{}); got != "No messages yet." {
			t.Errorf("an empty channel is %q", got)
		}
		s.mustPost("morning")
		s.mustPost("@alice the build")
		synctest.Wait()
		time.Sleep(time.Hour)
		later := time.Now()
		s.mustPost("@bob evening")
		synctest.Wait()
		for want, c := range map[string]office.ReadCall{
			"1 2 3": {},
			"2":     {Contains: "BUILD"},
			"2 ":    {Mentions: "me"},
			"3":     {Mentions: "@bob"},
			"3 ":    {Since: later},
			"1 2":   {Until: later.Add(-time.Minute)},
			"2  ":   {From: 2, To: 3, Until: later.Add(-time.Minute)},
			"1":     {Thread: 1},
			"":      {Sender: "alice"},
			" ":     {Mentions: "me", Since: later},
		} {
			got := read(c)
			for _, seq := range []string{"1", "2", "3"} {
				if strings.Contains(got, "[general-"+seq+" ") != strings.Contains(want, seq) {
					t.Errorf("%+v gives %s, want %s", c, got, want)
				}
			}
			if strings.TrimSpace(want) == "" && got != "Nothing matches." {
				t.Errorf("%+v gives %q", c, got)
			}
		}
		for what, c := range map[string]office.ReadCall{
			"nobody is called": {Mentions: "zoe"}, "is no range": {From: 3, To: 2}, "until is before since": {Since: later, Until: later.Add(-time.Second)},
		} {
			if got := read(c); !strings.HasPrefix(got, "error: ") || !strings.Contains(got, what) {
				t.Errorf("%+v gives %q, want %q", c, got, what)
			}
		}
	})
}
