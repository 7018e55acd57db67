package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"strconv"
	"time"

	"bullpen/office"
)

// oldQueries read the oldest rows of a log: its key, when it was written, or
// 0 where the value says so, and its value.
var oldQueries = map[office.Log]string{
	office.LogSeen:  `SELECT event, at, '{}' FROM seen WHERE at < ? ORDER BY at LIMIT ?`,
	office.LogEarly: `SELECT n, early, value FROM revision WHERE early < ? ORDER BY early LIMIT ?`,
	office.LogTurns: `SELECT id, 0, value FROM closed_turn WHERE ? IS NOT NULL ORDER BY id LIMIT ?`,
	office.LogUsage: `SELECT n, at, value FROM usage WHERE at < ? ORDER BY n LIMIT ?`,
	office.LogAudit: `SELECT n, at, value FROM audit WHERE at < ? ORDER BY n LIMIT ?`,
}

// dropOlds drop a row by its key.
var dropOlds = map[office.Log]string{
	office.LogSeen:  `DELETE FROM seen WHERE event = ?`,
	office.LogEarly: `DELETE FROM revision WHERE n = ?`,
	office.LogTurns: `DELETE FROM closed_turn WHERE id = ?`,
	office.LogUsage: `DELETE FROM usage WHERE n = ?`,
	office.LogAudit: `DELETE FROM audit WHERE n = ?`,
}

// Old reads what of a log may leave the record.
func (s *Store) Old(ctx context.Context, q office.OldQuery) (rows []office.Old, err error) {
	if q.Log == office.LogEntries {
		return s.oldEntries(ctx, q)
	}
	err = s.ask(ctx, func(r *session) error {
		return r.each(func(row *sql.Rows) error {
			var key string
			var at int64
			var value []byte
			if err := row.Scan(&key, &at, &value); err != nil {
				return err
			}
			if at == 0 {
				var t office.Turn
				if err := decode("turn", value, &t); err != nil || !t.Ended.Before(q.Before) {
					return err
				}
			}
			rows = append(rows, office.Old{Key: key, Value: value})
			return nil
		}, oldQueries[q.Log], millis(q.Before), q.Limit)
	})
	return rows, err
}

func (s *Store) oldEntries(ctx context.Context, q office.OldQuery) (rows []office.Old, err error) {
	err = s.ask(ctx, func(r *session) error {
		return r.each(func(row *sql.Rows) error {
			e, err := scanEntry(row)
			if err == nil {
				rows, err = addEntry(rows, e, q.Before)
			}
			return err
		}, `SELECT value, text FROM entry WHERE colleague = ? AND person = ? AND n <= ? ORDER BY n LIMIT ?`,
			string(q.In.Colleague), string(q.In.Person), q.Through, q.Limit)
	})
	return rows, err
}

func addEntry(rows []office.Old, e office.Entry, before time.Time) ([]office.Old, error) {
	if !e.At.Before(before) {
		return rows, nil
	}
	value, err := json.Marshal(e)
	return append(rows, office.Old{Key: strconv.FormatInt(e.N, 10), Value: value}), err
}
