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
	if _, err := os.Lstat(path); err == nil {
		return nil
	}
	if err := writeNew(path, scaffold); err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("write the example office: %w", err)
	}
	return nil
}

// writeNew makes a file that is there whole or not at all, and never replaces
// one: a half-written file would be taken for the owner's own.
func writeNew(path, text string) (err error) {
	f, err := os.CreateTemp(filepath.Dir(path), ".new-*")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.Remove(f.Name())) }()
	_, err = f.WriteString(text)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Link(f.Name(), path)
}
