package file

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"syscall"
)

// errEnough ends a walk early and without an error.
var errEnough = errors.New("enough")

// listFolder returns what is in a folder, sorted by name, without files that are
// being written. Of a folder with more than maxFolder entries it returns as
// many as that, in the disk's order before sorting, and true.
func listFolder(root *os.Root, dir string) ([]fs.DirEntry, bool, error) {
	// A FIFO put in the folder's place must not block the open.
	f, err := root.OpenFile(dir, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, false, err
	}
	defer f.Close() // only read
	var all []fs.DirEntry
	for len(all) <= maxFolder {
		some, err := f.ReadDir(maxFolder + 1 - len(all))
		all = append(all, some...)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, false, err
		}
	}
	more := len(all) > maxFolder
	all = slices.DeleteFunc(all[:min(len(all), maxFolder)], func(e fs.DirEntry) bool {
		return strings.HasPrefix(e.Name(), tempPrefix)
	})
	slices.SortFunc(all, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return all, more, nil
}

// walk visits what is below a folder, each folder before what is in it. Links
// are visited but not followed.
type walk struct {
	ctx   context.Context
	root  *os.Root
	depth int // levels below the start that are visited
	// visit is called for each entry with its path relative to the workspace.
	// fs.SkipDir keeps out of a folder, errEnough ends the walk.
	visit func(p string, e fs.DirEntry) error

	visited int
	unread  int  // folders that could not be read
	partly  bool // a bound was met, so that entries were left out
}

// from walks the folder dir. The error is the context's, or the visit's.
func (w *walk) from(dir string) error {
	err := w.folder(dir, 1)
	if errors.Is(err, errEnough) {
		return nil
	}
	return err
}

func (w *walk) folder(dir string, level int) error {
	if err := w.ctx.Err(); err != nil {
		return &fault{"the search was stopped before it ended; ask again for a smaller folder", context.Cause(w.ctx)}
	}
	found, more, err := listFolder(w.root, dir)
	if err != nil {
		w.unread++
		return nil
	}
	w.partly = w.partly || more
	for _, e := range found {
		if w.visited++; w.visited > maxVisited {
			w.partly = true
			return errEnough
		}
		p := path.Join(dir, e.Name())
		err := w.visit(p, e)
		if errors.Is(err, fs.SkipDir) {
			continue
		}
		if err != nil {
			return err
		}
		if !e.IsDir() || level >= w.depth {
			continue
		}
		if level >= maxDepth {
			w.partly = true
			continue
		}
		if err := w.folder(p, level+1); err != nil {
			return err
		}
	}
	return nil
}

// startFolder checks that p is a folder in which a walk can start.
func startFolder(root *os.Root, p string) error {
	info, err := root.Stat(p)
	if err != nil {
		return notThere(root, p, err)
	}
	if !info.IsDir() {
		return faultf("%s is a %s, not a folder; name a folder, or use read", p, kind(info.Mode()))
	}
	return nil
}

// notes says what a walk left out, one sentence each.
func (w *walk) notes() []string {
	var out []string
	if w.partly {
		out = append(out, "there is more than one call looks at, so some was left out; ask for a folder further down")
	}
	if w.unread > 0 {
		out = append(out, counted(w.unread, "folder")+" could not be read")
	}
	return out
}

// noted appends each note to text on a line of its own, in brackets.
func noted(text string, notes ...string) string {
	var b strings.Builder
	b.WriteString(text)
	for _, n := range notes {
		if b.Len() > 0 && !strings.HasSuffix(b.String(), "\n") {
			b.WriteByte('\n')
		}
		b.WriteString("[" + n + "]")
	}
	return b.String()
}
