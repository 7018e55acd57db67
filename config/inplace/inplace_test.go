package inplace

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// edit is one change of a test.
type edit func(d *Document) error

func set(v any, path ...string) edit { return func(d *Document) error { return d.Set(path, v) } }
func remove(path ...string) edit     { return func(d *Document) error { return d.Remove(path...) } }

// rename gives the key at path another name, if it is there.
func rename(to string, path ...string) edit {
	return func(d *Document) error {
		if n := d.Root().Get(path...); n != nil {
			return d.Rewrite(nil, map[*Node]string{n: to})
		}
		return nil
	}
}

func TestOnlyWhatChangesIsTouched(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		before string
		do     edit
		after  string
	}{
		"a value keeps its comment":           {"a: one   # why\nb: 2\n", set("two", "a"), "a: two   # why\nb: 2\n"},
		"double quotes stay":                  {`a: "o\"n#e" # why` + "\n", set("it's", "a"), `a: "it's" # why` + "\n"},
		"single quotes stay":                  {"a: 'o''ne' # why\n", set("it's", "a"), "a: 'it''s' # why\n"},
		"a text that needs quotes":            {"a: one\n", set("@one: #2", "a"), "a: \"@one: #2\"\n"},
		"a word that means a flag":            {"a: one\n", set("no", "a"), "a: \"no\"\n"},
		"digits as a text":                    {"a: one\n", set("12", "a"), "a: \"12\"\n"},
		"digits as a number":                  {"a: one\n", set(12, "a"), "a: 12\n"},
		"a flag":                              {"a: false\n", set(true, "a"), "a: true\n"},
		"several plain lines":                 {"a: one\n  two\n\n  three # c\nb: 1\n", set("x", "a"), "a: x # c\nb: 1\n"},
		"a block text":                        {"a: |  # c\n  one\n\n  two\n\nb: 1\n", set("x\ny\n", "a"), "a: |\n  x\n  y\n\nb: 1\n"},
		"a block text, kept lines":            {"a: |+\n  one\n\nb: 1\n", set("x", "a"), "a: x\nb: 1\n"},
		"a folded text, indented":             {"a:\n  b: >2-\n     one\n    two\n  c: 1\n", set("x", "a", "b"), "a:\n  b: x\n  c: 1\n"},
		"to a block text":                     {"a: x # c\nb: 1\n", set("x\ny", "a"), "a: |- # c\n  x\n  y\nb: 1\n"},
		"nothing yet":                         {"a:   # c\nb: 1\n", set("x", "a"), "a: x   # c\nb: 1\n"},
		"a tilde":                             {"a: ~ # c\n", set("x", "a"), "a: x # c\n"},
		"a new key":                           {"a:\n    b: 1 # c\n\n# end\n", set("x", "a", "k"), "a:\n    b: 1 # c\n    k: x\n\n# end\n"},
		"a new key without a last line break": {"a: 1", set("x", "k"), "a: 1\nk: x"},
		"a new key below comments that belong above": {
			"a:\n  b:\n    c: 1\n    # more of b\n\n  # of a\n# of all\n", set("x", "a", "k"),
			"a:\n  b:\n    c: 1\n    # more of b\n  k: x\n\n  # of a\n# of all\n",
		},
		"a new block": {
			"a:\n    b: 1\n", set(Map{{"x", 1}, {"v", []string{"p q", "#r"}}, {"z", "one\ntwo\n"}}, "a", "k"),
			"a:\n    b: 1\n    k:\n        x: 1\n        v: [p q, \"#r\"]\n        z: |\n            one\n            two\n",
		},
		"a new block below nothing":         {"a: # c\n", set(1, "a", "b", "c"), "a: # c\n  b:\n    c: 1\n"},
		"a new key in braces":               {"a: {b: 1} # c\n", set("x, y", "a", "k"), "a: {b: 1, k: \"x, y\"} # c\n"},
		"in empty braces":                   {"a: {}\n", set(Map{{"x", "one\ntwo\n"}}, "a", "k"), "a: {k: {x: \"one\\ntwo\\n\"}}\n"},
		"in braces with a comma at the end": {"a: {b: 1, }\n", set(2, "a", "k"), "a: {b: 1, k: 2, }\n"},
		"in braces on lines": {
			"a: {\n  b: 1, # one\n  c: 2 # two\n}\n", set(3, "a", "k"),
			"a: {\n  b: 1, # one\n  c: 2, # two\n  k: 3\n}\n",
		},
		"in braces on lines with a comma":  {"a: {\n  b: 1, # one\n}\n", set(3, "a", "k"), "a: {\n  b: 1, # one\n  k: 3,\n}\n"},
		"a key without a colon in braces":  {"a: {b, c: }\n", set("x", "a", "b"), "a: {b: x, c: }\n"},
		"a value to come in braces":        {"a: {b, c: }\n", set("x", "a", "c"), "a: {b, c: x }\n"},
		"a key taken out":                  {"a:\n  # of b\n  b: 1\n  # of c\n  c: 2 # two\nd: 3\n", remove("a", "b"), "a:\n  # of b\n  # of c\n  c: 2 # two\nd: 3\n"},
		"the last key taken out":           {"a: # c\n  b:\n    x: 1\nd: 3\n", remove("a", "b"), "a: {} # c\nd: 3\n"},
		"taken out at the end of the text": {"a: 1\r\nb: 2", remove("b"), "a: 1"},
		"the first in braces":              {"a: {b: 1, c: 2}\n", remove("a", "b"), "a: {c: 2}\n"},
		"the last in braces":               {"a: {b: 1, c: 2}\n", remove("a", "c"), "a: {b: 1}\n"},
		"the only one in braces":           {"a: { b: 1 }\n", remove("a", "b"), "a: {  }\n"},
		"the last in braces on lines":      {"a: {b: 1, # one\n  c: 2, # two\n}\n", remove("a", "c"), "a: {b: 1, # one\n}\n"},
		"what is not there":                {"a: 1\n", remove("x", "y"), "a: 1\n"},
		"an item more":                     {"a:\n- x # one\n- y\nb: 1\n", set([]string{"x", "y", "@z"}, "a"), "a:\n- x # one\n- y\n- \"@z\"\nb: 1\n"},
		"an item less":                     {"a:\n  - x # one\n  - y # two\nb: 1\n", set([]string{"y"}, "a"), "a:\n  - y # two\nb: 1\n"},
		"another item":                     {"a:\n  - \"x\" # one\n  - y # two\n", set([]string{"z", "y"}, "a"), "a:\n  - \"z\" # one\n  - y # two\n"},
		"no item":                          {"a:\n  - x # one\nb: 1\n", set([]string{}, "a"), "a: []\nb: 1\n"},
		"items in brackets":                {"a: [x, y , z] # c\n", set([]string{"x", "z", "w"}, "a"), "a: [x, z, w] # c\n"},
		"items for empty brackets":         {"a: [ ]\n", set([]string{"x", "z"}, "a"), "a: [x, z ]\n"},
		"a list for a value":               {"a: x # c\n", set([]string{"v"}, "a"), "a: [v] # c\n"},
		"a value for a list":               {"a: # c\n- x\n- y\nb: 1\n", set("z", "a"), "a: z # c\nb: 1\n"},
		"a value for a block":              {"a: # c\n  x: 1\nb: 1\n", set("z", "a"), "a: z # c\nb: 1\n"},
		"a block, key by key": {
			"a:\n  x: {p: 1, q: 2} # c\n  y: 3\n", set(map[string]any{"x": map[string]any{"q": 2, "r": "s"}}, "a"),
			"a:\n  x: {q: 2, r: s} # c\n",
		},
		"an anchor stays": {"a: &x one # c\n", set("two", "a"), "a: &x two # c\n"},
		"a key of its own beside a merged one": {
			"base: &b {m: 1}\na: # c\n  <<: *b\n  k: 2\n", set(3, "a", "m"), "base: &b {m: 1}\na: # c\n  <<: *b\n  k: 2\n  m: 3\n",
		},
		"windows line ends":               {"a:\r\n  b: 1 # c\r\nd: 2\r\n", set(Map{{"x", "p\nq\n"}}, "a", "k"), "a:\r\n  b: 1 # c\r\n  k:\r\n    x: |\r\n      p\r\n      q\r\nd: 2\r\n"},
		"a byte order mark":               {"\uFEFFa: 1\n", set(2, "a"), "\uFEFFa: 2\n"},
		"keys in any script":              {"\"ü:\": {张三: x} # ü\n", set("李四", "ü:", "张三"), "\"ü:\": {张三: 李四} # ü\n"},
		"a key renamed":                   {"a:\n  'b c': # one\n    x: 1\n", rename("d'e", "a", "b c"), "a:\n  'd''e': # one\n    x: 1\n"},
		"a key in braces":                 {"{a : {b: 1}, c: 2}\n", rename("z", "a"), "{z : {b: 1}, c: 2}\n"},
		"a comment that looks like a key": {"a:\n  b: 1\n  # c: 2\n", set(3, "a", "c"), "a:\n  b: 1\n  c: 3\n  # c: 2\n"},
		"a hash inside a word":            {"a: x#y # c\n", set("z", "a"), "a: z # c\n"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, err := Parse([]byte(tt.before))
			if err != nil {
				t.Fatal(err)
			}
			for _, times := range []string{"once", "twice"} {
				if err := tt.do(d); err != nil {
					t.Fatalf("%s: %v", times, err)
				}
				if diff := cmp.Diff(tt.after, string(d.Text())); diff != "" {
					t.Errorf("%s (-want +got):\n%s", times, diff)
				}
			}
		})
	}
}

