package slack

import (
	"context"
	"errors"

	"github.com/slack-go/slack"

	"bullpen/bridge"
)

// findPages bounds how much history is looked through for one post.
const findPages = 5

// Find looks a post up by its key. See bridge.Poster.
func (a *Adapter) Find(ctx context.Context, out bridge.Outgoing) (bridge.Posted, bool, error) {
	me, err := a.identify(ctx)
	if err != nil {
		return bridge.Posted{}, false, err
	}
	if out.Thread != "" {
		at, found, err := a.findIn(ctx, out, me, a.threadPage(out))
		if found || err != nil && codeOf(err) != "thread_not_found" {
			return at, found, err
		}
		// A reply to what was deleted meanwhile stands outside of any thread.
	}
	return a.findIn(ctx, out, me, a.channelPage(out))
}

// pageOf reads one page of messages from a cursor on.
type pageOf func(ctx context.Context, cursor string) (page []slack.Message, next string, err error)

func (a *Adapter) channelPage(out bridge.Outgoing) pageOf {
	return func(ctx context.Context, cursor string) (page []slack.Message, next string, err error) {
		err = a.read(ctx, "conversations.history", func(ctx context.Context) error {
			r, err := a.api.GetConversationHistoryContext(ctx, &slack.GetConversationHistoryParameters{
				ChannelID: out.Place, Oldest: stamp(out.Since), Inclusive: true, Limit: readPage, Cursor: cursor, IncludeAllMetadata: true,
			})
			if err == nil {
				page, next = r.Messages, r.ResponseMetaData.NextCursor
			}
			return err
		})
		return page, next, err
	}
}

func (a *Adapter) threadPage(out bridge.Outgoing) pageOf {
	return func(ctx context.Context, cursor string) (page []slack.Message, next string, err error) {
		err = a.read(ctx, "conversations.replies", func(ctx context.Context) (err error) {
			page, _, next, err = a.api.GetConversationRepliesContext(ctx, &slack.GetConversationRepliesParameters{
				ChannelID: out.Place, Timestamp: out.Thread, Oldest: stamp(out.Since), Inclusive: true, Limit: readPage, Cursor: cursor,
				IncludeAllMetadata: true,
			})
			return err
		})
		return page, next, err
	}
}

func (a *Adapter) findIn(ctx context.Context, out bridge.Outgoing, me *identity, read pageOf) (bridge.Posted, bool, error) {
	cursor := ""
	for range findPages {
		page, next, err := read(ctx, cursor)
		if err != nil {
			return bridge.Posted{}, false, err
		}
		for i := range page {
			m := &page[i].Msg
			ours := m.BotID == me.BotID && m.BotID != "" || m.User == me.UserID
			if ours && out.File != nil && isFile(m, out.File) {
				return bridge.Posted{ID: m.Timestamp, Thread: threadOf(m.Timestamp, m.ThreadTimestamp)}, true, nil
			}
			if out.Head != "" {
				if ours && beginsWith(m, out.Head) {
					return bridge.Posted{ID: m.Timestamp, Thread: threadOf(m.Timestamp, m.ThreadTimestamp)}, true, nil
				}
				continue
			}
			if ours && m.Metadata.EventType == metadataType && m.Metadata.EventPayload[metadataKey] == out.Key {
				return bridge.Posted{ID: m.Timestamp, Thread: threadOf(m.Timestamp, m.ThreadTimestamp)}, true, nil
			}
		}
		if cursor = next; next == "" {
			return bridge.Posted{}, false, nil
		}
	}
	return bridge.Posted{}, false, errors.New("too much was said since to look a message up")
}
