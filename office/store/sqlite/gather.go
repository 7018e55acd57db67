package sqlite

import (
	"fmt"
	"strings"
)

// kind is one of the rows of which the batch of a crowd has many. A statement costs
// more than the row that it writes, so these are gathered while the batch goes by
// and written many by one statement.
type kind int

const (
	itemsGone kind = iota
	itemRows
	messageRows
	seenRows
	kinds
)

// portions are how many rows a statement writes: the few sizes make any number.
var portions = [...]int{16, 4, 1}

// form is how the rows of a kind are written.
type form struct {
	what  string
	width int // arguments of a row
	texts [len(portions)]string
}

var forms = [kinds]form{
	itemsGone:   newForm("deliveries that are done", "DELETE FROM item WHERE id IN (", "?", ")"),
	itemRows:    newForm("deliveries", "INSERT OR REPLACE INTO item VALUES ", "(?, ?, ?, ?)", ""),
	messageRows: newForm("messages", putMessage, "(?, ?, ?, ?, ?, ?, ?, ?)", messageAgain),
	seenRows:    newForm("events", "INSERT OR REPLACE INTO seen VALUES ", "(?, ?, ?, ?)", ""),
}

func newForm(what, head, row, tail string) form {
	f := form{what: what, width: strings.Count(row, "?")}
	for i, n := range portions {
		f.texts[i] = head + strings.TrimSuffix(strings.Repeat(row+", ", n), ", ") + tail
	}
	return f
}

// mostGathered is about how many bytes wait to be written together.
const mostGathered = 256 << 10

// gathered are the rows of a batch that wait to be written.
type gathered struct {
	args  [kinds][]any
	items map[int64]kind // what waits for an item
	value []byte         // what the arguments point into
	bytes int
}

// keep copies a value that is good for a moment only.
func (g *gathered) keep(value []byte) []byte {
	from := len(g.value)
	g.value = append(g.value, value...)
	return g.value[from:len(g.value):len(g.value)]
}

// clear forgets all rows.
func (g *gathered) clear() {
	for k := range g.args {
		clear(g.args[k]) // texts may be long
		g.args[k] = g.args[k][:0]
	}
	clear(g.items)
	if g.value = g.value[:0]; cap(g.value) > 2*mostGathered {
		g.value = nil
	}
	g.bytes = 0
}

// gather has a row written with the next of its kind. size is about what it holds.
func (w *session) gather(k kind, size int, args ...any) error {
	w.rows.args[k] = append(w.rows.args[k], args...)
	if w.rows.bytes += size; w.rows.bytes > mostGathered {
		return w.writeGathered()
	}
	return nil
}

// turnTo is called before a row of an item is gathered, so that what becomes of one
// item is written in order.
func (w *session) turnTo(k kind, item int64) error {
	if before, waits := w.rows.items[item]; waits && before != k {
		if err := w.writeGathered(); err != nil {
			return err
		}
	}
	if w.rows.items == nil {
		w.rows.items = map[int64]kind{}
	}
	w.rows.items[item] = k
	return nil
}

// writeGathered writes the rows that wait.
func (w *session) writeGathered() error {
	for k := range w.rows.args {
		if err := w.writeRows(&forms[k], w.rows.args[k]); err != nil {
			return fmt.Errorf("%s: %w", forms[k].what, err)
		}
	}
	w.rows.clear()
	return nil
}

func (w *session) writeRows(f *form, args []any) error {
	for i, n := range portions {
		for n *= f.width; len(args) >= n && len(args) > 0; args = args[n:] {
			if err := w.exec(f.texts[i], args[:n]...); err != nil {
				return err
			}
		}
	}
	return nil
}
