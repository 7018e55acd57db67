package redis

import (
	"slices"
	"strings"
	"testing"

	"bullpen/office"

	driver "github.com/redis/go-redis/v9"
	"pgregory.net/rapid"
)

func TestURL(t *testing.T) {
	t.Parallel()
	tests := []struct {
		url  string
		want driver.UniversalOptions
		tls  bool
	}{
		{"redis://u:p%40ss@h:1/2", driver.UniversalOptions{Addrs: []string{"h:1"}, Username: "u", Password: "p@ss", DB: 2}, false},
		{"rediss://h", driver.UniversalOptions{Addrs: []string{"h:6379"}}, true},
		{"unix:///run/r.sock?db=3", driver.UniversalOptions{Addrs: []string{"/run/r.sock"}, DB: 3}, false},
		{
			"redis+sentinel://u:p@a:1,[::1]:2/main/4?sentinel_password=s", driver.UniversalOptions{
				Addrs: []string{"a:1", "[::1]:2"}, Username: "u", Password: "p", MasterName: "main", DB: 4, SentinelPassword: "s",
			}, false,
		},
		{"rediss+cluster://a:1", driver.UniversalOptions{Addrs: []string{"a:1"}, IsClusterMode: true}, true},
		{"redis+cluster://a:1,b:2/0", driver.UniversalOptions{Addrs: []string{"a:1", "b:2"}, IsClusterMode: true}, false},
	}
	for _, tt := range tests {
		got, _, err := Options{URL: tt.url}.connection()
		if err != nil {
			t.Errorf("%s: %v", tt.url, err)
			continue
		}
		w := tt.want
		if !slices.Equal(got.Addrs, w.Addrs) || got.Username != w.Username || got.Password != w.Password || got.DB != w.DB ||
			got.MasterName != w.MasterName || got.SentinelPassword != w.SentinelPassword || got.IsClusterMode != w.IsClusterMode ||
			(got.TLSConfig != nil) != tt.tls {
			t.Errorf("%s: %+v", tt.url, got)
		}
		if !got.ContextTimeoutEnabled || got.ReadOnly {
			t.Errorf("%s: contexts are not heeded, or replicas read", tt.url)
		}
	}
}

func TestBadURLsKeepTheirSecret(t *testing.T) {
	t.Parallel()
	for _, url := range []string{
		"", "hunter2", "http://u:hunter2@h", "redis://u:hunter2@h:x", "redis://u:hun/hunter2@h:1", "redis://:hunter2@h:1/x",
		"redis+sentinel://u:hunter2@a:1", "redis+sentinel://u:hunter2@a/b", "redis+sentinel://u:hunter2%@a:1/m", "redis+cluster://u:hunter2@a:1/hunter2",
		"redis+sentinel://u:hunter2@a:1/m/hunter2", "redis+other://hunter2@a:1", "redis://h:1?hunter2=1",
	} {
		s, err := Open(t.Context(), Options{URL: url, Office: "a"})
		if err == nil {
			t.Errorf("%q was accepted", url)
			_ = s.Close()
			continue
		}
		if strings.Contains(err.Error(), "hunter2") {
			t.Errorf("the error %q holds the secret", err)
		}
	}
}

func TestOfficeIDs(t *testing.T) {
	t.Parallel()
	for id, ok := range map[string]bool{
		"acme": true, "müller-7": true, "a:b": true, "": false, "a b": false, "a}b": false, "{": false, "a\n": false, strings.Repeat("x", 201): false,
	} {
		if _, err := keysOf(id); (err == nil) != ok {
			t.Errorf("office %q: %v", id, err)
		}
	}
}

// Different names must never make the same key.
func TestPartsOfKeysAreApart(t *testing.T) {
	t.Parallel()
	text := rapid.OneOf(rapid.StringMatching(`[a:%3A{} ]{0,6}`), rapid.Map(rapid.SliceOfN(rapid.Byte(), 0, 6), func(b []byte) string { return string(b) }))
	rapid.Check(t, func(t *rapid.T) {
		a := office.ContextID{Colleague: office.ColleagueID(text.Draw(t, "a")), Person: office.PersonID(text.Draw(t, "for a"))}
		b := office.ContextID{Colleague: office.ColleagueID(text.Draw(t, "b")), Person: office.PersonID(text.Draw(t, "for b"))}
		if k := keys("x:"); (k.transcript(a) == k.transcript(b)) != (a == b) {
			t.Errorf("%+v and %+v have the keys %q and %q", a, b, k.transcript(a), k.transcript(b))
		}
	})
}

func TestLinesComeBack(t *testing.T) {
	t.Parallel()
	text := rapid.OneOf(rapid.String(), rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) }))
	rapid.Check(t, func(t *rapid.T) {
		want := line{
			channel: office.ChannelID(text.Draw(t, "channel")), author: text.Draw(t, "author"),
			seq: rapid.Int64().Draw(t, "seq"), no: rapid.Int64().Draw(t, "no"), root: rapid.Int64().Draw(t, "root"),
		}
		got, err := parseLine(want.String())
		if err != nil || got != want || !strings.HasPrefix(want.String(), want.name()) {
			t.Errorf("%+v came back from %q as %+v, %v", want, want, got, err)
		}
	})
}

func FuzzLine(f *testing.F) {
	f.Add(line{channel: "general", seq: 1, no: 2, author: "ann"}.String())
	f.Add(`"a" 1 2`)
	f.Fuzz(func(t *testing.T, s string) {
		l, err := parseLine(s)
		if err != nil {
			return
		}
		if again, err := parseLine(l.String()); err != nil || again != l {
			t.Errorf("%q is %+v, and then %+v, %v", s, l, again, err)
		}
	})
}
