package office

import (
	"context"
	"fmt"
)

// TalkWith makes a person's direct talk on a platform go to a colleague, until
// another one is named. The text says so.
func (o *Office) TalkWith(ctx context.Context, portal PortalID, by PersonID, colleague string) (string, error) {
	out, err := o.do(ctx, talkWith{portal, by, colleague})
	if err != nil {
		return "", err
	}
	return out.(string), nil
}

type talkWith struct {
	Portal    PortalID
	By        PersonID
	Colleague string
}

func (r talkWith) decide(d *decision) (any, error) {
	p := d.s.Portals[r.Portal]
	if p == nil || p.Unlinked || p.Kind != DMPortal || p.Person != r.By {
		return nil, fmt.Errorf("only a direct talk with the office is with one colleague; write there, or @name here")
	}
	c := d.s.partnerNamed(r.Colleague, r.By)
	if c == nil {
		return nil, fmt.Errorf("no colleague is called %q; there are %s", oneLine(r.Colleague, nameLimit), d.s.colleagueNames())
	}
	if p.Partner == c.ID {
		return "You talk with " + c.Name + " already.", nil
	}
	next := *p
	next.Partner = c.ID
	d.put(PutPortal{next})
	return "You talk with " + c.Name + " now, until you name another.", nil
}
