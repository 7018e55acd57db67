package redis

import (
	"fmt"
	"strconv"

	"bullpen/office"
)

const (
	// mostArgs is a little less than what Redis takes in one command.
	// Source: PROTO_MAX_MULTIBULK in networking.c, 1024*1024
	mostArgs = 1_000_000
	// mostBytes keeps a command below the bound of a client's buffer, 1 GB.
	// Source: client-query-buffer-limit in redis.conf
	mostBytes = 512 << 20
	// greatestScore is the last number up to which scores, which are doubles,
	// are exact.
	greatestScore = 1 << 53
)

// batch is a batch as commands of Redis. The script runs them as they are.
type batch struct {
	keys  keys
	at    map[int64]key // where the items can be seen before it
	moved map[int64]key // and after it; the zero key is nowhere

	touched []key
	index   map[key]int
	checks  []any    // key, score, what may stand there
	checked []string // what to say of a check that failed
	ops     []any    // command, key, number of arguments, arguments
	bytes   int

	numbers map[int64]office.Anchor // of the messages put
	anchors map[office.Anchor]int64
	entries map[entryKey]bool // of the entries touched: whether one stands there now
}

type entryKey struct {
	in office.ContextID
	n  int64
}

func newBatch(k keys, at map[int64]key) *batch {
	return &batch{
		keys: k, at: at, moved: map[int64]key{}, index: map[key]int{},
		numbers: map[int64]office.Anchor{}, anchors: map[office.Anchor]int64{}, entries: map[entryKey]bool{},
	}
}

// encodeBatch turns all of b into commands, or none of it.
func encodeBatch(k keys, b office.Batch, at map[int64]key) (*batch, error) {
	w := newBatch(k, at)
	for _, c := range b.Changes {
		if err := w.put(c); err != nil {
			return nil, fmt.Errorf("batch %d: %T: %w", b.N, c, err)
		}
	}
	if n := len(w.ops) + len(w.checks) + len(w.touched); n > mostArgs || w.bytes > mostBytes {
		return nil, fmt.Errorf("batch %d is too big for one command of Redis (%d arguments, %d bytes): commit it in parts", b.N, n, w.bytes)
	}
	return w, nil
}

// use is the place of k among the script's keys; head is the first of them.
func (w *batch) use(k key) int {
	if i, ok := w.index[k]; ok {
		return i
	}
	w.touched = append(w.touched, k)
	i := len(w.touched) + 1
	w.index[k] = i
	return i
}

// do adds a command.
func (w *batch) do(command string, k key, args ...string) {
	w.ops = append(w.ops, command, w.use(k), len(args))
	for _, a := range args {
		w.ops = append(w.ops, a)
		w.bytes += len(a)
	}
}

// nothing is a beginning that no value has.
const nothing = "\n"

// expect refuses the whole batch, in the words of what, if something stands at
// that score and does not begin so.
func (w *batch) expect(k key, score, begins, what string) {
	w.checks = append(w.checks, w.use(k), score, begins)
	w.checked = append(w.checked, what)
	w.bytes += len(begins)
}

// place puts value at a score that it has to itself.
func (w *batch) place(k key, score, value string) {
	w.do("ZREMRANGEBYSCORE", k, score, score)
	w.do("ZADD", k, score, value)
}

// scoreOf is n as a score.
func scoreOf(n int64) (string, error) {
	if n > greatestScore || n < -greatestScore {
		return "", fmt.Errorf("the number %d is too great for an index of Redis", n)
	}
	return strconv.FormatInt(n, 10), nil
}
