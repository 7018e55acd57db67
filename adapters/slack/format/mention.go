package format

import (
	"strings"

	"bullpen/bridge/render"
)

// isUser reports whether id has the form of a user's: "U" or "W" and upper-case letters and digits.
func isUser(id string) bool { return isID(id, "UW") }

// isChannel reports whether id has the form of a channel's.
func isChannel(id string) bool { return isID(id, "CGD") }

func isID(id, kinds string) bool {
	if len(id) < 2 || len(id) > 32 || !strings.Contains(kinds, id[:1]) {
		return false
	}
	return strings.Trim(id[1:], "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}

// target says what a mention is natively: a user, a channel, or, with both false, only its label. A
// colleague has no account, so its name stays text unless it was given a user id of its own.
func target(m render.Mention) (user, channel bool) {
	switch m.Kind {
	case render.Person, render.Colleague:
		return isUser(m.ID), false
	case render.Channel:
		return false, isChannel(m.ID)
	}
	return false, false
}
