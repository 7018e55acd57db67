package discord

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"sync"
	"time"

	"github.com/bwmarrin/discordgo"
	"golang.org/x/time/rate"

	"bullpen/bridge"
)

const (
	// platform is what the office calls Discord in accounts, portals and states.
	platform = "discord"
	// DefaultAPIURL is the address of Discord's own API, without a version.
	DefaultAPIURL = "https://discord.com/api"
)

// Options say which server an adapter serves and how.
type Options struct {
	// Token is the bot's, without "Bot " before it.
	Token string
	// Guild is the server's id; empty: the only one that the bot is in.
	Guild string
	// APIURL replaces Discord's own address; empty: DefaultAPIURL. The gateway's
	// address comes from there.
	APIURL string
	// Channels links channels of the office, by id, to Discord's.
	Channels map[string]Channel
	// AutoLink links every channel that has the name of one of the office's, with the
	// settings of Channels if it is there.
	AutoLink bool
	// Unpaced takes the documented rates of sending away; what the platform asks to
	// wait is waited all the same.
	Unpaced bool
	// Whole shows answers only when they are finished.
	Whole bool
	// HTTP carries the calls and Dial opens connections; nil are the usual ones.
	// With Dial alone, calls go over it as well.
	HTTP *http.Client
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)
	Log  *slog.Logger     // nil: nothing is logged
	Now  func() time.Time // nil: time.Now
}

// Channel says where on the server a channel of the office is.
type Channel struct {
	// Place is a channel's id or its name with a # before it; empty leaves it to
	// AutoLink.
	Place string
	// InThread answers a top-level message in a thread of it; in a forum there is
	// nothing else.
	InThread bool
	// Strict threads address nobody by themselves.
	Strict bool

	auto bool // Place is there because of its name alone
}

// Adapter serves one server. Post, Find and Split may be called from any
// goroutine, also before and after Run.
type Adapter struct {
	opt      Options
	http     *http.Client
	base     *url.URL           // the API, without a version
	rest     *discordgo.Session // for calls alone; it is never opened
	log      *slog.Logger
	now      func() time.Time
	scrub    bridge.Scrubber
	limits   limits
	lanes    *bridge.Lanes
	later    *bridge.Background
	dms      bridge.DMs
	channels *bridge.Channels[Channel]
	reacts   *rate.Limiter
	fading   fading
	people   people
	hooks    hooks
	titles   titles
	board    board
	growing  growths

	// dead holds an error of the bot's token that ends Run.
	dead chan error

	mu        sync.Mutex
	bridge    *bridge.Bridge // nil before Run
	me        identity
	home      home
	deaf      bool          // the message content intent is switched off
	stopped   bool          // for good: Discord does not accept the token
	up        bool          // connected, with nothing left to read back
	away      time.Duration // how long nothing came in before that
	problems  bridge.Problems
	born      map[string]uint64     // by place: the message after which it was first linked in this process
	failures  bridge.Failures       // of messages that the office did not take in
	strangers bridge.Strangers      // who waits to be let in
	hinted    bridge.Seldom[string] // unlinked places where somebody was told so
}

var _ bridge.Poster = (*Adapter)(nil)

// identity is who we are.
type identity struct {
	User, App string // ids
	Name      string
}

var tokenForm = regexp.MustCompile(`^[A-Za-z0-9_.\-]{20,}$`)

// New makes an adapter. It calls nobody; the error says what is wrong with the options.
func New(opt Options) (*Adapter, error) {
	if !tokenForm.MatchString(opt.Token) {
		return nil, errors.New("adapters.discord.token is no bot token: take it from the application's page, Bot, Reset Token, without the word Bot before it")
	}
	if opt.APIURL == "" {
		opt.APIURL = DefaultAPIURL
	}
	base, err := url.Parse(opt.APIURL)
	if err != nil || base.Host == "" {
		return nil, fmt.Errorf("adapters.discord.api_url %q is no address", opt.APIURL)
	}
	a := &Adapter{
		opt: opt, log: opt.Log, now: opt.Now, channels: bridge.NewChannels(opt.Channels, settle), scrub: bridge.NewScrubber(opt.Token), dead: make(chan error, 1),
		born: map[string]uint64{},
	}
	if a.log == nil {
		a.log = slog.New(slog.DiscardHandler)
	}
	if a.now == nil {
		a.now = time.Now
	}
	a.base = base
	a.http = httpClient(opt, base)
	if a.rest, err = a.session(); err != nil {
		return nil, err
	}
	a.reacts = rate.NewLimiter(rate.Every(reactEvery), reactBurst)
	if opt.Unpaced {
		a.limits.all = rate.NewLimiter(rate.Inf, 0)
	}
	a.board = newBoard()
	a.later = bridge.NewBackground(a.log, a.look)
	a.lanes = bridge.NewLanes(a.log.With("platform", platform))
	return a, nil
}

// session makes a session of the library's that does nothing by itself.
func (a *Adapter) session() (*discordgo.Session, error) {
	s, err := discordgo.New("Bot " + a.opt.Token)
	if err != nil {
		return nil, a.scrub.Error(err)
	}
	s.Client = a.http
	s.StateEnabled, s.SyncEvents = false, true
	s.ShouldReconnectOnError, s.ShouldRetryOnRateLimit, s.MaxRestRetries = false, false, 0
	s.LogLevel = -1 // it logs what it received
	return s, nil
}

// Platform names the platform.
func (a *Adapter) Platform() string { return platform }

// attached is the bridge, once Run has it.
func (a *Adapter) attached() *bridge.Bridge {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.bridge
}

// self is who we are; before identify succeeded, nobody.
func (a *Adapter) self() identity {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.me
}

// identify finds out who we are; the answer is kept.
func (a *Adapter) identify(ctx context.Context) error {
	if a.self().App != "" {
		return nil
	}
	var me user
	if err := a.ask(ctx, http.MethodGet, "users/@me", nil, &me); err != nil {
		return err
	}
	var app struct {
		ID string `json:"id"`
	}
	if err := a.ask(ctx, http.MethodGet, "applications/@me", nil, &app); err != nil {
		return err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.me = identity{User: me.ID, App: app.ID, Name: me.Username}
	return nil
}

// report says what the connection is now, if a bridge listens.
func (a *Adapter) report(kind bridge.StateKind, sentence string) {
	if b := a.attached(); b != nil {
		b.Report(platform, kind, sentence)
	}
}

// die ends Run for an error that waiting cannot mend. Nothing is called any more.
func (a *Adapter) die(err error) {
	a.mu.Lock()
	a.stopped = true
	a.mu.Unlock()
	select {
	case a.dead <- err:
	default:
	}
}
