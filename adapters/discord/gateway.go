package discord

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/bwmarrin/discordgo"
	"github.com/gorilla/websocket"

	"bullpen/bridge"
)

const (
	// handshakeTime bounds the opening of a connection, greetTime what Discord
	// takes to say who and where we are.
	handshakeTime = 20 * time.Second
	greetTime     = 30 * time.Second
	// silence is how long nothing may come at all, beatLate how long a heartbeat
	// may go without an answer: they are 41.25 s apart (events/gateway, sending
	// heartbeats). beatLook is how often that is looked at.
	silence  = 100 * time.Second
	beatLate = 75 * time.Second
	beatLook = 5 * time.Second
	// settling is how long a heartbeat that is on its way has to leave.
	settling = 20 * time.Millisecond
	// eventRoom bounds the events that wait to be sorted into lanes.
	eventRoom = 5000
	// goneCode keeps Discord from taking our end of a connection for the end of
	// the bot; leaveCode is that (events/gateway, initiating a disconnect).
	goneCode  = 4000
	leaveCode = websocket.CloseNormalClosure
)

var (
	// errDropped is the normal end of a connection.
	errDropped = errors.New("the connection was closed by Discord")
	// errDeaf says that the connection has to be opened without message content.
	errDeaf = errors.New("the Message Content Intent is switched off")
)

// connection is one session of the gateway, from its opening to its end. Sessions
// are not resumed: what falls between two is read back.
type connection struct {
	a       *Adapter
	gap     *bridge.Outage
	session *discordgo.Session
	ctx     context.Context //nolint:containedctx // it is bound to this connection
	cancel  context.CancelFunc
	broken  chan error    // holds what must end it
	down    chan struct{} // closed when the library says that it is over
	once    sync.Once
	knock   chan struct{} // holds a token when events wait
	work    sync.WaitGroup

	mu      sync.Mutex
	stream  *stream
	waiting []*discordgo.Event
	live    time.Time // since the greeting
	heard   time.Time // when the last event came
	ready   bool
}

func newConnection(a *Adapter, g *bridge.Outage) (*connection, error) {
	s, err := a.session()
	if err != nil {
		return nil, err
	}
	c := &connection{a: a, gap: g, session: s, broken: make(chan error, 1), down: make(chan struct{}), knock: make(chan struct{}, 1)}
	s.Identify.Compress = false
	s.Identify.Intents = wanted
	if !a.isDeaf() {
		s.Identify.Intents |= discordgo.IntentMessageContent
	}
	s.Dialer = &websocket.Dialer{Proxy: http.ProxyFromEnvironment, HandshakeTimeout: handshakeTime, NetDialContext: c.dial}
	s.AddHandler(func(_ *discordgo.Session, e *discordgo.Event) { c.take(e) })
	s.AddHandler(func(*discordgo.Session, *discordgo.Disconnect) { c.once.Do(func() { close(c.down) }) })
	return c, nil
}

// take queues one event. The library calls it, one event after the other, on the
// goroutine that also reads the answers to its heartbeats.
func (c *connection) take(e *discordgo.Event) {
	c.mu.Lock()
	c.heard = c.a.now().Round(0) // of the clock on the wall: a machine may sleep
	full := len(c.waiting) >= eventRoom
	if !full {
		c.waiting = append(c.waiting, e)
	}
	c.mu.Unlock()
	if full {
		c.end(errors.New("too many events of Discord's wait"))
		return
	}
	select {
	case c.knock <- struct{}{}:
	default:
	}
}

// next takes the oldest event.
func (c *connection) next() *discordgo.Event {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.waiting) == 0 {
		return nil
	}
	e := c.waiting[0]
	c.waiting = c.waiting[1:]
	return e
}

// sort hands the events to their lanes, in order, until the connection ends.
func (c *connection) sort(work context.Context) {
	for {
		select {
		case <-c.ctx.Done():
			return
		case <-c.knock:
		}
		for e := c.next(); e != nil && c.ctx.Err() == nil; e = c.next() {
			c.dispatch(work, e.Type, e.RawData)
		}
	}
}

// serve opens the session and hands its events to the lanes until it ends. The
// next may be opened when serve has returned.
func (c *connection) serve(ctx, work context.Context) error {
	c.ctx, c.cancel = context.WithCancel(ctx)
	defer c.cancel()
	c.work.Go(func() { c.sort(work) })
	opened := make(chan error, 1)
	go func() { opened <- c.session.Open() }()
	err, over := c.watch(ctx, opened)
	c.cancel()
	c.close(ctx, opened, over)
	c.work.Wait()
	return err
}

