package config

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"
)

// maxShown bounds what a problem quotes of the file, in characters.
const maxShown = 64

// shown quotes what stands at n, unless it is, or looks like, a secret.
func (c *checker) shown(n *node) string {
	switch {
	case n.variable != "":
		return "the value of ${" + n.variable + "}"
	case n.kind != scalar:
		return n.kind.a()
	}
	return strconv.Quote(bounded(n.text))
}

// bounded shortens a text from the file for a problem, and hides one that looks
// like a token or key: it may have been pasted into the wrong place.
func bounded(s string) string {
	if looksSecret(s) {
		return hidden
	}
	runes := 0
	for i := range s {
		if runes++; runes > maxShown {
			return s[:i] + "…"
		}
	}
	return s
}

var tokenForm = regexp.MustCompile(`^([Bb]earer |xox[a-z][-.]|xapp-|github_pat_|glpat-|(gh[a-z]_|sk-|[rp]k_|AKIA|AIza|eyJ).{12})`)

var (
	keyForm   = regexp.MustCompile(`^[A-Za-z0-9+/=_]{24,}$`)
	threeForm = regexp.MustCompile(`^[A-Za-z0-9_-]{20,}\.[A-Za-z0-9_-]{5,}\.[A-Za-z0-9_-]{20,}$`) // a Discord bot's
	botForm   = regexp.MustCompile(`^[0-9]{6,}:[A-Za-z0-9_-]{20,}$`)                              // a Telegram bot's
	digitForm = regexp.MustCompile(`[0-9]`)
)

// looksSecret reports whether s has the form of a known kind of token, or is as
// long and mixed as nothing that a person would make up.
func looksSecret(s string) bool {
	if tokenForm.MatchString(s) || threeForm.MatchString(s) || botForm.MatchString(s) {
		return true
	}
	return keyForm.MatchString(s) && strings.ContainsFunc(s, unicode.IsUpper) &&
		strings.ContainsFunc(s, unicode.IsLower) && len(digitForm.FindAllString(s, 3)) == 3
}
