package redis

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"bullpen/office"

	driver "github.com/redis/go-redis/v9"
)

// Seen looks an event up by its key.
func (s *Store) Seen(ctx context.Context, event string) (office.Anchor, bool, error) {
	var at sighting
	ok, err := s.one(ctx, seen, event, "event", &at)
	return at.Anchor, ok, err
}

// Native looks a message up by what a platform calls it.
func (s *Store) Native(ctx context.Context, portal office.PortalID, id string) (office.Native, bool, error) {
	var n office.Native
	ok, err := s.one(ctx, natives, nativeField(portal, id), "place on a platform", &n)
	return n, ok, err
}

// one reads a field of a hash; ok is false if it is not there.
func (s *Store) one(ctx context.Context, name, field, what string, v any) (ok bool, err error) {
	if err := ctx.Err(); err != nil {
		return false, err
	}
	value, err := s.client.HGet(ctx, s.keys.hash(name).name, field).Result()
	switch {
	case errors.Is(err, driver.Nil):
		return false, nil
	case err != nil:
		return false, s.fault("read", err)
	}
	if err := decode(what, value, v); err != nil {
		return false, s.fault("read", err)
	}
	return true, nil
}

// Natives lists a message's places on platforms, by portal, part and id. Of the
// ids that were once the message's it keeps those that still are.
func (s *Store) Natives(ctx context.Context, a office.Anchor) ([]office.Native, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	fields, err := s.client.SMembers(ctx, s.keys.places(a).name).Result()
	if err != nil || len(fields) == 0 {
		return nil, s.fault("read", err)
	}
	found, err := s.client.HMGet(ctx, s.keys.hash(natives).name, fields...).Result()
	if err != nil {
		return nil, s.fault("read", err)
	}
	var all []office.Native
	for _, v := range found {
		var n office.Native
		value, _ := v.(string)
		if err := decode("place on a platform", value, &n); err != nil {
			return nil, s.fault("read", err)
		}
		if n.Anchor == a {
			all = append(all, n)
		}
	}
	slices.SortFunc(all, func(x, y office.Native) int {
		return cmp.Or(cmp.Compare(x.Portal, y.Portal), cmp.Compare(x.Part, y.Part), cmp.Compare(x.ID, y.ID))
	})
	return all, nil
}

// Revisions lists what is archived of a message.
func (s *Store) Revisions(ctx context.Context, portal office.PortalID, native string) ([]office.Revision, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	// Those that came early were first.
	var r reads
	r.add("LRANGE", s.keys.early(nativeField(portal, native)), 0, -1)
	r.add("LRANGE", s.keys.revisions(portal, native), 0, -1)
	both, err := s.together(ctx, &r)
	if err != nil {
		return nil, s.fault("read", err)
	}
	found := slices.Concat(both.texts(0), both.texts(1))
	all := make([]office.Revision, len(found))
	for i, value := range found {
		text, err := decodeWith("revision", value, &all[i])
		if err != nil {
			return nil, s.fault("read", err)
		}
		all[i].Text = text
	}
	return all, nil
}

// Transcript reads the end of a context's entries, of which there may be many
// more; it costs what it returns.
func (s *Store) Transcript(ctx context.Context, in office.ContextID, limit int) ([]office.Entry, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	from := int64(0)
	if limit > 0 {
		from = -int64(limit) // counted from the end
	}
	found, err := s.client.ZRange(ctx, s.keys.transcript(in).name, from, -1).Result()
	if err != nil {
		return nil, s.fault("read", err)
	}
	all := make([]office.Entry, len(found))
	for i, value := range found {
		text, err := decodeWith("entry of a transcript", value, &all[i])
		if err != nil {
			return nil, s.fault("read", err)
		}
		all[i].Text = text
	}
	return all, nil
}
