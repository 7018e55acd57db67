package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"math"
	"slices"
	"strconv"

	"bullpen/office"
)

// Audits reads a page of the audit log. A line is called by its number.
func (s *Store) Audits(ctx context.Context, before string, limit int) ([]office.Audit, string, error) {
	last := int64(math.MaxInt64)
	if before != "" {
		var err error
		if last, err = strconv.ParseInt(before, 10, 64); err != nil {
			return nil, "", fmt.Errorf("there is no line %q in the audit log; pages are named by the one that came before", before)
		}
	}
	var lines []office.Audit
	var first int64
	err := s.ask(ctx, func(r *session) error {
		return r.each(func(rows *sql.Rows) error {
			var value sql.RawBytes
			var a office.Audit
			if err := rows.Scan(&first, &value); err != nil {
				return err
			}
			err := decode("line of the audit log", value, &a)
			lines = append(lines, a)
			return err
		}, `SELECT n, value FROM audit WHERE n < ? ORDER BY n DESC LIMIT ?`, last, limit)
	})
	if err != nil {
		return nil, "", err
	}
	slices.Reverse(lines)
	if len(lines) < limit || first <= 1 {
		return lines, "", nil
	}
	return lines, strconv.FormatInt(first, 10), nil
}
