package slack

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"maps"
	"net"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/coder/websocket"

	"bullpen/internal/sim/frames"
)

// socket is one Socket Mode connection. Its fields from queue on are guarded by Server.mu.
type socket struct {
	id     int
	conn   *websocket.Conn
	raw    net.Conn // below conn, for frames that end in the middle
	cancel context.CancelFunc

	queue   *frames.Queue[frame]
	unacked map[string]*delivery // by envelope id
	silent  bool                 // half open: nothing goes out, nothing that comes in counts
	gone    bool
	ackOver func(*delivery) // what happens instead of taking the next ack
}

// frame is one thing for the writer to do.
type frame struct {
	data []byte // nil: nothing to write
	half bool   // write half of it, then cut the connection
	end  bool   // after it, close the connection in good order
	code websocket.StatusCode
}

// abort cuts the connection without a word.
func (k *socket) abort() {
	k.gone = true
	k.cancel()
}

func (s *Server) serveSocket(w http.ResponseWriter, r *http.Request) {
	if !s.begin() {
		cut(w)
		return
	}
	defer s.serving.Done()
	if s.listener.IsShut() {
		cut(w)
		return
	}
	if status := s.admit(r.URL.Query().Get("ticket")); status != 0 {
		http.Error(w, http.StatusText(status), status)
		return
	}
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	raw, _ := r.Context().Value(connKey{}).(net.Conn)
	// The client sends Slack's own origin, which is not this host.
	conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{InsecureSkipVerify: true})
	if err != nil {
		return // Accept has answered
	}
	conn.SetReadLimit(maxBody)
	k := &socket{conn: conn, raw: raw, cancel: cancel, queue: frames.New[frame](&s.mu), unacked: map[string]*delivery{}}
	s.connected(k, r.URL.Query().Get("debug_reconnects") == "true")
	var work sync.WaitGroup
	work.Go(func() { k.write(ctx) })
	work.Go(func() { s.ping(ctx, k) })
	s.read(ctx, k)
	cancel()
	_ = conn.CloseNow() // whatever the reason, the reader is the last to leave
	work.Wait()
	s.disconnected(k)
}

// admit takes the ticket and returns 0, or the HTTP status that refuses the connection.
func (s *Server) admit(ticket string) int {
	s.lock()
	defer s.unlock()
	if s.refuse > 0 {
		s.refuse--
		return s.refuseStatus
	}
	if !s.tickets[ticket] { // D: the URL is single-use. The status is K.
		return http.StatusForbidden
	}
	delete(s.tickets, ticket)
	return 0
}

// connected says hello, or why not.
func (s *Server) connected(k *socket, debug bool) {
	s.lock()
	defer s.unlock()
	s.nextSocket++
	k.id = s.nextSocket
	switch {
	case s.closed || s.listener.IsShut():
		k.abort()
		return
	case s.linkDisabled:
		s.disconnectLocked(k, LinkDisabled)
		return
	case len(s.sockets) >= maxSockets: // D: using Socket Mode, up to ten at a time
		s.disconnectLocked(k, TooManyWebsockets)
		return
	}
	s.sockets = append(s.sockets, k)
	s.peak = max(s.peak, len(s.sockets))
	life := s.opts.ConnectionTime
	announced := life
	if announced == 0 {
		announced = defaultConnectionTime
	}
	if debug {
		life, announced = debugConnectionTime, debugConnectionTime
	}
	s.push(k, frame{data: encode(map[string]any{
		"type": "hello", "num_connections": len(s.sockets),
		"debug_info": map[string]any{
			"host": "applink-sim", "build_number": 1, "approximate_connection_time": int(announced / time.Second),
		},
		"connection_info": map[string]any{"app_id": s.ws.AppID},
	})})
	if life > 0 {
		time.AfterFunc(max(0, life-warningAhead), func() { s.expire(k, Warning) })
		time.AfterFunc(life, func() { s.expire(k, RefreshRequested) })
	}
}

