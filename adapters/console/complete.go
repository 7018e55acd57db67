package console

import (
	"context"
	"strings"
	"time"
	"unicode/utf8"

	"bullpen/bridge"
	"bullpen/bridge/command"
)

const (
	// completeTime is how long a Tab may wait for the office.
	completeTime = time.Second
	// maxListed is how many choices a Tab shows.
	maxListed = 40
)

// completer completes the word before the cursor: @names, $levels, #channels,
// /commands and what may follow them.
type completer struct {
	ctx  context.Context // of the Run: the editor's callback has none of its own
	b    *bridge.Bridge
	list func([]string)
}

// complete is the editor's answer to Tab: the line and the cursor after it, in
// bytes. ok is false when nothing is to be changed.
func (c *completer) complete(text string, pos int) (newText string, newPos int, ok bool) {
	ctx, cancel := context.WithTimeout(c.ctx, completeTime)
	defer cancel()
	start, choices := c.choices(ctx, text[:pos])
	if start < 0 {
		return "", 0, false
	}
	typed := text[start:pos]
	fitting := fit(choices, typed)
	if len(fitting) == 0 {
		return "", 0, false
	}
	word := common(fitting)
	rest := text[pos:]
	if len(fitting) == 1 {
		if word = fitting[0]; !strings.HasPrefix(rest, " ") {
			word += " "
		}
	} else if len(word) <= len(typed) {
		if len(fitting) > maxListed {
			fitting = append(fitting[:maxListed:maxListed], "…")
		}
		c.list(fitting)
		return "", 0, false
	}
	return text[:start] + word + rest, start + len(word), true
}

// choices is where the word to complete begins, -1 for none, and what it may be.
func (c *completer) choices(ctx context.Context, before string) (int, []string) {
	if strings.HasPrefix(before, "/") && !strings.HasPrefix(before, "//") {
		start, all, err := c.b.CompleteLine(ctx, bridge.ConsoleAccount, command.ByConsole, before[1:])
		if err != nil || len(all) == 0 {
			return -1, nil
		}
		choices := make([]string, len(all))
		for i, x := range all {
			choices[i] = x.Value
		}
		return start + 1, choices
	}
	start := wordStart(before)
	if start < 0 {
		return -1, nil
	}
	v, err := look(ctx, c.b)
	if err != nil {
		return -1, nil
	}
	return start, v.addresses
}

// wordStart is the last place where an address begins, -1 if there is none. A
// name may hold blanks, so that a blank does not end the search.
func wordStart(before string) int {
	for i := len(before) - 1; i >= 0; i-- {
		if !strings.ContainsRune("@$#", rune(before[i])) {
			continue
		}
		if prev, _ := utf8.DecodeLastRuneInString(before[:i]); i == 0 || strings.ContainsRune(" \t(,;:\u240A", prev) {
			return i
		}
	}
	return -1
}

// fit keeps the choices that begin as typed, in any case. A choice whose sign
// was left out fits as well.
func fit(choices []string, typed string) []string {
	var out []string
	for _, choice := range choices {
		bare := strings.TrimLeft(choice, "@#$")
		if hasPrefixFold(choice, typed) || typed != "" && hasPrefixFold(bare, typed) {
			out = append(out, choice)
		}
	}
	return out
}

func hasPrefixFold(s, prefix string) bool {
	return len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix)
}

// common is the longest beginning that all words share.
func common(words []string) string {
	shared := words[0]
	for _, w := range words[1:] {
		for !hasPrefixFold(w, shared) {
			_, n := utf8.DecodeLastRuneInString(shared)
			shared = shared[:len(shared)-n]
		}
	}
	return shared
}
