package slack

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/slack-go/slack/socketmode"

	"bullpen/bridge"
)

// Whatever comes over the socket is read without harm, and finds a lane.
func FuzzWhateverComesIsRead(f *testing.F) {
	for _, seed := range []string{
		`{"event":{"type":"message","text":42,"channel":{"id":"C1"},"edited":"x","files":[{"name":5}]}}`,
		`{"event":{"type":"message","subtype":"message_changed","message":[],"previous_message":{"text":null}}}`,
		`{"event":null}`, `[]`, `"x"`, `{"type":"block_actions","actions":[{"value":1}],"message":{"blocks":"odd"}}`,
	} {
		f.Add([]byte(seed))
	}
	a, err := New(Options{AppToken: "xapp-1", BotToken: "xoxb-1"})
	if err != nil {
		f.Fatal(err)
	}
	s := newSocket(a, &bridge.Outage{})
	f.Fuzz(func(t *testing.T, payload []byte) {
		for _, kind := range []string{socketmode.RequestTypeEventsAPI, socketmode.RequestTypeInteractive, socketmode.RequestTypeSlashCommands, "new"} {
			if _, j := s.job(context.Background(), context.Background(), envelope{ID: "e", Type: word(kind), Payload: payload}); j.Run == nil {
				t.Fatalf("nothing is done for %s %q", kind, payload)
			}
		}
		var outer struct{ Event json.RawMessage }
		if json.Unmarshal(payload, &outer) != nil {
			return
		}
		if e := inner(outer.Event); e != nil {
			_ = e.editedAt()
			_ = filesOf(e.Files)
			_, _, _ = inner(e.Message), inner(e.Previous), a.foreign(e)
		}
	})
}
