package sqlite

import (
	"errors"
	"time"

	"bullpen/office"
)

// The statements that replace a row by its key.
const (
	putMeta      = `UPDATE office SET meta = ?`
	putColleague = `INSERT OR REPLACE INTO colleague VALUES (?, ?)`
	putPerson    = `INSERT OR REPLACE INTO person VALUES (?, ?)`
	deletePerson = `DELETE FROM person WHERE id = ?`
	putChannel   = `INSERT OR REPLACE INTO channel VALUES (?, ?)`
	// A message keeps its key; its number in the office is never another's.
	putMessage   = `INSERT INTO message (channel, seq, no, root, author, at, value, text) VALUES `
	messageAgain = ` ON CONFLICT (channel, seq) DO UPDATE SET no = excluded.no, root = excluded.root,
		author = excluded.author, at = excluded.at, value = excluded.value, text = excluded.text`
	dropMessage   = `DELETE FROM message WHERE channel = ? AND seq = ?`
	putTurn       = `INSERT OR REPLACE INTO turn VALUES (?, ?)`
	deleteTurn    = `DELETE FROM turn WHERE id = ?`
	putClosedTurn = `INSERT OR REPLACE INTO closed_turn VALUES (?, ?, ?)`
	appendEntry   = `INSERT INTO entry VALUES (?, ?, ?, ?, ?)`
	dropEntry     = `DELETE FROM entry WHERE colleague = ? AND person = ? AND n = ?`
	putCursor     = `INSERT OR REPLACE INTO cursor VALUES (?, ?)`

	putPortal      = `INSERT OR REPLACE INTO portal VALUES (?, ?)`
	putNative      = `INSERT OR REPLACE INTO native VALUES (?, ?, ?, ?, ?)`
	dropNative     = `DELETE FROM native WHERE portal = ? AND id = ?`
	dropRevisions  = `DELETE FROM revision WHERE portal = ? AND native = ?`
	putSend        = `INSERT OR REPLACE INTO send VALUES (?, ?)`
	deleteSend     = `DELETE FROM send WHERE id = ?`
	putParked      = `INSERT OR REPLACE INTO parked VALUES (?, ?)`
	deleteParked   = `DELETE FROM parked WHERE id = ?`
	putQuestion    = `INSERT OR REPLACE INTO question VALUES (?, ?)`
	deleteQuestion = `DELETE FROM question WHERE id = ?`
	putPairing     = `INSERT OR REPLACE INTO pairing VALUES (?, ?)`
	deletePairing  = `DELETE FROM pairing WHERE code = ?`
	putRevision    = `INSERT INTO revision (portal, native, early, value) VALUES (?, ?, ?, ?)`
	appendUsage    = `INSERT INTO usage (at, colleague, value) VALUES (?, ?, ?)`
	appendAudit    = `INSERT INTO audit (at, value) VALUES (?, ?)`
)

// put is the table of how each change is written.
func (w *session) put(c office.Change) error {
	switch c := c.(type) {
	case office.PutMeta:
		return w.putValue(c.Meta, putMeta)
	case office.PutColleague:
		return w.putValue(c.Colleague, putColleague, string(c.Colleague.ID))
	case office.PutPerson:
		return w.putValue(c.Person, putPerson, string(c.Person.ID))
	case office.DeletePerson:
		return w.exec(deletePerson, string(c.ID))
	case office.PutChannel:
		return w.putValue(c.Channel, putChannel, string(c.Channel.ID))
	case office.PutMessage:
		return w.putMessage(c.Message)
	case office.DropMessage:
		return w.execAfter(dropMessage, string(c.Channel), c.Seq)
	case office.DropOld:
		return w.execAfter(dropOlds[c.Log], c.Key)
	case office.PutSeen:
		return w.gather(seenRows, len(c.Event), c.Event, string(c.Anchor.Channel), c.Anchor.Seq, millis(c.At))
	case office.PutItem:
		return w.putItem(c.Item)
	case office.DeleteItem:
		return w.deleteItem(c.ID)
	case office.PutTurn:
		return w.putTurn(c.Turn)
	case office.AppendEntry:
		return w.appendEntry(c.Entry)
	case office.DropEntry:
		return w.exec(dropEntry, string(c.In.Colleague), string(c.In.Person), c.N)
	case office.PutCursor:
		return w.exec(putCursor, c.Viewer, c.No)
	default:
		return w.putOutside(c)
	}
}

