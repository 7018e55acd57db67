package office

import "context"

// Once says whether an event that leaves no message, a command, is taken in for
// the first time; that it was is durable before Once returns.
func (o *Office) Once(ctx context.Context, event string) (first bool, err error) {
	if _, seen, err := o.store.Seen(ctx, event); err != nil || seen {
		return false, err
	}
	out, err := o.do(ctx, once{event})
	if err != nil {
		return false, err
	}
	return out.(bool), nil
}

type once struct{ event string }

func (r once) decide(d *decision) (any, error) {
	return d.see(r.event), nil
}

// Seen says whether an event was taken in.
func (o *Office) Seen(ctx context.Context, event string) (bool, error) {
	_, seen, err := o.store.Seen(ctx, event)
	return seen, err
}

type eventKey struct{}

// WithEvent is ctx for what a platform's event has the office do: in the commit of
// the first change that is asked for with it stands that the event was taken in, so
// that a kill leaves either both or neither. Empty takes an event off again.
func WithEvent(ctx context.Context, event string) context.Context {
	return context.WithValue(ctx, eventKey{}, event)
}

func eventOf(ctx context.Context) string {
	event, _ := ctx.Value(eventKey{}).(string)
	return event
}

// see puts that an event was taken in which leaves no message; false: it was before.
func (d *decision) see(event string) (first bool) {
	if _, ok := d.s.recent.find(event); ok {
		return false
	}
	d.put(PutSeen{Event: event, At: d.now})
	d.remember(event, Receipt{})
	return true
}
