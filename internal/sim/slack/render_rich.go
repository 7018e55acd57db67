package slack

import (
	"strconv"
	"strings"
)

// richPlain is the text of a rich_text object, one line per section, item or quoted line. s names
// people and channels; without it their ids stand.
func richPlain(s *Server, b map[string]any) string {
	var out strings.Builder
	for _, el := range list(b["elements"]) {
		e, _ := el.(map[string]any)
		switch str(e, "type") {
		case "rich_text_list":
			richListPlain(s, e, &out)
		case "rich_text_quote":
			for line := range strings.SplitSeq(strings.TrimRight(inlinePlain(s, e), "\n"), "\n") {
				out.WriteString("> " + line + "\n")
			}
		default:
			out.WriteString(strings.TrimSuffix(inlinePlain(s, e), "\n") + "\n")
		}
	}
	return out.String()
}

func richListPlain(s *Server, e map[string]any, out *strings.Builder) {
	indent, _ := e["indent"].(float64)
	offset, _ := e["offset"].(float64)
	for i, it := range list(e["elements"]) {
		item, _ := it.(map[string]any)
		mark := "•"
		if str(e, "style") == "ordered" {
			mark = strconv.Itoa(i+1+int(offset)) + "."
		}
		out.WriteString(strings.Repeat("  ", int(indent)) + mark + " " + inlinePlain(s, item) + "\n")
	}
}

func inlinePlain(s *Server, e map[string]any) string {
	var out strings.Builder
	for _, el := range list(e["elements"]) {
		item, _ := el.(map[string]any)
		switch str(item, "type") {
		case "text":
			out.WriteString(str(item, "text"))
		case "link":
			if t := str(item, "text"); t != "" {
				out.WriteString(t)
			} else {
				out.WriteString(str(item, "url"))
			}
		case "user":
			out.WriteString("@" + s.userLabel(str(item, "user_id")))
		case "channel":
			out.WriteString("#" + s.channelLabel(str(item, "channel_id")))
		case "emoji":
			out.WriteString(":" + str(item, "name") + ":")
		case "broadcast":
			out.WriteString("@" + str(item, "range"))
		case "usergroup":
			out.WriteString("@" + str(item, "usergroup_id"))
		case "date":
			out.WriteString(str(item, "fallback"))
		default:
			out.WriteString(str(item, "value"))
		}
	}
	return out.String()
}
