package format

import "strings"

// Kind says what a mention in a Slack text names.
type Kind uint8

// The kinds of mention.
const (
	User      Kind = iota + 1
	Channel        // a channel
	UserGroup      // a user group
	Broadcast      // everybody in the channel: the id is "here", "channel" or "everyone"
)

// Mention is a place in a decoded text that names somebody: bytes Start to End.
type Mention struct {
	Start, End int
	Kind       Kind
	// ID is Slack's id ("U…", "W…", "C…", "S…"), or the broadcast's word.
	ID string
}

// Decode turns the text of a Slack event into plain text, and says where it mentions somebody.
//
// Tokens in angle brackets are read first and character references decoded after, so that a text that
// merely shows "<@U1>" mentions nobody. A mention reads as its label or id with its sign ("@U1",
// "#general", "@here"), a link as "label (address)" or, if Slack made the link itself, as what was
// typed, a date as its fallback. What is no known token stays as it is. Any text is fine.
func Decode(text string) (plain string, mentions []Mention) {
	var b strings.Builder
	for {
		open := strings.IndexByte(text, '<')
		if open < 0 {
			break
		}
		b.WriteString(Unescape(text[:open]))
		text = text[open:]
		size := strings.IndexAny(text[1:], "<>\n")
		if size < 0 || text[1+size] != '>' {
			b.WriteByte('<')
			text = text[1:]
			continue
		}
		shown, mention := decodeToken(text[1 : 1+size])
		if mention.Kind != 0 {
			mention.Start, mention.End = b.Len(), b.Len()+len(shown)
			mentions = append(mentions, mention)
		}
		b.WriteString(shown)
		text = text[size+2:]
	}
	b.WriteString(Unescape(text))
	return b.String(), mentions
}

// decodeToken reads what stands between angle brackets.
func decodeToken(token string) (string, Mention) {
	body, label, labelled := strings.Cut(token, "|")
	label = Unescape(label)
	switch {
	case strings.HasPrefix(body, "@") && isUser(body[1:]):
		return "@" + orElse(strings.TrimPrefix(label, "@"), body[1:]), Mention{Kind: User, ID: body[1:]}
	case strings.HasPrefix(body, "#") && isChannel(body[1:]):
		return "#" + orElse(strings.TrimPrefix(label, "#"), body[1:]), Mention{Kind: Channel, ID: body[1:]}
	case strings.HasPrefix(body, "!"):
		return decodeCommand(token, body[1:], label, labelled)
	case isAddress(body):
		return decodeLink(Unescape(body), label), Mention{}
	}
	return "<" + Unescape(token) + ">", Mention{}
}

func decodeCommand(token, command, label string, labelled bool) (string, Mention) {
	switch command {
	case "here", "channel", "everyone":
		return "@" + command, Mention{Kind: Broadcast, ID: command}
	}
	if id, ok := strings.CutPrefix(command, "subteam^"); ok && isID(id, "S") {
		return "@" + orElse(strings.TrimPrefix(label, "@"), id), Mention{Kind: UserGroup, ID: id}
	}
	if labelled && label != "" {
		return label, Mention{}
	}
	return "<" + Unescape(token) + ">", Mention{}
}

// isAddress reports whether body has the scheme that every link of Slack's begins with.
func isAddress(body string) bool {
	scheme, rest, found := strings.Cut(body, ":")
	if !found || scheme == "" || rest == "" {
		return false
	}
	return strings.Trim(strings.ToLower(scheme), "abcdefghijklmnopqrstuvwxyz0123456789+.-") == ""
}

// decodeLink leaves the address out where it only repeats the label: Slack makes "<http://x.test|x.test>"
// of a typed x.test.
func decodeLink(url, label string) string {
	switch {
	case label == "":
		return url
	case label == url:
		return label
	}
	for _, scheme := range []string{"http://", "https://", "mailto:", "tel:"} {
		if url == scheme+label {
			return label
		}
	}
	return label + " (" + url + ")"
}

func orElse(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}
