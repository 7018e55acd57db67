package config

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"bullpen/config/inplace"
	"bullpen/office"

	"github.com/gofrs/flock"
)

// File is the office.yaml of a folder as the place where the office is declared.
// It may be used from several goroutines, and by several processes: a lock on a
// file beside office.yaml puts their edits in an order.
type File struct {
	dir     string
	env     func(string) (string, bool)
	setup   func(*Config) office.Setup
	replace func(path string, text []byte) error
}

var _ office.Declaration = (*File)(nil)

// OpenFile makes a File of the office in dir. env is looked up as by [Load]; setup
// is what the program makes of a configuration. Nothing is read yet.
func OpenFile(dir string, env func(string) (string, bool), setup func(*Config) office.Setup) *File {
	return &File{dir: dir, env: env, setup: setup, replace: replaceFile}
}

// Read returns the setup that office.yaml describes now. What is wrong in it is a
// *Problems.
func (f *File) Read(context.Context) (office.Setup, error) {
	cfg, err := Load(f.dir, f.env)
	if err != nil {
		return office.Setup{}, err
	}
	return f.setup(cfg), nil
}

// Refused is an edit that would have left an office.yaml that does not load. The
// file is as it was.
type Refused struct{ Problems Problems }

// Error says what would have been wrong, without the lines of a text that nobody
// will see.
func (e *Refused) Error() string {
	var all []string
	for _, p := range e.Problems {
		if !p.Notice && len(all) < 5 {
			sentence := strings.TrimPrefix(p.Path+": ", ": ") + p.What
			if p.Mend != "" {
				sentence += "; " + p.Mend
			}
			all = append(all, sentence)
		}
	}
	return strings.Join(all, "\n")
}

// manyReadings is how often a file that is being edited by hand is read again.
const manyReadings = 10

// Edit writes edits into office.yaml, all or none, and returns the setup that it
// describes afterwards. Only lines that say something else are touched. What is
// there already is not written again.
//
// An office.yaml that does not load is left alone: the error wraps *Problems. So
// is one that would not load afterwards: the error wraps *Refused. A write that
// fails, on a full disk for example, leaves the file whole. ctx ends the waiting
// for the lock.
func (f *File) Edit(ctx context.Context, edits ...office.Edit) (office.Setup, error) {
	return f.change(ctx, func(e *editor) error {
		for _, edit := range edits {
			if err := e.apply(edit); err != nil {
				return err
			}
		}
		return nil
	})
}

// Connect declares that the office is on a platform: keys below adapters.<platform>
// with their values. Secrets are written as "${VAR}".
func (f *File) Connect(ctx context.Context, platform string, fields map[string]any) (office.Setup, error) {
	return f.change(ctx, func(e *editor) error { return e.set([]string{"adapters", platform}, fields) })
}

// change makes changes under the lock.
func (f *File) change(ctx context.Context, do func(*editor) error) (office.Setup, error) {
	path, err := filepath.EvalSymlinks(filepath.Join(f.dir, FileName))
	if err != nil {
		return office.Setup{}, fmt.Errorf("find office.yaml: %w", err)
	}
	lock := flock.New(filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+".lock"), flock.SetPermissions(0o600))
	if _, err := lock.TryLockContext(ctx, 5*time.Millisecond); err != nil {
		return office.Setup{}, fmt.Errorf("office.yaml cannot be locked for a change: %w", err)
	}
	defer lock.Close() //nolint:errcheck // closing frees it in any case
	for range manyReadings {
		cfg, err := f.edit(path, do)
		if errors.Is(err, errMeanwhile) {
			continue
		}
		if err != nil {
			return office.Setup{}, err
		}
		return f.setup(cfg), nil
	}
	return office.Setup{}, errors.New("office.yaml is being changed all the time; try again when whoever changes it is done")
}

// errMeanwhile says that the file changed while it was being edited.
var errMeanwhile = errors.New("office.yaml was changed meanwhile")

// edit makes the edits once. It is called under the lock.
func (f *File) edit(path string, do func(*editor) error) (*Config, error) {
	before, src, err := load(f.dir, f.env)
	if problems := (*Problems)(nil); errors.As(err, &problems) {
		return nil, fmt.Errorf("nothing was changed, because office.yaml is not in order:\n%w", err)
	}
	if err != nil {
		return nil, err
	}
	doc, err := inplace.Parse(src.text)
	if err != nil {
		return nil, fmt.Errorf("office.yaml cannot be changed in place: %w", err)
	}
	if err := do(&editor{doc, src}); err != nil {
		return nil, err
	}
	text := doc.Text()
	if string(text) == string(src.text) {
		return before, nil
	}
	after, err := src.config(text)
	if problems := (*Problems)(nil); errors.As(err, &problems) {
		return nil, &Refused{*problems}
	}
	if err != nil {
		return nil, err
	}
	if now, err := readBounded(path); err != nil || string(now) != string(src.text) {
		return nil, errors.Join(errMeanwhile, err)
	}
	if err := f.replace(path, text); err != nil {
		return nil, fmt.Errorf("office.yaml could not be written and is as it was: %w", err)
	}
	return after, nil
}
