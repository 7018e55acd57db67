package slack

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"bullpen/internal/sim/gate"
	"bullpen/internal/sim/plan"
	"bullpen/internal/sim/watch"
)

// Tokens of a server that was started without any of its own.
const (
	DefaultAppToken = "xapp-1-A0SIM-1-sim"
	DefaultBotToken = "xoxb-1-1-sim"
)

// Options say how a server starts. The zero value is a strict one on a free loopback port with an
// empty workspace.
type Options struct {
	Listener net.Listener // where to serve; taken over by the server. Default: one on Addr
	Addr     string       // default "127.0.0.1:0"
	Host     string       // host[:port] written into URLs; default: the listener's address

	Workspace Workspace
	AppToken  string   // for apps.connections.open; default DefaultAppToken
	BotToken  string   // for everything else; default DefaultBotToken
	Scopes    []string // of the bot token; default DefaultScopes
	Commands  []string // registered slash commands, with their slash; default "/office"
	Emoji     []string // names of the workspace's own emoji, beside the standard ones

	PingInterval   time.Duration   // between WebSocket pings; default 5 s
	AckTimeout     time.Duration   // default 3 s
	RetryDelays    []time.Duration // before the 2nd, 3rd, … delivery; default about at once, 1 min, 5 min; empty but not nil: never
	ConnectionTime time.Duration   // after which a socket is recycled; 0: never on its own
	RateLimits     bool            // refuse with 429 what is over Slack's documented rates
	Quirks         Quirks
}

// Quirks choose between behaviours of Slack for which sources differ or that nobody documents. The
// zero value is what is best supported.
type Quirks struct {
	MentionFirst              bool // app_mention is sent before the message event of the same post; Slack promises no order
	Unfurl                    bool // links make previews, and so message_changed without an edit
	RefuseLongText            bool // text above 40,000 is msg_too_long instead of cut (both are documented)
	RefuseUnknownThread       bool // a thread_ts that names no message is thread_not_found instead of posted outside any thread
	RefusePersonaWithoutScope bool // username or icon without chat:write.customize is missing_scope instead of ignored
	UpdateDropsPersona        bool // chat.update loses username and icon (P: openclaw issue 58737)
	PersonaUndeletable        bool // chat.delete of a post under another name fails (P: python-slack-sdk issue 1717)
	BlockMismatch             bool // chat.update from rich_text to other blocks is block_mismatch; documented, but not when
	RootOnFirstPageOnly       bool // conversations.replies leaves the root out of later pages; sources are silent
	StopUnheard               bool // the app does not subscribe to agent_session_stopped: it is warned, and nobody sees the button
	MaxBlockText              int  // more text in all blocks is msg_blocks_too_long, whose limit is unpublished; 0: no limit
}

// Server is a running stand-in for Slack. Start makes one.
type Server struct {
	opts     Options
	ws       Workspace
	host     string
	http     *http.Server
	serving  sync.WaitGroup // handlers of sockets and the accept loop
	done     chan struct{}  // closed by Close
	listener *gate.Listener

	mu     watch.Mutex
	closed bool
	ids    ids

	users         map[string]*User
	userOrder     []string
	conversations map[string]*conversation
	order         []string          // conversation ids, oldest first
	homes         map[string]*modal // by user id
	modals        map[string]*modal // by user id
	statuses      map[threadKey]status
	sessions      map[threadKey]string // states of the sessions of threads

	scopes       map[string]bool
	files        map[string]*File
	quirks       Quirks
	tokenError   map[string]string // token to the error it gets; "" while it is good
	limiters     map[string]*rate.Limiter
	rateLimits   bool
	faults       plan.Plan[Fault]
	calls        []*Call
	tickets      map[string]bool // unused socket tickets
	responseURLs map[string]*responseURL
	triggers     map[string]*openTrigger

	sockets      []*socket
	nextSocket   int
	peak         int // most sockets at once
	linkDisabled bool
	refuse       int // sockets to turn away, and with what
	refuseStatus int

	deliveries   []*delivery
	waiting      map[*delivery]bool
	holding      bool
	held         []*delivery
	duplicate    int
	loseAcks     int
	dropAfterAck int
	cutFrames    int
	strayAcks    []string
}

// Start starts a server. It fails only if it cannot listen or the workspace contradicts itself.
func Start(o Options) (*Server, error) {
	if o.Listener == nil {
		addr := o.Addr
		if addr == "" {
			addr = "127.0.0.1:0"
		}
		var err error
		if o.Listener, err = net.Listen("tcp", addr); err != nil {
			return nil, fmt.Errorf("slack sim: listen on %s: %w", addr, err)
		}
	}
	s := newServer(o)
	if err := s.populate(); err != nil {
		return nil, errors.Join(err, o.Listener.Close())
	}
	s.serving.Go(func() {
		// ErrServerClosed, or whatever ended the listener: either way this server is over.
		_ = s.http.Serve(s.listener)
	})
	return s, nil
}

