package config

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// SetEnv gives variables of the folder's .env their values. Other lines stay; the
// file is replaced whole or not at all, and nobody else may read it (0600).
func SetEnv(dir string, vars map[string]string) error {
	path := filepath.Join(dir, EnvName)
	before, err := readBounded(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	text, err := envWith(string(before), vars)
	if err != nil {
		return err
	}
	if before == nil {
		if err := writeNew(path, ""); err != nil {
			return fmt.Errorf("make the file for secrets: %w", err)
		}
	}
	if err := os.Chmod(path, 0o600); err != nil {
		return fmt.Errorf("close the file for secrets: %w", err)
	}
	if err := replaceFile(path, []byte(text)); err != nil {
		return fmt.Errorf("%s could not be written and is as it was: %w", path, err)
	}
	return nil
}

// Env are the variables of the folder's .env; none where there is no such file.
func Env(dir string) (map[string]string, error) {
	vars, problems, err := loadEnv(filepath.Join(dir, EnvName))
	if err == nil && problems.fatal() {
		err = &problems
	}
	return vars, err
}

// envWith is the text of an .env with other values.
func envWith(before string, vars map[string]string) (string, error) {
	var lines []string
	written := map[string]bool{}
	for line := range strings.Lines(before) {
		key, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "export "), "=")
		if value, ours := vars[strings.TrimSpace(key)]; ours {
			key = strings.TrimSpace(key)
			if written[key] {
				continue
			}
			written[key] = true
			line = key + "=" + envText(value) + "\n"
		}
		lines = append(lines, line)
	}
	if n := len(lines); n > 0 && !strings.HasSuffix(lines[n-1], "\n") {
		lines[n-1] += "\n"
	}
	for _, key := range slices.Sorted(maps.Keys(vars)) {
		if !written[key] {
			lines = append(lines, key+"="+envText(vars[key])+"\n")
		}
	}
	text := strings.Join(lines, "")
	got, problems := parseEnv([]byte(text))
	for key, value := range vars {
		if got[key] != value {
			return "", fmt.Errorf("the value for %s cannot be written into %s: it must be text on one line", key, EnvName)
		}
	}
	if problems.fatal() {
		return "", &problems
	}
	return text, nil
}

var bareEnv = regexp.MustCompile(`^[A-Za-z0-9_./:@+=,-]+$`)

// envText is a value as it is written into .env.
func envText(value string) string {
	if bareEnv.MatchString(value) {
		return value
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\r", `\r`, "\t", `\t`, "$", `\$`).Replace(value) + `"`
}
