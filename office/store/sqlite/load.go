package sqlite

import (
	"context"
	"database/sql"

	"bullpen/office"
)

// Load reads the live state as one commit left it.
func (s *Store) Load(ctx context.Context) (*office.Snapshot, error) {
	var snap *office.Snapshot
	err := s.read(ctx, func(r *session) (err error) {
		snap, err = load(r)
		return err
	})
	if err != nil {
		return nil, err
	}
	return snap, nil
}

func load(r *session) (*office.Snapshot, error) {
	snap := &office.Snapshot{Cursors: make(map[string]int64)}
	if err := loadHead(r, snap); err != nil {
		return nil, err
	}
	var err error
	if snap.Colleagues, err = values[office.Colleague](r, "colleague", `SELECT value FROM colleague`); err != nil {
		return nil, err
	}
	if snap.People, err = values[office.Person](r, "person", `SELECT value FROM person`); err != nil {
		return nil, err
	}
	if snap.Channels, err = values[office.Channel](r, "channel", `SELECT value FROM channel`); err != nil {
		return nil, err
	}
	if snap.Turns, err = values[office.Turn](r, "turn", `SELECT value FROM turn`); err != nil {
		return nil, err
	}
	if snap.Items, err = values[office.Item](r, "item", `SELECT value FROM item`); err != nil {
		return nil, err
	}
	if err := fillBodies(r, snap.Items); err != nil {
		return nil, err
	}
	if err := loadPlatforms(r, snap); err != nil {
		return nil, err
	}
	return snap, loadCursors(r, snap.Cursors)
}

func loadPlatforms(r *session, snap *office.Snapshot) (err error) {
	if snap.Portals, err = values[office.Portal](r, "portal", `SELECT value FROM portal`); err != nil {
		return err
	}
	if snap.Sends, err = values[office.Send](r, "entry of the outbox", `SELECT value FROM send`); err != nil {
		return err
	}
	if snap.Parked, err = values[office.Parked](r, "parked event", `SELECT value FROM parked`); err != nil {
		return err
	}
	if snap.Questions, err = values[office.Question](r, "question", `SELECT value FROM question`); err != nil {
		return err
	}
	snap.Pairings, err = values[office.Pairing](r, "pairing", `SELECT value FROM pairing`)
	return err
}

func loadHead(r *session, snap *office.Snapshot) error {
	var meta []byte
	h := &snap.Head
	err := r.one([]any{&h.Fence, &h.Nonce, &h.N, &h.ID, &meta}, `SELECT fence, nonce, n, id, meta FROM office`)
	if err != nil {
		return err
	}
	return decode("set of counters", meta, &snap.Meta)
}

// fillBodies gives every item its message; items of one message share it.
func fillBodies(r *session, items []office.Item) error {
	bodies := make(map[office.Anchor]*office.Message)
	err := r.each(func(rows *sql.Rows) error {
		m := new(office.Message)
		if err := scanMessage(rows, m); err != nil {
			return err
		}
		bodies[m.Anchor()] = m
		return nil
	}, `SELECT value, text FROM message WHERE (channel, seq) IN (SELECT channel, seq FROM item)`)
	for i := range items {
		items[i].Body = bodies[items[i].Message]
	}
	return err
}

func loadCursors(r *session, cursors map[string]int64) error {
	return r.each(func(rows *sql.Rows) error {
		var viewer string
		var no int64
		err := rows.Scan(&viewer, &no)
		cursors[viewer] = no
		return err
	}, `SELECT viewer, no FROM cursor`)
}

// values reads rows of one JSON column.
func values[T any](r *session, what, query string, args ...any) ([]T, error) {
	var all []T
	var value sql.RawBytes
	err := r.each(func(rows *sql.Rows) error {
		if err := rows.Scan(&value); err != nil {
			return err
		}
		var row T
		if err := decode(what, value, &row); err != nil {
			return err
		}
		all = append(all, row)
		return nil
	}, query, args...)
	return all, err
}
