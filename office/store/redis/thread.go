package redis

import "context"

// findThreads reads one thread of each channel: its first message from the
// channel's index, the others from its own. A message that has left a thread,
// or whose author is another now, keeps its old line there; the channel's index
// no longer has it, and that counts.
func (f *finder) findThreads(ctx context.Context) error {
	if _, err := f.last(ctx); err != nil {
		return err
	}
	for _, ch := range f.q.Channels {
		k := f.s.keys
		texts, err := f.thread(ctx, k.channel(ch), k.thread(ch, f.q.Root))
		if err != nil {
			return err
		}
		var lines []line
		for _, text := range texts {
			l, err := parseLine(text)
			if err != nil {
				return err
			}
			if f.wants(l) {
				lines = append(lines, l)
			}
		}
		if err := f.keep(ctx, lines); err != nil {
			return err
		}
	}
	return nil
}

// thread lists the lines of one thread that still hold.
func (f *finder) thread(ctx context.Context, channel, thread key) ([]string, error) {
	root := id(f.q.Root)
	var r reads
	r.add("ZRANGEBYSCORE", channel, root, root)
	r.add("ZRANGE", thread, 0, -1)
	got, err := f.s.together(ctx, &r)
	if err != nil {
		return nil, err
	}
	texts, rest := got.texts(0), got.texts(1)
	if len(rest) == 0 {
		return texts, nil
	}
	// ZMSCORE gives 0 for what is not there; no message has the number 0.
	scores, err := f.s.client.ZMScore(ctx, channel.name, rest...).Result()
	if err != nil {
		return nil, err
	}
	for i, text := range rest {
		if i < len(scores) && scores[i] != 0 && (len(texts) == 0 || text != texts[0]) {
			texts = append(texts, text)
		}
	}
	return texts, nil
}
