package bridge

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"bullpen/office"
)

const (
	// mirrorTime bounds one reading of a file from its platform.
	mirrorTime = time.Minute
	// mirrorTries is how often a file is asked for before it is only named elsewhere:
	// its platform's bad day is not to hold up the others for long.
	mirrorTries = 3
	// mirrorsMost bounds the files that are remembered.
	mirrorsMost = 1000
)

// mirrors are files of people that were read from their platform to be shown on
// others, by their portal and id. The zero value is ready.
type mirrors struct {
	mu    sync.Mutex
	kept  map[string]*office.File // nil: it cannot be had
	tries map[string]int
}

// keep reads a file from its platform into the office's own store, once for all
// attempts at it. It gives nil for one that cannot be had; an error means that it may
// be the next time.
func (m *mirrors) keep(ctx context.Context, o *office.Office, f office.File) (*office.File, error) {
	key := string(f.Portal) + "\x00" + f.ID
	m.mu.Lock()
	have, known := m.kept[key]
	m.mu.Unlock()
	if known {
		return have, nil
	}
	kept, err := readMirror(ctx, o, f)
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.kept == nil || len(m.kept) >= mirrorsMost {
		m.kept, m.tries = map[string]*office.File{}, map[string]int{}
	}
	if err != nil && !errors.Is(err, office.ErrGone) && !errors.Is(err, office.ErrTooBig) {
		if m.tries[key]++; m.tries[key] < mirrorTries || ctx.Err() != nil {
			return nil, err
		}
	}
	if err != nil {
		kept = nil
	}
	m.kept[key] = kept
	delete(m.tries, key)
	return kept, nil
}

func readMirror(ctx context.Context, o *office.Office, f office.File) (*office.File, error) {
	ctx, cancel := context.WithTimeout(ctx, mirrorTime)
	defer cancel()
	r, err := o.Fetch(ctx, f)
	if err != nil {
		return nil, err
	}
	defer func() { _ = r.Close() }() // it was read to its end, or its error is known
	kept, err := o.KeepFile(ctx, f.Name, f.Type, r)
	return &kept, err
}

// isForeign says whether a file is one that a person sent on a platform.
func isForeign(f *office.File) bool { return f != nil && f.Portal != "" }

// named is a part that says of a person's file only what it is called and where it is.
func named(out Outgoing, f *office.File) Outgoing {
	out.File, out.Text = nil, fmt.Sprintf("[file: %s%s]", f.Name, standsOn(f))
	return out
}

// standsOn says where a person's file is; nothing of one of the office's own.
func standsOn(f *office.File) string {
	on, _, _ := strings.Cut(string(f.Portal), ":")
	if on == "" {
		return ""
	}
	return "; it is on " + strings.ToUpper(on[:1]) + on[1:]
}
