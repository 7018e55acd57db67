package telegram

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"slices"
	"sync"
	"time"

	"bullpen/internal/sim/gate"
	"bullpen/internal/sim/plan"
	"bullpen/internal/sim/watch"
)

// DefaultToken is the token of a server that was started without one, and DefaultUsername the bot's name.
const (
	DefaultToken    = "7001:sim-token_AAbbCCddEEffGGhhIIjjKKllMMnnOO"
	DefaultUsername = "office_bot"
)

// botID is the number before the colon of every token.
const botID = 7001

// Options say how a server starts. The zero value is a server on a free loopback port that knows nobody.
type Options struct {
	Listener net.Listener // where to serve; taken over by the server. Default: one on Addr
	Addr     string       // default "127.0.0.1:0"
	Token    string       // default DefaultToken; begins with 7001:
	Username string       // of the bot, without @; default DefaultUsername
	// ReadsAll switches privacy mode off.
	ReadsAll bool
	Users    []User
	Groups   []Group
}

// User is an account.
type User struct {
	ID       int64
	First    string
	Username string // without @; may be empty
	Bot      bool
}

// Group is a group or a supergroup.
type Group struct {
	ID         int64 // negative; of a supergroup below -1000000000000
	Title      string
	Supergroup bool
	// Topics makes it a forum: the topics by id. General, id 1, is always there.
	Topics  map[int64]string
	Members []int64
	// Without says that the bot is not in it, Admin that it is one of its administrators.
	Without, Admin bool
}

// Server is a running stand-in for Telegram. Start makes one.
type Server struct {
	opts     Options
	http     *http.Server
	serving  sync.WaitGroup
	done     chan struct{} // closed by Close
	listener *gate.Listener

	mu     watch.Mutex
	closed bool

	users      map[int64]*User
	chats      map[int64]*chat
	order      []int64
	updates    []update
	nextUpdate int64
	allowed    map[string]bool // nil: Telegram's default
	poll       int64           // counts calls of getUpdates
	webhook    bool
	revoked    bool
	commands   map[string][]Command // by scope
	queries    map[string]*query
	nextQuery  int64
	files      map[string]*Media
	nextFile   int64

	faults     plan.Plan[Fault]
	limits     map[int64]*limit
	calls      []*Call
	duplicate  int
	unconfirms int
}

// Start starts a server. It fails only if it cannot listen or its people contradict each other.
func Start(o Options) (*Server, error) {
	if o.Listener == nil {
		var err error
		if o.Listener, err = net.Listen("tcp", cmp.Or(o.Addr, "127.0.0.1:0")); err != nil {
			return nil, fmt.Errorf("telegram sim: listen: %w", err)
		}
	}
	o.Token, o.Username = cmp.Or(o.Token, DefaultToken), cmp.Or(o.Username, DefaultUsername)
	s := &Server{
		opts: o, done: make(chan struct{}), users: map[int64]*User{}, chats: map[int64]*chat{},
		nextUpdate: 870_000_001, queries: map[string]*query{}, files: map[string]*Media{}, limits: map[int64]*limit{},
	}
	s.listener = gate.New(o.Listener)
	s.users[botID] = &User{ID: botID, First: "Office", Username: o.Username, Bot: true}
	if err := s.populate(); err != nil {
		return nil, errors.Join(err, o.Listener.Close())
	}
	s.http = &http.Server{Handler: http.HandlerFunc(s.serve), ErrorLog: log.New(io.Discard, "", 0), ConnState: s.listener.Track}
	s.serving.Go(func() { _ = s.http.Serve(s.listener) }) // whatever ended it, this server is over
	return s, nil
}

func (s *Server) populate() error {
	for _, u := range s.opts.Users {
		if s.users[u.ID] != nil || u.ID <= 0 {
			return fmt.Errorf("telegram sim: user %d: the id must be positive and its own", u.ID)
		}
		s.users[u.ID] = &u
		s.addChat(&chat{id: u.ID, kind: private, members: []int64{u.ID}})
	}
	for _, g := range s.opts.Groups {
		if s.chats[g.ID] != nil || g.ID >= 0 {
			return fmt.Errorf("telegram sim: group %d: the id must be negative and its own", g.ID)
		}
		c := &chat{id: g.ID, kind: group, title: g.Title, members: slices.Clone(g.Members), in: !g.Without, admin: g.Admin, topics: map[int64]string{}}
		if g.Supergroup || len(g.Topics) > 0 {
			c.kind = supergroup
		}
		for id, name := range g.Topics {
			c.forum, c.topics[id] = true, name
		}
		s.addChat(c)
	}
	return nil
}

func (s *Server) addChat(c *chat) {
	c.byID = map[int64]*message{}
	s.chats[c.id] = c
	s.order = append(s.order, c.id)
}

// APIURL is the address of the Bot API, without a slash at its end.
func (s *Server) APIURL() string { return "http://" + s.listener.Addr().String() }

// Token is the bot's token.
func (s *Server) Token() string { return s.opts.Token }

// Close ends the server, drops every connection and waits until nothing of it runs any more. It may be
// called more than once.
func (s *Server) Close() error {
	s.lock()
	if !s.closed {
		s.closed = true
		close(s.done)
	}
	s.unlock()
	err := s.http.Close()
	s.serving.Wait()
	return err
}

func (s *Server) lock() { s.mu.Lock() }

// unlock ends a change and wakes whoever waits for one.
func (s *Server) unlock() { s.mu.UnlockChanged() }

// Changed returns a channel that is closed at the next change of anything that this package shows.
func (s *Server) Changed() <-chan struct{} { return s.mu.Changed() }

// WaitFor waits until cond is true, looking again after every change. The error, when ctx ends first,
// tells how things stood.
func (s *Server) WaitFor(ctx context.Context, cond func(*Server) bool) error {
	if err := s.mu.WaitFor(ctx, func() bool { return cond(s) }); err != nil {
		return fmt.Errorf("telegram sim: still waiting: %w\n%s", err, s.Summary())
	}
	return nil
}

func now() int64 { return time.Now().Unix() }
