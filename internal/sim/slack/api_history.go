package slack

import (
	"math"
	"slices"
)

// span is a stretch of time in microseconds, ends as asked for.
type span struct {
	from, to  int64
	inclusive bool
}

func (sp span) has(ts string) bool {
	at, _ := parseTS(ts)
	if sp.inclusive {
		return at >= sp.from && at <= sp.to
	}
	return at > sp.from && at < sp.to
}

// spanOf reads oldest, latest and inclusive (D: conversations.history, invalid_ts_oldest and
// invalid_ts_latest).
func spanOf(a args) (span, *refusal) {
	sp := span{from: -1, to: math.MaxInt64, inclusive: a.flag("inclusive")}
	var ok bool
	if v := a["oldest"]; v != "" && v != "0" {
		if sp.from, ok = parseTS(v); !ok {
			return sp, refuse("invalid_ts_oldest")
		}
	}
	if v := a["latest"]; v != "" && v != "now" {
		if sp.to, ok = parseTS(v); !ok {
			return sp, refuse("invalid_ts_latest")
		}
	}
	return sp, nil
}

// readable finds a conversation whose messages the bot may read.
func (s *Server) readable(id string) (*conversation, *refusal) {
	c, ref := s.visible(id)
	if ref != nil {
		return nil, ref
	}
	if ref := s.needAny(c.kind.scopePrefix() + ":history"); ref != nil {
		return nil, ref
	}
	if !c.has(s.ws.BotUserID) { // P: widely reported for conversations.history
		return nil, refuse("not_in_channel")
	}
	return c, nil
}

// conversationsHistory lists what the channel itself shows, newest first.
func conversationsHistory(s *Server, a args) (reply, *refusal) {
	c, ref := s.readable(a["channel"])
	if ref != nil {
		return nil, ref
	}
	limit, ref := limitOf(a, defaultHistoryLimit, maxHistoryLimit)
	if ref != nil {
		return nil, ref
	}
	sp, ref := spanOf(a)
	if ref != nil {
		return nil, ref
	}
	before, ref := cursorTS(a, "next_ts:")
	if ref != nil {
		return nil, ref
	}
	page, next := []map[string]any{}, ""
	for _, m := range slices.Backward(c.messages) {
		at, _ := parseTS(m.ts)
		if at > before || !m.inChannel() || !m.visible() || !sp.has(m.ts) {
			continue
		}
		if len(page) == limit {
			next = sealCursor(m.ts, "next_ts:")
			break
		}
		page = append(page, s.wire(m, a.flag("include_all_metadata")))
	}
	return paged(page, next, reply{"pin_count": 0}), nil
}

// conversationsReplies lists a thread, oldest first. Its root leads the first page, and the others
// unless the quirk says otherwise. The ts of a reply gives that reply alone (D).
func conversationsReplies(s *Server, a args) (reply, *refusal) {
	c, ref := s.readable(a["channel"])
	if ref != nil {
		return nil, ref
	}
	limit, ref := limitOf(a, defaultReplyLimit, maxListLimit)
	if ref != nil {
		return nil, ref
	}
	sp, ref := spanOf(a)
	if ref != nil {
		return nil, ref
	}
	root := c.byTS[a["ts"]]
	if root == nil || !root.visible() || unthreadable(root) { // D: conversations.replies
		return nil, refuse("thread_not_found")
	}
	after := int64(0)
	if a["cursor"] != "" {
		if after, ref = cursorTS(a, "reply_ts:"); ref != nil {
			return nil, ref
		}
	}
	withMetadata := a.flag("include_all_metadata")
	page, next := []map[string]any{s.wire(root, withMetadata)}, ""
	if a["cursor"] != "" && s.quirks.RootOnFirstPageOnly {
		page = page[:0]
	}
	for _, m := range root.replies {
		at, _ := parseTS(m.ts)
		if at < after || !sp.has(m.ts) {
			continue
		}
		if len(page) >= max(limit, 2) { // with the root at least one reply, or no page would end
			next = sealCursor(m.ts, "reply_ts:")
			break
		}
		page = append(page, s.wire(m, withMetadata))
	}
	return paged(page, next, reply{}), nil
}

// cursorTS is the ts of the first message of the page; without a cursor, the end of time.
func cursorTS(a args, prefix string) (int64, *refusal) {
	if a["cursor"] == "" {
		return math.MaxInt64, nil
	}
	ts, ok := openCursor(a["cursor"], prefix)
	at, valid := parseTS(ts)
	if !ok || !valid { // D
		return 0, refuse("invalid_cursor")
	}
	return at, nil
}

func paged(page []map[string]any, next string, out reply) reply {
	out["messages"], out["has_more"] = page, next != ""
	if next != "" {
		out["response_metadata"] = map[string]any{"next_cursor": next}
	}
	return out
}
