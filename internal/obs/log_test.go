package obs

import (
	"bytes"
	"errors"
	"log/slog"
	"strings"
	"testing"
)

func TestNoSecretReachesALog(t *testing.T) {
	t.Parallel()
	const key = "hunter2hunter2"
	for _, tc := range []struct {
		name string
		log  func(l *slog.Logger)
	}{
		{"message", func(l *slog.Logger) { l.Info("the key is " + key) }},
		{"attribute", func(l *slog.Logger) { l.Info("x", "key", key) }},
		{"error", func(l *slog.Logger) { l.Info("x", "err", errors.New("Get https://x.test/?k="+key)) }},
		{"group", func(l *slog.Logger) { l.Info("x", slog.Group("g", slog.String("key", key))) }},
		{"with", func(l *slog.Logger) { l.With("key", key).WithGroup("g").Info("x", "deep", []string{key}) }},
		{"slack token", func(l *slog.Logger) { l.Info("using xoxb-123456-" + key) }},
		{"telegram url", func(l *slog.Logger) {
			l.Info("x", "err", errors.New("Post https://api.telegram.org/bot12345678:AAAAAAAAAAAAAAAAAAAAAAAAA"+key+"/getMe"))
		}},
		{"bearer", func(l *slog.Logger) { l.Info("Authorization: Bearer abcdefghijkl" + key) }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			var out bytes.Buffer
			tc.log(slog.New(NewHandler(slog.NewJSONHandler(&out, nil), NewRedactor([]string{key}))))
			if s := out.String(); strings.Contains(s, key) || !strings.Contains(s, hidden) {
				t.Errorf("logged %s", s)
			}
		})
	}
}

func TestShortValuesDoNotBlotOutWords(t *testing.T) {
	t.Parallel()
	if got := NewRedactor([]string{"a", "dev"}).Text("a message in dev"); got != "a message in dev" {
		t.Errorf("got %q", got)
	}
}