func TestWhatIsRefusedIsLeftAlone(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		text string
		do   edit
		says string
	}{
		"a value of an alias":          {"a: &x {b: 1}\nc: *x\n", set(2, "c", "b"), "by an alias"},
		"what an alias repeats":        {"a: &x {b: 1}\nc: *x\n", set(2, "a", "b"), "by an alias"},
		"an anchor that is needed":     {"a: &x {b: 1}\nc: *x\n", remove("a"), "by hand"},
		"a merged key":                 {"a: &x {b: 1}\nc: {<<: *x}\n", remove("c", "b"), "merged"},
		"below a merged key":           {"a: &x {b: {d: 1}}\nc: {<<: *x}\n", set(2, "c", "b", "e"), "merged"},
		"below a single value":         {"a: 1\n", set(2, "a", "b"), "no block of keys"},
		"a key behind a question mark": {"? a\n: 1\nb: 2\n", remove("a"), "lines of its own"},
		"the only key":                 {"a: 1\n", remove("a"), "nothing would be left"},
		"what cannot be written":       {"a: 1\n", set(struct{}{}, "a"), "cannot be written"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, err := Parse([]byte(tt.text))
			if err != nil {
				t.Fatal(err)
			}
			if err := tt.do(d); err == nil || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("the error is %v, want %q in it", err, tt.says)
			}
			if got := string(d.Text()); got != tt.text {
				t.Errorf("the text is now %q", got)
			}
		})
	}
}

func TestWhatIsNotReadAsATree(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"nothing": "", "a list": "- a\n", "two documents": "a: 1\n---\nb: 2\n", "a key twice": "a: 1\na: 2\n",
		"another line end": "a: 1 # \u2028\n", "a lone return": "a: 1\rb: 2\n", "no YAML": "a: [\n", "no UTF-8": "a: \xff\n",
		"a key that is a list": "? [a]\n: 1\n", "an alias of itself": "a: &x [*x]\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if d, err := Parse([]byte(text)); err == nil {
				t.Errorf("it was read: %+v", d.Root())
			}
		})
	}
}
