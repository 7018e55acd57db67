package format

import (
	"regexp"
	"slices"
	"strings"
)

// Kind says what a mention in a Discord text names.
type Kind uint8

// The kinds of mention.
const (
	User      Kind = iota + 1
	Role           // a role of the server
	Channel        // a channel or a thread
	Broadcast      // everybody in the channel: the id is "here" or "everyone"
)

// Mention is a place in a decoded text that names somebody: bytes Start to End.
type Mention struct {
	Start, End int
	Kind       Kind
	// ID is Discord's, or the broadcast's word.
	ID string
}

// Known tells what the ids in a text mean.
type Known struct {
	// Users are the names of those whom Discord says that the message mentions, by id.
	Users map[string]string
	// Everyone says that the message reaches everybody in the channel.
	Everyone bool
	// Role and Channel give names to ids; an empty one is unknown. Nil knows none.
	Role, Channel func(id string) string
}

var token = regexp.MustCompile(`<(@[!&]?|#)([0-9]{1,20})>|@(everyone|here)\b`)

// Decode turns the content of a message into plain text, and says where it mentions somebody. A mention
// reads as a name with its sign ("@Kim", "#general"); everything else stays as it is, since Discord
// escapes nothing. What stands in code mentions nobody, and neither does an account that Discord itself
// did not find mentioned. Any text is fine.
func Decode(content string, known Known) (plain string, mentions []Mention) {
	content = strings.ToValidUTF8(content, "\uFFFD")
	var b strings.Builder
	done := 0
	code := codeSpans(content)
	for _, at := range token.FindAllStringSubmatchIndex(content, -1) {
		if slices.ContainsFunc(code, func(c [2]int) bool { return at[0] >= c[0] && at[0] < c[1] }) {
			continue
		}
		shown, m := known.mention(content, at)
		if m.Kind == 0 {
			continue
		}
		b.WriteString(content[done:at[0]])
		m.Start, m.End = b.Len(), b.Len()+len(shown)
		b.WriteString(shown)
		mentions = append(mentions, m)
		done = at[1]
	}
	return b.String() + content[done:], mentions
}

// mention reads one token.
func (k Known) mention(content string, at []int) (string, Mention) {
	if at[6] >= 0 {
		word := content[at[6]:at[7]]
		if !k.Everyone {
			return "", Mention{}
		}
		return "@" + word, Mention{Kind: Broadcast, ID: word}
	}
	sign, id := content[at[2]:at[3]], content[at[4]:at[5]]
	switch sign {
	case "#":
		return "#" + orElse(named(k.Channel, id), id), Mention{Kind: Channel, ID: id}
	case "@&":
		return "@" + orElse(named(k.Role, id), id), Mention{Kind: Role, ID: id}
	}
	name, ok := k.Users[id]
	if !ok {
		return "", Mention{}
	}
	return "@" + orElse(name, id), Mention{Kind: User, ID: id}
}

func named(find func(string) string, id string) string {
	if find == nil {
		return ""
	}
	return strings.Join(strings.Fields(find(id)), " ")
}

// codeSpans are the ranges of a text that are code: from some backticks to as many again.
func codeSpans(text string) [][2]int {
	var out [][2]int
	for i := 0; i < len(text); {
		switch {
		case text[i] == '\\':
			i += 2
			continue
		case text[i] != '`':
			i++
			continue
		}
		n := ticks(text, i)
		end := closing(text, i+n, n)
		if end < 0 {
			i += n
			continue
		}
		out = append(out, [2]int{i, end})
		i = end
	}
	return out
}

func ticks(text string, i int) int {
	n := 0
	for i+n < len(text) && text[i+n] == '`' {
		n++
	}
	return n
}

// closing is the end of the next run of exactly n backticks from i on, or -1.
func closing(text string, i, n int) int {
	for i < len(text) {
		if text[i] != '`' {
			i++
			continue
		}
		run := ticks(text, i)
		if run == n {
			return i + run
		}
		i += run
	}
	return -1
}
