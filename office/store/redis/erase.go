package redis

import (
	"context"
	_ "embed"
	"errors"
	"strings"

	"bullpen/office"

	driver "github.com/redis/go-redis/v9"
)

//go:embed lua/erase.lua
var eraseText string

var eraseScript = driver.NewScript(eraseText)

// erasePage is how many keys are deleted by one script.
const erasePage = 500

// Erase deletes all keys of the office, in steps, each of which is refused with
// office.ErrFenced if the lease is not current. Cut short it can be said again:
// the office's head goes last. It returns how many keys are gone.
func (s *Store) Erase(ctx context.Context, lease office.Lease) (keys int, err error) {
	s.commits.Lock()
	defer s.commits.Unlock()
	node, err := s.node(ctx)
	if err != nil {
		return 0, s.fault("reach", err)
	}
	names, err := s.ownKeys(ctx, node)
	if err != nil {
		return 0, s.fault("read", err)
	}
	for len(names) > 0 {
		page := names[:min(erasePage, len(names))]
		names = names[len(page):]
		n, err := s.eraseSome(ctx, lease, page)
		if err != nil {
			return keys, err
		}
		keys += n
	}
	n, err := s.eraseSome(ctx, lease, []string{s.keys.lease(), s.keys.head()})
	if errors.Is(err, office.ErrFenced) {
		// An answer that was lost made the client ask again, of a head that is gone.
		if there, e := s.client.Exists(ctx, s.keys.head()).Result(); e == nil && there == 0 {
			return keys + 2, nil
		}
	}
	return keys + n, err
}

func (s *Store) eraseSome(ctx context.Context, lease office.Lease, names []string) (int, error) {
	n, err := eraseScript.Run(ctx, s.client, append([]string{s.keys.head()}, names...), lease.Fence, lease.Nonce).Int()
	switch {
	case err != nil:
		return 0, s.fault("delete from", err)
	case n < 0:
		return 0, office.ErrFenced
	}
	return n, nil
}

// globSigns are those that mean something in a pattern of SCAN.
var globSigns = strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`, `]`, `\]`)

// ownKeys are all keys of the office, but the two that prove whose it is.
func (s *Store) ownKeys(ctx context.Context, node driver.Cmdable) ([]string, error) {
	found := map[string]bool{} // SCAN may name one twice
	var cursor uint64
	for {
		page, next, err := node.Scan(ctx, cursor, globSigns.Replace(string(s.keys))+"*", 1000).Result()
		if err != nil {
			return nil, err
		}
		for _, name := range page {
			if name != s.keys.head() && name != s.keys.lease() {
				found[name] = true
			}
		}
		if cursor = next; cursor == 0 {
			break
		}
	}
	names := make([]string, 0, len(found))
	for name := range found {
		names = append(names, name)
	}
	return names, nil
}
