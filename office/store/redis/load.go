package redis

import (
	"context"
	"strconv"

	"bullpen/office"

	driver "github.com/redis/go-redis/v9"
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

// stateHashes are all that the live state is read from, but head.
var stateHashes = []string{
	colleagues, people, channels, items, turns, cursors, portals, sends, parked, questions, pairings,
}

// loadState reads everything but the items' messages, by one transaction.
func (s *Store) loadState(ctx context.Context) (*office.Snapshot, error) {
	read := make(map[string]*driver.MapStringStringCmd, len(stateHashes))
	var head *driver.SliceCmd
	_, err := s.client.TxPipelined(ctx, func(p driver.Pipeliner) error {
		head = p.HMGet(ctx, s.keys.head(), append(headFields[:len(headFields):len(headFields)], metaField)...)
		for _, name := range stateHashes {
			read[name] = p.HGetAll(ctx, s.keys.hash(name).name)
		}
		return nil
	})
	if err != nil {
		return nil, s.fault("read", err)
	}
	snap := &office.Snapshot{Cursors: map[string]int64{}}
	if snap.Head, err = s.headOf(head.Val()); err != nil {
		return nil, err
	}
	if meta, ok := head.Val()[len(headFields)].(string); ok {
		if err := decode("set of counters", meta, &snap.Meta); err != nil {
			return nil, s.fault("read", err)
		}
	}
	return snap, s.fault("read", fill(snap, read))
}

// fill decodes what the hashes hold.
func fill(snap *office.Snapshot, read map[string]*driver.MapStringStringCmd) (err error) {
	if err := fillOffice(snap, read); err != nil {
		return err
	}
	if snap.Portals, err = values[office.Portal]("portal", read[portals].Val()); err != nil {
		return err
	}
	if snap.Sends, err = values[office.Send]("entry of the outbox", read[sends].Val()); err != nil {
		return err
	}
	if snap.Questions, err = values[office.Question]("question", read[questions].Val()); err != nil {
		return err
	}
	if snap.Pairings, err = values[office.Pairing]("pairing", read[pairings].Val()); err != nil {
		return err
	}
	for _, value := range read[parked].Val() {
		var p office.Parked
		if p.In.Text, err = decodeParked(value, &p); err != nil {
			return err
		}
		snap.Parked = append(snap.Parked, p)
	}
	for viewer, no := range read[cursors].Val() {
		if snap.Cursors[viewer], err = strconv.ParseInt(no, 10, 64); err != nil {
			return &badValue{what: "cursor", err: err}
		}
	}
	return nil
}

// decodeParked decodes into p before the text is put there.
func decodeParked(value string, p *office.Parked) (string, error) {
	return decodeWith("parked event", value, p)
}

func fillOffice(snap *office.Snapshot, read map[string]*driver.MapStringStringCmd) (err error) {
	if snap.Colleagues, err = values[office.Colleague]("colleague", read[colleagues].Val()); err != nil {
		return err
	}
	if snap.People, err = values[office.Person]("person", read[people].Val()); err != nil {
		return err
	}
	if snap.Channels, err = values[office.Channel]("channel", read[channels].Val()); err != nil {
		return err
	}
	if snap.Turns, err = values[office.Turn]("turn", read[turns].Val()); err != nil {
		return err
	}
	snap.Items, err = values[office.Item]("item", read[items].Val())
	return err
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
	h, err := s.client.HMGet(ctx, s.keys.head(), headFields...).Result()
	if err != nil {
		return false, s.fault("read", err)
	}
	now, err := s.headOf(h)
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
