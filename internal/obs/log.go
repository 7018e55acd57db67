// Package obs is what an operator sees of the inside: logs that hold no secret.
package obs

import (
	"context"
	"fmt"
	"log/slog"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// hidden stands where a secret stood.
const hidden = "[secret]"

// shortestSecret is the length from which a value is looked for in log lines;
// shorter ones would blot out ordinary words.
const shortestSecret = 6

// tokens are shapes of secrets that are hidden even when nobody told us the
// value: Slack's tokens and response URLs, OpenAI-style keys, Telegram's tokens
// (which stand in its URLs), Discord's webhook URLs and bearer headers.
var tokens = regexp.MustCompile(`xox[a-z]-[A-Za-z0-9-]{6,}|xapp-[A-Za-z0-9-]{6,}|sk-[A-Za-z0-9_-]{12,}|\bbot\d{6,}:[A-Za-z0-9_-]{20,}|` +
	`https://hooks\.slack\.com/\S+|/api(?:/v\d+)?/webhooks/\d+/[A-Za-z0-9_-]+|(?i:bearer) [A-Za-z0-9._~+/-]{12,}`)

// Redactor hides secrets in text. The zero value knows only their shapes. It
// is safe for concurrent use.
type Redactor struct {
	mu       sync.Mutex // held while values are added
	known    []string
	replacer atomic.Pointer[strings.Replacer]
}

// NewRedactor makes a redactor that also knows these values.
func NewRedactor(secrets []string) *Redactor {
	r := &Redactor{}
	r.Add(secrets)
	return r
}

// Add makes more values known: a configuration that is read again may hold new
// ones. Those that were known before stay hidden.
func (r *Redactor) Add(secrets []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, s := range secrets {
		if len(s) >= shortestSecret && !slices.Contains(r.known, s) {
			r.known = append(r.known, s)
		}
	}
	slices.SortFunc(r.known, func(a, b string) int { return len(b) - len(a) })
	var pairs []string
	for _, s := range r.known {
		pairs = append(pairs, s, hidden)
	}
	r.replacer.Store(strings.NewReplacer(pairs...))
}

// Text is s without secrets.
func (r *Redactor) Text(s string) string {
	if replacer := r.replacer.Load(); replacer != nil {
		s = replacer.Replace(s)
	}
	return tokens.ReplaceAllString(s, hidden)
}

// Handler is a slog.Handler that hides secrets in messages and in the values
// of attributes before the handler behind it sees them.
type Handler struct {
	next   slog.Handler
	redact *Redactor
}

// NewHandler puts r before next.
func NewHandler(next slog.Handler, r *Redactor) *Handler { return &Handler{next: next, redact: r} }

var _ slog.Handler = (*Handler)(nil)

// Enabled asks the handler behind.
func (h *Handler) Enabled(ctx context.Context, l slog.Level) bool { return h.next.Enabled(ctx, l) }

// Handle passes on a record without secrets.
func (h *Handler) Handle(ctx context.Context, rec slog.Record) error {
	clean := slog.NewRecord(rec.Time, rec.Level, h.redact.Text(rec.Message), rec.PC)
	rec.Attrs(func(a slog.Attr) bool {
		clean.AddAttrs(h.attr(a))
		return true
	})
	return h.next.Handle(ctx, clean)
}

// WithAttrs cleans the attributes once.
func (h *Handler) WithAttrs(attrs []slog.Attr) slog.Handler {
	clean := make([]slog.Attr, len(attrs))
	for i, a := range attrs {
		clean[i] = h.attr(a)
	}
	return &Handler{next: h.next.WithAttrs(clean), redact: h.redact}
}

// WithGroup passes the group on.
func (h *Handler) WithGroup(name string) slog.Handler {
	return &Handler{next: h.next.WithGroup(name), redact: h.redact}
}

func (h *Handler) attr(a slog.Attr) slog.Attr {
	v := a.Value.Resolve()
	switch v.Kind() {
	case slog.KindString:
		return slog.String(a.Key, h.redact.Text(v.String()))
	case slog.KindGroup:
		members := v.Group()
		clean := make([]slog.Attr, len(members))
		for i, m := range members {
			clean[i] = h.attr(m)
		}
		return slog.Attr{Key: a.Key, Value: slog.GroupValue(clean...)}
	case slog.KindAny:
		// Errors and everything else print as text: only text can be looked through.
		return slog.String(a.Key, h.redact.Text(fmt.Sprint(v.Any())))
	default:
		return a
	}
}
