package local

import (
	"crypto/rand"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
)

// OutputFolder is where outputs that are too long to return are kept, relative
// to the workspace.
const OutputFolder = ".bullpen/output"

// keptOutputs is how many of them a workspace keeps.
const keptOutputs = 20

// output gathers what a command writes: its beginning and its end in memory,
// all of it, up to a bound, in a file of the workspace once that is needed.
// The command may do to that file what it likes: it is opened through the
// root, and new, so that it cannot lead elsewhere.
type output struct {
	root  *os.Root
	limit int
	kept  int64
	watch func([]byte)

	mu     sync.Mutex // a writer may outlive the wait for it
	closed bool
	head   []byte
	tail   []byte // of what came after head; grows to twice its share
	total  int64
	file   *os.File
	name   string
	stored int64
	failed bool // the file could not be written
}

func newOutput(root *os.Root, limit int, kept int64, watch func([]byte)) *output {
	return &output{root: root, limit: limit, kept: kept, watch: watch}
}

// Write takes the next piece. It never fails, so that a command is not ended by
// a full disk of ours.
func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.closed {
		return len(p), nil
	}
	if o.watch != nil {
		o.watch(p)
	}
	o.store(p)
	n := len(p)
	o.total += int64(n)
	share := o.limit / 2
	if room := share - len(o.head); room > 0 {
		taken := min(room, len(p))
		o.head = append(o.head, p[:taken]...)
		p = p[taken:]
	}
	share = o.limit - share
	if len(p) > share {
		p = p[len(p)-share:]
		o.tail = o.tail[:0]
	}
	o.tail = append(o.tail, p...)
	if len(o.tail) > 2*share {
		o.tail = append(o.tail[:0], o.tail[len(o.tail)-share:]...)
	}
	return n, nil
}

// store puts p into the file, which is made when the memory is exceeded.
func (o *output) store(p []byte) {
	if o.failed || o.kept <= 0 || o.stored >= o.kept {
		return
	}
	if o.file == nil {
		if o.total+int64(len(p)) <= int64(o.limit) {
			return
		}
		if !o.open() {
			o.failed = true
			return
		}
		o.put(o.head)
		o.put(o.tail) // until now nothing of it was dropped
	}
	o.put(p)
}

func (o *output) open() bool {
	if o.root.MkdirAll(OutputFolder, 0o755) != nil {
		return false
	}
	o.prune()
	o.name = path.Join(OutputFolder, "output-"+rand.Text()[:10]+".txt")
	f, err := o.root.OpenFile(o.name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	o.file = f
	return err == nil
}

func (o *output) put(p []byte) {
	p = p[:min(int64(len(p)), o.kept-o.stored)]
	n, err := o.file.Write(p)
	o.stored += int64(n)
	o.failed = o.failed || err != nil
}

// prune removes the oldest outputs. That one stays is no harm.
func (o *output) prune() {
	const most = 1000 // entries looked at
	f, err := o.root.Open(OutputFolder)
	if err != nil {
		return
	}
	defer f.Close() // only read
	names, _ := f.ReadDir(most)
	var files []fs.FileInfo
	for _, e := range names {
		info, err := o.root.Lstat(path.Join(OutputFolder, e.Name()))
		if err == nil && info.Mode().IsRegular() && strings.HasPrefix(e.Name(), "output-") {
			files = append(files, info)
		}
	}
	slices.SortFunc(files, func(a, b fs.FileInfo) int { return a.ModTime().Compare(b.ModTime()) })
	for i := range len(files) - keptOutputs + 1 {
		_ = o.root.Remove(path.Join(OutputFolder, files[i].Name()))
	}
}

// close ends the gathering and returns the text, whether it is not all, and
// the file that has more. What is written later is dropped.
func (o *output) close() (text string, truncated bool, file string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.closed = true
	if o.file != nil {
		if err := o.file.Close(); err != nil {
			o.failed = true
		}
		file = o.name
	}
	if o.total <= int64(o.limit) {
		return strings.ToValidUTF8(string(o.head)+string(o.tail), "\uFFFD"), false, ""
	}
	share := o.limit - o.limit/2
	tail := startOfRune(o.tail[max(len(o.tail)-share, 0):])
	head := endOfRune(o.head)
	left := o.total - int64(len(head)) - int64(len(tail))
	return strings.ToValidUTF8(string(head), "\uFFFD") + o.note(left, file) + strings.ToValidUTF8(string(tail), "\uFFFD"), true, file
}

// note says what is left out between the beginning and the end.
func (o *output) note(left int64, file string) string {
	where := "and kept nowhere; send the output to a file to see it all"
	switch {
	case file != "" && (o.failed || o.stored < o.total):
		where = fmt.Sprintf("; the first %d bytes are in %s", o.stored, file)
	case file != "":
		where = "; all of it is in " + file
	default:
		where = ", " + where
	}
	return fmt.Sprintf("\n[… %d of %d bytes are left out here%s …]\n", left, o.total, where)
}

// endOfRune drops a character at the end that was cut in two.
func endOfRune(b []byte) []byte {
	for i := 1; i < utf8.UTFMax && i <= len(b); i++ {
		if tail := b[len(b)-i:]; utf8.RuneStart(tail[0]) {
			if !utf8.FullRune(tail) {
				return b[:len(b)-i]
			}
			break
		}
	}
	return b
}

// startOfRune drops the rest of a character at the start.
func startOfRune(b []byte) []byte {
	for i := 0; i < utf8.UTFMax && i < len(b); i++ {
		if utf8.RuneStart(b[i]) {
			return b[i:]
		}
	}
	return b
}
