package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"slices"

	"bullpen/office"
)

// Transcript reads the end of a context's entries, of which there may be many
// more; it costs what it returns.
func (s *Store) Transcript(ctx context.Context, in office.ContextID, limit int) ([]office.Entry, error) {
	if limit <= 0 {
		limit = -1 // SQLite's word for no limit
	}
	var entries []office.Entry
	err := s.ask(ctx, func(r *session) error {
		return r.each(func(rows *sql.Rows) error {
			e, err := scanEntry(rows)
			entries = append(entries, e)
			return err
		}, `SELECT value, text FROM entry WHERE colleague = ? AND person = ? ORDER BY n DESC LIMIT ?`,
			string(in.Colleague), string(in.Person), limit)
	})
	if err != nil {
		return nil, err
	}
	slices.Reverse(entries)
	return entries, nil
}

func scanEntry(rows *sql.Rows) (office.Entry, error) {
	var value, text sql.RawBytes
	var e office.Entry
	if err := rows.Scan(&value, &text); err != nil {
		return e, err
	}
	if err := decode("entry of a transcript", value, &e); err != nil {
		return e, err
	}
	e.Text = string(text)
	return e, nil
}

// scanMessage reads a row of value and text into m.
func scanMessage(rows *sql.Rows, m *office.Message) error {
	var value, text sql.RawBytes
	if err := rows.Scan(&value, &text); err != nil {
		return err
	}
	if err := decode("message", value, m); err != nil {
		return err
	}
	m.Text = string(text)
	return nil
}

func decode(what string, value []byte, v any) error {
	if err := json.Unmarshal(value, v); err != nil {
		return &badRow{what: what, err: err}
	}
	return nil
}
