package config

import (
	"fmt"
	"io"
	"log/slog"
)

// hidden stands for a secret wherever one might be printed.
const hidden = "[secret]"

// Secret is a token or key. Printing, logging or encoding it shows only that
// there is one; [Secret.Reveal] is the one way to its value. The zero value is
// no secret. Two Secrets of one value are not equal by ==.
type Secret struct {
	// value is a pointer because fmt prints the unexported fields of a struct that
	// holds a Secret without asking the Secret.
	value *string
}

// NewSecret keeps value from being printed. Without a value there is no secret.
func NewSecret(value string) Secret {
	if value == "" {
		return Secret{}
	}
	return Secret{&value}
}

// Reveal returns the value, to be handed to whom it opens the door.
func (s Secret) Reveal() string {
	if s.value == nil {
		return ""
	}
	return *s.value
}

// Empty reports whether there is no value.
func (s Secret) Empty() bool { return s.value == nil }

// String hides the value.
func (s Secret) String() string {
	if s.Empty() {
		return ""
	}
	return hidden
}

// Format hides the value from every verb of fmt.
func (s Secret) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, s.String()) }

// LogValue hides the value from log/slog.
func (s Secret) LogValue() slog.Value { return slog.StringValue(s.String()) }

// MarshalText hides the value from encoders, such as JSON's and YAML's.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }
