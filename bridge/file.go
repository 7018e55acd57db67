package bridge

import (
	"context"
	"fmt"
	"io"
	"strings"

	"bullpen/office"
)

// Fetcher is a Poster that can read the files of messages.
type Fetcher interface {
	// Fetch opens the file that Arrival.Files called id. It is called when a
	// colleague needs it, which may be long after its message, and waits no longer
	// than ctx. office.ErrGone says that it can no longer be had.
	Fetch(ctx context.Context, id string) (io.ReadCloser, error)
}

// Uploader is a Poster that can show files.
type Uploader interface {
	// Upload shows out.File as one part of a message, as Post does with a text. What
	// is over FileMost, in bytes, is not handed to it.
	Upload(ctx context.Context, out Outgoing) (Posted, error)
	// FileMost is the biggest file that the platform takes, in bytes.
	FileMost() int64
}

// Attachment is a file on its way to a platform.
type Attachment struct {
	Name string // safe in a file system
	Type string // media type; may be empty
	Size int64
	// Open reads it from its beginning, again for each attempt.
	Open func(ctx context.Context) (io.ReadCloser, error)
}

// carry makes the part a file, or, where the platform cannot show it, a line that
// says where it is. An error means that it cannot be had now.
func (b *Bridge) carry(ctx context.Context, o *office.Office, out *Outgoing, s *office.Send, f office.File, poster Poster) error {
	up, ok := poster.(Uploader)
	switch {
	case !ok:
		out.Text = fmt.Sprintf("[file: %s; files cannot be shown here%s]", f.Name, standsOn(&f))
		return nil
	case f.Size > up.FileMost():
		out.Text = fmt.Sprintf("[file: %s; it has %d MB, and %d MB can be shown here%s]", f.Name, f.Size>>20, up.FileMost()>>20, standsOn(&f))
		return nil
	}
	if isForeign(&f) && s.State != office.SendLooking {
		kept, err := b.mirrors.keep(ctx, o, f)
		switch {
		case err != nil:
			return err
		case kept == nil || kept.Size > up.FileMost():
			*out = named(*out, &f)
			return nil
		}
		f.ID, f.Portal, f.Size = kept.ID, "", kept.Size
	}
	if isForeign(s.File()) {
		f.Name = f.SafeName() // as a colleague's is
	}
	at := s.Message
	out.File = &Attachment{Name: f.Name, Type: f.Type, Size: f.Size, Open: func(ctx context.Context) (io.ReadCloser, error) {
		if !f.Whole {
			return o.Fetch(ctx, f)
		}
		m, err := o.Message(ctx, at)
		if err != nil {
			return nil, err
		}
		return io.NopCloser(strings.NewReader(m.Text)), nil
	}}
	return nil
}

var _ office.Fetcher = (*Bridge)(nil)

// Fetch opens a file of a message. See office.Fetcher.
func (b *Bridge) Fetch(ctx context.Context, o *office.Office, f office.File) (io.ReadCloser, error) {
	p, ok, err := o.Portal(ctx, f.Portal)
	if err != nil {
		return nil, err
	}
	from, reads := b.poster(p.Platform).(Fetcher)
	if !ok || !reads {
		return nil, fmt.Errorf("%s is not connected to this office: %w", f.Portal, office.ErrGone)
	}
	return from.Fetch(ctx, f.ID)
}
