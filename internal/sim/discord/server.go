package discord

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"sync"
	"time"

	"bullpen/internal/sim/gate"
	"bullpen/internal/sim/plan"
	"bullpen/internal/sim/watch"
)

// DefaultToken is the token of a server that was started without one.
const DefaultToken = "c2lt.sim.discord-token_AAbbCCddEEff"

// Options say how a server starts. The zero value is a server on a free loopback port that knows nobody
// but its bot.
type Options struct {
	Listener net.Listener // where to serve; taken over by the server. Default: one on Addr
	Addr     string       // default "127.0.0.1:0"
	Host     string       // host[:port] written into URLs; default: the listener's address
	Token    string       // of the bot, without "Bot "; default DefaultToken
	BotName  string       // default "office"
	BotID    string       // default: the next free id; also the application's id
	Users    []User
	Guilds   []Guild
	// Disallowed are privileged intents that are switched off in the developer portal: asking for one is
	// 4014, and without MessageContent the REST API shows no content either.
	Disallowed Intent
	Heartbeat  time.Duration // the interval announced; default 41.25 s
	// SessionLife is how long a session can be resumed after its connection ended. Default 3 min (K).
	SessionLife time.Duration
	// RateLimits refuses with 429 what is over the limits that the headers announce. Without it they
	// announce limits that nobody meets. It also refuses a second identify within 5 s.
	RateLimits bool
}

// Server is a running stand-in for Discord. Start makes one.
type Server struct {
	opts     Options
	host     string
	bot      User
	mux      *http.ServeMux
	http     *http.Server
	serving  sync.WaitGroup
	done     chan struct{} // closed by Close
	listener *gate.Listener

	mu     watch.Mutex
	closed bool
	ids    ids

	users        map[string]*User
	userOrder    []string
	guilds       map[string]*guild
	guildOrder   []string
	channels     map[string]*channel
	order        []string // channel ids, oldest first
	webhooks     map[string]*webhook
	hookOrder    []string
	commands     commandSet // global application commands
	interactions map[string]*interaction
	latest       []string // interaction ids, oldest first
	typings      []Typing
	nonces       map[string]seenNonce
	dmOpened     []time.Time
	oldEdits     []time.Time
	stored       map[string][]byte // uploaded files by attachment id

	token      string
	revoked    bool
	disallowed Intent
	conns      map[*conn]bool
	sessions   []*session
	identifies []time.Time
	zombie     bool
	refuseWS   int
	refuseCode int

	faults      plan.Plan[Fault]
	eventFaults plan.Plan[EventFault]
	calls       []*Call
	buckets     map[string]*bucket
	limits      map[string]bucketLimit
	globalUntil time.Time
	rateLimits  bool
}

// Start starts a server. It fails only if it cannot listen or its world contradicts itself.
func Start(o Options) (*Server, error) {
	if o.Listener == nil {
		var err error
		if o.Listener, err = net.Listen("tcp", cmp.Or(o.Addr, "127.0.0.1:0")); err != nil {
			return nil, fmt.Errorf("discord sim: listen: %w", err)
		}
	}
	o.Host, o.Token = cmp.Or(o.Host, o.Listener.Addr().String()), cmp.Or(o.Token, DefaultToken)
	o.Heartbeat, o.SessionLife = cmp.Or(o.Heartbeat, 41250*time.Millisecond), cmp.Or(o.SessionLife, 3*time.Minute)
	s := &Server{
		opts: o, host: o.Host, done: make(chan struct{}), ids: newIDs(), token: o.Token, disallowed: o.Disallowed,
		users: map[string]*User{}, guilds: map[string]*guild{}, channels: map[string]*channel{}, webhooks: map[string]*webhook{},
		interactions: map[string]*interaction{}, nonces: map[string]seenNonce{}, conns: map[*conn]bool{},
		buckets: map[string]*bucket{}, stored: map[string][]byte{}, limits: map[string]bucketLimit{}, rateLimits: o.RateLimits,
	}
	s.bot = User{ID: cmp.Or(o.BotID, s.newID()), Name: cmp.Or(o.BotName, "office"), Bot: true}
	if err := s.populate(); err != nil {
		return nil, errors.Join(err, o.Listener.Close())
	}
	s.listener = gate.New(o.Listener)
	s.mux = http.NewServeMux()
	s.routes()
	s.http = &http.Server{Handler: http.HandlerFunc(s.serve), ErrorLog: log.New(io.Discard, "", 0), ConnState: s.listener.Track}
	s.serving.Go(func() { _ = s.http.Serve(s.listener) }) // whatever ended it, this server is over
	return s, nil
}

// URL is the address of the server, without a slash at its end: what stands for https://discord.com.
func (s *Server) URL() string { return "http://" + s.host }

// APIURL is the address of the REST API without a version: what stands for https://discord.com/api.
func (s *Server) APIURL() string { return s.URL() + "/api" }

// Token is the bot's token, without "Bot ".
func (s *Server) Token() string { return s.opts.Token }

// BotID is the bot's user id, which is its application's id as well.
func (s *Server) BotID() string { return s.bot.ID }

// Close ends the server, drops every connection and waits until nothing of it runs any more. It may be
// called more than once.
func (s *Server) Close() error {
	s.lock()
	if !s.closed {
		s.closed = true
		close(s.done)
	}
	for k := range s.conns {
		k.abort()
	}
	for _, i := range s.interactions {
		i.stop()
	}
	s.unlock()
	err := s.http.Close()
	s.serving.Wait()
	return err
}

// begin counts a handler in, so that Close waits for it, unless the server is closing.
func (s *Server) begin() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed || s.listener.IsShut() {
		return false
	}
	s.serving.Add(1)
	return true
}

func (s *Server) lock() { s.mu.Lock() }

// unlock ends a change and wakes whoever waits for one.
func (s *Server) unlock() { s.mu.UnlockChanged() }

func (s *Server) set(f func()) {
	s.lock()
	defer s.unlock()
	f()
}

// Changed returns a channel that is closed at the next change of anything that this package shows.
func (s *Server) Changed() <-chan struct{} { return s.mu.Changed() }

// WaitFor waits until cond is true, looking again after every change. The error, when ctx ends first,
// tells how things stood.
func (s *Server) WaitFor(ctx context.Context, cond func(*Server) bool) error {
	if err := s.mu.WaitFor(ctx, func() bool { return cond(s) }); err != nil {
		return fmt.Errorf("discord sim: still waiting: %w\n%s", err, s.Summary())
	}
	return nil
}
