package wake

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"
)

// staff draws a directory whose colleagues have the names as ids, without two
// of one key.
func staff(t *rapid.T) ([]string, *Directory) {
	all := rapid.SliceOfNDistinct(anyName(), 1, 8, Fold).Draw(t, "names")
	var e Entries
	for _, name := range all {
		e.Colleagues = append(e.Colleagues, Entry{ID: name, Name: name})
	}
	return all, NewDirectory(e)
}

// respelt draws another spelling of a name.
func respelt(t *rapid.T, name string) string {
	spell := rapid.SampledFrom([]func(string) string{
		norm.NFC.String, norm.NFD.String, Fold, func(s string) string { return s },
	})
	return spell.Draw(t, "spelling")(name)
}

func TestEverySpellingOfANameWakesIt(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		all, d := staff(t)
		name := rapid.SampledFrom(all).Draw(t, "name")
		before := rapid.SampledFrom([]string{"", "hi ", "(", "hey,", "🎉", "请", "\xff"}).Draw(t, "before")
		after := rapid.SampledFrom([]string{"", ", look", "!", ")", "'s", "，看", "🎉", "\n"}).Draw(t, "after")
		text := before + "@" + respelt(t, name) + after
		got, err := Read(text, nil, d)
		if err != nil || !slices.Equal(got.Names, []string{name}) {
			t.Fatalf("Read(%q) = %+v, %v; want %q", text, got, err, name)
		}
	})
}

func TestATrailingLetterTakesTheWakeAway(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		all, d := staff(t)
		name := rapid.SampledFrom(all).Draw(t, "name")
		letter := rapid.SampledFrom([]string{"x", "é", "看", "7", "_", "\u0301", "-q", ".q"}).Draw(t, "letter")
		text := "@" + respelt(t, name) + letter
		got, err := Read(text, nil, d)
		if err != nil {
			t.Fatal(err)
		}
		if slices.Contains(got.Names, name) {
			t.Fatalf("Read(%q) wakes %q", text, name)
		}
	})
}

func TestOnlyNamesInTheTextWake(t *testing.T) {
	t.Parallel()
	pieces := []string{"@", "＠", "$leader", "#dev", "`", "```", "\n", "\n\n", "> ", "~~~", " ", "x", ".", "-", "\\", "[", "](", ")", "://", "<", "，"}
	rapid.Check(t, func(t *rapid.T) {
		all, d := staff(t)
		piece := rapid.SampledFrom(append(slices.Clone(pieces), all...))
		text := strings.Join(rapid.SliceOfN(piece, 0, 30).Draw(t, "text"), "")
		got, err := Read(text, nil, d)
		if err != nil {
			return
		}
		folded := Fold(strings.ReplaceAll(text, "＠", "@"))
		for _, name := range got.Names {
			if !strings.Contains(folded, "@"+Fold(name)) {
				t.Fatalf("Read(%q) wakes %q", text, name)
			}
		}
		if code, err := Read("~~~\n"+strings.ReplaceAll(text, "~", ""), nil, d); err != nil || !code.Empty() {
			t.Fatalf("Read of %q in a fence = %+v, %v", text, code, err)
		}
		if got, err := Read("> "+strings.ReplaceAll(text, "\n", " "), nil, d); err != nil || !got.Empty() {
			t.Fatalf("Read of %q in a quote = %+v, %v", text, got, err)
		}
	})
}

// TestLongestNameWins compares the search in the sorted keys with the obvious one.
func TestLongestNameWins(t *testing.T) {
	t.Parallel()
	short := rapid.StringOfN(rapid.SampledFrom([]rune("abé -")), 1, 6, -1).Filter(func(s string) bool {
		return CheckName(s) == nil && s == Canonical(s)
	})
	rapid.Check(t, func(t *rapid.T) {
		all := rapid.SliceOfNDistinct(short, 1, 12, Fold).Draw(t, "names")
		var e Entries
		for _, name := range all {
			e.Colleagues = append(e.Colleagues, Entry{ID: name, Name: name})
		}
		text := rapid.StringOfN(rapid.SampledFrom([]rune("abé -,")), 0, 12, -1).Draw(t, "text")
		want := ""
		for _, name := range all {
			if rest, ok := strings.CutPrefix(text, name); ok && len(name) > len(want) && wordEnds(rest) {
				want = name
			}
		}
		got, err := Read("@"+text, nil, NewDirectory(e))
		if err != nil || strings.Join(got.Names, "|") != want {
			t.Fatalf("Read(%q) among %q = %q, %v; want %q", "@"+text, all, got.Names, err, want)
		}
	})
}

