package office

import (
	"cmp"
	"slices"
)

// backlog is what State knows of the deliveries that wait, so that deciding about
// one more never looks through all of them. It is derived from the items alone,
// by apply: see addItem and dropItem.
type backlog struct {
	lanes map[laneKey]*lane
	// starters are those that could start a turn of a colleague, if nothing but
	// what they carry with them held them, by ID.
	starters map[ColleagueID][]*Item
	// hops counts, by conversation, those that the depth limit holds.
	hops map[Conversation]int
}

// laneKey is one conversation as one colleague has it, in one of its contexts.
type laneKey struct {
	to     ColleagueID
	person PersonID
	conv   Conversation
}

// lane is what waits in one conversation of one colleague.
type lane struct {
	hops  []*Item // held by the depth limit, by ID
	apart int     // those that no turn of another conversation may read
}

func newBacklog() backlog {
	return backlog{lanes: map[laneKey]*lane{}, starters: map[ColleagueID][]*Item{}, hops: map[Conversation]int{}}
}

func (it *Item) lane() laneKey { return laneKey{it.To, it.Person, it.Conv} }

// starts says whether an item can start a turn: not while the depth limit holds
// it, and a note only if somebody waits for it.
func (it *Item) starts() bool { return !it.Hop && (!it.Quiet || it.Ask) }

func (w *backlog) add(it *Item) {
	l := w.lanes[it.lane()]
	if l == nil {
		l = &lane{}
	}
	switch {
	case it.Hop:
		l.hops = insert(l.hops, it)
		w.hops[it.Conv]++
	case it.TurnEnd:
		l.apart++
	}
	if l.apart > 0 || len(l.hops) > 0 {
		w.lanes[it.lane()] = l
	}
	if it.starts() {
		w.starters[it.To] = insert(w.starters[it.To], it)
	}
}

func (w *backlog) drop(it *Item) {
	if l := w.lanes[it.lane()]; l != nil {
		switch {
		case it.Hop:
			l.hops = without(l.hops, it.ID)
			if w.hops[it.Conv]--; w.hops[it.Conv] == 0 {
				delete(w.hops, it.Conv)
			}
		case it.TurnEnd:
			l.apart--
		}
		if l.apart == 0 && len(l.hops) == 0 {
			delete(w.lanes, it.lane())
		}
	}
	if it.starts() {
		if left := without(w.starters[it.To], it.ID); len(left) > 0 {
			w.starters[it.To] = left
		} else {
			delete(w.starters, it.To)
		}
	}
}

// replace puts an item in the place of what it was before. It does nothing and is
// false if the two do not wait in the same places.
func (w *backlog) replace(old, it *Item) bool {
	if old.lane() != it.lane() || old.Hop != it.Hop || old.TurnEnd != it.TurnEnd || old.starts() != it.starts() {
		return false
	}
	if it.Hop {
		swap(w.lanes[it.lane()].hops, it)
	}
	if it.starts() {
		swap(w.starters[it.To], it)
	}
	return true
}

// swap puts an item in the place of the one with its ID, in a queue sorted by ID.
func swap(q []*Item, it *Item) {
	if at, found := slices.BinarySearchFunc(q, it.ID, byItemID); found {
		q[at] = it
	}
}

// insert puts an item into a queue that is sorted by ID; it is mostly the last.
func insert(q []*Item, it *Item) []*Item {
	if len(q) == 0 || q[len(q)-1].ID < it.ID {
		return append(q, it)
	}
	at, _ := slices.BinarySearchFunc(q, it.ID, byItemID)
	return slices.Insert(q, at, it)
}

// without takes an item out of a queue that is sorted by ID; it is mostly the first.
func without(q []*Item, id int64) []*Item {
	if len(q) > 0 && q[0].ID == id {
		q[0] = nil
		return q[1:]
	}
	at, found := slices.BinarySearchFunc(q, id, byItemID)
	if !found {
		return q
	}
	return slices.Delete(q, at, at+1)
}

func byItemID(x *Item, id int64) int { return cmp.Compare(x.ID, id) }

// hopsIn are the deliveries of a conversation that the depth limit holds for a
// colleague, by ID. What is handed out must not be altered.
func (s *State) hopsIn(key laneKey) []*Item {
	if l := s.backlog.lanes[key]; l != nil {
		return l.hops
	}
	return nil
}