func (s *Server) expire(k *socket, reason Reason) {
	s.lock()
	defer s.unlock()
	if !k.gone && !s.closed {
		s.disconnectLocked(k, reason)
	}
}

// disconnectLocked sends a disconnect message. All but a warning end the socket.
func (s *Server) disconnectLocked(k *socket, reason Reason) {
	end := reason != Warning
	s.push(k, frame{data: encode(map[string]any{
		"type": "disconnect", "reason": string(reason), "debug_info": map[string]any{"host": "applink-sim"},
	}), end: end, code: websocket.StatusNormalClosure})
	if end {
		s.forget(k)
	}
}

// disconnected returns what the socket had not acknowledged to the queue of retries.
func (s *Server) disconnected(k *socket) {
	s.lock()
	defer s.unlock()
	k.gone = true
	s.forget(k)
}

// forget takes k out of the sockets that are dealt to.
func (s *Server) forget(k *socket) {
	s.sockets = slices.DeleteFunc(s.sockets, func(o *socket) bool { return o == k })
	if !k.gone {
		return // it may still acknowledge what it has
	}
	lost := k.unacked
	k.unacked = map[string]*delivery{}
	for _, d := range inOrder(maps.Values(lost)) {
		s.failed(d)
	}
}

func (s *Server) push(k *socket, f frame) {
	if !k.silent && !k.gone {
		k.queue.Push(f)
	}
}

func (k *socket) write(ctx context.Context) {
	k.queue.Each(ctx, func(f frame) bool {
		switch {
		case f.half:
			k.writeHalf(f.data)
			return false
		case f.data != nil && k.conn.Write(ctx, websocket.MessageText, f.data) != nil:
			return false
		case f.end:
			_ = k.conn.Close(f.code, "") // the client may be gone first
		}
		return !f.end
	})
	k.cancel()
}

// writeHalf writes the head of a text frame and half of what it promises.
func (k *socket) writeHalf(data []byte) {
	if k.raw == nil {
		return
	}
	head := []byte{0x81, 127} // final text frame with a 64-bit length (RFC 6455, section 5.2)
	head = binary.BigEndian.AppendUint64(head, uint64(len(data)))
	_, _ = k.raw.Write(append(head, data[:len(data)/2]...)) // cut in any case
}

// ping keeps the client sure of the connection: slack-go reconnects when no ping has come for
// OptionPingInterval (L: socket_mode_managed_conn.go).
func (s *Server) ping(ctx context.Context, k *socket) {
	tick := time.NewTicker(s.opts.PingInterval)
	defer tick.Stop()
	for {
		if s.mayPing(k) {
			// A client that lets three pings pass unanswered is taken for dead.
			pinged, cancel := context.WithTimeout(ctx, 3*s.opts.PingInterval)
			err := k.conn.Ping(pinged)
			cancel()
			if err != nil && s.mayPing(k) {
				k.cancel()
				return
			}
		}
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

func (s *Server) mayPing(k *socket) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return !k.silent
}

func (s *Server) read(ctx context.Context, k *socket) {
	for {
		_, data, err := k.conn.Read(ctx)
		if err != nil {
			return
		}
		var ack struct {
			EnvelopeID string          `json:"envelope_id"`
			Payload    json.RawMessage `json:"payload"`
		}
		if len(data) >= maxAckBytes || json.Unmarshal(data, &ack) != nil {
			ack.EnvelopeID = "" // L: socketmode.go, a big answer is dropped without a word
		}
		s.acked(k, ack.EnvelopeID, ack.Payload)
	}
}

// cut ends the connection of a request without an answer.
func cut(w http.ResponseWriter) {
	if h, ok := w.(http.Hijacker); ok {
		if c, _, err := h.Hijack(); err == nil {
			_ = c.Close()
		}
	}
}

// encode cannot fail for what this package builds: maps, slices, strings, numbers, raw JSON that
// was checked when it came in.
func encode(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		return []byte(`{"ok":false,"error":"internal_error"}`)
	}
	return b
}
