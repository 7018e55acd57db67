package bridge

import (
	"context"
	"fmt"
)

// Builder is an Adapter that can make the office's places on its platform.
type Builder interface {
	// Build makes what is missing and leaves what is there; the text says what was
	// made. It may be called again at any time. The error is a sentence for who asked.
	Build(ctx context.Context) (string, error)
}

// build has a platform's adapter make the office's places there.
func (b *Bridge) build(ctx context.Context, platform string) (string, error) {
	builder, ok := b.poster(platform).(Builder)
	if !ok {
		return "", fmt.Errorf("nothing can be set up on %s from here", platform)
	}
	return builder.Build(ctx)
}
