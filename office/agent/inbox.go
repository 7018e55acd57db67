package agent

import (
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"io/fs"
	"net/http"
	"os"
	"strings"
	"time"

	"bullpen/office"
)

const (
	// fetchTries is how often a file is asked for, with fetchPause between, doubling.
	fetchTries = 3
	fetchPause = time.Second
	// fetchTime bounds one try.
	fetchTime = 2 * time.Minute
)

// saveInbox puts what a frame only names into the workspace, unless it is there:
// a text that is too long for it, and files. The model is told what could not be had.
func (t *turn) saveInbox(ctx context.Context, a office.Anchor) error {
	m, err := t.o.Message(ctx, a)
	if err != nil {
		return fmt.Errorf("the message %s cannot be read: %w", a, err)
	}
	if office.LongText(m, t.start.Limits.Message) {
		if err := t.saveText(office.LongTextFile(a), m.Text); err != nil {
			return fmt.Errorf("the long message %s cannot be put into the workspace: %w", a, err)
		}
	}
	var said []string
	for i, f := range m.Files {
		if f.Refused != "" {
			continue
		}
		remark, err := t.saveFile(ctx, office.InboxFile(a, i, f.Name), f)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			t.log.Warn("a file of a message could not be had", "message", a, "file", i+1, "err", err)
			remark = fmt.Sprintf("%q could not be had and is not in your workspace: %v. Ask for it again if you need it.", f.Name, err)
		}
		if remark != "" {
			said = append(said, remark)
		}
	}
	if len(said) == 0 {
		return nil
	}
	_, err = t.record(ctx, func(ctx context.Context) (office.Progress, error) {
		return t.o.Remark(ctx, t.start.Turn.Ref(), "[office] Of the files of "+a.String()+": "+strings.Join(said, " "))
	})
	return err // what Remark adds was taken by record
}

// saveText writes a text under a name in the workspace, unless it is there.
func (t *turn) saveText(name, text string) error {
	_, err := t.place(name, func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	})
	return err
}

// saveFile fetches a file into the workspace, unless it is there. The remark says
// what a reader has to know of it.
func (t *turn) saveFile(ctx context.Context, name string, f office.File) (remark string, err error) {
	for try := 1; ; try++ {
		var fresh bool
		fresh, err = t.place(name, func(w io.Writer) error { return t.fetch(ctx, w, f) })
		switch {
		case err == nil && !fresh:
			return "", nil
		case err == nil:
			return t.remark(name, f), nil
		case try == fetchTries, errors.Is(err, office.ErrGone), errors.Is(err, office.ErrTooBig), ctx.Err() != nil:
			return "", err
		}
		if err := wait(ctx, fetchPause<<(try-1)); err != nil {
			return "", err
		}
	}
}

func (t *turn) fetch(ctx context.Context, w io.Writer, f office.File) error {
	ctx, cancel := context.WithTimeout(ctx, fetchTime)
	defer cancel()
	r, err := t.o.Fetch(ctx, f)
	if err != nil {
		return err
	}
	defer func() { _ = r.Close() }() // it was read to its end, or its error is known
	n, err := io.Copy(w, io.LimitReader(r, t.start.Limits.FileSize+1))
	switch {
	case err != nil:
		return fmt.Errorf("reading it broke off: %w", err)
	case n > t.start.Limits.FileSize:
		return office.ErrTooBig
	}
	return nil
}

// place writes a file of the workspace's inbox under another name first: one that
// a crash cut must not pass for the whole. fresh is false if it was there.
func (t *turn) place(name string, write func(io.Writer) error) (fresh bool, err error) {
	w := t.env.Workspace
	if _, err := w.Lstat(name); err == nil || !errors.Is(err, fs.ErrNotExist) {
		return false, err
	}
	if err := w.MkdirAll("inbox", 0o700); err != nil {
		return false, err
	}
	part := name + ".part"
	out, err := w.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return false, err
	}
	err = errors.Join(write(out), out.Close())
	if err == nil {
		err = w.Rename(part, name)
	}
	if err != nil {
		_ = w.Remove(part) // the first error counts
	}
	return true, err
}

// sizeOf is the size of an open file in bytes; 0: it cannot be told.
func sizeOf(f *os.File) int64 {
	if info, err := f.Stat(); err == nil {
		return info.Size()
	}
	return 0
}

// remark says what of a file differs from what its sender said of it, and that a
// picture is too big for a model.
func (t *turn) remark(name string, f office.File) string {
	in, err := t.env.Workspace.Open(name)
	if err != nil {
		return ""
	}
	defer func() { _ = in.Close() }() // it was only read
	head := make([]byte, 512)
	n, err := io.ReadFull(in, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Sprintf("%q is empty.", f.Name)
	}
	is, _, _ := strings.Cut(http.DetectContentType(head[:n]), ";")
	picture := strings.HasPrefix(is, "image/")
	if strings.HasPrefix(f.Type, "image/") && !picture {
		return fmt.Sprintf("%q is no picture: it holds %s.", f.Name, is)
	}
	if !picture {
		return ""
	}
	if _, err := in.Seek(0, io.SeekStart); err != nil {
		return ""
	}
	shape, _, err := image.DecodeConfig(in)
	switch {
	case err != nil && is != "image/webp":
		return fmt.Sprintf("%q is a picture that cannot be read: it is damaged.", f.Name)
	case err == nil && tooBig(shape, sizeOf(in)):
		return t.fitted(name, f, shape)
	}
	return ""
}