// watch waits for the end. over says that the session has ended by itself.
func (c *connection) watch(ctx context.Context, opened chan error) (err error, over bool) {
	greeting := time.NewTimer(handshakeTime + greetTime)
	defer greeting.Stop()
	look := time.NewTicker(beatLook)
	defer look.Stop()
	open, pending := false, opened
	for {
		select {
		case err := <-pending:
			pending = nil
			opened <- err // for close
			if err != nil {
				return c.failed(err), true
			}
			open = true
		case <-c.down:
			return errDropped, true
		case err := <-c.broken:
			return err, false
		case err := <-c.a.dead:
			return err, false
		case <-ctx.Done():
			return nil, false
		case <-greeting.C:
			if !c.isLive() {
				return fmt.Errorf("%w before it greeted", errDropped), false
			}
		case <-look.C:
			if open && c.silent() {
				return errors.New("heartbeats are no longer answered by Discord"), false
			}
		}
	}
}

// silent says whether a heartbeat has gone unanswered for too long.
func (c *connection) silent() bool {
	if !c.session.TryRLock() {
		return false // the library is ending it
	}
	defer c.session.RUnlock()
	return time.Since(c.session.LastHeartbeatAck) > beatLate
}

func (c *connection) isLive() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return !c.live.IsZero()
}

// close ends the session and waits until the library is through with it.
func (c *connection) close(ctx context.Context, opened chan error, over bool) {
	select {
	case err := <-opened:
		if err != nil || over {
			return
		}
	default: // in the middle of opening: only the end of its stream ends that
		c.cut()
		if err := <-opened; err != nil {
			return
		}
	}
	code := goneCode
	if ctx.Err() != nil {
		code = leaveCode
	}
	c.mu.Lock()
	s := c.stream
	c.mu.Unlock()
	s.hold()
	// The library takes its lock after each heartbeat, the first of which leaves when
	// it has opened, and holds it for the second that ending takes.
	<-time.After(settling)
	if err := c.session.CloseWithCode(code); err != nil {
		c.a.log.Debug("a connection to Discord did not end well", "err", c.a.scrub.Error(err))
	}
	c.cut()
}

func (c *connection) cut() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.stream != nil {
		_ = c.stream.Close() // it is given up
	}
}

// failed explains why no session was had.
func (c *connection) failed(err error) error {
	code := closeCode(err)
	var rest *discordgo.RESTError
	switch sentence := closings[code]; {
	case code == disallowed && !c.a.isDeaf():
		return errDeaf
	case sentence != "":
		return bridge.Unmendable(sentence)
	case errors.As(err, &rest) && rest.Response.StatusCode == http.StatusUnauthorized:
		return bridge.Unmendable(closings[4004])
	}
	return fmt.Errorf("no connection to Discord: %w", c.a.scrub.Error(err))
}

// end makes the connection end for a reason of ours.
func (c *connection) end(err error) {
	select {
	case c.broken <- err:
	default:
	}
}

// greet takes in who we are. A second greeting means that Discord has begun a new
// session by itself; what came between is to be read back.
func (c *connection) greet(work context.Context, raw json.RawMessage) {
	var r ready
	if err := decode(raw, &r); err != nil {
		c.end(errDropped)
		return
	}
	c.mu.Lock()
	again := c.ready
	c.ready = true
	c.mu.Unlock()
	if again {
		c.end(errors.New("a new session was begun by Discord"))
		return
	}
	c.a.mu.Lock()
	c.a.me = identity{User: r.User.ID, App: orElse(r.App.ID, c.a.me.App), Name: r.User.Username}
	c.a.mu.Unlock()
	for i := range r.Guilds {
		if r.Guilds[i].ID == c.a.guild() {
			return // its GUILD_CREATE comes next
		}
	}
	c.a.problem("server", "the bot is not on the server of adapters.discord.guild: "+c.a.invite())
	c.begin(work)
}

func orElse(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}

// begin is called once everything that people say from now on comes in: what was
// missed can be read now, with nothing falling between.
func (c *connection) begin(work context.Context) {
	c.mu.Lock()
	again := !c.live.IsZero()
	if !again {
		c.live = c.a.now()
	}
	live := c.live
	c.mu.Unlock()
	if again {
		return
	}
	c.a.later.Do(c.a.register)
	away := c.gap.Away(live)
	if away == 0 || away >= steadyAfter {
		c.a.report(bridge.Filling, "reading what was missed")
	}
	c.work.Go(func() {
		if err := c.a.fill(c.ctx, work, c.gap); err != nil {
			if c.ctx.Err() == nil {
				c.end(err)
			}
			return
		}
		c.a.connected(away)
	})
}
