package bridge

import (
	"context"
	"fmt"
	"io"

	"bullpen/office"
)

// Fetcher is a Poster that can read the files of messages.
type Fetcher interface {
	// Fetch opens the file that Arrival.Files called id. It is called when a
	// colleague needs it, which may be long after its message, and waits no longer
	// than ctx. office.ErrGone says that it can no longer be had.
	Fetch(ctx context.Context, id string) (io.ReadCloser, error)
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
