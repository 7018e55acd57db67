package inplace

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gopkg.in/yaml.v3"
	"pgregory.net/rapid"
)

// writer makes a random text of a tree, with comments, in any of the styles.
type writer struct {
	t   *rapid.T
	eol string
}

var (
	words = rapid.SampledFrom([]string{
		"x", "two words", "#dev", "a: b", "it's", `say "hi"`, "", "null", "12", "é", "张三", "[x", "{", "- a", "@bob", "a #b", "true",
		" padded ", "tab\there", `back\slash`, "~", "x:", "*a", "&a", "!t", "%", "😀", "a,b", "|", ">",
	})
	texts = rapid.OneOf(words, rapid.SampledFrom([]string{"one\ntwo\n", "one\n\n  two\n", "one\ntwo", "l\n\n", "\nl\n", " l\nm\n", "a\n# b\n"}))
	names = rapid.SampledFrom([]string{"a", "b", "key", "two words", "ü", "张三", "x.y", "k:", "#k", "1", "'q'", "null", "-"})
)

func tree(depth int) *rapid.Generator[any] {
	leaf := rapid.OneOf(rapid.Map(texts, func(s string) any { return s }), rapid.Just(any(nil)))
	if depth == 0 {
		return leaf
	}
	return rapid.OneOf(leaf,
		rapid.Map(rapid.SliceOfN(texts, 0, 4), func(l []string) any { return l }),
		rapid.Map(blockTree(depth-1), func(m Map) any { return m }))
}

func blockTree(depth int) *rapid.Generator[Map] {
	return rapid.Custom(func(t *rapid.T) Map {
		var m Map
		for _, key := range rapid.SliceOfNDistinct(names, 0, 4, rapid.ID).Draw(t, "keys") {
			m = append(m, Pair{key, tree(depth).Draw(t, "value")})
		}
		return m
	})
}

func (w writer) may(what string) bool { return rapid.Bool().Draw(w.t, what) }

// comment is one, or none.
func (w writer) comment() string {
	return rapid.SampledFrom([]string{"", "", " # c", "   # say: \"c", "\t#"}).Draw(w.t, "comment")
}

// between is what may stand on lines of its own.
func (w writer) between(indent int) string {
	in := strings.Repeat(" ", indent)
	return rapid.SampledFrom([]string{"", "", "", in + "# own: 'c" + w.eol, w.eol, in + "#" + w.eol + w.eol}).Draw(w.t, "between")
}

func (w writer) scalar(text string) string {
	switch style := rapid.IntRange(0, 2).Draw(w.t, "style"); {
	case style == 0 && safe(text):
		return text
	case style == 1 && printable(text):
		return "'" + strings.ReplaceAll(text, "'", "''") + "'"
	}
	return double(text)
}

// inBraces writes a value in brackets, at times on several lines.
func (w writer) inBraces(v any) string {
	sep, end := ", ", ""
	if w.may("lines") {
		sep, end = ","+w.comment()+w.eol+"          ", w.comment()+w.eol+"        "
	}
	if w.may("comma") {
		end = "," + end
	}
	var parts []string
	switch v := v.(type) {
	case nil:
		return rapid.SampledFrom([]string{"~", "null"}).Draw(w.t, "null")
	case string:
		return w.scalar(v)
	case []string:
		for _, item := range v {
			parts = append(parts, w.scalar(item))
		}
		if len(parts) == 0 {
			return "[ ]"
		}
		return "[" + strings.Join(parts, sep) + end + "]"
	case Map:
		for _, p := range v {
			parts = append(parts, w.scalar(p.Key)+" : "+w.inBraces(p.Value))
		}
		if len(parts) == 0 {
			return "{}"
		}
		return "{ " + strings.Join(parts, sep) + end + "}"
	}
	panic("no such value")
}

