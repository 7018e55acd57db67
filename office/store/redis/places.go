package redis

import (
	"context"

	"bullpen/office"
)

// places is where the live items can be seen, as one batch left it. Only the
// owner moves them, so it need not ask Redis again as long as it commits.
type places struct {
	lease office.Lease
	n     int64
	at    map[int64]key // nil: not known
}

// follow makes the step to batch n, which either ran as it was prepared or
// leaves nothing known.
func (p *places) follow(lease office.Lease, n int64, moved map[int64]key, done bool) {
	if !done || p.at == nil || p.lease != lease || p.n != n-1 {
		*p = places{}
		return
	}
	p.n = n
	for item, k := range moved {
		if k == (key{}) {
			delete(p.at, item)
		} else {
			p.at[item] = k
		}
	}
}

// prepare turns the batch into commands.
func (s *Store) prepare(ctx context.Context, lease office.Lease, b office.Batch) (*batch, error) {
	if p := &s.places; p.at == nil || p.lease != lease || p.n != b.N-1 {
		if err := s.learnPlaces(ctx); err != nil {
			return nil, err
		}
	}
	return encodeBatch(s.keys, b, s.places.at)
}

// learnPlaces reads where the items are. If the record is not where the batch
// wants to have it, the script will refuse the batch.
func (s *Store) learnPlaces(ctx context.Context) error {
	var r reads
	r.add("HMGET", s.keys.headKey(), headFields...)
	r.add("HGETALL", s.keys.hash(items))
	got, err := s.together(ctx, &r)
	if err != nil {
		return s.fault("read", err)
	}
	h, err := s.headOf(got.list(0))
	if err != nil {
		return err
	}
	live, err := values[office.Item]("item", got.fields(1))
	if err != nil {
		return s.fault("read", err)
	}
	s.places = places{lease: h.Lease, n: h.N, at: make(map[int64]key, len(live))}
	for i := range live {
		s.places.at[live[i].ID] = s.keys.held(&live[i])
	}
	return nil
}
