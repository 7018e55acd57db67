package office

import (
	"context"
	"errors"
	"maps"
	"strings"
)

// madeMost bounds what adapters remember, in all.
const madeMost = 1000

// errMadeFull refuses one more thing to remember.
var errMadeFull = errors.New("the office remembers 1000 things that were made on platforms, and no more")

// RememberMade remembers what a platform calls something that an adapter made there,
// under what it stands for; the same key again replaces it. Keys begin with the
// platform and a space.
func (o *Office) RememberMade(ctx context.Context, key, native string) error {
	_, err := o.do(ctx, madeThere{key, native})
	return err
}

// Made is what an adapter of a platform made there, as RememberMade was told, by its
// key without the platform.
func (o *Office) Made(ctx context.Context, platform string) (map[string]string, error) {
	return look(ctx, o, func(s *State) map[string]string {
		out := map[string]string{}
		for key, native := range s.Meta.Made {
			if what, ok := strings.CutPrefix(key, platform+" "); ok {
				out[what] = native
			}
		}
		return out
	})
}

type madeThere struct{ Key, Native string }

func (r madeThere) decide(d *decision) (any, error) {
	was, known := d.s.Meta.Made[r.Key]
	switch {
	case was == r.Native:
		return nil, nil
	case !known && len(d.s.Meta.Made) >= madeMost:
		return nil, errMadeFull
	}
	next := maps.Clone(d.s.Meta.Made)
	if next == nil {
		next = map[string]string{}
	}
	next[r.Key] = r.Native
	d.s.Meta.Made, d.meta = next, true
	return nil, nil
}
