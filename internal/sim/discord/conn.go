package discord

import (
	"bytes"
	"compress/zlib"
	"context"
	"encoding/json"
	"net/http"
	"sync"
	"time"

	"github.com/coder/websocket"

	"bullpen/internal/sim/frames"
)

// conn is one connection to the gateway. Its fields from queue on are guarded by Server.mu.
type conn struct {
	ws     *websocket.Conn
	cancel context.CancelFunc

	queue    *frames.Queue[frame]
	session  *session // nil until identified or resumed
	sends    []time.Time
	beaten   time.Time // the last heartbeat
	compress bool
	closing  bool // the server has closed it; what the client answers no longer counts
	gone     bool
}

// frame is one thing for the writer to do.
type frame struct {
	data   []byte // nil: nothing to write
	zip    bool
	end    bool // after it, close the connection
	code   int
	reason string
}

// abort cuts the connection without a word.
func (k *conn) abort() {
	k.gone = true
	k.cancel()
}

func (s *Server) serveGateway(w http.ResponseWriter, r *http.Request) {
	s.lock()
	refused := 0
	if s.refuseWS > 0 {
		s.refuseWS--
		refused = s.refuseCode
	}
	s.unlock()
	if refused != 0 {
		http.Error(w, http.StatusText(refused), refused)
		return
	}
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	ws, err := websocket.Accept(w, r, &websocket.AcceptOptions{InsecureSkipVerify: true})
	if err != nil {
		return // Accept has answered
	}
	ws.SetReadLimit(1 << 20)
	k := &conn{ws: ws, cancel: cancel, queue: frames.New[frame](&s.mu)}
	s.connected(k, r.URL.Query().Get("v"), r.URL.Query().Get("encoding"))
	var work sync.WaitGroup
	work.Go(func() { k.write(ctx) })
	work.Go(func() { s.watchHeart(ctx, k) })
	code := s.read(ctx, k)
	cancel()
	_ = ws.CloseNow() // whatever the reason, the reader is the last to leave
	work.Wait()
	s.disconnected(k, code)
}

// connected says hello, or why not.
func (s *Server) connected(k *conn, version, encoding string) {
	s.lock()
	defer s.unlock()
	s.conns[k] = true
	k.beaten = time.Now()
	switch {
	case s.closed || s.listener.IsShut():
		k.abort()
	case version != "" && version != "9" && version != "10": // D: opcodes, 4012
		k.close(4012, "Invalid API version.")
	case encoding != "" && encoding != "json": // etf is not built here
		k.close(4002, "Decode error.")
	default:
		k.push(frame{data: encode(object{"op": 10, "s": nil, "t": nil, "d": object{
			"heartbeat_interval": s.opts.Heartbeat.Milliseconds(), "_trace": []string{"sim"},
		}})})
	}
}

func (k *conn) push(f frame) {
	if !k.gone {
		k.queue.Push(f)
	}
}

// close ends the connection in good order after what is queued.
func (k *conn) close(code int, reason string) {
	k.closing = true
	k.push(frame{end: true, code: code, reason: reason})
}

func (k *conn) write(ctx context.Context) {
	k.queue.Each(ctx, func(f frame) bool {
		if f.data != nil && k.send(ctx, f) != nil {
			return false
		}
		if f.end {
			_ = k.ws.Close(websocket.StatusCode(f.code), f.reason) // the client may be gone first
		}
		return !f.end
	})
	k.cancel()
}

// send writes a frame, compressed if the client takes that and it is big (D: events/gateway, payload
// compression).
func (k *conn) send(ctx context.Context, f frame) error {
	if !f.zip || len(f.data) < 1024 {
		return k.ws.Write(ctx, websocket.MessageText, f.data)
	}
	var b bytes.Buffer
	z := zlib.NewWriter(&b)
	_, _ = z.Write(f.data) // a buffer takes everything
	_ = z.Close()
	return k.ws.Write(ctx, websocket.MessageBinary, b.Bytes())
}

// watchHeart ends a connection that has not sent a heartbeat for two intervals (D: events/gateway,
// sending heartbeats, without the number; the code is K).
func (s *Server) watchHeart(ctx context.Context, k *conn) {
	tick := time.NewTicker(s.opts.Heartbeat)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		s.mu.Lock()
		if time.Since(k.beaten) > 2*s.opts.Heartbeat {
			k.close(4009, "Session timed out.")
		}
		s.mu.Unlock()
	}
}

// read takes what the client sends until the end. It returns the code with which the client closed, or -1.
func (s *Server) read(ctx context.Context, k *conn) int {
	for {
		_, data, err := k.ws.Read(ctx)
		if err != nil {
			return int(websocket.CloseStatus(err))
		}
		var in struct {
			Op *int            `json:"op"`
			D  json.RawMessage `json:"d"`
		}
		switch {
		case len(data) > 4096, json.Unmarshal(data, &in) != nil, in.Op == nil: // D: events/gateway, sending events
			s.set(func() { k.close(4002, "Decode error.") })
		default:
			s.received(k, *in.Op, in.D)
		}
	}
}

// disconnected ends the connection's session if the client asked for that with 1000 or 1001 (D:
// events/gateway, initiating a disconnect), and else keeps it to be resumed for a while.
func (s *Server) disconnected(k *conn, code int) {
	s.lock()
	defer s.unlock()
	k.gone = true
	delete(s.conns, k)
	if v := k.session; v != nil && v.conn == k {
		v.conn, v.left = nil, time.Now()
		if (code == 1000 || code == 1001) && !k.closing {
			v.ended = true
		}
	}
}
