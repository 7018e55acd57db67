package openai_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	sdk "github.com/openai/openai-go/v3"

	"bullpen/internal/sim/llm"
	"bullpen/office/model"
	"bullpen/office/model/openai"
)

// talkative is a transport that prints the request it failed with.
type talkative struct{}

func (talkative) RoundTrip(r *http.Request) (*http.Response, error) {
	key := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
	return nil, fmt.Errorf("sending %s?key=%s with %s (%s): broken",
		r.Header.Get("Authorization"), url.QueryEscape(key), key, base64.StdEncoding.EncodeToString([]byte(key)))
}

func forms() []string {
	quoted, _ := json.Marshal(testKey)
	return []string{
		testKey, url.QueryEscape(testKey), url.PathEscape(testKey),
		base64.StdEncoding.EncodeToString([]byte(testKey)), strings.Trim(string(quoted), `"`),
	}
}

func TestErrorsDoNotShowTheKey(t *testing.T) {
	t.Parallel()
	echo := "you sent " + strings.Join(forms(), " and ")
	for name, tt := range map[string]struct {
		reply  llm.Reply
		change func(*openai.Config)
	}{
		"transport":       {llm.Text(""), func(c *openai.Config) { c.HTTPClient = &http.Client{Transport: talkative{}} }},
		"malformed":       {llm.Fail(400, "invalid_request_error", "", echo), nil},
		"overloaded":      {llm.FailWith(500, "text/plain", echo), nil},
		"refused key":     {llm.Fail(401, "invalid_request_error", "invalid_api_key", echo), nil},
		"in a stream":     {llm.Text("x").ThenError(`{"error":{"message":"` + testKey + `"}}`), nil},
		"error code":      {llm.Text("x").ThenError(`{"error":{"message":"m","code":"` + testKey + `"}}`), nil},
		"redirect":        {llm.Redirect(307, "http://"+testKey+".example/?k="+testKey), nil},
		"finish reason":   {llm.Text("").Finish(testKey), nil},
		"refused by sim":  {llm.Text(""), func(c *openai.Config) { c.APIKey = testKey + "0" }},
		"not our kind":    {llm.Raw("application/json", testKey), nil},
		"declined, words": {llm.Declined(echo), nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			change := tt.change
			if change == nil {
				change = func(*openai.Config) {}
			}
			d := newDesk(t, llm.Options{}, change)
			d.sim.Queue(tt.reply)
			_, _, err := d.ask(t.Context(), question())
			if err == nil {
				t.Fatal("no error")
			}
			for _, shown := range []string{err.Error(), fmt.Sprintf("%+v", err), fmt.Sprintf("%#v", failure(t, err).Err), failure(t, err).Sentence} {
				for _, form := range forms() {
					if strings.Contains(shown, form) {
						t.Errorf("shows the key: %s", shown)
					}
				}
			}
			var raw *sdk.Error
			var viaURL *url.Error
			if errors.As(err, &raw) || errors.As(err, &viaURL) {
				t.Error("the chain holds the request")
			}
		})
	}
}

func TestPrintingDoesNotShowTheKey(t *testing.T) {
	t.Parallel()
	cfg := openai.Config{BaseURL: "http://127.0.0.1:1/v1", APIKey: testKey, Model: "gpt-5"}
	c, err := openai.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	var log bytes.Buffer
	for _, h := range []slog.Handler{slog.NewTextHandler(&log, nil), slog.NewJSONHandler(&log, nil)} {
		slog.New(h).Info("x", "client", c, "config", cfg)
	}
	raw, err := json.Marshal(cfg)
	if err != nil {
		t.Fatal(err)
	}
	log.Write(raw)
	inside := struct{ c *openai.Client }{c}
	for _, v := range []any{c, cfg, &cfg, inside, []any{cfg, c}} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x"} {
			fmt.Fprintf(&log, verb, v)
		}
	}
	if strings.Contains(log.String(), testKey) {
		t.Errorf("the key is shown: %s", log.String())
	}
	if c.String() != "openai(gpt-5 at 127.0.0.1:1)" {
		t.Errorf("got %s", c)
	}
}

func TestRedirectsDoNotCarryTheKeyAway(t *testing.T) {
	t.Parallel()
	for _, status := range []int{301, 302, 303, 307, 308} {
		var reached atomic.Int32
		thief := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached.Add(1) }))
		t.Cleanup(thief.Close)
		d := newDesk(t, llm.Options{})
		// Another port of the same host: net/http itself would send the key there.
		d.sim.Queue(llm.Redirect(status, thief.URL+"/v1/chat/completions"))
		_, _, err := d.ask(t.Context(), question())
		if e := failure(t, err); e.Kind != model.Unavailable || !strings.Contains(e.Sentence, thief.URL) || !strings.Contains(e.Sentence, "base_url") {
			t.Errorf("%d: got %s: %s", status, e.Kind, e.Sentence)
		}
		if reached.Load() != 0 {
			t.Errorf("%d: the other host was asked", status)
		}
	}
}

func TestRedirectsOnTheSameOriginAreFollowed(t *testing.T) {
	t.Parallel()
	d := newDesk(t, llm.Options{})
	d.sim.Queue(llm.Redirect(307, "/v1/chat/completions"), llm.Text("here"))
	if res, _, err := d.ask(t.Context(), question()); err != nil || res.Text != "here" {
		t.Errorf("got %+v %v", res, err)
	}
	for range 5 {
		d.sim.Queue(llm.Redirect(308, "/v1/chat/completions"))
	}
	if _, _, err := d.ask(t.Context(), question()); failure(t, err).Kind != model.Unavailable {
		t.Errorf("a loop: got %v", err)
	}
}

func TestConfigsAreChecked(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		cfg  openai.Config
		says string
	}{
		"no model":         {openai.Config{}, "no name"},
		"no URL":           {openai.Config{Model: "m", BaseURL: "http://[::1"}, "no URL"},
		"no scheme":        {openai.Config{Model: "m", BaseURL: "localhost:11434"}, "http:// or https://"},
		"password":         {openai.Config{Model: "m", BaseURL: "https://me:" + url.PathEscape(testKey) + "@host/v1"}, "api_key_ref"},
		"query":            {openai.Config{Model: "m", BaseURL: "https://host/v1?key=" + testKey}, "query"},
		"key of two lines": {openai.Config{Model: "m", APIKey: testKey + "\nx"}, "line breaks"},
		"timeout":          {openai.Config{Model: "m", RequestTimeout: -1}, "negative"},
	} {
		_, err := openai.New(tt.cfg)
		if err == nil || !strings.Contains(err.Error(), tt.says) || strings.Contains(err.Error(), testKey) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	for _, base := range []string{"", "http://h", "http://h/v1/", "http://h/v1/chat/completions"} {
		if _, err := openai.New(openai.Config{Model: "m", BaseURL: base}); err != nil {
			t.Errorf("%q: %v", base, err)
		}
	}
}

func TestLocalServersNeedNoKey(t *testing.T) {
	t.Parallel()
	sim, err := llm.Start(llm.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = sim.Close() })
	c, err := openai.New(openai.Config{BaseURL: sim.URL(), Model: "gpt-5", HTTPClient: ownClient(t)})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Generate(t.Context(), question(), nil); err != nil {
		t.Fatal(err)
	}
	if got := sim.Requests()[0].Header.Get("Authorization"); got != "" {
		t.Errorf("sent %q", got)
	}
}