func (w writer) block(m Map, indent int) string {
	var b strings.Builder
	in := strings.Repeat(" ", indent)
	step := rapid.SampledFrom([]int{1, 2, 4}).Draw(w.t, "step")
	for _, p := range m {
		b.WriteString(w.between(indent) + in + w.scalar(p.Key) + ":")
		switch v := p.Value.(type) {
		case nil:
			b.WriteString(rapid.SampledFrom([]string{"", " ~", " null"}).Draw(w.t, "null") + w.comment() + w.eol)
			continue
		case string:
			if lit, ok := literal(v, in+strings.Repeat(" ", step), w.eol); ok && w.may("literal") {
				b.WriteString(" " + lit + w.eol)
				continue
			}
		case Map:
			if len(v) > 0 && w.may("block") {
				b.WriteString(w.comment() + w.eol + w.block(v, indent+step))
				continue
			}
		case []string:
			if len(v) > 0 && w.may("dashes") {
				b.WriteString(w.comment() + w.eol)
				for _, item := range v {
					b.WriteString(w.between(indent) + in + "- " + w.scalar(item) + w.comment() + w.eol)
				}
				continue
			}
		}
		b.WriteString(" " + w.inBraces(p.Value) + w.comment() + w.eol)
	}
	return b.String() + w.between(indent)
}

// plainly is what a text says to somebody who knows nothing of this package.
func plainly(t *rapid.T, text []byte) any {
	var v any
	if err := yaml.Unmarshal(text, &v); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return v
}

// model makes of a value what plainly would.
func model(v any) any {
	switch v := v.(type) {
	case Map:
		m := map[string]any{}
		for _, p := range v {
			m[p.Key] = model(p.Value)
		}
		return m
	case []string:
		l := []any{}
		for _, item := range v {
			l = append(l, item)
		}
		return l
	}
	return v
}

func put(m map[string]any, path []string, v any) {
	for _, key := range path[:len(path)-1] {
		if m[key] == nil {
			m[key] = map[string]any{}
		}
		m = m[key].(map[string]any)
	}
	if v == any(gone{}) {
		delete(m, path[len(path)-1])
		return
	}
	m[path[len(path)-1]] = v
}

type gone struct{}

// somewhere is a path to a key that is there, or may be added.
func somewhere(t *rapid.T, m Map) []string {
	var path []string
	for {
		if len(m) == 0 || rapid.IntRange(0, 4).Draw(t, "new") == 0 {
			return append(path, names.Draw(t, "name"))
		}
		p := rapid.SampledFrom(m).Draw(t, "key")
		path = append(path, p.Key)
		sub, ok := p.Value.(Map)
		if !ok || rapid.Bool().Draw(t, "here") {
			return path
		}
		m = sub
	}
}

func TestAnyTextAnyChange(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		m := append(Map{{"first", "1"}}, blockTree(3).Draw(t, "tree")...)
		w := writer{t, rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "eol")}
		text := w.block(m, 0)
		cut := rapid.Bool().Draw(t, "cut")
		if cut {
			text = strings.TrimRight(text, "\r\n")
		}
		d, err := Parse([]byte(text))
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		meant, ok := plainly(t, []byte(text)).(map[string]any)
		if !ok || !cut && !cmp.Equal(meant, model(m)) {
			t.Fatalf("the generator wrote\n%s\nfor %v: %s", text, m, cmp.Diff(model(m), any(meant)))
		}
		path := somewhere(t, m[1:])
		old := d.Root().Get(path...)
		if rapid.IntRange(0, 3).Draw(t, "remove") == 0 {
			put(meant, path, gone{})
			err = d.Remove(path...)
		} else {
			v := tree(2).Draw(t, "value")
			put(meant, path, model(v))
			err = d.Set(path, v)
			if err == nil {
				before := string(d.Text())
				if err := d.Set(path, v); err != nil || string(d.Text()) != before {
					t.Fatalf("a second time: %v\n%s\n%s", err, before, d.Text())
				}
			}
		}
		if err != nil {
			t.Fatalf("%q: %v\n%s", path, err, text)
		}
		if diff := cmp.Diff(meant, plainly(t, d.Text())); diff != "" {
			t.Fatalf("%q (-want +got):\n%s\n%s\n%s", path, diff, text, d.Text())
		}
		if cut && strings.Contains(text, "|") {
			return // what follows a block text without its last line end changes it, so it is put in quotes
		}
		wantTouched(t, text, string(d.Text()), lines(old))
	})
}

