// Package files keeps what colleagues send to people until every platform has
// shown it: each file once, under the hash of what it holds, so that a workspace
// may change meanwhile and a send that is tried again sends the same.
package files

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"bullpen/office"
)

const (
	// kept is how long a file is kept after it was last sent: longer than anything
	// is owed to a platform.
	kept = 30 * 24 * time.Hour
	// partPrefix begins the names of files that are being written.
	partPrefix = "part-"
)

// Dir is a folder of files. It is safe for concurrent use.
type Dir struct{ path string }

var _ office.FileStore = (*Dir)(nil)

// Open makes the folder if it is not there, and drops from it what is too old. now
// is the current time.
func Open(path string, now time.Time) (*Dir, error) {
	if err := os.MkdirAll(path, 0o700); err != nil {
		return nil, fmt.Errorf("the folder for files cannot be made: %w", err)
	}
	all, err := os.ReadDir(path)
	if err != nil {
		return nil, fmt.Errorf("the folder for files cannot be read: %w", err)
	}
	for _, e := range all {
		info, err := e.Info()
		old := err == nil && now.Sub(info.ModTime()) > kept
		if old || strings.HasPrefix(e.Name(), partPrefix) {
			_ = os.Remove(filepath.Join(path, e.Name())) // what stays is dropped at the next start
		}
	}
	return &Dir{path}, nil
}

// In is a folder of files as it is, to look at; nothing is dropped from it.
func In(path string) *Dir { return &Dir{path} }

// Put keeps what r gives, at most most bytes of it, and says under what id. When
// it returns without error the file survives a crash. The error is office.ErrTooBig
// if there is more.
func (d *Dir) Put(r io.Reader, most int64) (id string, size int64, err error) {
	f, err := os.CreateTemp(d.path, partPrefix)
	if err != nil {
		return "", 0, fmt.Errorf("the file cannot be kept: %w", err)
	}
	hash := sha256.New()
	size, err = io.Copy(io.MultiWriter(f, hash), io.LimitReader(r, most+1))
	if err == nil && size > most {
		err = office.ErrTooBig
	}
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		id = hex.EncodeToString(hash.Sum(nil))
		err = os.Rename(f.Name(), filepath.Join(d.path, id))
	}
	if err == nil {
		err = d.sync()
	}
	if err != nil {
		_ = os.Remove(f.Name()) // it may have its name already
		return "", 0, err
	}
	return id, size, nil
}

// sync makes the names in the folder durable.
func (d *Dir) sync() error {
	f, err := os.Open(d.path)
	if err != nil {
		return err
	}
	return errors.Join(f.Sync(), f.Close())
}

// Open opens a kept file. The error is office.ErrGone if it is not there.
func (d *Dir) Open(id string) (io.ReadCloser, error) {
	if !isID(id) {
		return nil, office.ErrGone
	}
	f, err := os.Open(filepath.Join(d.path, id))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, office.ErrGone
	}
	return f, err
}

func isID(id string) bool {
	b, err := hex.DecodeString(id)
	return err == nil && len(b) == sha256.Size
}
