package bridge

import (
	"errors"
	"net/url"
	"regexp"
	"strings"
)

// Scrubber takes secrets out of what may be logged or shown: an adapter's tokens, and
// addresses behind their host, which may hold a token or a ticket. NewScrubber makes
// one; the zero value knows no token. It may be used by several goroutines.
type Scrubber struct{ tokens *strings.Replacer }

// NewScrubber makes a Scrubber that knows these tokens.
func NewScrubber(tokens ...string) Scrubber {
	var pairs []string
	for _, t := range tokens {
		pairs = append(pairs, t, "[secret]")
	}
	return Scrubber{strings.NewReplacer(pairs...)}
}

var addressForm = regexp.MustCompile(`(?:https?|wss?)://[^\s"']+`)

// Text is t without secrets.
func (s Scrubber) Text(t string) string {
	if s.tokens != nil {
		t = s.tokens.Replace(t)
	}
	return addressForm.ReplaceAllStringFunc(t, func(u string) string {
		p, err := url.Parse(u)
		if err != nil {
			return "[address]"
		}
		return p.Scheme + "://" + p.Host + "/…"
	})
}

// Error is err as a text without secrets; what it wraps is gone with it, since a
// wrapped error can be printed again.
func (s Scrubber) Error(err error) error {
	if err == nil {
		return nil
	}
	return errors.New(s.Text(err.Error()))
}
