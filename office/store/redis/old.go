package redis

import (
	"context"
	"encoding/json"
	"strconv"
	"time"

	"bullpen/office"
)

// oldScan is how many fields of a hash are looked at by one command.
const oldScan = 1000

// dated is what tells how old a row is.
type dated struct {
	At    time.Time `json:"at"`    // of an event, of the newest early change, and of a line of a log
	Ended time.Time `json:"ended"` // of a turn
}

// Old reads what of a log may leave the record. Logs are read from their oldest
// end; the hashes of events, of early changes and of closed turns, which this keeps
// short, are looked through.
func (s *Store) Old(ctx context.Context, q office.OldQuery) (rows []office.Old, err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	switch q.Log {
	case office.LogEntries:
		rows, err = s.oldEntries(ctx, q)
	case office.LogUsage:
		rows, err = s.oldLines(ctx, usage, q)
	case office.LogAudit:
		rows, err = s.oldLines(ctx, audit, q)
	case office.LogSeen:
		rows, err = s.oldFields(ctx, seen, q)
	case office.LogEarly:
		rows, err = s.oldFields(ctx, earlies, q)
	default:
		rows, err = s.oldFields(ctx, closedTurns, q)
	}
	if err != nil {
		return nil, s.fault("read", err)
	}
	return rows, nil
}

func (s *Store) oldEntries(ctx context.Context, q office.OldQuery) (rows []office.Old, err error) {
	found, err := s.client.ZRange(ctx, s.keys.transcript(q.In).name, 0, int64(q.Limit)-1).Result()
	if err != nil {
		return nil, err
	}
	for _, value := range found {
		var e office.Entry
		if e.Text, err = decodeWith("entry of a transcript", value, &e); err != nil {
			return nil, err
		}
		if e.N > q.Through || !e.At.Before(q.Before) {
			continue
		}
		e.Text = textOf(value)
		row, err := json.Marshal(e)
		if err != nil {
			return nil, err
		}
		rows = append(rows, office.Old{Key: strconv.FormatInt(e.N, 10), Value: row})
	}
	return rows, nil
}

func (s *Store) oldLines(ctx context.Context, name string, q office.OldQuery) (rows []office.Old, err error) {
	found, err := s.client.XRangeN(ctx, s.keys.stream(name).name, "-", "+", int64(q.Limit)).Result()
	if err != nil {
		return nil, err
	}
	for _, x := range found {
		value, _ := x.Values["v"].(string)
		var d dated
		if err := decode("line of a log", value, &d); err != nil {
			return nil, err
		}
		if d.At.Before(q.Before) {
			rows = append(rows, office.Old{Key: x.ID, Value: json.RawMessage(value)})
		}
	}
	return rows, nil
}

func (s *Store) oldFields(ctx context.Context, name string, q office.OldQuery) (rows []office.Old, err error) {
	found := map[string]bool{} // a field may be handed out twice
	for cursor := uint64(0); ; {
		var fields []string
		if fields, cursor, err = s.client.HScan(ctx, s.keys.hash(name).name, cursor, "", oldScan).Result(); err != nil {
			return nil, err
		}
		for i := 0; i+1 < len(fields); i += 2 {
			var d dated
			if err := decode("old row", fields[i+1], &d); err != nil {
				return nil, err
			}
			at := d.At
			if name == closedTurns {
				at = d.Ended
			}
			if at.Before(q.Before) && !found[fields[i]] {
				found[fields[i]] = true
				rows = append(rows, office.Old{Key: fields[i], Value: json.RawMessage(fields[i+1])})
			}
		}
		if cursor == 0 || len(rows) >= q.Limit {
			return rows[:min(len(rows), q.Limit)], nil
		}
	}
}

// dropMessage takes a message out of all that it stands in.
func (w *batch) dropMessage(c office.DropMessage) error {
	no, err := scoreOf(c.No)
	if err != nil {
		return err
	}
	seq, err := scoreOf(c.Seq)
	if err != nil {
		return err
	}
	w.do("HDEL", w.keys.hash(messages), office.Anchor{Channel: c.Channel, Seq: c.Seq}.String())
	w.do("ZREMRANGEBYSCORE", w.keys.log(), no, no)
	w.do("ZREMRANGEBYSCORE", w.keys.channel(c.Channel), seq, seq)
	if c.Root != 0 {
		w.do("ZREMRANGEBYSCORE", w.keys.thread(c.Channel, c.Root), seq, seq)
	}
	return nil
}

func (w *batch) dropOld(c office.DropOld) error {
	switch c.Log {
	case office.LogSeen:
		return w.delete(seen, c.Key)
	case office.LogEarly:
		return w.dropEarly(c.Key)
	case office.LogTurns:
		return w.delete(closedTurns, c.Key)
	case office.LogUsage:
		w.do("XDEL", w.keys.stream(usage), c.Key)
	default:
		w.do("XDEL", w.keys.stream(audit), c.Key)
	}
	return nil
}
