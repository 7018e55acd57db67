package slack

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/slack-go/slack"
	"golang.org/x/time/rate"

	"bullpen/bridge"
)

// platform is what the office calls Slack in accounts, portals and states.
const platform = "slack"

// Options say which workspace an adapter serves and how.
type Options struct {
	// AppToken (xapp-…, scope connections:write) opens the socket, BotToken
	// (xoxb-…) does everything else.
	AppToken, BotToken string
	// APIURL replaces Slack's own address; it ends with a slash.
	APIURL string
	// Channels links channels of the office, by id, to Slack's.
	Channels map[string]Channel
	// AutoLink links every channel that the bot is in and that has the name of one
	// of the office's, with the settings of Channels if it is there, else answering
	// in threads.
	AutoLink bool
	// Whole says that an answer is shown when it is finished, and not while it is written.
	Whole bool
	// Unpaced takes the documented rates of sending away; what the platform asks to
	// wait is waited all the same.
	Unpaced bool
	// HTTP carries the calls and Dial opens connections; nil are the usual ones.
	// With Dial alone, calls go over it as well.
	HTTP *http.Client
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)
	Log  *slog.Logger     // nil: nothing is logged
	Now  func() time.Time // nil: time.Now
}

// Channel says where in Slack a channel of the office is.
type Channel struct {
	// Place is a channel's id (C…, G…) or its name with a # before it; empty leaves
	// it to AutoLink.
	Place string
	// InThread answers a top-level message in its thread.
	InThread bool
	// Strict threads address nobody by themselves.
	Strict bool
}

// Adapter serves one workspace. Post, Find and Split may be called from any
// goroutine, also before and after Run.
type Adapter struct {
	opt      Options
	api      *slack.Client
	http     *http.Client
	log      *slog.Logger
	now      func() time.Time
	scrub    bridge.Scrubber
	people   people
	lanes    *bridge.Lanes
	later    *bridge.Background
	dms      bridge.DMs
	channels *bridge.Channels[Channel]
	eyes     *rate.Limiter // reactions
	// begins and grows pace streams.
	begins, grows *rate.Limiter
	posts         postRates
	sessions      sessions      // in which people can stop us
	reads         *rate.Limiter // conversations.history and conversations.replies together

	// dead holds an error of the bot's token that ends Run.
	dead chan error

	mu         sync.Mutex
	bridge     *bridge.Bridge // nil before Run
	me         *identity      // nil until auth.test
	statusless bool           // Slack shows no status of ours
	streamless bool           // this app can have no streams
	keepsFace  bool           // a streamed message keeps its name when it is changed
	plain      bool           // the workspace does not let us post under other names
	up         bool           // connected, with nothing left to read back
	away       time.Duration  // how long nothing came in before that
	prepared   time.Time      // when channels and people were last linked
	problems   bridge.Problems
	born       map[string]string     // by place: the mark with which it was first linked in this process
	failures   bridge.Failures       // of messages that the office did not take in
	strangers  bridge.Strangers      // who waits to be let in
	hinted     bridge.Seldom[string] // unlinked places where somebody was told so
}

var _ bridge.Poster = (*Adapter)(nil)

// identity is who we are in the workspace.
type identity struct {
	UserID, BotID, TeamID string
	Name, Team            string
}

// New makes an adapter. It calls nobody; the error says what is wrong with a token.
func New(opt Options) (*Adapter, error) {
	if !strings.HasPrefix(opt.AppToken, "xapp-") {
		return nil, errors.New("adapters.slack.app_token is no app-level token: those begin with xapp- and are made under Basic Information, App-Level Tokens, with the scope connections:write")
	}
	if !strings.HasPrefix(opt.BotToken, "xoxb-") {
		return nil, errors.New("adapters.slack.bot_token is no bot token: those begin with xoxb- and are shown under OAuth & Permissions when the app is installed")
	}
	if opt.APIURL == "" {
		opt.APIURL = slack.APIURL
	}
	if !strings.HasSuffix(opt.APIURL, "/") {
		opt.APIURL += "/"
	}
	a := &Adapter{
		opt: opt, log: opt.Log, now: opt.Now, channels: bridge.NewChannels(opt.Channels, settle), scrub: bridge.NewScrubber(opt.AppToken, opt.BotToken),
		reads: rate.NewLimiter(rate.Every(readEvery), readBurst),
		born:  map[string]string{},
		dead:  make(chan error, 1),
	}
	if a.log == nil {
		a.log = slog.New(slog.DiscardHandler)
	}
	if a.now == nil {
		a.now = time.Now
	}
	a.http = httpClient(opt)
	a.api = slack.New(opt.BotToken, slack.OptionAPIURL(opt.APIURL), slack.OptionHTTPClient(a.http))
	a.begins, a.grows = newStreamRates()
	a.posts.free = opt.Unpaced
	a.later, a.eyes = bridge.NewBackground(a.log, a.lookAfter), rate.NewLimiter(rate.Every(eyesEvery), eyesBurst)
	a.lanes = bridge.NewLanes(a.log.With("platform", platform))
	return a, nil
}

// Platform names the platform.
func (a *Adapter) Platform() string { return platform }

// attached is the bridge, once Run has it.
func (a *Adapter) attached() *bridge.Bridge {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.bridge
}

// report says what the connection is now, if a bridge listens.
func (a *Adapter) report(kind bridge.StateKind, sentence string) {
	if b := a.attached(); b != nil {
		b.Report(platform, kind, sentence)
	}
}

// identify finds out who we are; the answer is kept.
func (a *Adapter) identify(ctx context.Context) (*identity, error) {
	a.mu.Lock()
	me := a.me
	a.mu.Unlock()
	if me != nil {
		return me, nil
	}
	err := a.ask(ctx, "auth.test", func(ctx context.Context) error {
		r, err := a.api.AuthTestContext(ctx)
		if err == nil {
			me = &identity{UserID: r.UserID, BotID: r.BotID, TeamID: r.TeamID, Name: r.User, Team: r.Team}
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.me = me
	return me, nil
}

// self is who we are; before identify succeeded, nobody.
func (a *Adapter) self() identity {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.me == nil {
		return identity{}
	}
	return *a.me
}
