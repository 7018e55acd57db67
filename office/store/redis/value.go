package redis

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// encode is json.Marshal without the escapes for browsers: shorter, and the
// arguments of calls stay as the model wrote them. It writes no line break.
func encode(v any) (string, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return "", fmt.Errorf("cannot be encoded: %w", err)
	}
	return string(bytes.TrimSuffix(b.Bytes(), []byte("\n"))), nil
}

// encodeWith puts a text behind v, out of the JSON, which would mend bytes in
// it that are not UTF-8.
func encodeWith(v any, text string) (string, error) {
	value, err := encode(v)
	return value + "\n" + text, err
}

// textOf is what encodeWith put behind the JSON.
func textOf(value string) string {
	_, text, _ := strings.Cut(value, "\n")
	return text
}

func decode(what, value string, v any) error {
	if err := json.Unmarshal([]byte(value), v); err != nil {
		return &badValue{what: what, err: err}
	}
	return nil
}

// decodeWith reads what encodeWith wrote.
func decodeWith(what, value string, v any) (text string, err error) {
	value, text, ok := strings.Cut(value, "\n")
	if !ok {
		return "", &badValue{what: what, err: fmt.Errorf("it has no text")}
	}
	return text, decode(what, value, v)
}

// values decodes what a hash holds.
func values[T any](what string, fields map[string]string) ([]T, error) {
	all := make([]T, 0, len(fields))
	for _, value := range fields {
		var v T
		if err := decode(what, value, &v); err != nil {
			return nil, err
		}
		all = append(all, v)
	}
	return all, nil
}

// badValue is something stored that is not what was written.
type badValue struct {
	what string
	err  error
}

func (b *badValue) Error() string {
	return fmt.Sprintf("a stored %s cannot be read: %v", b.what, b.err)
}
func (b *badValue) Unwrap() error { return b.err }
