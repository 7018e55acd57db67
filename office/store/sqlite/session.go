package sqlite

import (
	"bytes"
	"context"
	"database/sql"
	sqldriver "database/sql/driver"
	"encoding/json"
	"errors"
	"fmt"
)

// session is one connection with its statements, prepared as they are first
// used: preparing one costs more than most reads. One goroutine at a time uses it.
type session struct {
	ctx  context.Context // of the transaction that runs
	conn *sql.Conn
	stmt map[string]*sql.Stmt // by text; as many as there are shapes of queries
	rows gathered             // by the batch that is written

	// What encode writes into, again and again.
	value bytes.Buffer
	json  *json.Encoder
}

func openSession(ctx context.Context, db *sql.DB) (*session, error) {
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	return &session{ctx: ctx, conn: conn, stmt: make(map[string]*sql.Stmt)}, nil
}

func (s *session) prepared(text string) (*sql.Stmt, error) {
	if st, ok := s.stmt[text]; ok {
		return st, nil
	}
	st, err := s.conn.PrepareContext(s.ctx, text)
	if err != nil {
		return nil, err
	}
	s.stmt[text] = st
	return st, nil
}

// encode is json.Marshal without the escapes for browsers: shorter, and the arguments
// of calls stay as the model wrote them. What it returns is good until the next call.
func (s *session) encode(v any) ([]byte, error) {
	if s.json == nil {
		s.json = json.NewEncoder(&s.value)
		s.json.SetEscapeHTML(false)
	}
	if s.value.Cap() > keptValue {
		s.value = bytes.Buffer{}
	}
	s.value.Reset()
	if err := s.json.Encode(v); err != nil {
		return nil, fmt.Errorf("cannot be encoded: %w", err)
	}
	return bytes.TrimSuffix(s.value.Bytes(), []byte("\n")), nil
}

// keptValue bounds the buffer that a session keeps between two values.
const keptValue = 64 << 10

func (s *session) exec(text string, args ...any) error {
	_, err := s.count(text, args...)
	return err
}

// count is exec that tells how many rows it changed.
func (s *session) count(text string, args ...any) (int64, error) {
	st, err := s.prepared(text)
	if err != nil {
		return 0, err
	}
	res, err := st.ExecContext(s.ctx, args...)
	if err != nil {
		return 0, err
	}
	return res.RowsAffected()
}

// one reads the only row of a query into dest.
func (s *session) one(dest []any, text string, args ...any) error {
	st, err := s.prepared(text)
	if err != nil {
		return err
	}
	return st.QueryRowContext(s.ctx, args...).Scan(dest...)
}

// each hands every row of a query to do.
func (s *session) each(do func(*sql.Rows) error, text string, args ...any) (err error) {
	st, err := s.prepared(text)
	if err != nil {
		return err
	}
	rows, err := st.QueryContext(s.ctx, args...)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		if err := do(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// rollback ends the transaction that runs and tells whether the session can
// begin another one. SQLite may have ended it already, after an error of the
// disk; such a connection is not worth keeping.
func (s *session) rollback() bool {
	s.ctx = context.WithoutCancel(s.ctx) // also for a read that was called off
	return s.exec("ROLLBACK") == nil
}

// close ends the connection for good, with what it has open.
func (s *session) close() {
	for _, st := range s.stmt {
		_ = st.Close() // the connection goes with it
	}
	err := s.conn.Raw(func(any) error { return sqldriver.ErrBadConn })
	if !errors.Is(err, sqldriver.ErrBadConn) {
		_ = s.conn.Close()
	}
}
