package slack

import (
	"cmp"
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"slices"
	"time"
)

// Envelope types of Socket Mode.
const (
	typeEvents      = "events_api"
	typeSlash       = "slash_commands"
	typeInteractive = "interactive"
)

// State is how far a delivery is.
type State string

// The states of a delivery.
const (
	Held   State = "held"   // kept back by HoldEvents
	Sent   State = "sent"   // on a socket, not acknowledged
	Retry  State = "retry"  // failed, will be tried again
	Acked  State = "acked"  // acknowledged in time; final
	Failed State = "failed" // given up; final
)

// Delivery is what became of one event, command or click on its way to the app. An event that was
// duplicated on request has a Delivery per copy, with the same EventID.
type Delivery struct {
	EventID   string // Ev…; of a command or click: its trigger id
	Type      string // envelope type: events_api, slash_commands, interactive, or what a test sent
	Event     string // of events_api the inner type, as in "app_mention"; else empty
	State     State
	Envelopes []string        // envelope ids, one per attempt that went onto a socket
	Sockets   []int           // the socket of each of Envelopes; sockets count from 1 in order of connection
	AckedIn   time.Duration   // from sending to acknowledgement, once acked
	Answer    json.RawMessage // payload of the ack, if it had one
}

// delivery is guarded by Server.mu.
type delivery struct {
	Delivery
	seq      uint64 // order of coming about
	payload  json.RawMessage
	accepts  bool // an answer in the ack
	retries  bool // D: only events are retried; a command or click fails for the person
	attempt  int
	reason   string
	envelope string
	sock     *socket
	sentAt   time.Time
	timer    *time.Timer
	onAck    func(answer json.RawMessage) // under the lock
	onFail   func(reason string)          // under the lock
}

func (d *delivery) stopTimer() {
	if d.timer != nil {
		d.timer.Stop()
	}
}

// deliver starts d on its way.
func (s *Server) deliver(d *delivery) {
	s.enlist(d)
	if s.holding {
		d.State = Held
		s.held = append(s.held, d)
		return
	}
	s.send(d)
}

func (s *Server) enlist(d *delivery) {
	s.ids.n++
	d.seq = s.ids.n
	s.deliveries = append(s.deliveries, d)
	if len(s.deliveries) > 2*maxLogged {
		s.deliveries = slices.Clone(s.deliveries[maxLogged:])
	}
}

// send makes the first attempt, and that of a copy if one was asked for.
func (s *Server) send(d *delivery) {
	s.attempt(d)
	if s.duplicate > 0 {
		s.duplicate--
		twin := &delivery{
			Delivery: Delivery{EventID: d.EventID, Type: d.Type, Event: d.Event},
			payload:  d.payload, accepts: d.accepts, retries: d.retries, onAck: d.onAck,
		}
		s.enlist(twin)
		s.attempt(twin)
	}
}

// Redeliver sends what had this event or trigger id once more, in an envelope of its
// own, to a socket that there is now.
func (s *Server) Redeliver(eventID string) error {
	s.lock()
	defer s.unlock()
	for _, d := range s.deliveries {
		if d.EventID == eventID {
			twin := &delivery{
				Delivery: Delivery{EventID: d.EventID, Type: d.Type, Event: d.Event},
				payload:  d.payload, accepts: d.accepts, retries: d.retries, onAck: d.onAck,
			}
			s.enlist(twin)
			s.attempt(twin)
			return nil
		}
	}
	return fmt.Errorf("slack sim: nothing was delivered as %s", eventID)
}

// attempt deals d to a socket. Any of them may get it (D: using Socket Mode); here they take turns.
func (s *Server) attempt(d *delivery) {
	delete(s.waiting, d)
	if s.closed {
		return
	}
	if len(s.sockets) == 0 {
		s.failed(d)
		return
	}
	k := s.sockets[0]
	s.sockets = append(s.sockets[1:], k)
	d.State, d.sock, d.envelope, d.sentAt = Sent, k, s.ids.uuid(), time.Now()
	d.Envelopes = append(d.Envelopes, d.envelope)
	d.Sockets = append(d.Sockets, k.id)
	k.unacked[d.envelope] = d
	s.waiting[d] = true
	s.plotAgainst(k)
	env := envelopeJSON{EnvelopeID: d.envelope, Type: d.Type, Payload: d.payload, Accepts: d.accepts}
	if d.retries {
		env.Attempt, env.Reason = &d.attempt, &d.reason
	}
	f := frame{data: encode(env)}
	if s.cutFrames > 0 {
		s.cutFrames--
		f.half = true
	}
	s.push(k, f)
	envelope := d.envelope
	d.timer = time.AfterFunc(s.opts.AckTimeout, func() { s.expireAck(d, envelope) })
}

