// Package openai asks models over OpenAI's Chat Completions protocol: OpenAI
// itself and every endpoint that speaks it (ollama, vllm, groq, openrouter,
// lm studio and the rest) by its base URL.
//
// The official SDK builds and sends the requests; what comes back is read here,
// because compatible endpoints bend the protocol in ways that the SDK's types
// do not hold: content in parts, tool calls without index or id, arguments that
// are an object, usage in odd places, errors inside an answer of status 200.
//
// Every request is streamed, whether somebody listens or not: it keeps long
// answers alive through proxies and lets a cut be told from an end. An endpoint
// that refuses to stream, or refuses stream_options, is asked again without and
// remembered; that is part of the same request and no retry.
package openai

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"bullpen/office/model"
)

// DefaultBaseURL is where OpenAI answers.
const DefaultBaseURL = "https://api.openai.com/v1"

// DefaultRequestTimeout bounds one request from its first byte to the last byte
// of its answer.
const DefaultRequestTimeout = 10 * time.Minute

// Config says which model to ask, and where. Printing or logging it never shows
// the key.
type Config struct {
	// BaseURL is the endpoint without /chat/completions; empty means
	// DefaultBaseURL. It holds neither a user name nor a query.
	BaseURL string
	// APIKey goes out as a bearer token. Empty sends no Authorization header,
	// which is right for most local servers.
	APIKey string `json:"-"`
	// Model is the model's id as the endpoint knows it.
	Model string
	// HTTPClient carries the requests; nil means a shared one. It is copied, and
	// the copy follows no redirect to another origin.
	HTTPClient *http.Client `json:"-"`
	// RequestTimeout bounds a whole request; 0 means DefaultRequestTimeout.
	RequestTimeout time.Duration
}

// String names the model and the endpoint.
func (c Config) String() string { return fmt.Sprintf("openai(%s at %s)", c.Model, c.BaseURL) }

// Format prints String for every verb, so that %+v and %#v show no key.
func (c Config) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, c.String()) }

// LogValue keeps structured logs free of the key.
func (c Config) LogValue() slog.Value { return slog.StringValue(c.String()) }

// Client asks one model. It is safe for concurrent use.
type Client struct {
	model   string
	host    string
	hosted  bool // OpenAI itself, not a compatible endpoint
	timeout time.Duration
	key     secret
	chat    sdk.ChatCompletionService
	quirks  atomic.Uint32
	encoded encodedTools
}

var _ model.Model = (*Client)(nil)

// New checks cfg and returns a client. It sends nothing. Nothing is read from
// the environment: OPENAI_BASE_URL, OPENAI_ORG_ID and their like would otherwise
// reach endpoints that they were not meant for.
func New(cfg Config) (*Client, error) {
	base, err := parseBaseURL(cfg.BaseURL)
	if err != nil {
		return nil, err
	}
	name := strings.TrimSpace(cfg.Model)
	if name == "" {
		return nil, errors.New("openai: the model has no name: set it to one that the endpoint offers, for example gpt-5")
	}
	key := strings.TrimSpace(cfg.APIKey)
	if strings.ContainsFunc(key, notHeaderSafe) {
		return nil, fmt.Errorf("openai: the API key for %s has characters that no HTTP header may hold: copy it again without line breaks", name)
	}
	if cfg.RequestTimeout < 0 {
		return nil, fmt.Errorf("openai: the request timeout for %s is negative (%s): set it to a positive time", name, cfg.RequestTimeout)
	}
	c := &Client{
		model:   oneLine(name, maxNameLen),
		host:    base.Host,
		hosted:  base.Hostname() == "api.openai.com",
		timeout: cfg.RequestTimeout,
		key:     newSecret(key),
	}
	if c.timeout == 0 {
		c.timeout = DefaultRequestTimeout
	}
	opts := []option.RequestOption{
		option.WithBaseURL(base.String()),
		option.WithHTTPClient(guardedClient(cfg.HTTPClient)),
		option.WithMiddleware(boundBodies),
		option.WithMaxRetries(0),
	}
	if key != "" {
		opts = append(opts, option.WithAPIKey(key))
	}
	c.chat = sdk.NewChatCompletionService(opts...)
	return c, nil
}

func parseBaseURL(raw string) (*url.URL, error) {
	if strings.TrimSpace(raw) == "" {
		raw = DefaultBaseURL
	}
	u, err := url.Parse(strings.TrimSpace(raw))
	switch {
	case err != nil:
		// The parser's own message would repeat a password written into the URL.
		return nil, errors.New("openai: base_url is no URL: write it like https://host/v1")
	case u.Scheme != "https" && u.Scheme != "http", u.Host == "":
		return nil, errors.New("openai: base_url needs http:// or https:// and a host: write it like https://host/v1")
	case u.User != nil:
		return nil, fmt.Errorf("openai: base_url for %s holds a user name or password: put the key into api_key_ref instead", u.Host)
	case u.RawQuery != "" || u.Fragment != "":
		return nil, fmt.Errorf("openai: base_url for %s holds a query or a fragment, which would be dropped: end it with the path", u.Host)
	}
	u.Path = strings.TrimSuffix(strings.TrimRight(u.Path, "/"), "/chat/completions") + "/"
	return u, nil
}

func notHeaderSafe(r rune) bool { return r <= ' ' || r >= 0x7f }

// String names the model and the endpoint, never the key.
func (c *Client) String() string { return fmt.Sprintf("openai(%s at %s)", c.model, c.host) }

// Format prints String for every verb.
func (c *Client) Format(f fmt.State, _ rune) { _, _ = fmt.Fprint(f, c.String()) }

// LogValue keeps structured logs free of the key.
func (c *Client) LogValue() slog.Value { return slog.StringValue(c.String()) }

// errTooSlow is the cause of a request that this package gave up on; a request
// that its caller gave up on has the caller's.
var errTooSlow = errors.New("the time for one request is over")

// Generate implements model.Model. When ctx ends, the error has kind Timeout and
// wraps ctx.Err(), so that a caller who looks at its own ctx first can tell an
// interruption from a failure.
func (c *Client) Generate(ctx context.Context, req *model.Request, progress func(text string)) (*model.Response, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, c.timeout, errTooSlow)
	defer cancel()

	for {
		known := quirks(c.quirks.Load())
		params, err := c.params(req, known)
		if err != nil {
			return nil, err
		}
		a := &answer{progress: progress}
		f := c.ask(ctx, params, known, a)
		if f == nil {
			return c.conclude(req, a)
		}
		if learned := c.learn(f, known, req); learned != 0 {
			c.quirks.Or(uint32(learned))
			continue
		}
		return nil, c.failed(f, a)
	}
}