// putOutside is the part of the table that has to do with platforms and logs.
func (w *session) putOutside(c office.Change) error {
	switch c := c.(type) {
	case office.PutPortal:
		return w.putValue(c.Portal, putPortal, string(c.Portal.ID))
	case office.PutNative:
		n := c.Native
		return w.putValue(n, putNative, string(n.Portal), n.ID, string(n.Anchor.Channel), n.Anchor.Seq)
	case office.DropNative:
		if err := w.exec(dropRevisions, string(c.Native.Portal), c.Native.ID); err != nil {
			return err
		}
		return w.exec(dropNative, string(c.Native.Portal), c.Native.ID)
	case office.PutSend:
		return w.putValue(c.Send, putSend, c.Send.ID)
	case office.DeleteSend:
		return w.exec(deleteSend, c.ID)
	case office.PutParked:
		return w.putValue(c.Parked, putParked, c.Parked.ID)
	case office.DeleteParked:
		return w.exec(deleteParked, c.ID)
	case office.PutQuestion:
		return w.putValue(c.Question, putQuestion, c.Question.ID)
	case office.DeleteQuestion:
		return w.exec(deleteQuestion, c.ID)
	case office.PutPairing:
		return w.putValue(c.Pairing, putPairing, c.Pairing.Code)
	case office.DeletePairing:
		return w.exec(deletePairing, c.Code)
	case office.PutRevision:
		return w.putRevision(c.Revision)
	case office.AppendUsage:
		return w.putValue(c.Usage, appendUsage, millis(c.Usage.At), string(c.Usage.Colleague))
	case office.AppendAudit:
		return w.putValue(c.Audit, appendAudit, millis(c.Audit.At))
	default:
		return errors.New("this store knows no such change")
	}
}

// putValue runs a statement whose last argument is v in JSON.
func (w *session) putValue(v any, text string, keys ...any) error {
	value, err := w.encode(v)
	if err != nil {
		return err
	}
	return w.exec(text, append(keys, value)...)
}

// execAfter runs a statement that meets rows which may still wait to be written.
func (w *session) execAfter(text string, args ...any) error {
	if err := w.writeGathered(); err != nil {
		return err
	}
	return w.exec(text, args...)
}

func (w *session) putItem(it office.Item) error {
	value, err := w.encode(it)
	if err != nil {
		return err
	}
	if err := w.turnTo(itemRows, it.ID); err != nil {
		return err
	}
	return w.gather(itemRows, len(value), it.ID, string(it.Message.Channel), it.Message.Seq, w.rows.keep(value))
}

func (w *session) deleteItem(id int64) error {
	if err := w.turnTo(itemsGone, id); err != nil {
		return err
	}
	return w.gather(itemsGone, 8, id)
}

// putMessage keeps the text out of the JSON, which would mend bytes in it that
// are not UTF-8.
func (w *session) putMessage(m *office.Message) error {
	if m == nil {
		return errors.New("there is no message in it")
	}
	bare := *m
	bare.Text = ""
	value, err := w.encode(bare)
	if err != nil {
		return err
	}
	return w.gather(messageRows, len(value)+len(m.Text),
		string(m.Channel), m.Seq, m.No, m.Root, m.Author.ID, millis(m.At), w.rows.keep(value), []byte(m.Text))
}

// putRevision marks one that came before its message with when it did.
func (w *session) putRevision(r office.Revision) error {
	var early any
	if r.Early {
		early = millis(r.At)
	}
	return w.putValue(r, putRevision, string(r.Portal), r.Native, early)
}

// putTurn moves a turn that is no longer open to where the live state is not
// read from.
func (w *session) putTurn(t office.Turn) error {
	if t.State == office.TurnOpen {
		return w.putValue(t, putTurn, t.ID)
	}
	if err := w.exec(deleteTurn, t.ID); err != nil {
		return err
	}
	return w.putValue(t, putClosedTurn, t.ID, string(t.Colleague))
}

func (w *session) appendEntry(e office.Entry) error {
	bare := e
	bare.Text = ""
	value, err := w.encode(bare)
	if err != nil {
		return err
	}
	return w.exec(appendEntry, string(e.In.Colleague), string(e.In.Person), e.N, value, []byte(e.Text))
}

func millis(t time.Time) int64 { return t.UnixMilli() }
