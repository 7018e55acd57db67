package sqlite

import (
	"context"

	"bullpen/office"
)

// Native looks a message up by what a platform calls it.
func (s *Store) Native(ctx context.Context, portal office.PortalID, id string) (office.Native, bool, error) {
	found, err := list[office.Native](ctx, s, "place on a platform",
		`SELECT value FROM native WHERE portal = ? AND id = ?`, string(portal), id)
	if err != nil || len(found) == 0 {
		return office.Native{}, false, err
	}
	return found[0], true, nil
}

// Natives lists a message's places on platforms.
func (s *Store) Natives(ctx context.Context, a office.Anchor) ([]office.Native, error) {
	return list[office.Native](ctx, s, "place on a platform",
		`SELECT value FROM native WHERE channel = ? AND seq = ? ORDER BY portal, json_extract(value, '$.part'), id`, string(a.Channel), a.Seq)
}

// Revisions lists what is archived of a message.
func (s *Store) Revisions(ctx context.Context, portal office.PortalID, native string) ([]office.Revision, error) {
	return list[office.Revision](ctx, s, "revision", `SELECT value FROM revision WHERE portal = ? AND native = ? ORDER BY n`, string(portal), native)
}

// list reads the values of one query, as one commit left them.
func list[T any](ctx context.Context, s *Store, what, query string, args ...any) (found []T, err error) {
	err = s.ask(ctx, func(r *session) error {
		found, err = values[T](r, what, query, args...)
		return err
	})
	return found, err
}
