package wake

import (
	"strings"
	"testing"
)

func TestReadIgnoresURLsAndLinkTargets(t *testing.T) {
	t.Parallel()
	checkRead(t, []readCase{
		{"https://x.test/@alice/p", nobody},
		{"https://x.test/p?to=@alice&by=(@bob)", nobody},
		{"https://x.test/?$leader,#dev", nobody},
		{"www.x.test?@alice", nobody},
		{"<https://x.test?@alice>", nobody},
		{"<mailto:x?cc=@alice>", nobody},
		{"https://x.test @alice", names("c1")},
		{"https://x.test，@alice", names("c1")},
		{"(https://x.test)@alice", names("c1")},
		{"https://x.test/a_(b)?@alice", nobody},
		{"[docs](https://x.test/@alice)", nobody},
		{"[docs](@alice)", nobody},
		{"[docs](a(b)=@alice)", nobody},
		{"[docs](<@alice> \"@bob\")", nobody},
		{"[docs](x) @alice", names("c1")},
		{"[@alice](https://x.test)", names("c1")},
		{"[docs] (@alice)", names("c1")},
		{"[docs](@alice", names("c1")},
		{"[docs](a\n@alice)", names("c1")},
		{`[docs\](@alice)`, names("c1")},
		{"<@alice>", names("c1")},
		{"<b:@alice", nobody}, // the colon before the sign
		{"<note: @alice", names("c1")},
		{"://,@alice", names("c1")},
	})
}

func TestReadIgnoresCodeSpans(t *testing.T) {
	t.Parallel()
	checkRead(t, []readCase{
		{"`@alice`", nobody},
		{"`` ` @alice ``", nobody},
		{"`@alice` @bob", names("c2")},
		{"`x`@bob", names("c2")},
		{"a ` @alice", names("c1")},
		{"`` @alice `", names("c1")},
		{"a `x\n@alice\ny` @bob", names("c2")},
		{"a `x\r\n@alice\r\ny` @bob", names("c2")},
		{"a `x\n\n@alice ` b", names("c1")},
		{"a `x\n> q\n@alice ` b", names("c1")},
		{"\\`@alice\\`", names("c1")},
		{"\\``@alice`", nobody},
		{"`\\`@alice", names("c1")},
		{"```@alice``` @bob", names("c2")},
		{"see ```@alice``` @bob", names("c2")},
		{"[x`](@alice)` @bob", names("c2")},
	})
}

func TestReadIgnoresFencedBlocks(t *testing.T) {
	t.Parallel()
	checkRead(t, []readCase{
		{"```\n@alice\n```\n@bob", names("c2")},
		{"```go\n@alice\n\n@alice\n```\n@bob", names("c2")},
		{"~~~\n@alice\n```\n@alice\n~~~ \n@bob", names("c2")},
		{"~~~ a`b\n@alice\n~~~\n@bob", names("c2")},
		{"   ````\n@alice\n```\n@alice\n`````\n@bob", names("c2")},
		{"```\r\n@alice\r\n```\r\n@bob", names("c2")},
		{"```\n@alice", nobody},
		{"@bob\n~~~\n@alice", names("c2")},
		{"```\n> x\n@alice\n```", nobody},
		{"```\n```python\n@alice\n```\n@bob", names("c2")},
		{"    ```\n@alice", names("c1")},
		{"~~\n@alice", names("c1")},
		// As platforms show it.
		{"look: ```js\n@alice\n\n@alice\n```\n@bob", names("c2")},
		{"look: ```\n@alice```\n@bob", names("c2")},
		{"```a\n@alice b``` @bob", names("c2")},
		{"```\n@alice\n``` @bob", names("c2")},
		{"```\n@alice\n``` then `@alice` @bob", names("c2")},
		{"look: ```js\n@alice", names("c1")},
	})
}

func TestReadIgnoresQuotedLines(t *testing.T) {
	t.Parallel()
	checkRead(t, []readCase{
		{"> @alice", nobody},
		{">@alice", nobody},
		{"   > @alice", nobody},
		{"    > @alice", names("c1")},
		{"> @alice\n@bob", names("c2")},
		{"@bob\n> @alice\r\n>> @alice\r@an-na", names("c2", "c7")},
		{"> ```\n@bob", names("c2")},
		{"a > @alice", names("c1")},
		{"＞ @alice", names("c1")},
	})
}

// TestReadManyUnclosedOpeners holds inputs on which a search that starts anew
// at each opener would not end within the time a test run has.
func TestReadManyUnclosedOpeners(t *testing.T) {
	t.Parallel()
	const size = 1 << 20
	openers := []string{
		"`", "` `` ", "a ``` ", "a ```\n", "```\n", "[", "](", "[](x", "](\\(", "<", "<ab:", "(", "\\", "> ", "~~~",
		"@", "@alice ", "@@", "$leader ", "#dev", "http://", "w", "www.", "\u0301", "@\u0301", "é@é", "張@張",
		" @alice\u0301", "\xff", "\xef\xbc", "_@", "\n", "\r", "- `\n",
	}
	d := office()
	for _, o := range openers {
		text := strings.Repeat(o, size/len(o))
		if _, err := Read(text, nil, d); err != nil {
			t.Errorf("Read of many %q: %v", o, err)
		}
	}
	var growing strings.Builder
	for n := 1; growing.Len() < size; n++ {
		growing.WriteString(strings.Repeat("`", n) + " x ")
	}
	if _, err := Read(growing.String(), nil, d); err != nil {
		t.Error(err)
	}
}
