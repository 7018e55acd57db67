package telegram

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	tg "github.com/go-telegram-bot-api/telegram-bot-api/v5"

	"golang.org/x/time/rate"

	"bullpen/bridge"
)

const (
	// platform is what the office calls Telegram in accounts, portals and states.
	platform = "telegram"
	// DefaultAPIURL is where Telegram's own servers are.
	DefaultAPIURL = "https://api.telegram.org"
)

// Options say which bot an adapter is and where it talks.
type Options struct {
	// Token is the bot's, from BotFather: digits, a colon and a secret.
	Token string
	// APIURL replaces Telegram's own address; empty: DefaultAPIURL.
	APIURL string
	// Channels links channels of the office, by id, to chats: a chat's id
	// (-1001234567890) or a topic's in it (-1001234567890/7).
	Channels map[string]string
	// Whole says that an answer is shown when it is finished, and not while it is written.
	Whole bool
	// Unpaced takes the documented rates of sending away; what the platform asks to
	// wait is waited all the same.
	Unpaced bool
	// HTTP carries the calls; nil: a client of its own. Its CheckRedirect is not used.
	HTTP *http.Client
	Log  *slog.Logger     // nil: nothing is logged
	Now  func() time.Time // nil: time.Now
}

// Adapter serves one bot. Post, Find and Split may be called from any goroutine,
// also before and after Run.
type Adapter struct {
	opt      Options
	http     *http.Client
	bot      tg.BotAPI // copied for every call; see call
	log      *slog.Logger
	now      func() time.Time
	later    *bridge.Background
	channels *bridge.Channels[string]
	scrub    bridge.Scrubber
	posts    postRates
	// drafts says which chats are to be left alone with drafts; undrafted, that the
	// server knows none.
	drafts    postRates
	undrafted atomic.Bool
	// reacts paces reactions.
	reacts *rate.Limiter

	// dead holds an error of the token that ends Run.
	dead chan error

	mu        sync.Mutex
	bridge    *bridge.Bridge // nil before Run
	me        *user          // nil until getMe
	up        bool           // polling works
	lost      time.Time      // since when it does not, if it did before
	problems  bridge.Problems
	moved     map[int64]int64       // groups that became supergroups: where they are now
	from      map[int64]int64       // and the other way round
	strangers bridge.Strangers      // who waits to be let in
	hinted    bridge.Seldom[string] // unlinked places where somebody was told so
	forums    map[int64]bool        // chats that have topics
}

var _ bridge.Poster = (*Adapter)(nil)

var tokenForm = regexp.MustCompile(`^[0-9]+:[A-Za-z0-9_-]+$`)

// New makes an adapter. It calls nobody; the error says what is wrong with the options.
func New(opt Options) (*Adapter, error) {
	if !tokenForm.MatchString(opt.Token) {
		return nil, errors.New("adapters.telegram.token is no bot token: BotFather gives one like 123456789:AAE… for /newbot")
	}
	places := map[string]string{}
	for ch, place := range opt.Channels {
		p, err := parsePlace(place)
		if err != nil {
			return nil, fmt.Errorf("adapters.telegram.channels.%s: %w", ch, err)
		}
		places[ch] = p.String()
	}
	opt.Channels = places
	if opt.APIURL == "" {
		opt.APIURL = DefaultAPIURL
	}
	a := &Adapter{
		opt: opt, log: opt.Log, now: opt.Now, channels: bridge.NewChannels(opt.Channels, settle), scrub: bridge.NewScrubber(opt.Token), dead: make(chan error, 1),
		moved: map[int64]int64{}, from: map[int64]int64{},
		forums: map[int64]bool{},
	}
	if a.log == nil {
		a.log = slog.New(slog.DiscardHandler)
	}
	if a.now == nil {
		a.now = time.Now
	}
	a.http = httpClient(opt.HTTP)
	a.bot = tg.BotAPI{Token: opt.Token}
	a.bot.SetAPIEndpoint(strings.ReplaceAll(strings.TrimRight(opt.APIURL, "/"), "%", "%%") + "/bot%s/%s")
	a.posts.free = opt.Unpaced
	a.reacts = newReactRate()
	a.later = bridge.NewBackground(a.log, a.lookAfter)
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

// self is who we are; before identify succeeded, nobody.
func (a *Adapter) self() user {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.me == nil {
		return user{}
	}
	return *a.me
}

// identify finds out who we are; the answer is kept.
func (a *Adapter) identify(ctx context.Context) error {
	if a.self().ID != 0 {
		return nil
	}
	var me user
	if err := a.ask(ctx, "getMe", nil, &me); err != nil {
		return err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.me = &me
	return nil
}

// report says what the connection is now, if a bridge listens.
func (a *Adapter) report(kind bridge.StateKind, sentence string) {
	if b := a.attached(); b != nil {
		b.Report(platform, kind, sentence)
	}
}

// die ends Run for an error that waiting cannot mend.
func (a *Adapter) die(err error) {
	select {
	case a.dead <- err:
	default:
	}
}
