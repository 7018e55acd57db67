package office

import "context"

// Note keeps a line in the audit log about something that changed nothing: a
// command that was refused, or that failed. What changes something keeps its own
// line, in the commit of the change.
func (o *Office) Note(ctx context.Context, a Audit) error {
	_, err := o.do(ctx, note{a})
	return err
}

type note struct{ Audit Audit }

func (r note) decide(d *decision) (any, error) {
	a := r.Audit
	a.By, a.From = oneLine(a.By, nameLimit), oneLine(a.From, nameLimit)
	a.What, a.Outcome = oneLine(a.What, noteLimit), oneLine(a.Outcome, noteLimit)
	d.audit(a)
	return nil, nil
}
