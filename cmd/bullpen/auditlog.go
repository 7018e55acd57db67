package main

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"

	"bullpen/internal/obs"
	"bullpen/office"
)

// auditSize bounds audit.jsonl, in bytes; one older file is kept beside it. All
// lines are in the office's record as well.
const auditSize = 10 << 20

// auditLog writes the lines of the audit log to a file that other programs can
// follow: JSON, one a line. One goroutine uses it, the office's loop.
type auditLog struct {
	path   string
	file   *os.File
	size   int64
	hide   *obs.Redactor
	log    *slog.Logger
	broken bool // that it cannot be written was said
}

// openAuditLog opens audit.jsonl in a folder for logs.
func openAuditLog(dir string, hide *obs.Redactor, log *slog.Logger) (*auditLog, error) {
	a := &auditLog{path: filepath.Join(dir, "audit.jsonl"), hide: hide, log: log}
	if err := a.open(); err != nil {
		return nil, err
	}
	return a, nil
}

func (a *auditLog) open() error {
	f, err := os.OpenFile(a.path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("the audit log cannot be opened: %w", err)
	}
	info, err := f.Stat()
	if err != nil {
		_ = f.Close()
		return fmt.Errorf("the audit log cannot be opened: %w", err)
	}
	a.file, a.size = f, info.Size()
	return nil
}

// write adds a line. A failure is logged once: the record has the line.
func (a *auditLog) write(line office.Audit) {
	text, err := json.Marshal(line)
	if err == nil {
		err = a.add(append([]byte(a.hide.Text(string(text))), '\n'))
	}
	if err != nil && !a.broken {
		a.log.Warn("audit.jsonl lacks lines, which are in the record", "err", err)
	}
	a.broken = err != nil
}

func (a *auditLog) add(line []byte) error {
	if a.size > 0 && a.size+int64(len(line)) > auditSize {
		if err := a.turn(); err != nil {
			return err
		}
	}
	n, err := a.file.Write(line)
	a.size += int64(n)
	return err
}

// turn puts a full file aside and begins another.
func (a *auditLog) turn() error {
	if err := a.file.Close(); err != nil {
		a.log.Info("a full audit.jsonl could not be closed", "err", err)
	}
	if err := os.Rename(a.path, a.path+".1"); err != nil {
		return err
	}
	return a.open()
}

func (a *auditLog) close() error { return a.file.Close() }
