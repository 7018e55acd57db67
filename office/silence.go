package office

import (
	"context"
	"fmt"
	"time"
)

// Silence is that wakes are switched off: what is written is stored and wakes nobody.
type Silence struct {
	On    bool      `json:"on,omitempty"`
	Since time.Time `json:"since,omitzero"`
	By    string    `json:"by,omitempty"`
}

func (x Silence) quote() string {
	return fmt.Sprintf("wakes are switched off since %s by %s", x.Since.UTC().Format("2006-01-02 15:04 MST"), x.By)
}

// Wakes switches wakes on or off for the whole office. While they are off a
// message is stored and wakes nobody, then or later; what was queued before is
// still delivered.
func (o *Office) Wakes(ctx context.Context, on bool, by PersonID, from string) (string, error) {
	return said(o.do(ctx, wakes{On: on, By: by, From: from}))
}

type wakes struct {
	On   bool
	By   PersonID
	From string
}

func (r wakes) decide(d *decision) (any, error) {
	_, name, err := d.asking(actor{person: r.By})
	if err != nil {
		return nil, err
	}
	switch off := d.s.Meta.Silence; {
	case r.On && !off.On:
		return "Wakes are on.", nil
	case r.On:
		d.s.Meta.Silence, d.meta = Silence{}, true
		d.report(Event{Kind: EventPause, Text: "wakes are on again, says " + oneLine(name, nameLimit)})
		d.audit(Audit{By: name, From: r.From, What: "switch wakes on", Outcome: "done"})
		return "Wakes are on again. What was written meanwhile has woken nobody.", nil
	case off.On:
		return "It is so already: " + off.quote() + ".", nil
	default:
		d.s.Meta.Silence, d.meta = Silence{On: true, Since: d.now, By: name}, true
		d.report(Event{Kind: EventPause, Text: d.s.Meta.Silence.quote()})
		d.audit(Audit{By: name, From: r.From, What: "switch wakes off", Outcome: "done"})
		return "Wakes are off: what is written now is stored and wakes nobody.", nil
	}
}
