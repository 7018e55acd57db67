package office

import (
	"context"
	"fmt"
	"slices"
)

// mutes says whether a person wants no direct message about a colleague's mail.
func (p *Person) mutes(by Author) bool {
	return by.Kind == ByColleague && slices.Contains(p.Muted, ColleagueID(by.ID))
}

// MuteMail says whether a colleague's mail is shown to a person on their
// platforms, beside being filed in their mailbox; it goes on being filed either
// way. The text says what holds now.
func (o *Office) MuteMail(ctx context.Context, person PersonID, colleague ColleagueID, on bool) (string, error) {
	out, err := o.do(ctx, muteMail{person, colleague, on})
	if err != nil {
		return "", err
	}
	return out.(string), nil
}

type muteMail struct {
	Person    PersonID
	Colleague ColleagueID
	On        bool
}

func (r muteMail) decide(d *decision) (any, error) {
	who, c := d.s.People[r.Person], d.s.Colleagues[r.Colleague]
	if who == nil || c == nil {
		return nil, fmt.Errorf("there is no such colleague, or no such person")
	}
	next := *who
	next.Muted = slices.DeleteFunc(slices.Clone(who.Muted), func(id ColleagueID) bool { return id == c.ID })
	said := fmt.Sprintf("Mail of %s is shown to you here again.", c.Name)
	if r.On {
		next.Muted = append(next.Muted, c.ID)
		said = fmt.Sprintf("Mail of %s is filed in your mailbox and no longer shown here. Press again to have it shown.", c.Name)
	}
	if len(next.Muted) == 0 {
		next.Muted = nil
	}
	d.put(PutPerson{next})
	return said, nil
}

// MailDone says that a person has dealt with a message of their mailbox. changed is
// false if that was said before.
func (o *Office) MailDone(ctx context.Context, person PersonID, seq int64) (changed bool, err error) {
	m, err := o.Message(ctx, Anchor{Channel: MailboxOf(person), Seq: seq})
	if err != nil {
		return false, err
	}
	out, err := o.do(ctx, mailDone{m})
	if err != nil {
		return false, err
	}
	return out.(bool), nil
}

type mailDone struct{ old *Message }

func (r mailDone) decide(d *decision) (any, error) {
	if r.old.Done {
		return false, nil
	}
	m := *r.old
	m.Done = true
	d.put(PutMessage{&m})
	d.amend(m.Anchor(), "", "✓ done")
	return true, nil
}
