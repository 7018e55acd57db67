package redis

import (
	"context"
	"strconv"

	"bullpen/office"
)

// mostLoads is how often a load is begun again because the record moved on
// meanwhile. Nobody commits while an owner loads.
const mostLoads = 5

// Load reads the live state as one commit left it. If others commit all the
// while, messages of items may be as a later commit left them.
func (s *Store) Load(ctx context.Context) (*office.Snapshot, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if s.fate.unknown() {
		if _, err := s.settle(ctx); err != nil {
			return nil, err
		}
	}
	for n := 1; ; n++ {
		snap, err := s.loadState(ctx)
		if err != nil {
			return nil, err
		}
		same, err := s.fillBodies(ctx, snap)
		if err != nil {
			return nil, err
		}
		if same || n == mostLoads {
			return snap, nil
		}
	}
}

// loadState reads everything but the items' messages, as one commit left it.
func (s *Store) loadState(ctx context.Context) (*office.Snapshot, error) {
	snap := &office.Snapshot{Cursors: map[string]int64{}}
	var r reads
	r.add("HMGET", s.keys.headKey(), append(headFields[:len(headFields):len(headFields)], metaField)...)
	parts := stateParts(snap)
	for _, p := range parts {
		r.add("HGETALL", s.keys.hash(p.name))
	}
	got, err := s.together(ctx, &r)
	if err != nil {
		return nil, s.fault("read", err)
	}
	head := got.list(0)
	if snap.Head, err = s.headOf(head); err != nil {
		return nil, err
	}
	if meta, ok := head[len(headFields)].(string); ok {
		if err := decode("set of counters", meta, &snap.Meta); err != nil {
			return nil, s.fault("read", err)
		}
	}
	for i, p := range parts {
		if err := p.fill(got.fields(i + 1)); err != nil {
			return nil, s.fault("read", err)
		}
	}
	return snap, nil
}

// statePart is one hash of the live state, and how to decode what it holds.
type statePart struct {
	name string
	fill func(fields map[string]string) error
}

// stateParts are all that the live state is read from, but head.
func stateParts(snap *office.Snapshot) []statePart {
	return []statePart{
		{colleagues, into("colleague", &snap.Colleagues)},
		{people, into("person", &snap.People)},
		{channels, into("channel", &snap.Channels)},
		{items, into("item", &snap.Items)},
		{turns, into("turn", &snap.Turns)},
		{portals, into("portal", &snap.Portals)},
		{sends, into("entry of the outbox", &snap.Sends)},
		{questions, into("question", &snap.Questions)},
		{pairings, into("pairing", &snap.Pairings)},
		{parked, func(fields map[string]string) error {
			for _, value := range fields {
				var p office.Parked
				text, err := decodeWith("parked event", value, &p)
				if err != nil {
					return err
				}
				p.In.Text = text
				snap.Parked = append(snap.Parked, p)
			}
			return nil
		}},
		{cursors, func(fields map[string]string) error {
			for viewer, no := range fields {
				n, err := strconv.ParseInt(no, 10, 64)
				if err != nil {
					return &badValue{what: "cursor", err: err}
				}
				snap.Cursors[viewer] = n
			}
			return nil
		}},
	}
}

// into decodes one JSON value per field into all.
func into[T any](what string, all *[]T) func(map[string]string) error {
	return func(fields map[string]string) (err error) {
		*all, err = values[T](what, fields)
		return err
	}
}

// fillBodies gives every item its message; items of one message share it. same
// says that the record has not moved on.
func (s *Store) fillBodies(ctx context.Context, snap *office.Snapshot) (same bool, err error) {
	if len(snap.Items) == 0 {
		return true, nil
	}
	bodies := make(map[office.Anchor]*office.Message)
	for i := range snap.Items {
		bodies[snap.Items[i].Message] = nil
	}
	anchors := make([]string, 0, len(bodies))
	for a := range bodies {
		anchors = append(anchors, a.String())
	}
	found, err := s.fetch(ctx, anchors)
	if err != nil {
		return false, err
	}
	for _, m := range found {
		if m != nil {
			bodies[m.Anchor()] = m
		}
	}
	for i := range snap.Items {
		snap.Items[i].Body = bodies[snap.Items[i].Message]
	}
	now, err := s.readHead(ctx)
	return now == snap.Head, err
}

// fetchPage is how many messages are read by one command.
const fetchPage = 128

// fetch reads messages by their anchors; one that is not there is nil.
func (s *Store) fetch(ctx context.Context, anchors []string) ([]*office.Message, error) {
	all := make([]*office.Message, 0, len(anchors))
	err := s.fetchEach(ctx, anchors, func(_ int, value string, ok bool) error {
		if !ok {
			all = append(all, nil)
			return nil
		}
		m := new(office.Message)
		text, err := decodeWith("message", value, m)
		m.Text = text
		all = append(all, m)
		return err
	})
	return all, err
}

// fetchEach hands the stored values of messages to do, in the order asked for.
func (s *Store) fetchEach(ctx context.Context, anchors []string, do func(i int, value string, ok bool) error) error {
	for from := 0; from < len(anchors); from += fetchPage {
		to := min(from+fetchPage, len(anchors))
		found, err := s.client.HMGet(ctx, s.keys.hash(messages).name, anchors[from:to]...).Result()
		if err != nil {
			return s.fault("read", err)
		}
		for i, v := range found {
			value, ok := v.(string)
			if err := do(from+i, value, ok); err != nil {
				return s.fault("read", err)
			}
		}
	}
	return nil
}
