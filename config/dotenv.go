package config

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"runtime"
	"strings"
	"unicode/utf8"
)

// loadEnv reads the variables of an .env file; there need be none.
func loadEnv(path string) (map[string]string, Problems, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, fmt.Errorf("look at the secrets: %w", err)
	}
	text, err := readBounded(path)
	if err != nil {
		return nil, nil, err
	}
	vars, problems := parseEnv(text)
	if mode := info.Mode().Perm(); mode&0o077 != 0 && runtime.GOOS != "windows" {
		problems = append(Problems{{
			File: EnvName, Line: 1, Column: 1, Notice: true,
			What: fmt.Sprintf("other users of this machine may open the file (mode %04o)", mode), Mend: "run chmod 600 .env",
		}}, problems...)
	}
	return vars, problems, nil
}

var variableForm = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// parseEnv reads lines of KEY=VALUE. `export ` before a key is skipped, # begins
// a comment at the start of a line and after a space. In "double quotes" \n, \r,
// \t, \", \\ and \$ are escapes; in 'single quotes' everything is as it stands.
// Nothing is expanded. Where a key stands twice the last line counts. No problem
// quotes a value.
func parseEnv(text []byte) (map[string]string, Problems) {
	vars := make(map[string]string)
	var problems Problems
	tell := func(line, column int, path, what, mend string, notice bool) {
		problems = append(problems, Problem{EnvName, line, column, path, what, mend, notice})
	}
	if len(text) > maxFile {
		tell(1, 1, "", "the file is larger than 1 MiB", "keep KEY=VALUE lines only", false)
		return nil, problems
	}
	text = bytes.TrimPrefix(text, []byte("\uFEFF"))
	for i, line := range strings.Split(string(text), "\n") {
		rest := strings.TrimSpace(line)
		if rest == "" || rest[0] == '#' {
			continue
		}
		column := utf8.RuneCountInString(line[:strings.Index(line, rest)]) + 1
		if after, ok := strings.CutPrefix(rest, "export"); ok && strings.TrimLeft(after, " \t") != after {
			rest = strings.TrimLeft(after, " \t")
		}
		key, raw, found := strings.Cut(rest, "=")
		key = strings.TrimRight(key, " \t")
		switch {
		case !utf8.ValidString(line):
			tell(i+1, column, "", "the line is not UTF-8", "save the file as UTF-8", false)
			continue
		case !found || !variableForm.MatchString(key):
			tell(i+1, column, "", "the line is not KEY=VALUE", "a key is made of letters, digits and _", false)
			continue
		}
		value, err := envValue(strings.TrimSpace(raw))
		if err != nil {
			tell(i+1, column, key, err.Error(), "", false)
			continue
		}
		if _, again := vars[key]; again {
			tell(i+1, column, key, "the variable is there twice; this line counts", "remove the other", true)
		}
		vars[key] = value
	}
	return vars, problems
}

var (
	errOpenQuote  = errors.New(`the value's quote is not closed on its line; write \n in double quotes for a line break`)
	errAfterQuote = errors.New("something follows the value's closing quote; put it inside, or behind a space and #")
)

var envEscapes = map[byte]byte{'n': '\n', 'r': '\r', 't': '\t', '"': '"', '\\': '\\', '$': '$'}

// envValue reads what stands behind the = sign.
func envValue(raw string) (string, error) {
	if raw == "" || raw[0] != '"' && raw[0] != '\'' {
		return bareValue(raw), nil
	}
	quote := raw[0]
	var b strings.Builder
	for i := 1; i < len(raw); i++ {
		switch c := raw[i]; {
		case c == quote:
			if rest := strings.TrimSpace(raw[i+1:]); rest != "" && rest[0] != '#' {
				return "", errAfterQuote
			}
			return b.String(), nil
		case c == '\\' && quote == '"' && i+1 < len(raw) && envEscapes[raw[i+1]] != 0:
			i++
			b.WriteByte(envEscapes[raw[i]])
		default:
			b.WriteByte(c)
		}
	}
	return "", errOpenQuote
}

// bareValue ends an unquoted value before a comment.
func bareValue(raw string) string {
	if strings.HasPrefix(raw, "#") {
		return ""
	}
	for i := 1; i < len(raw); i++ {
		if raw[i] == '#' && (raw[i-1] == ' ' || raw[i-1] == '\t') {
			return strings.TrimSpace(raw[:i])
		}
	}
	return raw
}
