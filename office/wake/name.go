package wake

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// General is the name and the id of the channel that holds everyone. It is the
// one name that [CheckChannelName] refuses and an office has all the same.
const General = "general"

// User is the name to which the owner of an office answers beside their own.
const User = "user"

// maxNameRunes is the longest a colleague's or a channel's name may be.
const maxNameRunes = 64

// levels are the rungs of an office, lowest first.
var levels = []string{"member", "leader"}

// reservedNames are the folded names that no colleague may have: they mean
// something else in an address, or would pass for the office itself.
var reservedNames = []string{User, "office", "boss", "system", "all", "here", "channel", "everyone"}

// Levels returns the levels, lowest first. The caller may keep the slice.
func Levels() []string {
	return slices.Clone(levels)
}

// Rank returns how high a level stands, from 0 for the lowest, and whether it
// is a level at all. It ignores case.
func Rank(level string) (int, bool) {
	i := slices.Index(levels, Fold(level))
	return max(i, 0), i >= 0
}

// Canonical returns name as it is stored: trimmed of white space, in Unicode
// normalisation form C, its letters as they were typed.
func Canonical(name string) string {
	return norm.NFC.String(strings.TrimSpace(name))
}

// Fold returns the key under which names are compared: two names are the same
// if their keys are. It is NFC, then full Unicode case folding, then NFC again,
// because folding may take a letter apart.
func Fold(name string) string {
	key := make([]byte, 0, len(name))
	for len(name) > 0 {
		var n int
		key, n = appendFolded(key, name)
		name = name[n:]
	}
	return string(key)
}

// appendFolded appends the comparison key of the first normalisation segment of
// s, a base character with its marks, and returns how many bytes of s that was.
// Names and texts are folded by the same steps, so that a match can end only
// where a segment of the text ends. s must not be empty.
func appendFolded(dst []byte, s string) ([]byte, int) {
	if c := s[0]; c < utf8.RuneSelf && (len(s) == 1 || s[1] < utf8.RuneSelf) {
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		return append(dst, c), 1
	}
	n := norm.NFC.NextBoundaryInString(s, true)
	if n <= 0 {
		n = 1
	}
	folded := cases.Fold().String(norm.NFC.String(s[:n]))
	return append(dst, norm.NFC.String(folded)...), n
}

// CheckName says whether name may be the name of a colleague. It checks the
// canonical form and returns one sentence that names the first rule broken, or
// nil. Whether the name is taken, by a colleague or a person, is for the caller.
func CheckName(name string) error {
	name = Canonical(name)
	if err := checkCharacters(name); err != nil {
		return fmt.Errorf("the name %s cannot be used: %w", quote(name), err)
	}
	if strings.HasPrefix(name, "__") {
		return fmt.Errorf("the name %s cannot be used: names that start with __ are reserved", quote(name))
	}
	key := Fold(name)
	if slices.Contains(levels, key) {
		return fmt.Errorf("the name %s cannot be used: it is a level ($%s)", quote(name), key)
	}
	if slices.Contains(reservedNames, key) {
		return fmt.Errorf("the name %s cannot be used: it is reserved", quote(name))
	}
	return nil
}

// CheckChannelName says whether name may be the name of a group channel. The
// characters are those of a colleague's name; a channel may not be named like a
// level, general, mailbox or dm-…, which address something else.
func CheckChannelName(name string) error {
	name = Canonical(name)
	if err := checkCharacters(name); err != nil {
		return fmt.Errorf("the channel name %s cannot be used: %w", quote(name), err)
	}
	key := Fold(name)
	switch {
	case slices.Contains(levels, key):
		return fmt.Errorf("the channel name %s cannot be used: it is a level, written $%s", quote(name), key)
	case key == General:
		return fmt.Errorf("the channel name %s cannot be used: every office has #general already", quote(name))
	case isPrivateChannel(key):
		return fmt.Errorf("the channel name %s cannot be used: mailbox and dm-… are kept for mailboxes and direct channels", quote(name))
	}
	return nil
}

// isPrivateChannel reports whether a folded channel name is one of those that
// only mailboxes and direct channels have.
func isPrivateChannel(key string) bool {
	return key == "mailbox" || strings.HasPrefix(key, "dm-")
}

var (
	errEmpty      = errors.New("it is empty; write 1 to 64 characters")
	errLong       = errors.New("it is longer than 64 characters")
	errEncoding   = errors.New("it is not valid UTF-8")
	errInvisible  = errors.New("it holds an invisible character")
	errSpaces     = errors.New("a space may only stand alone, between two other characters")
	errFirst      = errors.New("it must start with a letter, a digit or _")
	errNoLetter   = errors.New("it must hold a letter or a digit")
	errCharacters = errors.New("only letters, marks, digits, _, -, . and single inner spaces are allowed")
)

// checkCharacters holds the rules that names of colleagues and of channels
// share. name is canonical.
func checkCharacters(name string) error {
	switch {
	case name == "":
		return errEmpty
	case !utf8.ValidString(name):
		return errEncoding
	case utf8.RuneCountInString(name) > maxNameRunes:
		return errLong
	case strings.Contains(name, "  "):
		return errSpaces
	}
	spoken := false
	for i, r := range name {
		switch {
		case isInvisible(r):
			return errInvisible
		case !isWord(r) && !strings.ContainsRune("-. ", r):
			return errCharacters
		case i == 0 && (r == '-' || r == '.' || unicode.IsMark(r)):
			return errFirst
		}
		spoken = spoken || unicode.IsLetter(r) || unicode.IsDigit(r)
	}
	if !spoken {
		return errNoLetter
	}
	return nil
}

// isWord reports whether r is part of a word: a letter, a mark, a digit or _.
func isWord(r rune) bool {
	return r == '_' || unicode.In(r, unicode.L, unicode.M, unicode.Nd)
}

// isInvisible reports whether r shows nothing: controls, format characters, and
// the fillers and selectors that Unicode counts among letters and marks.
func isInvisible(r rune) bool {
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp,
		unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}

// quote shows any string on one line, bounded, in quotation marks.
func quote(s string) string {
	return fmt.Sprintf("%q", shorten(s))
}

// shorten cuts s to the length of the longest name.
func shorten(s string) string {
	n := 0
	for i := range s {
		if n == maxNameRunes {
			return s[:i] + "…"
		}
		n++
	}
	return s
}
