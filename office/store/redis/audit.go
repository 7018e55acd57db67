package redis

import (
	"context"
	"slices"

	"bullpen/office"
)

// Audits reads a page of the audit log. A line is called by its id in the stream.
func (s *Store) Audits(ctx context.Context, before string, limit int) ([]office.Audit, string, error) {
	if err := ctx.Err(); err != nil {
		return nil, "", err
	}
	end := "+"
	if before != "" {
		end = "(" + before
	}
	// One more than asked for tells whether there is an older page.
	found, err := s.client.XRevRangeN(ctx, s.keys.stream(audit).name, end, "-", int64(limit)+1).Result()
	if err != nil {
		return nil, "", s.fault("read", err)
	}
	earlier := ""
	if len(found) > limit {
		found = found[:limit]
		earlier = found[limit-1].ID
	}
	lines := make([]office.Audit, len(found))
	for i, x := range found {
		value, _ := x.Values["v"].(string)
		if err := decode("line of the audit log", value, &lines[i]); err != nil {
			return nil, "", s.fault("read", err)
		}
	}
	slices.Reverse(lines)
	return lines, earlier, nil
}
