package office

import "context"

// Audit keeps a line in the audit log about something that changed nothing: a
// command that was refused, or that failed. What changes something keeps its own
// line, in the commit of the change.
func (o *Office) Audit(ctx context.Context, a Audit) error {
	_, err := o.do(ctx, auditLine{a})
	return err
}

// Audits reads a page of the audit log, newest page first; see [Store].
func (o *Office) Audits(ctx context.Context, before string, limit int) (lines []Audit, earlier string, err error) {
	return o.store.Audits(ctx, before, limit)
}

type auditLine struct{ Audit Audit }

func (r auditLine) decide(d *decision) (any, error) {
	a := r.Audit
	a.By, a.From = oneLine(a.By, nameLimit), oneLine(a.From, nameLimit)
	a.What, a.Outcome = oneLine(a.What, noteLimit), oneLine(a.Outcome, noteLimit)
	d.audit(a)
	return nil, nil
}
