package format

import "strings"

// Slack's control characters are "&", "<" and ">" and no others (docs.slack.dev,
// messaging/formatting-message-text); nothing else may be encoded.
var (
	escapes   = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")
	unescapes = strings.NewReplacer("&amp;", "&", "&lt;", "<", "&gt;", ">")
)

// Escape encodes the three control characters, once.
func Escape(text string) string { return escapes.Replace(text) }

// Unescape is the inverse of [Escape]: it decodes the three once, so that "&amp;lt;" becomes "&lt;".
func Unescape(text string) string { return unescapes.Replace(text) }