type envelopeJSON struct {
	EnvelopeID string          `json:"envelope_id"`
	Payload    json.RawMessage `json:"payload"`
	Type       string          `json:"type"`
	Accepts    bool            `json:"accepts_response_payload"`
	Attempt    *int            `json:"retry_attempt,omitempty"`
	Reason     *string         `json:"retry_reason,omitempty"`
}

// plotAgainst arranges what was asked to happen to the next ack.
func (s *Server) plotAgainst(k *socket) {
	switch {
	case s.loseAcks > 0:
		s.loseAcks--
		k.ackOver = func(*delivery) { s.drop(k) }
	case s.dropAfterAck > 0:
		s.dropAfterAck--
		k.ackOver = func(d *delivery) {
			s.settle(k, d, nil)
			s.drop(k)
		}
	}
}

// acked takes an acknowledgement, which counts only on the socket that its envelope went out on, and
// only in time (D: using Socket Mode).
func (s *Server) acked(k *socket, envelope string, answer json.RawMessage) {
	s.lock()
	defer s.unlock()
	if k.silent || k.gone {
		return
	}
	d := k.unacked[envelope]
	if d == nil {
		s.strayAcks = append(s.strayAcks, envelope)
		return
	}
	if over := k.ackOver; over != nil {
		k.ackOver = nil
		over(d)
		return
	}
	s.settle(k, d, answer)
}

func (s *Server) settle(k *socket, d *delivery, answer json.RawMessage) {
	delete(k.unacked, d.envelope)
	delete(s.waiting, d)
	d.stopTimer()
	d.State, d.sock, d.AckedIn = Acked, nil, time.Since(d.sentAt)
	if d.accepts {
		d.Answer = answer
	}
	if d.onAck != nil {
		d.onAck(d.Answer)
	}
}

func (s *Server) expireAck(d *delivery, envelope string) {
	s.lock()
	defer s.unlock()
	if s.closed || d.State != Sent || d.envelope != envelope {
		return
	}
	delete(d.sock.unacked, envelope)
	s.failed(d)
}

// failed plans the next attempt, or gives up. The reason is always "timeout", as the attempts that
// others logged say (P: slackapi/python-slack-events-api issue 93).
func (s *Server) failed(d *delivery) {
	d.stopTimer()
	delete(s.waiting, d)
	d.sock = nil
	if s.closed {
		return
	}
	if !d.retries || d.attempt >= len(s.opts.RetryDelays) {
		reached := d.sentAt != time.Time{}
		d.State = Failed
		if d.onFail != nil {
			reason := "dispatch_failed"
			if reached {
				reason = "operation_timeout"
			}
			d.onFail(reason)
		}
		return
	}
	delay := s.opts.RetryDelays[d.attempt]
	d.State, d.reason = Retry, "timeout"
	d.attempt++
	s.waiting[d] = true
	attempt := d.attempt
	d.timer = time.AfterFunc(delay, func() {
		s.lock()
		defer s.unlock()
		if d.State == Retry && d.attempt == attempt {
			s.attempt(d)
		}
	})
}

// RetryNow makes every redelivery that is waiting for its time due at once. While no socket is
// connected it does nothing, so as not to use attempts up.
func (s *Server) RetryNow() {
	s.mu.Lock()
	connected := len(s.sockets) > 0
	s.mu.Unlock()
	if !connected {
		return
	}
	s.lock()
	defer s.unlock()
	for _, d := range inOrder(maps.Keys(s.waiting)) {
		if d.State == Retry {
			d.stopTimer()
			s.attempt(d)
		}
	}
}

// Deliveries are all of them so far (the oldest are forgotten after some tens of thousands), in the
// order in which they came about.
func (s *Server) Deliveries() []Delivery {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make([]Delivery, len(s.deliveries))
	for i, d := range s.deliveries {
		out[i] = d.Delivery
		out[i].Envelopes = slices.Clone(d.Envelopes)
		out[i].Sockets = slices.Clone(d.Sockets)
	}
	return out
}

// Unsettled counts the deliveries that are neither acknowledged nor given up.
func (s *Server) Unsettled() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.waiting) + len(s.held)
}

// StrayAcks are the envelope ids of acknowledgements that were too late, came on another socket than
// their envelope, were too big (then ""), or named nothing.
func (s *Server) StrayAcks() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.strayAcks)
}

// Sockets counts the live Socket Mode connections.
func (s *Server) Sockets() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.sockets)
}

// Connections counts the Socket Mode connections since the start, refused ones too.
func (s *Server) Connections() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.nextSocket
}

// inOrder are the deliveries of seq, oldest first.
func inOrder(seq iter.Seq[*delivery]) []*delivery {
	return slices.SortedFunc(seq, func(a, b *delivery) int { return cmp.Compare(a.seq, b.seq) })
}

// PeakSockets is the most live Socket Mode connections that there were at one time.
func (s *Server) PeakSockets() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.peak
}
