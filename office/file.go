package office

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// File is something that was sent with a message. What it holds stays where it
// came from until a colleague needs it: its platform, by ID, or, without a
// Portal, the office's own store of files.
type File struct {
	ID     string   `json:"id"`
	Portal PortalID `json:"portal,omitempty"`
	Name   string   `json:"name"`           // as its sender called it, within a line
	Type   string   `json:"type,omitempty"` // media type, as the platform tells it
	Size   int64    `json:"size,omitempty"` // bytes; 0: not known
	// Refused says why the office does not take it.
	Refused string `json:"refused,omitempty"`
	// Whole stands for the text of the message itself, in an entry of the outbox.
	Whole bool `json:"whole,omitempty"`
}

// Bounds of the files of a message.
const (
	// FilesMost is how many files of one message are taken.
	FilesMost = 20
	// fileNameMost bounds a name in a workspace, in bytes.
	fileNameMost = 100
)

// Fetcher is a Sender that can read what people sent with their messages.
type Fetcher interface {
	// Fetch opens a file. ErrGone says that trying again is of no use.
	Fetch(ctx context.Context, o *Office, f File) (io.ReadCloser, error)
}

// ErrGone says that a file can no longer be had.
var ErrGone = errors.New("the file is no longer there")

// Fetch opens a file of a message.
func (o *Office) Fetch(ctx context.Context, f File) (io.ReadCloser, error) {
	if f.Portal == "" {
		if o.files == nil {
			return nil, ErrGone
		}
		return o.files.Open(f.ID)
	}
	if from, ok := o.sender.(Fetcher); ok {
		return from.Fetch(ctx, o, f)
	}
	return nil, fmt.Errorf("nothing here can read files of %s: %w", f.Portal, ErrGone)
}

// takeFiles are the files that came through a portal as the office takes them:
// named within a line, and refused where they are too big or too many.
func (d *decision) takeFiles(via PortalID, given []File) []File {
	var out []File
	for i, f := range given {
		f.Portal, f.Name = via, oneLine(f.Name, fileNameMost)
		switch most := d.s.Limits.FileSize; {
		case i >= FilesMost:
			f.Refused = fmt.Sprintf("the office takes %d files with one message", FilesMost)
		case f.Size > most:
			f.Refused = fmt.Sprintf("it is %s, and the office takes %s", bytesInWords(f.Size), bytesInWords(most))
		}
		out = append(out, f)
	}
	return out
}

func bytesInWords(n int64) string {
	switch {
	case n >= 10<<20:
		return fmt.Sprintf("%d MB", n>>20)
	case n >= 1<<20:
		return fmt.Sprintf("%.1f MB", float64(n)/(1<<20))
	case n >= 1<<10:
		return fmt.Sprintf("%d kB", n>>10)
	default:
		return fmt.Sprintf("%d bytes", n)
	}
}

// Shown is the message as people read it where a file is a name only.
func (m *Message) Shown() string { return m.named(func(File) bool { return true }) }

// Spoken is the message as a portal shows it: without the files that the outbox sends
// along with it.
func (m *Message) Spoken(p *Portal) string {
	return m.named(func(f File) bool { return !f.GoesTo(p) })
}

// GoesTo says whether a file is sent along to a portal: a colleague's is, and one that
// came from another platform. One that stands on the same platform is named.
func (f File) GoesTo(p *Portal) bool {
	from, _, _ := strings.Cut(string(f.Portal), ":")
	return f.Refused == "" && (f.Portal == "" || from != p.Platform)
}

func (m *Message) named(which func(File) bool) string {
	if len(m.Files) == 0 {
		return m.Text
	}
	lines := []string{m.Text}
	if m.Text == "" {
		lines = nil
	}
	for _, f := range m.Files {
		if !which(f) {
			continue
		}
		line := "[file: " + f.Name + "]"
		if f.Refused != "" {
			line = "[file: " + f.Name + ", not taken: " + f.Refused + "]"
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// SafeName is the file's name as one that is a name everywhere.
func (f File) SafeName() string { return safeName(f.Name) }

// InboxFile is where file i of a message stands in the workspace of a colleague
// that it is for, relative to it.
func InboxFile(a Anchor, i int, name string) string {
	return fmt.Sprintf("inbox/%s-%d-%s", a, i+1, safeName(name))
}

// safeName makes a name of letters, digits, dots, dashes and underscores that is
// a name everywhere, keeping its extension.
func safeName(name string) string {
	name = path.Base(strings.ReplaceAll(name, `\`, "/"))
	var b strings.Builder
	for _, r := range name {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || strings.ContainsRune("._-", r) {
			b.WriteRune(r)
		} else {
			b.WriteByte('_')
		}
	}
	name = strings.TrimLeft(b.String(), ".-")
	ext := path.Ext(name)
	if len(ext) > 16 {
		ext = ""
	}
	base := strings.TrimSuffix(name, ext)
	for len(base)+len(ext) > fileNameMost {
		_, n := utf8.DecodeLastRuneInString(base)
		base = base[:len(base)-n]
	}
	if base == "" {
		base = "file"
	}
	return base + ext
}

// remark tells a turn's model something that is not said by anybody.
type remark struct {
	Ref  TurnRef
	Text string
}

func (r remark) decide(d *decision) (any, error) {
	t, err := d.current(r.Ref)
	if err != nil {
		return nil, err
	}
	if slices.ContainsFunc(t.Calls, func(c Call) bool { return !c.Done }) {
		// Nothing may stand between a call and its result.
		t.Notice = strings.TrimPrefix(t.Notice+"\n"+r.Text, "\n")
		d.put(PutTurn{*t})
		return d.progress(t), nil
	}
	e := d.entry(t, Entry{Kind: EntryNotice, Text: r.Text})
	if len(t.Reads) > 0 { // one of which may be written anew: see boundary
		t.Unseen = append(slices.Clone(t.Unseen), e.N)
		d.put(PutTurn{*t})
	}
	return d.progress(t), nil
}

// Remark adds a line of the office's own to a turn's transcript: that a file could
// not be had. ErrStale: the attempt is over.
func (o *Office) Remark(ctx context.Context, ref TurnRef, text string) (Progress, error) {
	return o.progress(ctx, remark{ref, text})
}
