package agent

import (
	"sync"

	"bullpen/office"
)

// Bounds of what the runner keeps at hand of contexts whose turns have ended.
const (
	memoBytes    = 32 << 20
	memoContexts = 1000
)

// memo keeps the transcripts of contexts between their turns, so that a turn
// need not read all of it from the record, and the memory files with which each
// began. What it keeps is checked against the office's own count of entries
// before it is used. The zero value is ready for use.
type memo struct {
	mu    sync.Mutex
	kept  map[office.ContextID]*kept
	bytes int
	clock int64 // counts uses
}

// kept is what is at hand of one context.
type kept struct {
	mark    office.ContextMark
	memory  string // as it was read for this mark
	entries []office.Entry
	last    int64 // the newest entry's N; 0: entries are not at hand
	full    bool  // they nearly fill their model's window
	size    int
	used    int64
}

// transcript gives the entries that are shown in a context, if they are at hand
// up to the entry last.
func (m *memo) transcript(in office.ContextID, mark office.ContextMark, last int64) (entries []office.Entry, full, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	k := m.kept[in]
	if k == nil || last == 0 || k.last != last || k.mark != mark {
		return nil, false, false
	}
	return k.entries[:len(k.entries):len(k.entries)], k.full, true
}

// memory gives what was read of the memory files when the context began.
func (m *memo) memory(in office.ContextID, mark office.ContextMark) (string, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if k := m.kept[in]; k != nil && k.mark == mark {
		return k.memory, true
	}
	return "", false
}

// keep puts a context at hand: its entries up to the last, or, where last is 0,
// only its memory files.
func (m *memo) keep(in office.ContextID, k kept) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.kept == nil {
		m.kept = map[office.ContextID]*kept{}
	}
	m.forget(in)
	m.clock++
	k.size, k.used = len(k.memory), m.clock
	for i := range k.entries {
		k.size += entrySize(&k.entries[i])
	}
	m.kept[in] = &k
	m.bytes += k.size
	for len(m.kept) > 1 && (m.bytes > memoBytes || len(m.kept) > memoContexts) {
		m.forget(m.oldest())
	}
}

func (m *memo) oldest() (oldest office.ContextID) {
	first := m.clock + 1
	for in, k := range m.kept {
		if k.used < first {
			oldest, first = in, k.used
		}
	}
	return oldest
}

func (m *memo) forget(in office.ContextID) {
	if k := m.kept[in]; k != nil {
		m.bytes -= k.size
		delete(m.kept, in)
	}
}

// entrySize is about what an entry costs, in bytes.
func entrySize(e *office.Entry) int {
	n := 200 + len(e.Text) + len(e.Extra)
	for _, c := range e.Calls {
		n += 100 + len(c.Args)
	}
	return n
}
