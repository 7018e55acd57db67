package redis

import (
	"errors"
	"strconv"

	"bullpen/office"
)

// The names of the hashes that hold one JSON value per id.
const (
	colleagues  = "colleagues"
	people      = "people"
	channels    = "channels"
	items       = "items"
	turns       = "turns"
	closedTurns = "closed-turns"
	cursors     = "cursors"
	portals     = "portals"
	sends       = "sends"
	parked      = "parked"
	questions   = "questions"
	pairings    = "pairings"

	messages = "messages"
	natives  = "natives"
	seen     = "seen"
	earlies  = "early"
	usage    = "usage"
	audit    = "audit"
)

// metaField is the field of head that holds the counters.
const metaField = "meta"

func id(n int64) string { return strconv.FormatInt(n, 10) }

// put is the table of how each change is written.
func (w *batch) put(c office.Change) error {
	switch c := c.(type) {
	case office.PutMeta:
		return w.putMeta(c.Meta)
	case office.PutColleague:
		return w.putValue(colleagues, string(c.Colleague.ID), c.Colleague)
	case office.PutPerson:
		return w.putValue(people, string(c.Person.ID), c.Person)
	case office.DeletePerson:
		return w.delete(people, string(c.ID))
	case office.PutChannel:
		return w.putValue(channels, string(c.Channel.ID), c.Channel)
	case office.PutMessage:
		return w.putMessage(c.Message)
	case office.DropMessage:
		return w.dropMessage(c)
	case office.DropOld:
		return w.dropOld(c)
	case office.PutSeen:
		return w.putValue(seen, c.Event, sighting{Anchor: c.Anchor, At: c.At})
	case office.PutItem:
		return w.putItem(&c.Item)
	case office.DeleteItem:
		return w.deleteItem(c.ID)
	case office.PutTurn:
		return w.putTurn(c.Turn)
	case office.AppendEntry:
		return w.appendEntry(c.Entry)
	case office.DropEntry:
		return w.dropEntry(c)
	case office.PutCursor:
		w.do("HSET", w.keys.hash(cursors), c.Viewer, id(c.No))
		return nil
	default:
		return w.putOutside(c)
	}
}

// putOutside is the part of the table that has to do with platforms and logs.
func (w *batch) putOutside(c office.Change) error {
	switch c := c.(type) {
	case office.PutPortal:
		return w.putValue(portals, string(c.Portal.ID), c.Portal)
	case office.PutNative:
		return w.putNative(c.Native)
	case office.DropNative:
		return w.dropNative(c.Native)
	case office.PutSend:
		return w.putValue(sends, id(c.Send.ID), c.Send)
	case office.DeleteSend:
		return w.delete(sends, id(c.ID))
	case office.PutParked:
		return w.putParked(c.Parked)
	case office.DeleteParked:
		return w.delete(parked, id(c.ID))
	case office.PutQuestion:
		return w.putValue(questions, c.Question.ID, c.Question)
	case office.DeleteQuestion:
		return w.delete(questions, c.ID)
	case office.PutPairing:
		return w.putValue(pairings, c.Pairing.Code, c.Pairing)
	case office.DeletePairing:
		return w.delete(pairings, c.Code)
	case office.PutRevision:
		return w.putRevision(c.Revision)
	case office.AppendUsage:
		return w.log(usage, c.Usage)
	case office.AppendAudit:
		return w.log(audit, c.Audit)
	default:
		return errors.New("this store knows no such change")
	}
}

func (w *batch) putValue(name, field string, v any) error {
	value, err := encode(v)
	if err == nil {
		w.do("HSET", w.keys.hash(name), field, value)
	}
	return err
}

func (w *batch) delete(name, field string) error {
	w.do("HDEL", w.keys.hash(name), field)
	return nil
}

func (w *batch) putMeta(m office.Meta) error {
	value, err := encode(m)
	if err == nil {
		w.do("HSET", w.keys.headKey(), metaField, value)
	}
	return err
}

// log adds to a stream, which keeps the time of each itself.
func (w *batch) log(name string, v any) error {
	value, err := encode(v)
	if err == nil {
		w.do("XADD", w.keys.stream(name), "*", "v", value)
	}
	return err
}

// putTurn moves a turn that is no longer open to where the live state is not
// read from.
func (w *batch) putTurn(t office.Turn) error {
	if t.State == office.TurnOpen {
		return w.putValue(turns, id(t.ID), t)
	}
	w.do("HDEL", w.keys.hash(turns), id(t.ID))
	return w.putValue(closedTurns, id(t.ID), t)
}

// putItem puts the item, and its id where it can be seen.
func (w *batch) putItem(it *office.Item) error {
	score, err := scoreOf(it.ID)
	if err != nil {
		return err
	}
	if err := w.putValue(items, id(it.ID), it); err != nil {
		return err
	}
	to := w.keys.held(it)
	w.leave(it.ID, to)
	w.do("ZADD", to, score, id(it.ID))
	w.moved[it.ID] = to
	return nil
}

func (w *batch) deleteItem(item int64) error {
	w.leave(item, key{})
	w.moved[item] = key{}
	return w.delete(items, id(item))
}

// leave takes the item from where it can be seen, unless it stays there.
func (w *batch) leave(item int64, to key) {
	from, ok := w.moved[item]
	if !ok {
		from = w.at[item]
	}
	if from != to && from != (key{}) {
		w.do("ZREM", from, id(item))
	}
}
