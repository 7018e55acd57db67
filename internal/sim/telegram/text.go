package telegram

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf16"
)

// maxText is the length of a text after its entities are taken out, counted as its entities are: in
// UTF-16 units (D: sendMessage, MessageEntity).
const maxText = 4096

// entity is a MessageEntity (D).
type entity struct {
	Type     string          `json:"type"`
	Offset   int             `json:"offset"`
	Length   int             `json:"length"`
	URL      string          `json:"url,omitempty"`
	Language string          `json:"language,omitempty"`
	User     json.RawMessage `json:"user,omitempty"`
}

var entityTypes = []string{
	"mention", "hashtag", "cashtag", "bot_command", "url", "email", "phone_number", "bold", "italic", "underline",
	"strikethrough", "spoiler", "blockquote", "expandable_blockquote", "code", "pre", "text_link", "text_mention", "custom_emoji",
}

// units are a text's UTF-16 code units.
func units(s string) []uint16 { return utf16.Encode([]rune(s)) }

func slice16(s string, from, n int) string {
	u := units(s)
	if from < 0 || n < 0 || from+n > len(u) {
		return ""
	}
	return string(utf16.Decode(u[from : from+n]))
}

// content checks what a message says: text, entities, parse_mode.
func content(p params) (text string, raw json.RawMessage, no *refusal) {
	text = p["text"]
	if mode := p["parse_mode"]; mode != "" {
		if no := parses(mode, text); no != nil {
			return "", nil, no
		}
	} else if list := p["entities"]; list != "" && list != "null" {
		if no := checkEntities(text, list); no != nil {
			return "", nil, no
		}
		raw = json.RawMessage(list)
	}
	switch n := len(units(text)); {
	case strings.TrimSpace(text) == "":
		return "", nil, bad("message text is empty") // K
	case n > maxText:
		return "", nil, bad("message is too long") // K
	}
	return text, raw, nil
}

// checkEntities refuses what Telegram refuses, and what it silently repairs: entities that overlap
// without nesting, or that stand in code (D: formatting options; that it repairs them is K).
func checkEntities(text, list string) *refusal {
	var all []entity
	if err := json.Unmarshal([]byte(list), &all); err != nil {
		return bad("can't parse entities: " + err.Error()) // K
	}
	u := units(text)
	for i, e := range all {
		switch end := e.Offset + e.Length; {
		case !slices.Contains(entityTypes, e.Type):
			return bad(fmt.Sprintf("can't parse entities: unknown type %q", e.Type)) // K
		case e.Offset < 0 || e.Length <= 0 || end > len(u):
			return bad(fmt.Sprintf("entity beginning at UTF-16 offset %d ends after the end of the text at UTF-16 offset %d", e.Offset, end)) // K
		case splits(u, e.Offset) || splits(u, end):
			return bad(fmt.Sprintf("entity beginning at UTF-16 offset %d ends in a middle of a UTF-16 symbol at byte offset %d", e.Offset, end)) // K
		case e.Type == "text_link" && e.URL == "", e.Type == "text_mention" && len(e.User) == 0:
			return bad("can't parse entities: " + e.Type + " names nothing") // K
		}
		for _, o := range all[:i] {
			if clash(o, e) {
				return bad(fmt.Sprintf("sim: %s at %d and %s at %d must not overlap so", o.Type, o.Offset, e.Type, e.Offset))
			}
		}
	}
	return nil
}

// splits says whether a position is between the halves of a surrogate pair.
func splits(u []uint16, at int) bool {
	return at > 0 && at < len(u) && u[at-1] >= 0xD800 && u[at-1] < 0xDC00
}

func clash(a, b entity) bool {
	aEnd, bEnd := a.Offset+a.Length, b.Offset+b.Length
	if a.Offset >= bEnd || b.Offset >= aEnd {
		return false
	}
	nested := a.Offset <= b.Offset && bEnd <= aEnd || b.Offset <= a.Offset && aEnd <= bEnd
	code := func(e entity) bool { return e.Type == "code" || e.Type == "pre" }
	quote := func(e entity) bool { return strings.HasSuffix(e.Type, "blockquote") }
	return !nested || (code(a) || code(b)) && !quote(a) && !quote(b) || quote(a) && quote(b)
}

var (
	htmlTag  = regexp.MustCompile(`<(/?)([A-Za-z0-9_@.-]*)[^>]*>?`)
	htmlTags = []string{"b", "strong", "i", "em", "u", "ins", "s", "strike", "del", "span", "tg-spoiler", "tg-emoji", "a", "code", "pre", "blockquote"}
	reserved = regexp.MustCompile(`(^|[^\\])([.!#+=|{}>()-])`)
)

// parses says what Telegram says of a text with a parse mode; only as much of the grammar is read as
// it takes to refuse what programs commonly get wrong (P: openclaw issue 4071, picoclaw telegram.go:471).
func parses(mode, text string) *refusal {
	switch mode {
	case "HTML":
		var open []string
		for _, m := range htmlTag.FindAllStringSubmatchIndex(text, -1) {
			end, tag := text[m[2]:m[3]] == "/", strings.ToLower(text[m[4]:m[5]])
			switch {
			case !end && !slices.Contains(htmlTags, tag):
				return bad(fmt.Sprintf("can't parse entities: Unsupported start tag %q at byte offset %d", tag, m[0]))
			case !end:
				open = append(open, tag)
			case len(open) == 0 || open[len(open)-1] != tag:
				return bad(fmt.Sprintf("can't parse entities: Unexpected end tag at byte offset %d", m[0]))
			default:
				open = open[:len(open)-1]
			}
		}
		if len(open) > 0 {
			return bad(fmt.Sprintf("can't parse entities: Can't find end tag corresponding to start tag %q", open[len(open)-1]))
		}
	case "MarkdownV2":
		if m := reserved.FindStringSubmatch(text); m != nil {
			return bad(fmt.Sprintf("can't parse entities: Character '%s' is reserved and must be escaped with the preceding '\\'", m[2]))
		}
	case "Markdown":
	default:
		return bad("unsupported parse_mode") // K
	}
	return nil
}

var found = regexp.MustCompile(`/[A-Za-z0-9_]{1,64}(@[A-Za-z0-9_]{4,32})?|@[A-Za-z0-9_]{4,32}`)

// detect finds the commands and names that Telegram marks by itself in what somebody writes.
func detect(text string) []entity {
	var out []entity
	for _, m := range found.FindAllStringIndex(text, -1) {
		if m[0] > 0 && !strings.ContainsAny(text[m[0]-1:m[0]], " \n(,") {
			continue
		}
		e := entity{Type: "mention", Offset: len(units(text[:m[0]])), Length: len(units(text[m[0]:m[1]]))}
		if text[m[0]] == '/' {
			e.Type = "bot_command"
		}
		out = append(out, e)
	}
	return out
}

// cutBot takes "/verb@bot" and "@bot" apart.
func cutBot(word string) (verb, bot string) {
	verb, bot, _ = strings.Cut(word, "@")
	return verb, bot
}

func sameName(a, b string) bool { return strings.EqualFold(a, b) }
