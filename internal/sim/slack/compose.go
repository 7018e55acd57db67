package slack

import (
	"regexp"
	"strings"
)

// composed is what a person's client sends for what they typed.
type composed struct {
	wire     string
	elements []any // of one rich_text_section
}

// typed finds in typed text what the composer turns into something else: mentions as a test writes
// them, handles, channel names, and addresses.
var typed = regexp.MustCompile(`<@([UW][A-Z0-9]+)>|<#([CG][A-Z0-9]+)(?:\|[^>]*)?>|<!([a-z]+|subteam\^[A-Z0-9]+)>|@([a-z0-9][a-z0-9._-]*)|#([a-z0-9][a-z0-9_-]*)|https?://[^\s<>]+`)

var codeSpan = regexp.MustCompile("(?s)```.*?```|`[^`\n]+`")

// compose does what Slack's client does: it escapes & < >, turns handles of people and names of
// channels into mentions, addresses into links, and leaves code alone. A handle that is nobody's, as
// that of a colleague behind the bot, stays plain text.
func (s *Server) compose(text string) composed {
	var out composed
	last := 0
	for _, at := range codeSpan.FindAllStringIndex(text, -1) {
		s.composeProse(&out, text[last:at[0]])
		out.code(text[at[0]:at[1]])
		last = at[1]
	}
	s.composeProse(&out, text[last:])
	return out
}

func (s *Server) composeProse(out *composed, text string) {
	last := 0
	for _, at := range typed.FindAllStringSubmatchIndex(text, -1) {
		if wordBefore(text, at[0]) {
			continue // as in an e-mail address
		}
		wire, element := s.composeToken(text, at)
		if element == nil {
			continue
		}
		out.plain(text[last:at[0]])
		out.wire += wire
		out.elements = append(out.elements, element)
		last = at[1]
	}
	out.plain(text[last:])
}

func wordBefore(text string, at int) bool {
	if at == 0 || text[at] == '<' {
		return false
	}
	b := text[at-1]
	return b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b == '_' || b >= 0x80
}

// composeToken is nil if what stands there is only text.
func (s *Server) composeToken(text string, at []int) (wire string, element map[string]any) {
	group := func(i int) string {
		if at[2*i] < 0 {
			return ""
		}
		return text[at[2*i]:at[2*i+1]]
	}
	switch {
	case group(1) != "":
		return "<@" + group(1) + ">", map[string]any{"type": "user", "user_id": group(1)}
	case group(2) != "":
		return "<#" + group(2) + "|>", map[string]any{"type": "channel", "channel_id": group(2)}
	case group(3) != "":
		if id, ok := strings.CutPrefix(group(3), "subteam^"); ok {
			return "<!" + group(3) + ">", map[string]any{"type": "usergroup", "usergroup_id": id}
		}
		return "<!" + group(3) + ">", map[string]any{"type": "broadcast", "range": group(3)}
	case group(4) != "":
		if u := s.userByName(strings.TrimRight(group(4), ".-")); u != nil && u.Name == group(4) {
			return "<@" + u.ID + ">", map[string]any{"type": "user", "user_id": u.ID}
		}
		return "", nil
	case group(5) != "":
		if c := s.conversationByName(group(5)); c != nil {
			return "<#" + c.id + "|>", map[string]any{"type": "channel", "channel_id": c.id}
		}
		return "", nil
	}
	link := text[at[0]:at[1]]
	return "<" + escape(link) + ">", map[string]any{"type": "link", "url": link}
}

func (c *composed) plain(text string) {
	if text == "" {
		return
	}
	c.wire += escape(text)
	c.elements = append(c.elements, map[string]any{"type": "text", "text": text})
}

func (c *composed) code(text string) {
	c.wire += escape(text)
	c.elements = append(c.elements, map[string]any{
		"type": "text", "text": strings.Trim(text, "`"), "style": map[string]any{"code": true},
	})
}

// blocks are the rich_text block that people's posts come with.
func (c *composed) blocks(id string) []block {
	if len(c.elements) == 0 {
		return nil
	}
	section := map[string]any{"type": "rich_text_section", "elements": c.elements}
	return []block{{"type": "rich_text", "block_id": id, "elements": []any{section}}}
}
