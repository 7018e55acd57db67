package slack_test

import (
	"reflect"
	"testing"

	api "github.com/slack-go/slack"

	sim "bullpen/internal/sim/slack"
)

func TestThreads(t *testing.T) {
	t.Parallel()
	srv := start(t)
	c := client(srv)
	root := must(srv.User("kim").Post("general", "root"))
	say := func(ts string, more ...api.MsgOption) sim.Entry {
		_, _, err := c.PostMessage("C0GEN", append(more, text("x"), api.MsgOptionTS(ts))...)
		if err != nil {
			t.Fatal(err)
		}
		all := srv.Transcript("C0GEN")
		return all[len(all)-1]
	}
	reply := say(root)
	if reply.ThreadTS != root || reply.Misplaced {
		t.Errorf("reply: %+v", reply)
	}
	if e := say(reply.TS); !e.Misplaced {
		t.Errorf("a reply to a reply was shown in its thread: %+v", e)
	}
	if e := say("1.000001"); e.ThreadTS != "" {
		t.Errorf("a reply to nothing went into a thread: %+v", e)
	}
	if e := say(root, api.MsgOptionBroadcast()); !e.Broadcast || e.Subtype != "thread_broadcast" {
		t.Errorf("broadcast: %+v", e)
	}
	h, err := c.GetConversationHistory(&api.GetConversationHistoryParameters{ChannelID: "C0GEN"})
	if err != nil {
		t.Fatal(err)
	}
	// Newest first: the broadcast, the stray reply, the root with its count.
	if len(h.Messages) != 3 || h.Messages[2].ReplyCount != 2 || h.Messages[2].ThreadTimestamp != root {
		t.Errorf("history: %+v", h.Messages)
	}
	srv.SetQuirks(func(q *sim.Quirks) { q.RefuseUnknownThread = true })
	if _, _, err := c.PostMessage("C0GEN", text("x"), api.MsgOptionTS("1.000001")); code(err) != "thread_not_found" {
		t.Errorf("got %v", err)
	}
}

func TestHistoryPages(t *testing.T) {
	t.Parallel()
	srv := start(t)
	c := client(srv)
	var sent []string
	for range 7 {
		sent = append(sent, must(srv.User("kim").Post("general", "m")))
	}
	read := func(p api.GetConversationHistoryParameters) []string {
		var out []string
		for p.ChannelID = "C0GEN"; ; {
			h, err := c.GetConversationHistory(&p)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range h.Messages {
				out = append([]string{m.Timestamp}, out...)
			}
			if p.Cursor = h.ResponseMetaData.NextCursor; p.Cursor == "" {
				return out
			}
			if !h.HasMore {
				t.Fatal("a cursor without has_more")
			}
		}
	}
	for _, tc := range []struct {
		name string
		p    api.GetConversationHistoryParameters
		want []string
	}{
		{"all at once", api.GetConversationHistoryParameters{}, sent},
		{"three a page", api.GetConversationHistoryParameters{Limit: 3}, sent},
		{"after one", api.GetConversationHistoryParameters{Oldest: sent[2], Limit: 2}, sent[3:]},
		{"from one", api.GetConversationHistoryParameters{Oldest: sent[2], Inclusive: true}, sent[2:]},
		{"between two", api.GetConversationHistoryParameters{Oldest: sent[1], Latest: sent[5]}, sent[2:5]},
		{"from the beginning of time", api.GetConversationHistoryParameters{Oldest: "0"}, sent},
	} {
		if got := read(tc.p); !reflect.DeepEqual(got, tc.want) {
			t.Errorf("%s: got %v, want %v", tc.name, got, tc.want)
		}
	}
}

func TestRepliesPage(t *testing.T) {
	t.Parallel()
	srv := start(t)
	c := client(srv)
	root := must(srv.User("kim").Post("general", "root"))
	want := []string{}
	for range 5 {
		want = append(want, must(srv.User("lee").Reply("general", root, "r")))
	}
	var got []string
	p := api.GetConversationRepliesParameters{ChannelID: "C0GEN", Timestamp: root, Limit: 3}
	for {
		msgs, _, next, err := c.GetConversationReplies(&p)
		if err != nil {
			t.Fatal(err)
		}
		if msgs[0].Timestamp != root {
			t.Fatalf("a page without its root: %v", msgs)
		}
		for _, m := range msgs[1:] {
			got = append(got, m.Timestamp)
		}
		if p.Cursor = next; next == "" {
			break
		}
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestMetadataComesBackOnlyWhenAskedFor(t *testing.T) {
	t.Parallel()
	srv := start(t)
	c := client(srv)
	md := api.SlackMetadata{EventType: "bullpen_send", EventPayload: map[string]any{"id": "entry-7"}}
	if _, _, err := c.PostMessage("C0GEN", text("x"), api.MsgOptionMetadata(md)); err != nil {
		t.Fatal(err)
	}
	for _, all := range []bool{true, false} {
		h, err := c.GetConversationHistory(&api.GetConversationHistoryParameters{ChannelID: "C0GEN", IncludeAllMetadata: all})
		if err != nil {
			t.Fatal(err)
		}
		if got := h.Messages[0].Metadata.EventPayload["id"] == "entry-7"; got != all {
			t.Errorf("include_all_metadata %t: metadata %+v", all, h.Messages[0].Metadata)
		}
	}
}
