package slack

import (
	"bytes"
	"context"
	"encoding/json"
	"unicode/utf8"

	"github.com/slack-go/slack/socketmode"

	"bullpen/bridge"
	"bullpen/internal/fault"
)

// word is a string of Slack's; what should be one and is not reads as empty, so
// that one odd field does not cost the whole event.
type word string

// UnmarshalJSON never fails.
func (w *word) UnmarshalJSON(b []byte) error {
	if n := len(b) - 1; n > 0 && b[0] == '"' && bytes.IndexByte(b, '\\') < 0 && utf8.Valid(b) {
		*w = word(b[1:n]) // as almost all are: nothing in it stands for something else
		return nil
	}
	var s string
	if json.Unmarshal(b, &s) == nil {
		*w = word(s)
	}
	return nil
}

// room is a channel's id: as such, or, in events about a channel itself, within what
// is known of it (docs.slack.dev, reference/events/channel_rename).
type room string

// UnmarshalJSON never fails.
func (r *room) UnmarshalJSON(b []byte) error {
	var in struct {
		ID word `json:"id"`
	}
	if len(b) > 0 && b[0] == '{' && json.Unmarshal(b, &in) == nil {
		*r = room(in.ID)
		return nil
	}
	var id word
	err := id.UnmarshalJSON(b)
	*r = room(id)
	return err
}

// envelope is what Socket Mode wraps everything in.
type envelope struct {
	ID      word            `json:"envelope_id"`
	Type    word            `json:"type"`
	Payload json.RawMessage `json:"payload"`
}

// event is what we read of an event of the Events API, or of a message of a
// channel's history.
type event struct {
	Type        word            `json:"type"`
	SubType     word            `json:"subtype"`
	Channel     room            `json:"channel"`
	ChannelType word            `json:"channel_type"`
	User        word            `json:"user"`
	Text        word            `json:"text"`
	TS          word            `json:"ts"`
	ThreadTS    word            `json:"thread_ts"`
	EventTS     word            `json:"event_ts"`
	DeletedTS   word            `json:"deleted_ts"`
	BotID       word            `json:"bot_id"`
	Tab         word            `json:"tab"` // of app_home_opened
	AppID       word            `json:"app_id"`
	UserTeam    word            `json:"user_team"`
	Edited      json.RawMessage `json:"edited"`
	Message     json.RawMessage `json:"message"`
	Previous    json.RawMessage `json:"previous_message"`
	Files       json.RawMessage `json:"files"`
}

// inner reads a message within an event; nil if there is none.
func inner(raw json.RawMessage) *event {
	if len(raw) == 0 {
		return nil
	}
	e := &event{}
	if json.Unmarshal(raw, e) != nil {
		return nil
	}
	return e
}

// editedAt is the stamp of the last edit, or empty.
func (e *event) editedAt() string {
	var edited struct {
		TS word `json:"ts"`
	}
	if len(e.Edited) == 0 || json.Unmarshal(e.Edited, &edited) != nil {
		return ""
	}
	return string(edited.TS)
}

// take hands one event of the socket to its lane. It only queues.
func (s *socket) take(ctx, work context.Context, ev socketmode.Event) {
	var env envelope
	switch {
	case ev.Type == socketmode.EventTypeErrorBadMessage:
		// The library knows neither every type nor every shape. What it does not
		// understand it hands on as it came, and does not acknowledge.
		bad, ok := ev.Data.(*socketmode.ErrorBadMessage)
		if !ok || json.Unmarshal(bad.Message, &env) != nil {
			return
		}
	case ev.Request != nil:
		env = envelope{ID: word(ev.Request.EnvelopeID), Type: word(ev.Request.Type), Payload: ev.Request.Payload}
	default: // the library's own word of itself
		return
	}
	s.heard = s.a.now().Round(0)
	if env.Type == socketmode.RequestTypeInteractive || env.Type == socketmode.RequestTypeSlashCommands {
		// The person waits for these three seconds, whatever else goes on.
		s.a.lanes.Add("ack "+string(env.ID), bridge.Job{What: "ack", Run: func() { s.ack(ctx, string(env.ID)) }})
	}
	lane, j := s.job(ctx, work, env)
	if !s.a.lanes.Add(lane, j) {
		s.a.log.Warn("too many events from Slack wait; it has to deliver this one again", "event", j.What)
	}
}

// job says what is to be done for an envelope, and in which lane.
func (s *socket) job(ctx, work context.Context, env envelope) (lane string, j bridge.Job) {
	switch env.Type {
	case socketmode.RequestTypeEventsAPI:
		var outer struct {
			Event *event `json:"event"`
		}
		if json.Unmarshal(env.Payload, &outer) == nil && outer.Event != nil {
			return string(outer.Event.Channel), s.eventJob(ctx, work, env, outer.Event)
		}
	case socketmode.RequestTypeInteractive:
		return s.a.pressJob(work, env)
	case socketmode.RequestTypeSlashCommands:
		return s.a.slashJob(work, env)
	}
	return "", bridge.Job{What: string(env.Type), Run: func() { s.ack(ctx, string(env.ID)) }}
}

// eventJob takes an event in and acknowledges it then, or not at all: what has
// not been begun when its socket ends comes again, or is read back.
func (s *socket) eventJob(ctx, work context.Context, env envelope, e *event) bridge.Job {
	what := string(e.Type)
	if e.SubType != "" {
		what += "/" + string(e.SubType)
	}
	return bridge.Job{
		What: what,
		Run: func() {
			if ctx.Err() != nil {
				return
			}
			if err := s.a.handle(work, e); err != nil {
				if ctx.Err() == nil {
					s.a.log.Warn("an event from Slack could not be kept", "event", what, "err", s.a.scrub.Error(err))
					s.end(err)
				}
				return
			}
			fault.Point("slack.ack.before")
			s.ack(ctx, string(env.ID))
			fault.Point("slack.ack.after")
		},
		Failed: func() { s.a.apologise(e) },
	}
}
