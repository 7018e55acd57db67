package slack

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/slack-go/slack"
	"golang.org/x/time/rate"

	"bullpen/bridge"
)

// Slack shows a Stop button while the session of a thread is processing, for an app
// that is declared as an agent and hears agent_session_stopped; it does not end that
// by itself (docs.slack.dev, ai/agent-sessions and reference/events/agent_session_stopped).

// sessionEvery and sessionBurst are below the 50 calls a minute of a method of tier 3.
const sessionEvery, sessionBurst = 1500 * time.Millisecond, 10

// unheardStop is Slack's warning that nobody would hear the Stop button.
const unheardStop = "missing_agent_session_stopped_event_subscription"

// sessions are the threads in which the app counts as working. The zero value is ready.
type sessions struct {
	mu    sync.Mutex
	on    map[thread]bool // false: it was not begun, since too many were
	none  bool            // the app is no agent: it has no sessions
	paced *rate.Limiter
}

// thread is a thread of a place.
type thread struct{ place, root string }

// begin says whether a thread's session is to be begun now.
func (s *sessions) begin(t thread) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.paced == nil {
		s.paced = rate.NewLimiter(rate.Every(sessionEvery), sessionBurst)
	}
	if s.none || s.on[t] {
		return false
	}
	if s.on == nil || len(s.on) >= placesMost {
		s.on = map[thread]bool{}
	}
	// The other half is for ending those that were begun.
	s.on[t] = s.paced.Tokens() > sessionBurst/2 && s.paced.Allow()
	return s.on[t]
}

// end says whether a thread's session is to be ended: it was begun, here or, as far
// as is known, by the process before.
func (s *sessions) end(t thread) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	on, here := s.on[t]
	delete(s.on, t)
	if s.none || here && !on {
		return false
	}
	if s.paced != nil {
		s.paced.Allow()
	}
	return true
}

func (s *sessions) never() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.none = true
}

// works shows that a colleague works in a thread, so that people can stop it.
func (a *Adapter) works(ctx context.Context, p bridge.Presence) {
	t := thread{p.Place, p.Thread}
	if !a.sessions.begin(t) {
		return
	}
	params := slack.AgentSessionSetStatusParameters{Status: slack.AgentSessionStatusProcessing, ChannelID: t.place, ThreadTS: t.root}
	if !a.isPlain() {
		params.Username = p.Persona
	}
	if e := a.setSession(ctx, params); e != nil && !e.reached {
		a.sessions.end(t) // it was not begun
	}
}

// rests ends what works began, also where Slack cannot take that in at once.
func (a *Adapter) rests(t thread) {
	if a.sessions.end(t) {
		a.endSession(t)
	}
}

func (a *Adapter) endSession(t thread) {
	a.later.Insist(nil, func(ctx context.Context) error {
		e := a.setSession(ctx, slack.AgentSessionSetStatusParameters{Status: slack.AgentSessionStatusActive, ChannelID: t.place, ThreadTS: t.root})
		if e == nil || e.code != "" && !e.limited {
			return nil
		}
		return &bridge.PostError{Kind: bridge.PostNotSent, After: e.after, Reason: "a session could not be ended", Err: e}
	})
}

// setSession makes the call. An app that is no agent is not asked for again.
func (a *Adapter) setSession(ctx context.Context, params slack.AgentSessionSetStatusParameters) *callError {
	once, at := watched(ctx)
	r, err := a.api.SetAgentSessionStatusContext(once, params)
	if err == nil {
		if r.Warning == unheardStop || slices.Contains(r.ResponseMetadata.Warnings, unheardStop) {
			a.problem("agent_session_stopped", "Slack shows no Stop button, since the app does not hear it: add agent_session_stopped under Event Subscriptions, Subscribe to bot events")
		}
		return nil
	}
	e := a.explain("agents.sessions.setStatus", err, at)
	a.log.Debug("a session could not be set", "status", params.Status, "err", e)
	if e.code != "" && !e.limited && !slices.Contains(passing, e.code) && !slices.Contains(closing, e.code) && e.code != "thread_not_found" {
		a.sessions.never()
	}
	return e
}

// stopped interrupts whoever works in the thread whose Stop button was pressed.
func (a *Adapter) stopped(ctx context.Context, e *event) error {
	t := thread{string(e.Channel), string(e.ThreadTS)}
	if e.User == "" || t.place == "" || t.root == "" || e.EventTS == "" {
		return nil
	}
	by, err := a.author(ctx, string(e.User), string(e.UserTeam))
	if err != nil {
		return err
	}
	direct := isDirect(t.place)
	said, found, err := a.attached().Stop(ctx, bridge.Stop{
		Author: by, Place: t.place, Thread: t.root, Direct: direct, Event: "stop " + t.place + " " + string(e.EventTS),
	})
	if err != nil {
		return a.notKept(ctx, t.place, "stop "+string(e.EventTS), err, nil)
	}
	if !found {
		a.rests(t) // of an earlier process, or it has just ended
		return nil
	}
	if said != "" {
		a.whisper(bridge.Arrival{Author: by, Place: t.place, Direct: direct, Thread: t.root}, said)
	}
	return nil
}
