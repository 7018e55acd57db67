package openai

import (
	"encoding/base64"
	"encoding/json"
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"
)

// minSecretLen is the length under which a key is a placeholder, as local
// servers want one ("x"): removing it would only make texts unreadable.
const minSecretLen = 4

// maxNameLen, maxCodeLen and maxQuoteLen bound what is repeated of names, of
// error codes and of a provider's own words, in bytes.
const (
	maxNameLen  = 120
	maxCodeLen  = 40
	maxQuoteLen = 240
)

// secret removes a key from texts. It holds the key in a closure, so that no
// printing of the structs around it can show it.
type secret struct {
	scrub func(string) string
}

func newSecret(key string) secret {
	if len(key) < minSecretLen {
		return secret{scrub: func(s string) string { return s }}
	}
	pairs := []string{key, "[key]"}
	add := func(form string) {
		if form != key && len(form) >= minSecretLen {
			pairs = append(pairs, form, "[key]")
		}
	}
	add(url.QueryEscape(key))
	add(url.PathEscape(key))
	add(base64.StdEncoding.EncodeToString([]byte(key)))
	add(base64.RawURLEncoding.EncodeToString([]byte(key)))
	if quoted, err := json.Marshal(key); err == nil {
		add(strings.Trim(string(quoted), `"`))
	}
	return secret{scrub: strings.NewReplacer(pairs...).Replace}
}

// quote makes foreign words fit to be shown: without the key, on one line, short.
func (s secret) quote(words string) string { return oneLine(s.scrub(words), maxQuoteLen) }

// oneLine replaces line breaks and control characters and cuts at limit bytes.
func oneLine(s string, limit int) string {
	if len(s) > 8*limit {
		s = s[:8*limit] // enough to fold, without walking megabytes
	}
	s = strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return ' '
		}
		if !unicode.IsPrint(r) {
			return -1
		}
		return r
	}, s)
	s = strings.Join(strings.Fields(s), " ")
	if len(s) <= limit {
		return s
	}
	cut := limit
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + "…"
}