// wordEnds is the rule for what follows a name, for texts of few characters.
func wordEnds(rest string) bool {
	r := []rune(rest + ",,")
	return !unicode.IsLetter(r[0]) && (r[0] != '-' || !unicode.IsLetter(r[1]))
}

// TestSpansAndTokensAgree puts each token once as text and once as a span.
func TestSpansAndTokensAgree(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		all, d := staff(t)
		var plain, marked strings.Builder
		var spans []Span
		for _, name := range rapid.SliceOfN(rapid.SampledFrom(all), 0, 6).Draw(t, "addressed") {
			plain.WriteString("🎉 @" + name + ", ")
			marked.WriteString("🎉 ")
			start := marked.Len()
			marked.WriteString("<@1>")
			spans = append(spans, Span{start, marked.Len(), SpanColleague, name})
			marked.WriteString(", ")
		}
		want, err := Read(plain.String(), nil, d)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Read(marked.String(), rapid.Permutation(spans).Draw(t, "spans"), d)
		if err != nil || !cmp.Equal(want, got) {
			t.Fatalf("Read of spans = %+v, %v; of tokens %+v", got, err, want)
		}
	})
}

func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		"hey,@alice", "@alice b", "$leader #dev", "git@alice:repo", "`@bob` ```\n@bob\n``` > @bob",
		"[x](https://x.test/@alice) <https://x>", "请＠张三，看一下", "🎉🎉 @office_bot @ada go", "か\u3099@jose\u0301", "\xff@\xef\xbc",
		"look: ```js\n@alice\n```\r\n~~~\r> a", `\@alice \` + "`", "@sam",
	} {
		f.Add(seed, 0, 5, 3, 9)
	}
	d := office()
	f.Fuzz(func(t *testing.T, text string, a, b, c, e int) {
		spans := []Span{{a, b, SpanColleague, "c1"}, {c, e, SpanNobody, ""}, {b, c, SpanPerson, "p1"}}
		w, err := Read(text, spans, d)
		if err != nil {
			if err.Error() == "" || strings.Contains(err.Error(), "\n") {
				t.Errorf("Read says %q", err)
			}
			return
		}
		set := 0
		for kind, on := range map[Kind]bool{Names: len(w.Names) > 0, Level: w.Level != "", Channel: w.Channel != ""} {
			if on {
				set++
			}
			if on != (w.Kind == kind) {
				t.Errorf("kind %s of %+v", w.Kind, w)
			}
		}
		if set > 1 || (set == 0) != (w.Kind == Nobody) {
			t.Errorf("%+v combines what stands alone", w)
		}
		for _, ids := range [][]string{w.Names, w.People} {
			slices.Sort(ids)
			if len(slices.Compact(slices.Clone(ids))) != len(ids) {
				t.Errorf("%+v repeats an id", w)
			}
		}
		if strings.ContainsAny(w.Address(d), "\n\r") {
			t.Errorf("Address %q", w.Address(d))
		}
	})
}

func BenchmarkRead(b *testing.B) {
	e := Entries{Owner: "p1"}
	for i := range 1000 {
		e.Colleagues = append(e.Colleagues, Entry{ID: fmt.Sprint("c", i), Name: fmt.Sprint("colleague ", i)})
	}
	d := NewDirectory(e)
	for name, line := range map[string]string{
		"prose":   "A line of plain words, an address kim@x.test, and `code` with a [link](https://x.test).\n",
		"tokens":  "Ask @colleague 77, @colleague 512 and @stranger.\n",
		"unicode": "请看一下 https://x.test/p，然后＠张三 Zoë naïve @é, ok.\n",
		"ticks":   "` `` ``` [](x <ab: ](\n",
	} {
		text := strings.Repeat(line, 40_000/len(line)+1)
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Read(text, nil, d); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
