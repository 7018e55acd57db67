//go:build linux

package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"sync/atomic"
	"time"

	"bullpen/office"
	"bullpen/office/store/sqlite"

	_ "modernc.org/sqlite" // the driver of the yardstick
)

// rows is what an office wrote for its posts.
type rows struct{ posts, changes, batches int64 }

// String says it for one post.
func (r rows) String() string {
	return fmt.Sprintf("%.1f rows a post, %.1f posts a transaction", float64(r.changes)/float64(max(r.posts, 1)), float64(r.posts)/float64(max(r.batches, 1)))
}

// counting is a store that counts what goes into it.
type counting struct {
	office.Store
	posts, changes, batches atomic.Int64
}

// Commit counts the batch, and commits it.
func (c *counting) Commit(ctx context.Context, l office.Lease, b office.Batch) error {
	c.batches.Add(1)
	c.changes.Add(int64(len(b.Changes)))
	for _, x := range b.Changes {
		if _, ok := x.(office.PutMessage); ok {
			c.posts.Add(1)
		}
	}
	return c.Store.Commit(ctx, l, b)
}

func (c *counting) rows() rows { return rows{c.posts.Load(), c.changes.Load(), c.batches.Load()} }

// rawText is what each post says: it calls everybody of the office.
const rawText = "@ada @bob @eve please look at the build of this morning, it is red again"

// rawQueue is how many deliveries wait for a colleague before its oldest are folded,
// as in an office that sets no limit.
const rawQueue = 1000

// rawPosts is how many posts a second SQLite takes with nothing around it: the rows
// that an office writes for them, into a file that the office made (its tables, its
// indexes), by statements that are prepared, with values that are encoded already,
// n posts in each transaction. Nobody has to be answered.
func rawPosts(ctx context.Context, b *bench, n int, while time.Duration) (rate float64, err error) {
	r, err := newRaw(ctx, b)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, r.db.Close()) }()
	began := time.Now()
	for time.Since(began) < while {
		if err := r.group(ctx, n); err != nil {
			return 0, err
		}
	}
	return float64(r.posts) / time.Since(began).Seconds(), nil
}

// newRaw is a yardstick with a file of its own.
func newRaw(ctx context.Context, b *bench) (*raw, error) {
	dir, err := b.folder()
	if err != nil {
		return nil, err
	}
	store, err := sqlite.Open(ctx, sqlite.Options{Dir: dir})
	if err != nil {
		return nil, err
	}
	if err := store.Close(); err != nil {
		return nil, err
	}
	return openRaw(ctx, filepath.Join(dir, "bullpen.db"))
}

// raw is the yardstick's one connection.
type raw struct {
	db    *sql.DB
	begin *sql.Stmt
	end   *sql.Stmt

	head, meta, channel, message, seen, item, drop *sql.Stmt

	posts int64
}

// rawPragmas are those of the office's writer.
var rawPragmas = url.Values{"_pragma": {"synchronous(FULL)", "cache_size(-1024)", "temp_store(MEMORY)"}}

func openRaw(ctx context.Context, path string) (*raw, error) {
	db, err := sql.Open("sqlite", "file:"+url.PathEscape(path)+"?"+rawPragmas.Encode())
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	r := &raw{db: db}
	for _, x := range []struct {
		into *(*sql.Stmt)
		text string
	}{
		{&r.begin, "BEGIN IMMEDIATE"},
		{&r.end, "COMMIT"},
		{&r.head, "UPDATE office SET n = ?, id = ? WHERE n = ?"},
		{&r.meta, "UPDATE office SET meta = ?"},
		{&r.channel, "INSERT OR REPLACE INTO channel VALUES (?, ?)"},
		{&r.message, "INSERT INTO message (channel, seq, no, root, author, at, value, text) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"},
		{&r.seen, "INSERT OR REPLACE INTO seen VALUES (?, ?, ?, ?)"},
		{&r.item, "INSERT OR REPLACE INTO item VALUES (?, ?, ?, ?)"},
		{&r.drop, "DELETE FROM item WHERE id = ?"},
	} {
		if *x.into, err = db.PrepareContext(ctx, x.text); err != nil {
			return nil, errors.Join(err, db.Close())
		}
	}
	return r, nil
}

// The values of the rows, as the office encodes them: what changes from row to row in
// them has the same length here.
var (
	rawMeta    = []byte(`{"message":10000,"item":30000,"turn":3,"entry":3,"colleague":3,"send":0,"parked":0,"roster":1}`)
	rawChannel = []byte(`{"id":"general","kind":"general","name":"general","last":10000}`)
	rawMessage = []byte(`{"no":10000,"channel":"general","seq":10000,"author":{"kind":"person","id":"maria","name":"Maria"},"text":"","at":"2026-11-30T12:00:00.123Z","wake":{"kind":"names","names":["c1","c2","c3"]},"deliveries":[` +
		`{"to":"c1","name":"ada","outcome":"steered","detail":"it is working and reads this at its next step"},` +
		`{"to":"c2","name":"bob","outcome":"steered","detail":"it is working and reads this at its next step"},` +
		`{"to":"c3","name":"eve","outcome":"steered","detail":"it is working and reads this at its next step"}]}`)
	rawItem   = []byte(`{"id":30000,"to":"c1","message":{"channel":"general","seq":10000},"conv":{"channel":"general"},"outcome":"steered","turnEnd":true,"ask":true,"fromPerson":true}`)
	rawFolded = []byte(`{"id":30000,"to":"c1","message":{"channel":"general","seq":10000},"conv":{"channel":"general"},"outcome":"steered","turnEnd":true,"ask":true,"fromPerson":true,"folded":1000,"foldedFrom":{"channel":"general","seq":2}}`)
)

// rawRows is how many rows the yardstick writes for a post of a group of n, when its
// queues are full: message, seen, three deliveries and three that leave; and for the
// group the counters, the channel and three folded lines.
func rawRows(n int) float64 { return 8 + 5/float64(n) }

// group writes n posts in one transaction.
func (r *raw) group(ctx context.Context, n int) error {
	var failed error
	do := func(s *sql.Stmt, args ...any) {
		if failed == nil {
			_, failed = s.ExecContext(ctx, args...)
		}
	}
	at := time.Now().UnixMilli()
	before := r.posts
	do(r.begin)
	do(r.head, before+int64(n), "ABCDEFGHIJKLMNOPQRSTUVWXYZ", before)
	for range n {
		r.posts++
		no := r.posts
		do(r.message, "general", no, no, int64(0), "maria", at, rawMessage, []byte(rawText))
		for i := range int64(3) {
			if no > rawQueue {
				do(r.drop, 3*(no-rawQueue)+i)
			}
			do(r.item, 3*no+i, "general", no, rawItem)
		}
		do(r.seen, fmt.Sprintf("bench-%d", no), "general", no, at)
	}
	for i := range int64(3) {
		if r.posts > rawQueue {
			do(r.item, 3*(r.posts-rawQueue+1)+i, "general", r.posts-rawQueue+1, rawFolded)
		}
	}
	do(r.channel, "general", rawChannel)
	do(r.meta, rawMeta)
	do(r.end)
	return failed
}
