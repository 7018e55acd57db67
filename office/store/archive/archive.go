// Package archive keeps what has left an office's record: files of JSON lines in
// the office's folder, one for each kind and month, for people and their tools to
// read. Nothing of the office reads them.
package archive

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"bullpen/office"
)

// Folder is the archive of one office. One goroutine at a time may use it.
type Folder struct {
	// Dir is made when it is first needed; it and its files are the owner's alone.
	Dir string
	// Now gives the time that says which month's file is written.
	Now func() time.Time
}

var _ office.Archive = Folder{}

// Append adds rows to the file of a kind and of this month: kind-2026-11.jsonl.
// It returns when they are on the disk. A line that a crash cut short is closed
// first, so that it spoils no other.
func (f Folder) Append(ctx context.Context, kind string, rows []json.RawMessage) (err error) {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := os.MkdirAll(f.Dir, 0o700); err != nil {
		return fmt.Errorf("the archive cannot be made: %w", err)
	}
	name := filepath.Join(f.Dir, kind+"-"+f.Now().UTC().Format("2006-01")+".jsonl")
	file, err := os.OpenFile(name, os.O_CREATE|os.O_APPEND|os.O_RDWR, 0o600)
	if err != nil {
		return fmt.Errorf("the archive cannot be written: %w", err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	var b bytes.Buffer
	if torn(file) {
		b.WriteByte('\n')
	}
	for _, row := range rows {
		if err := json.Compact(&b, row); err != nil {
			return fmt.Errorf("%s holds no JSON: %w", kind, err)
		}
		b.WriteByte('\n')
	}
	if _, err := file.Write(b.Bytes()); err != nil {
		return fmt.Errorf("%s cannot be written: %w", name, err)
	}
	if err := file.Sync(); err != nil {
		return fmt.Errorf("%s may not be on the disk: %w", name, err)
	}
	return nil
}

// Check names the lines of the files that hold no JSON. One that a crash cut short is
// none of them: its rows stand behind it. It changes nothing; a folder that is not
// there holds nothing.
func (f Folder) Check(ctx context.Context) (findings []string, err error) {
	files, err := filepath.Glob(filepath.Join(f.Dir, "*.jsonl"))
	if err != nil {
		return nil, err
	}
	for _, name := range files {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		found, err := check(name)
		if err != nil {
			return nil, fmt.Errorf("the archive cannot be read: %w", err)
		}
		findings = append(findings, found...)
	}
	return findings, nil
}

func check(name string) (findings []string, err error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	r := bufio.NewReader(file)
	for n := 1; ; n++ {
		line, err := r.ReadBytes('\n')
		if len(line) > 0 && !whole(line) {
			findings = append(findings, fmt.Sprintf("%s: line %d holds no JSON", name, n))
		}
		if errors.Is(err, io.EOF) {
			return findings, nil
		}
		if err != nil {
			return findings, err
		}
	}
}

// whole says whether a line is JSON, or the beginning of some.
func whole(line []byte) bool {
	line = bytes.TrimSuffix(line, []byte("\n"))
	if json.Valid(line) {
		return true
	}
	var row json.RawMessage
	err := json.NewDecoder(bytes.NewReader(line)).Decode(&row)
	return errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF)
}

// torn says whether the file does not end with a whole line.
func torn(f *os.File) bool {
	info, err := f.Stat()
	if err != nil || info.Size() == 0 {
		return false
	}
	last := make([]byte, 1)
	_, err = f.ReadAt(last, info.Size()-1)
	return err == nil && last[0] != '\n'
}
