package config

import (
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Example is office.yaml with every key there is, its default and what it does.
//
//go:embed office.example.yaml
var Example string

//go:embed scaffold.yaml
var scaffold string

// Scaffold makes dir (0700) and writes a first office.yaml (0600) into it: a
// leader and two members who answer without any key. A file that is there
// already is left alone.
func Scaffold(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("make the office's folder: %w", err)
	}
	path := filepath.Join(dir, FileName)
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("write the example office: %w", err)
	}
	_, err = f.WriteString(scaffold)
	if err = errors.Join(err, f.Close()); err != nil {
		// A half-written file would be taken for the owner's own.
		return fmt.Errorf("write the example office: %w", errors.Join(err, os.Remove(path)))
	}
	return nil
}
