package slack

import (
	"fmt"
	"regexp"
	"strings"
)

// token is what stands between < and > on the wire: a mention, a channel, a command, a link.
var token = regexp.MustCompile(`<([^<>\n]+)>`)

var (
	escaper   = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")
	unescaper = strings.NewReplacer("&lt;", "<", "&gt;", ">", "&amp;", "&")
)

// escape is what Slack's clients do to what people type (D: formatting message text; L: slackutilsx).
func escape(text string) string { return escaper.Replace(text) }

// readable is wire text as a person sees it: mentions by name, links by label, nothing escaped.
// Markup such as *bold* stays as it is.
func (s *Server) readableText(wire string) string {
	var b strings.Builder
	last := 0
	for _, at := range token.FindAllStringSubmatchIndex(wire, -1) {
		b.WriteString(unescaper.Replace(wire[last:at[0]]))
		b.WriteString(s.readableToken(wire[at[2]:at[3]]))
		last = at[1]
	}
	b.WriteString(unescaper.Replace(wire[last:]))
	return b.String()
}

func (s *Server) readableToken(t string) string {
	target, label, _ := strings.Cut(t, "|")
	switch {
	case strings.HasPrefix(target, "@"):
		return "@" + s.userLabel(target[1:])
	case strings.HasPrefix(target, "#"):
		return "#" + s.channelLabel(target[1:])
	case strings.HasPrefix(target, "!subteam^"), strings.HasPrefix(target, "!date^"):
		if label != "" {
			return unescaper.Replace(label)
		}
		return target
	case strings.HasPrefix(target, "!"):
		return "@" + target[1:]
	case label != "":
		return unescaper.Replace(label)
	}
	return unescaper.Replace(target)
}

func (s *Server) userLabel(id string) string {
	if s != nil && s.users[id] != nil {
		return s.users[id].Name
	}
	return id
}

func (s *Server) channelLabel(id string) string {
	if s != nil && s.conversations[id] != nil {
		return s.conversations[id].name
	}
	return id
}

var broadcastToken = regexp.MustCompile(`<!(here|channel|everyone|subteam\^[A-Z0-9]+)[|>]`)

// broadcasts are the groups that a message rings for: here, channel, everyone, subteam^S….
func broadcasts(m *message) []string {
	var out []string
	for _, g := range broadcastToken.FindAllStringSubmatch(m.text, -1) {
		out = append(out, g[1])
	}
	walk(m.blocks, func(o map[string]any) {
		switch str(o, "type") {
		case "broadcast":
			out = append(out, str(o, "range"))
		case "usergroup":
			out = append(out, "subteam^"+str(o, "usergroup_id"))
		case "mrkdwn":
			for _, g := range broadcastToken.FindAllStringSubmatch(str(o, "text"), -1) {
				out = append(out, g[1])
			}
		}
	})
	return out
}

// walk visits every object within v, outer ones first.
func walk(v any, visit func(map[string]any)) {
	switch x := v.(type) {
	case []block:
		for _, e := range x {
			walk(e, visit)
		}
	case []any:
		for _, e := range x {
			walk(e, visit)
		}
	case map[string]any:
		visit(x)
		for _, e := range x {
			walk(e, visit)
		}
	}
}

// blocksText is what blocks say, without their looks.
func (s *Server) blocksText(blocks []block) string {
	var parts []string
	for _, b := range blocks {
		if t := s.blockText(b); t != "" {
			parts = append(parts, t)
		}
	}
	return strings.Join(parts, "\n")
}

func (s *Server) blockText(b block) string {
	switch str(b, "type") {
	case "section":
		parts := []string{s.textObject(b["text"])}
		for _, f := range list(b["fields"]) {
			parts = append(parts, s.textObject(f))
		}
		if acc, ok := b["accessory"].(map[string]any); ok {
			parts = append(parts, s.elementText(acc))
		}
		return joinNonEmpty(parts, "\n")
	case "header":
		return s.textObject(b["text"])
	case "markdown":
		return str(b, "text")
	case "divider":
		return "---"
	case "image":
		return "[image: " + str(b, "alt_text") + "]"
	case "rich_text":
		return strings.TrimRight(richPlain(s, b), "\n")
	case "table":
		return s.tableText(b)
	case "input":
		return s.textObject(b["label"]) + ": ____"
	}
	var parts []string
	for _, e := range list(b["elements"]) {
		el, _ := e.(map[string]any)
		parts = append(parts, s.elementText(el))
	}
	return joinNonEmpty(parts, " ")
}

func (s *Server) elementText(e map[string]any) string {
	switch str(e, "type") {
	case "button":
		return "[" + s.textObject(e["text"]) + "]"
	case "image":
		return "[image: " + str(e, "alt_text") + "]"
	}
	if t := s.textObject(e); t != "" {
		return t
	}
	return s.textObject(e["placeholder"])
}

func (s *Server) textObject(v any) string {
	o, _ := v.(map[string]any)
	if text := str(o, "text"); str(o, "type") == "mrkdwn" {
		return s.readableText(text)
	} else if text != "" {
		return unescaper.Replace(text)
	}
	return ""
}

func (s *Server) tableText(b block) string {
	var rows []string
	for _, r := range list(b["rows"]) {
		var cells []string
		for _, c := range list(r) {
			cell, _ := c.(map[string]any)
			switch str(cell, "type") {
			case "rich_text":
				cells = append(cells, strings.TrimSpace(richPlain(s, cell)))
			case "raw_number":
				cells = append(cells, fmt.Sprint(cell["value"]))
			default:
				cells = append(cells, str(cell, "text"))
			}
		}
		rows = append(rows, strings.Join(cells, " | "))
	}
	return strings.Join(rows, "\n")
}

func joinNonEmpty(parts []string, sep string) string {
	var kept []string
	for _, p := range parts {
		if p != "" {
			kept = append(kept, p)
		}
	}
	return strings.Join(kept, sep)
}
