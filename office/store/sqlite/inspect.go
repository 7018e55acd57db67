package sqlite

import (
	"context"
	"database/sql"

	"bullpen/office"
)

var _ office.Inspector = (*Store)(nil)

// Inspect looks through all pages and indexes of the file, and names the first
// hundred faults.
func (s *Store) Inspect(ctx context.Context) (findings []string, err error) {
	err = s.ask(ctx, func(r *session) error {
		return r.each(func(rows *sql.Rows) error {
			var said string
			if err := rows.Scan(&said); err != nil {
				return err
			}
			if said != "ok" {
				findings = append(findings, "the file: "+said)
			}
			return nil
		}, "SELECT * FROM pragma_integrity_check")
	})
	return findings, err
}
