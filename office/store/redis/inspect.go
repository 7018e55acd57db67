package redis

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"bullpen/office"
)

var _ office.Inspector = (*Store)(nil)

// Inspect compares the queues, and the turns' items, with the items, and the indexes
// of messages with the messages: by ids and by counts.
func (s *Store) Inspect(ctx context.Context) (findings []string, err error) {
	snap, err := s.Load(ctx)
	if err != nil {
		return nil, err
	}
	node, err := s.node(ctx)
	if err != nil {
		return nil, s.fault("reach", err)
	}
	names, err := s.ownKeys(ctx, node)
	if err != nil {
		return nil, s.fault("read", err)
	}
	want := map[string][]string{} // ids of items by the key that lists them
	for i := range snap.Items {
		k := s.keys.held(&snap.Items[i]).name
		want[k] = append(want[k], id(snap.Items[i].ID))
	}
	for _, name := range names {
		rest := strings.TrimPrefix(name, string(s.keys))
		if strings.HasPrefix(rest, "queue:") || strings.HasPrefix(rest, "turn:") {
			want[name] = append(want[name], []string(nil)...)
		}
	}
	for _, k := range slices.Sorted(maps.Keys(want)) {
		has, err := s.client.ZRange(ctx, k, 0, -1).Result()
		if err != nil {
			return findings, s.fault("read", err)
		}
		slices.Sort(has)
		if wants := slices.Sorted(slices.Values(want[k])); !slices.Equal(has, wants) {
			findings = append(findings, fmt.Sprintf("%s lists the deliveries %v, and the record says %v", k, has, wants))
		}
	}
	counts, err := s.inspectIndexes(ctx, names)
	return append(findings, counts...), err
}

// inspectIndexes compares how many messages there are with how many the indexes list.
func (s *Store) inspectIndexes(ctx context.Context, names []string) (findings []string, err error) {
	all, err := s.client.HLen(ctx, s.keys.hash(messages).name).Result()
	if err != nil {
		return nil, s.fault("read", err)
	}
	listed, err := s.client.ZCard(ctx, s.keys.log().name).Result()
	if err != nil {
		return nil, s.fault("read", err)
	}
	if listed != all {
		findings = append(findings, "the log lists "+strconv.FormatInt(listed, 10)+" messages, and there are "+strconv.FormatInt(all, 10))
	}
	sum := int64(0)
	for _, name := range names {
		if !strings.HasPrefix(name, string(s.keys)+"channel:") {
			continue
		}
		n, err := s.client.ZCard(ctx, name).Result()
		if err != nil {
			return findings, s.fault("read", err)
		}
		sum += n
	}
	if sum != all {
		findings = append(findings, fmt.Sprintf("the channels list %d messages, and there are %d", sum, all))
	}
	return findings, nil
}