func newServer(o Options) *Server {
	o.Workspace.fill()
	defaults(&o)
	s := &Server{
		opts: o, ws: o.Workspace, host: o.Host, done: make(chan struct{}),
		users: map[string]*User{}, conversations: map[string]*conversation{}, homes: map[string]*modal{},
		modals: map[string]*modal{}, statuses: map[threadKey]status{}, sessions: map[threadKey]string{}, triggers: map[string]*openTrigger{},
		scopes: map[string]bool{}, files: map[string]*File{}, quirks: o.Quirks, rateLimits: o.RateLimits,
		tokenError: map[string]string{o.AppToken: "", o.BotToken: ""},
		limiters:   map[string]*rate.Limiter{}, tickets: map[string]bool{},
		responseURLs: map[string]*responseURL{}, waiting: map[*delivery]bool{},
	}
	for _, sc := range o.Scopes {
		s.scopes[sc] = true
	}
	s.listener = gate.New(o.Listener)
	mux := http.NewServeMux()
	mux.HandleFunc("/api/", s.serveAPI)
	mux.HandleFunc("/link/", s.serveSocket)
	mux.HandleFunc("/upload/", s.serveUpload)
	mux.HandleFunc("/files-pri/", s.servePrivate)
	mux.HandleFunc("/response/", s.serveResponseURL)
	s.http = &http.Server{
		Handler: mux, ErrorLog: log.New(io.Discard, "", 0),
		ConnContext: func(ctx context.Context, c net.Conn) context.Context { return context.WithValue(ctx, connKey{}, c) },
	}
	return s
}

func defaults(o *Options) {
	if o.Host == "" {
		o.Host = o.Listener.Addr().String()
	}
	if o.AppToken == "" {
		o.AppToken = DefaultAppToken
	}
	if o.BotToken == "" {
		o.BotToken = DefaultBotToken
	}
	if o.Scopes == nil {
		o.Scopes = DefaultScopes()
	}
	if o.Commands == nil {
		o.Commands = []string{"/office"}
	}
	if o.PingInterval <= 0 {
		o.PingInterval = defaultPingInterval
	}
	if o.AckTimeout <= 0 {
		o.AckTimeout = defaultAckTimeout
	}
	if o.RetryDelays == nil {
		o.RetryDelays = defaultRetryDelays
	}
}

func (s *Server) populate() error {
	w := s.ws
	bot := User{ID: w.BotUserID, Name: w.BotName, Bot: true, BotID: w.BotID, AppID: w.AppID}
	if err := s.AddUser(bot); err != nil {
		return err
	}
	for _, u := range w.Users {
		if err := s.AddUser(u); err != nil {
			return err
		}
	}
	for _, c := range w.Channels {
		if err := s.AddChannel(c); err != nil {
			return err
		}
	}
	return nil
}

// APIURL is what a client takes as the address of the Web API. It ends with "/api/".
func (s *Server) APIURL() string { return "http://" + s.host + "/api/" }

// AppToken is the token that opens sockets.
func (s *Server) AppToken() string { return s.opts.AppToken }

// BotToken is the token of the bot.
func (s *Server) BotToken() string { return s.opts.BotToken }

// Workspace is the workspace as it was at the start, with its defaults filled in.
func (s *Server) Workspace() Workspace { return s.ws }

// Close ends the server, drops every connection and waits until nothing of it runs any more. It may
// be called more than once.
func (s *Server) Close() error {
	s.lock()
	if !s.closed {
		s.closed = true
		close(s.done)
	}
	for d := range s.waiting {
		d.stopTimer()
	}
	for _, k := range s.sockets {
		k.abort()
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
	if s.closed {
		return false
	}
	s.serving.Add(1)
	return true
}

// AddUser adds a person or bot. The id and the handle must be new.
func (s *Server) AddUser(u User) error {
	s.lock()
	defer s.unlock()
	switch {
	case u.ID == "" || u.Name == "":
		return fmt.Errorf("slack sim: user %q (%q): needs an ID and a Name", u.ID, u.Name)
	case s.users[u.ID] != nil:
		return fmt.Errorf("slack sim: user %s is there already", u.ID)
	}
	s.users[u.ID] = u.filled(s.ws.TeamID)
	s.userOrder = append(s.userOrder, u.ID)
	return nil
}

// AddChannel adds a channel whose members are known. No event tells the bot of it.
func (s *Server) AddChannel(ch Channel) error {
	s.lock()
	defer s.unlock()
	switch {
	case ch.ID == "" || ch.Name == "":
		return fmt.Errorf("slack sim: channel %q (%q): needs an ID and a Name", ch.ID, ch.Name)
	case s.conversations[ch.ID] != nil:
		return fmt.Errorf("slack sim: channel %s is there already", ch.ID)
	case s.conversationByName(ch.Name) != nil:
		return fmt.Errorf("slack sim: channel name %q is taken", ch.Name)
	}
	for _, u := range ch.Members {
		if s.users[u] == nil {
			return fmt.Errorf("slack sim: channel %s has a member %s who is no user", ch.ID, u)
		}
	}
	k := kindChannel
	if ch.Private {
		k = kindGroup
	}
	s.addConversation(&conversation{
		id: ch.ID, name: strings.TrimPrefix(ch.Name, "#"), kind: k, archived: ch.Archived, shared: ch.Shared,
		topic: ch.Topic, members: slices.Clone(ch.Members),
	})
	return nil
}

func (s *Server) addConversation(c *conversation) {
	c.created = time.Now().Unix()
	c.byTS = map[string]*message{}
	s.conversations[c.id] = c
	s.order = append(s.order, c.id)
}

func (s *Server) lock() { s.mu.Lock() }

// unlock ends a change and wakes whoever waits for one.
func (s *Server) unlock() { s.mu.UnlockChanged() }

// SetQuirks changes the quirks of a running server.
func (s *Server) SetQuirks(change func(*Quirks)) {
	s.lock()
	defer s.unlock()
	change(&s.quirks)
}

type connKey struct{}
