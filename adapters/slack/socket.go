package slack

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gorilla/websocket"
	"github.com/slack-go/slack"
	"github.com/slack-go/slack/socketmode"

	"bullpen/bridge"
)

const (
	// handshakeTime bounds the opening of a socket, helloTime what Slack takes to
	// greet on it.
	handshakeTime = 20 * time.Second
	helloTime     = 20 * time.Second
	// ackTime bounds how long an acknowledgement waits for its turn. Slack wants it
	// within three seconds of the event and delivers again otherwise.
	ackTime = 3 * time.Second
	// writeRoom is more than the largest acknowledgement, so that each is one
	// frame (slack-go, socketmode.go).
	writeRoom = 32 << 10
	// readRoom bounds one frame.
	readRoom = 4 << 20
)

// errDropped is the normal end of a socket.
var errDropped = errors.New("the connection was closed by Slack")

// socket is one Socket Mode connection, from its opening to its end. The
// library's client would open the next by itself; each is given one only, so
// that pauses, gaps and acknowledgements are ours.
type socket struct {
	a      *Adapter
	gap    *bridge.Outage
	client *socketmode.Client
	live   time.Time          // since the greeting; of serve alone
	heard  time.Time          // when the last event came; of serve alone
	reason atomic.Value       // why Slack disconnects, a string
	cancel context.CancelFunc // of what is bound to this socket
	broken chan error         // holds what must end it
	fills  sync.WaitGroup
}

func newSocket(a *Adapter, g *bridge.Outage) *socket {
	s := &socket{a: a, gap: g, broken: make(chan error, 1)}
	api := slack.New(
		a.opt.BotToken, slack.OptionAppLevelToken(a.opt.AppToken), slack.OptionAPIURL(a.opt.APIURL),
		slack.OptionHTTPClient(&spentOnce{http: a.http}),
	)
	dialer := &websocket.Dialer{
		Proxy: http.ProxyFromEnvironment, HandshakeTimeout: handshakeTime, WriteBufferSize: writeRoom, NetDialContext: a.opt.Dial,
	}
	s.client = socketmode.New(
		api, socketmode.OptionDialer(dialer), socketmode.OptionReadLimit(readRoom),
		// The reason of a disconnect is told to the log alone.
		socketmode.OptionDebug(true), socketmode.OptionLog(listener{s}),
	)
	return s
}

// listener reads the library's debug log for the one thing that its events leave
// out. Nothing of it is kept.
type listener struct{ s *socket }

// Output takes a line of the log.
func (l listener) Output(_ int, line string) error {
	raw, ok := strings.CutPrefix(line, "Received WebSocket message: ")
	if !ok || !strings.Contains(raw, `"disconnect"`) {
		return nil
	}
	var m struct{ Type, Reason string }
	if json.Unmarshal([]byte(raw), &m) == nil && m.Type == "disconnect" {
		l.s.reason.Store(m.Reason)
	}
	return nil
}

// serve opens the socket and hands its events to the lanes until it ends. The
// next may be opened when serve has returned.
func (s *socket) serve(ctx, work context.Context) error {
	ctx, s.cancel = context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() { ended <- s.client.RunContext(ctx) }()
	err, over := s.pump(ctx, work, ended)
	s.cancel()
	if !over {
		<-ended // the connection is closed
	}
	s.fills.Wait()
	return err
}

// pump never waits for anything but the next event. over says that the client
// has ended already.
func (s *socket) pump(ctx, work context.Context, ended <-chan error) (err error, over bool) {
	greeting := time.NewTimer(handshakeTime + helloTime)
	defer greeting.Stop()
	for {
		select {
		case err := <-ended:
			return s.failed(err), true
		case err := <-s.broken:
			return err, false
		case err := <-s.a.dead:
			return err, false
		case <-ctx.Done():
			return nil, false
		case <-greeting.C:
			return fmt.Errorf("%w before it greeted", errDropped), false
		case ev := <-s.client.Events:
			switch ev.Type {
			case socketmode.EventTypeConnecting:
				if c, ok := ev.Data.(*slack.ConnectingEvent); ok && c.ConnectionCount > 0 {
					return s.dropped(), false
				}
			case socketmode.EventTypeConnectionError:
				if c, ok := ev.Data.(*slack.ConnectionErrorEvent); ok {
					return s.failed(c.ErrorObj), false
				}
			case socketmode.EventTypeHello:
				greeting.Stop()
				s.greeted(ctx, work)
			default:
				s.take(ctx, work, ev)
			}
		}
	}
}

// failed explains why no socket was had.
func (s *socket) failed(err error) error {
	if stop := appFault(err); stop != nil {
		return stop
	}
	if errors.Is(err, errSpent) {
		return s.dropped()
	}
	return fmt.Errorf("no connection to Slack: %w", s.a.scrub.Error(err))
}

// dropped explains the end of a socket.
func (s *socket) dropped() error {
	switch reason, _ := s.reason.Load().(string); reason {
	case "link_disabled":
		return bridge.Unmendable("Socket Mode is switched off for this Slack app: switch it on (Socket Mode, in the app's settings) and start again")
	case "too_many_websockets":
		return errors.New("ten connections of this Slack app are open already: stop the other programs that use its app token")
	case "":
		return errDropped
	default:
		return fmt.Errorf("%w (%s)", errDropped, reason)
	}
}

// greeted is called once the socket is live: what was missed can be read now,
// with nothing falling between.
func (s *socket) greeted(ctx, work context.Context) {
	if !s.live.IsZero() {
		return
	}
	s.live = s.a.now()
	s.heard = s.live.Round(0) // of the clock on the wall: a machine may sleep
	away := s.gap.Away(s.live)
	if away == 0 || away >= steadyAfter {
		s.a.report(bridge.Filling, "reading what was missed")
	}
	s.fills.Go(func() {
		if err := s.a.fill(ctx, work, s.gap); err != nil {
			if ctx.Err() == nil {
				s.end(err)
			}
			return
		}
		s.a.connected(away)
	})
}

// end makes the socket end for a reason of ours.
func (s *socket) end(err error) {
	select {
	case s.broken <- err:
	default:
	}
}

// ack tells Slack that an envelope is kept. It is no use on another socket than
// its own, so it ends with it.
func (s *socket) ack(ctx context.Context, envelope string) {
	if envelope == "" {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, ackTime)
	defer cancel()
	if err := s.client.AckCtx(ctx, envelope, nil); err != nil {
		s.a.log.Debug("an event could not be acknowledged; Slack delivers it again", "err", s.a.scrub.Error(err))
	}
}
