package redis

import (
	"errors"
	"fmt"
	"time"

	"bullpen/office"
)

// sighting is where and when an event was taken in.
type sighting struct {
	Anchor office.Anchor `json:"anchor"`
	At     time.Time     `json:"at"`
}

// putMessage puts the message, and its line into the indexes.
func (w *batch) putMessage(m *office.Message) error {
	if m == nil {
		return errors.New("there is no message in it")
	}
	bare := *m
	bare.Text = ""
	value, err := encodeWith(bare, m.Text)
	if err != nil {
		return err
	}
	no, err := scoreOf(m.No)
	if err != nil {
		return err
	}
	seq, err := scoreOf(m.Seq)
	if err != nil {
		return err
	}
	if err := w.number(m, no, seq); err != nil {
		return err
	}
	l := lineOf(m).String()
	w.do("HSET", w.keys.hash(messages), m.Anchor().String(), value)
	w.place(w.keys.log(), no, l)
	w.place(w.keys.channel(m.Channel), seq, l)
	if m.Root != 0 {
		// A thread that the message has left keeps its line there; see Messages.
		w.place(w.keys.thread(m.Channel, m.Root), seq, l)
	}
	return nil
}

// number sees to it that a message has its number to itself, and the number of
// the batch before. Within one batch the last put counts in this, too.
func (w *batch) number(m *office.Message, no, seq string) error {
	a := m.Anchor()
	if other, taken := w.numbers[m.No]; taken && other != a {
		return fmt.Errorf("the number %d of %s is that of %s", m.No, a, other)
	}
	was, again := w.anchors[a]
	if again && was == m.No {
		return nil
	}
	name := lineOf(m).name()
	w.expect(w.keys.log(), no, name, fmt.Sprintf("the number %d of %s is another message's", m.No, a))
	if again {
		delete(w.numbers, was)
		w.do("ZREMRANGEBYSCORE", w.keys.log(), id(was), id(was))
	} else {
		w.expect(w.keys.channel(m.Channel), seq, name, fmt.Sprintf("%s has another number than %d already", a, m.No))
	}
	w.numbers[m.No], w.anchors[a] = a, m.No
	return nil
}

func (w *batch) appendEntry(e office.Entry) error {
	bare := e
	bare.Text = ""
	value, err := encodeWith(bare, e.Text)
	if err != nil {
		return err
	}
	score, err := scoreOf(e.N)
	if err != nil {
		return err
	}
	k, at := w.keys.transcript(e.In), entryKey{e.In, e.N}
	there, touched := w.entries[at]
	taken := fmt.Sprintf("the transcript of %+v has an entry %d already", e.In, e.N)
	switch {
	case there:
		return errors.New(taken)
	case !touched:
		w.expect(k, score, nothing, taken)
	}
	w.entries[at] = true
	w.do("ZADD", k, score, value)
	return nil
}

func (w *batch) dropEntry(c office.DropEntry) error {
	score, err := scoreOf(c.N)
	if err != nil {
		return err
	}
	w.entries[entryKey{c.In, c.N}] = false
	w.do("ZREMRANGEBYSCORE", w.keys.transcript(c.In), score, score)
	return nil
}

// putNative leaves the id in the set of the message that it was of before, if
// it was of another; see Natives.
func (w *batch) putNative(n office.Native) error {
	field := nativeField(n.Portal, n.ID)
	if err := w.putValue(natives, field, n); err != nil {
		return err
	}
	w.do("SADD", w.keys.places(n.Anchor), field)
	return nil
}

func (w *batch) dropNative(n office.Native) error {
	field := nativeField(n.Portal, n.ID)
	w.do("SREM", w.keys.places(n.Anchor), field)
	w.do("DEL", w.keys.revisions(n.Portal, n.ID))
	if err := w.dropEarly(field); err != nil {
		return err
	}
	return w.delete(natives, field)
}

func (w *batch) putRevision(r office.Revision) error {
	bare := r
	bare.Text = ""
	value, err := encodeWith(bare, r.Text)
	if err != nil {
		return err
	}
	if !r.Early {
		w.do("RPUSH", w.keys.revisions(r.Portal, r.Native), value)
		return nil
	}
	field := nativeField(r.Portal, r.Native)
	w.do("RPUSH", w.keys.early(field), value)
	return w.putValue(earlies, field, bare)
}

// dropEarly forgets the changes that came before a message.
func (w *batch) dropEarly(field string) error {
	w.do("DEL", w.keys.early(field))
	return w.delete(earlies, field)
}

func (w *batch) putParked(p office.Parked) error {
	bare := p
	bare.In.Text = ""
	value, err := encodeWith(bare, p.In.Text)
	if err == nil {
		w.do("HSET", w.keys.hash(parked), id(p.ID), value)
	}
	return err
}