// lines is how many lines of the text a value may take.
func lines(n *Node) int {
	if n == nil {
		return 0
	}
	count := 1 + strings.Count(n.Text, "\n")
	for _, item := range n.Items {
		count += 2 + lines(item)
	}
	for _, e := range n.Entries {
		count += 2 + lines(e.Value)
	}
	return count
}

// wantTouched: all lines but a few are still there, in their order, and the
// lines end as they did.
func wantTouched(t *rapid.T, before, after string, most int) {
	if crlf := strings.Contains(before, "\r\n"); crlf != strings.Contains(after, "\r\n") && strings.Count(before, "\n") > 1 && strings.Contains(after, "\n") ||
		crlf && strings.Count(after, "\n") != strings.Count(after, "\r\n") {
		t.Fatalf("the line ends changed\n%q\n%q", before, after)
	}
	// Where the last line goes, an empty one before it ends the text, or a block text.
	blankBefore := strings.Contains(strings.ReplaceAll(before, "\r", ""), "\n\n") || strings.Contains(before, "|")
	if a, b := strings.HasSuffix(before, "\n"), strings.HasSuffix(after, "\n"); a != b && !blankBefore {
		t.Fatalf("the end of the text changed\n%q\n%q", before, after)
	}
	old, now := strings.Split(before, "\n"), strings.Split(after, "\n")
	lost := len(old) - common(old, now)
	// The line of the key, and that of a neighbour that gets a comma.
	if lost > most+3 {
		t.Fatalf("%d lines are touched, of at most %d\n%s\n-----\n%s", lost, most+3, before, after)
	}
}

// common is how many lines two texts have in common, in the same order.
func common(a, b []string) int {
	row := make([]int, len(b)+1)
	for _, line := range a {
		diagonal := 0
		for j := range b {
			best := max(row[j], row[j+1])
			if b[j] == line {
				best = diagonal + 1
			}
			diagonal, row[j+1] = row[j+1], best
		}
	}
	return row[len(b)]
}

// FuzzDocument feeds any text: it is read or refused, and what is changed in it
// is changed as meant or refused, with the text as it was.
func FuzzDocument(f *testing.F) {
	for _, text := range []string{
		"a: 1\n", "a: {b: [c, d]} # e\nf: |\n  g\n", "a: &x\n  b: *x\n", "a: !!str\n- b\n-\n", "? a\n: b\n", "a: {b, c: , d: 'e''f'}", "\uFEFFa:\r\n  b: >2+\n     c\n\n",
	} {
		f.Add([]byte(text), "a", "b", "v")
	}
	f.Fuzz(func(t *testing.T, text []byte, one, two, v string) {
		d, err := Parse(text)
		if err != nil {
			return
		}
		if !bytes.Equal(d.Text(), text) {
			t.Fatalf("reading changed %q to %q", text, d.Text())
		}
		for _, do := range []func() error{
			func() error { return d.Set([]string{one}, v) },
			func() error { return d.Set([]string{one, two}, []string{v}) },
			func() error { return d.Remove(one) },
		} {
			before := string(d.Text())
			if err := do(); err != nil {
				if string(d.Text()) != before {
					t.Fatalf("refused (%v), and %q is %q", err, before, d.Text())
				}
				continue
			}
			if _, err := Parse(d.Text()); err != nil {
				t.Fatalf("%q became %q: %v", before, d.Text(), err)
			}
		}
	})
}
