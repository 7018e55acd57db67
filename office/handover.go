package office

import (
	"context"
	"fmt"

	"bullpen/office/wake"
)

// HandFile gives a person a file of a colleague's workspace, kept with KeepFile: it
// is mail, and shown where their mail is. It wakes nobody. reached is false if the
// person can be reached on no platform, so that it waits in the mailbox.
func (o *Office) HandFile(ctx context.Context, to PersonID, of ColleagueID, f File, from string) (rec Receipt, reached bool, err error) {
	out, err := o.do(ctx, handFile{to, of, f, from})
	if err != nil {
		return Receipt{}, false, err
	}
	h := out.(handed)
	return h.receipt, h.reached, nil
}

type handed struct {
	receipt Receipt
	reached bool
}

type handFile struct {
	To   PersonID
	Of   ColleagueID
	File File
	From string
}

func (r handFile) decide(d *decision) (any, error) {
	who, c := d.s.People[r.To], d.s.Colleagues[r.Of]
	switch {
	case who == nil || !who.Owner && !who.Admin:
		return nil, fmt.Errorf("only the owner and the admins may read a colleague's files")
	case c == nil:
		return nil, fmt.Errorf("there is no such colleague")
	}
	m := &Message{
		Channel: MailboxOf(who.ID), Author: Author{Kind: ByOffice, Name: "office"}, Wake: wake.Wake{Kind: wake.Nobody},
		Text: fmt.Sprintf("%s, of %s's files:", r.File.Name, c.Name), Files: []File{r.File},
		Deliveries: []Delivery{{To: string(who.ID), Name: who.Name, Outcome: InMailbox}},
	}
	d.store(m)
	d.audit(Audit{By: who.Name, From: r.From, What: "read a file of " + c.Name, Outcome: oneLine(r.File.Name, nameLimit)})
	return handed{receiptOf(m), len(d.s.reach(who.ID)) > 0}, nil
}
