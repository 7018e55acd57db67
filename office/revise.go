package office

import (
	"slices"
	"time"
)

// Revision is a change of a message: an edit or a deletion. What it replaced is
// archived as one, and one that came before its message is kept as one for a day.
type Revision struct {
	Portal PortalID `json:"portal"`
	Native string   `json:"native"`
	// Version is the platform's edit stamp; they compare as text. Of two with the
	// same stamp the later to arrive holds.
	Version string    `json:"version"`
	Text    string    `json:"text,omitempty"`
	Deleted bool      `json:"deleted,omitempty"`
	Early   bool      `json:"early,omitempty"` // it came before its message
	At      time.Time `json:"at"`
}

// earlyLife is how long a change waits for its message.
const earlyLife = 24 * time.Hour

// deletedText is what a colleague reads of a message that its author took back.
const deletedText = "(deleted by its author)"

// revise changes a message that is in the record. It wakes nobody and runs no
// command, whatever the new text says.
type revise struct {
	Revision
	old *Message // as the record has it; nil: it is not there
}

func (r revise) decide(d *decision) (any, error) {
	rev := r.Revision
	rev.At = d.now
	if r.old == nil {
		event := Inbound{Portal: rev.Portal, Native: rev.Native}.event()
		if rec, taken := d.s.recent.find(event); taken && rec.Anchor != (Anchor{}) {
			return nil, errLookAgain // its message came in after the record was asked
		}
		rev.Early = true
		if !d.reviseParked(rev) {
			d.put(PutRevision{rev})
		}
		return false, nil
	}
	return d.revise(r.old, rev), nil
}

// revise changes a message unless the change is an older one than it shows, or
// nothing that anybody can see. A deletion is never taken back, whatever its stamp.
func (d *decision) revise(old *Message, rev Revision) bool {
	if old.Deleted || !rev.Deleted && (rev.Version < old.Version || rev.Text == old.Text) {
		return false
	}
	d.put(PutRevision{Revision{
		Portal: rev.Portal, Native: rev.Native, Version: old.Version, Text: old.Text, At: d.now,
	}})
	d.rewrite(old, rev)
	return true
}

// reviseParked keeps a change with the parked event that it changes, if there
// is one; both are taken in together.
func (d *decision) reviseParked(rev Revision) bool {
	for _, x := range d.s.parked[rev.Portal] {
		if x.In.Native != rev.Native {
			continue
		}
		if x.Change == nil || rev.newer(*x.Change) {
			changed := *x
			changed.Change = &rev
			d.put(PutParked{changed})
		}
		return true
	}
	return false
}

// newer says whether of two changes of a message the later to arrive holds.
func (r Revision) newer(before Revision) bool {
	return r.Deleted || !before.Deleted && r.Version >= before.Version
}

// rewrite puts a message as a revision has it, also for those who have not read it yet.
func (d *decision) rewrite(old *Message, rev Revision) {
	m := *old
	m.Version = rev.Version
	if rev.Deleted {
		m.Deleted, m.Text = true, deletedText
	} else {
		m.Edited, m.Text = true, rev.Text
	}
	d.put(PutMessage{&m})
	if k := d.s.Channels[m.Channel].Kind; k == GeneralChannel || k == GroupChannel {
		d.amend(m.Anchor(), m.Via, "")
	}
	for _, x := range m.Deliveries {
		for _, it := range slices.Clone(d.s.queues[ColleagueID(x.To)]) {
			if it.Message == m.Anchor() {
				changed := *it
				changed.Body = inline(&m, d.s.Limits.Message)
				d.put(PutItem{changed})
			}
		}
	}
}

// early is a change that arrived before its message, which has just been taken in.
func early(revs []Revision, now time.Time) (Revision, bool) {
	var newest Revision
	found := false
	for _, r := range revs {
		if r.Early && now.Sub(r.At) < earlyLife && (!found || r.newer(newest)) {
			newest, found = r, true
		}
	}
	return newest, found
}
