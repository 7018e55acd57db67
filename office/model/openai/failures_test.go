package openai_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"bullpen/internal/sim/llm"
	"bullpen/office/model"
	"bullpen/office/model/openai"
)

func TestRefusalsAreClassified(t *testing.T) {
	t.Parallel()
	plain := func(status int, body string) llm.Reply { return llm.FailWith(status, "text/plain", body) }
	jsonBody := func(status int, body string) llm.Reply { return llm.FailWith(status, "application/json", body) }
	tests := []struct {
		name  string
		reply llm.Reply
		kind  model.Kind
		wait  time.Duration
		says  string
	}{
		{"429, seconds", llm.RateLimited(60), model.RateLimited, time.Minute, "in 1m0s"},
		{"429, no wait", llm.RateLimited(0), model.RateLimited, 0, "rate limit"},
		{"429, milliseconds win", llm.RateLimited(60).Header("Retry-After-Ms", "1500"), model.RateLimited, 1500 * time.Millisecond, "429"},
		{"429, date", llm.RateLimited(0).Header("Retry-After", "Wed, 01 Jan 2025 00:00:30 GMT").Header("Date", "Wed, 01 Jan 2025 00:00:00 GMT"), model.RateLimited, 30 * time.Second, "429"},
		{"429, body only", llm.Fail(429, "tokens", "rate_limit_exceeded", "Rate limit reached for gpt-5 on tokens per min (TPM). Please try again in 20s. Visit ..."), model.RateLimited, 20 * time.Second, "in 20s"},
		{"429, bare", plain(429, "429 Provider returned error"), model.RateLimited, 0, "rate limit"},
		{"429 under another status", jsonBody(400, `{"error":{"message":"429 Provider returned error"}}`), model.RateLimited, 0, "429"},
		{"429, OpenRouter", jsonBody(429, `{"error":{"message":"Provider returned error","code":429,"metadata":{"raw":"m is temporarily rate-limited upstream. Please retry in 7 seconds","provider_name":"X"}}}`), model.RateLimited, 7 * time.Second, "429"},
		{"429, Gemini", jsonBody(429, `[{"error":{"code":429,"message":"You exceeded your current quota. Please retry in 34.5s.","status":"RESOURCE_EXHAUSTED"}}]`), model.RateLimited, 34500 * time.Millisecond, "429"},
		{"429, too large ever to pass", llm.Fail(429, "tokens", "rate_limit_exceeded", "Request too large for gpt-5 on tokens per min (TPM): Limit 30000, Requested 40000. The input or output tokens must be reduced in order to run successfully."), model.TooLong, 0, "shortened"},
		{"quota", llm.Fail(429, "insufficient_quota", "insufficient_quota", "You exceeded your current quota, please check your plan and billing details."), model.Exhausted, 0, "no quota left"},
		{"402", jsonBody(402, `{"error":{"message":"Insufficient Balance","type":"unknown_error"}}`), model.Exhausted, 0, "add credit"},
		{"500", llm.Fail(500, "server_error", "", "The server had an error"), model.Overloaded, 0, "500"},
		{"502 page", llm.FailWith(502, "text/html", "<html>Bad gateway</html>"), model.Overloaded, 0, "502"},
		{"503 with a wait", llm.Fail(503, "server_error", "", "overloaded").Header("Retry-After", "5"), model.Overloaded, 5 * time.Second, "in 5s"},
		{"529", plain(529, "overloaded"), model.Overloaded, 0, "529"},
		{"500 that quotes a limit", plain(500, "context length exceeded in upstream"), model.Overloaded, 0, "500"},
		{"408", plain(408, ""), model.Timeout, 0, "408"},
		{"401", llm.Fail(401, "invalid_request_error", "invalid_api_key", "Incorrect API key provided: "+testKey), model.Unavailable, 0, "the key for gpt-5 was refused"},
		{"400 for a key, xAI", jsonBody(400, `{"code":"Client specified an invalid argument","error":"Incorrect API key provided: sk***ef."}`), model.Unavailable, 0, "the key for gpt-5 was refused"},
		{"403", llm.Fail(403, "invalid_request_error", "unsupported_country_region_territory", "Country not supported"), model.Unavailable, 0, "403"},
		{"404 model", llm.Fail(404, "invalid_request_error", "model_not_found", "The model `gpt-5` does not exist or you do not have access to it."), model.Unavailable, 0, "check the model's name"},
		{"404 model, ollama", jsonBody(404, `{"error":"model \"gpt-5\" not found, try pulling it first"}`), model.Unavailable, 0, "check the model's name"},
		{"404 path", plain(404, "404 page not found"), model.Unavailable, 0, "check base_url"},
		{"405", plain(405, ""), model.Unavailable, 0, "check base_url"},
		{"400 for a model, DeepSeek", jsonBody(400, `{"error":{"message":"Model Not Exist"}}`), model.Unavailable, 0, "check the model's name"},
		{"too long", llm.Fail(400, "invalid_request_error", "context_length_exceeded", "This model's maximum context length is 128000 tokens."), model.TooLong, 0, "shortened"},
		{"too long, vllm", jsonBody(400, `{"object":"error","message":"This model's maximum context length is 4096 tokens. However, you requested 5000 tokens","type":"BadRequestError","code":400}`), model.TooLong, 0, "shortened"},
		{"too long, llama.cpp", jsonBody(400, `{"error":{"code":400,"message":"the request exceeds the available context size","type":"exceed_context_size_error"}}`), model.TooLong, 0, "shortened"},
		{"413", plain(413, "payload too large"), model.TooLong, 0, "413"},
		{"filter", llm.Fail(400, "invalid_request_error", "content_filter", "The response was filtered due to the prompt triggering the content management policy."), model.Refused, 0, "declined"},
		{"filter, 403", jsonBody(403, `{"error":{"code":403,"message":"m requires moderation. Your input was flagged"}}`), model.Refused, 0, "declined"},
		{"malformed", llm.Fail(400, "invalid_request_error", "", "Unknown parameter: 'x'\nsecond line"), model.Invalid, 0, "Unknown parameter: 'x' second line"},
		{"422, FastAPI", jsonBody(422, `{"detail":[{"msg":"field required"}]}`), model.Invalid, 0, "field required"},
		{"thinking", llm.Fail(400, "invalid_request_error", "unsupported_value", "Unsupported value: 'reasoning_effort' does not support 'xhigh' with this model."), model.Invalid, 0, "set thinking"},
		{"error in a stream", llm.Text("half").ThenError(`{"error":{"message":"Overloaded","code":503}}`), model.Overloaded, 0, "503"},
		{"limit in a stream", llm.Text("half").ThenError(`{"error":{"message":"429 Provider returned error"}}`), model.RateLimited, 0, "429"},
		{"error in a stream without a status", llm.Text("half").ThenError(`{"error":{"message":"rate limit hit, try again in 3s","type":"x"}}`), model.RateLimited, 3 * time.Second, "in 3s"},
		{"error with status 200", llm.Raw("application/json", `{"error":{"message":"Upstream","code":502}}`), model.Overloaded, 0, "502"},
		{"error event", llm.Raw("text/event-stream", "event: error\ndata: {\"message\":\"down\",\"code\":\"500\"}\n\n"), model.Overloaded, 0, "500"},
		{"finish error", llm.Text("half").Finish("error"), model.Overloaded, 0, "gave up"},
		{"a web page", llm.Raw("text/html", "<html>hello</html>"), model.Unavailable, 0, "web page"},
		{"no JSON", llm.Raw("application/json", `{"choices":`), model.Overloaded, 0, "not the Chat Completions protocol"},
		{"no JSON in a stream", llm.Raw("text/event-stream", "data: what\n\n"), model.Overloaded, 0, "not the Chat Completions protocol"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t, llm.Options{})
			d.sim.Queue(tt.reply)
			_, seen, err := d.ask(t.Context(), question())
			e := failure(t, err)
			if e.Kind != tt.kind || e.RetryAfter != tt.wait || !strings.Contains(e.Sentence, tt.says) {
				t.Errorf("got %s, %s, %q", e.Kind, e.RetryAfter, e.Sentence)
			}
			if e.Partial != (seen != "") {
				t.Errorf("partial %t, but progress saw %q", e.Partial, seen)
			}
			if d.sim.Total() != 1 {
				t.Errorf("asked %d times", d.sim.Total())
			}
		})
	}
}

// Status 200 with nothing in it, as a first question and after a tool's result,
// streamed and not.
func TestEmptyAnswersAreErrorsAndBooked(t *testing.T) {
	t.Parallel()
	usage := llm.Usage{Prompt: 10, Cached: 4, Completion: 3, Reasoning: 3}
	booked := model.Usage{Input: 6, CacheRead: 4, Output: 3, Reasoning: 3}
	tests := map[string]struct {
		reply llm.Reply
		kind  model.Kind
		says  string
	}{
		"choices []":          {llm.NoChoices(), model.Empty, "no choice"},
		"stop with nothing":   {llm.Nothing("stop"), model.Empty, "finish_reason stop"},
		"length with nothing": {llm.Nothing("length"), model.Empty, "finish_reason length"},
		"calls without calls": {llm.Nothing("tool_calls"), model.Empty, "finish_reason tool_calls"},
		"only blanks":         {llm.Text(" \n"), model.Empty, "empty"},
		"only reasoning":      {llm.OnlyReasoning("hm", "stop"), model.Empty, "only reasoning"},
		"reasoning to length": {llm.OnlyReasoning("hm", "length"), model.Empty, "spent on reasoning"},
		"content filter":      {llm.Nothing("content_filter"), model.Refused, "content_filter"},
		"filter after text":   {llm.Filtered("once upon"), model.Refused, "content_filter"},
		"declined":            {llm.Declined("I can't help with that."), model.Refused, "declined"},
	}
	for name, tt := range tests {
		for where, o := range map[string]llm.Options{"streamed": {}, "in one piece": {IgnoreStream: true}} {
			t.Run(name+" "+where, func(t *testing.T) {
				t.Parallel()
				d := newDesk(t, o)
				d.sim.Queue(tt.reply.Usage(usage), tt.reply.Usage(usage), llm.Text("at last"))
				for _, req := range []*model.Request{question(), afterTool()} {
					_, seen, err := d.ask(t.Context(), req)
					e := failure(t, err)
					if e.Kind != tt.kind || !strings.Contains(e.Sentence, tt.says) || e.Usage != booked || e.Partial != (seen != "") {
						t.Errorf("got %+v, progress saw %q", e, seen)
					}
				}
				if res, _, err := d.ask(t.Context(), afterTool()); err != nil || res.Text != "at last" {
					t.Errorf("the good one: %+v %v", res, err)
				}
			})
		}
	}
}

func TestHalfACallIsNeverRunnable(t *testing.T) {
	t.Parallel()
	for _, args := range []string{``, `{`, `{"path":"x"`, `{"path":"x`} {
		d := newDesk(t, llm.Options{})
		d.sim.Queue(llm.Calls(llm.Call{Name: "read", Args: `{"path":"whole"}`}, llm.Call{Name: "write", Args: args}).Finish("length").
			Usage(llm.Usage{Prompt: 5, Completion: 7}))
		res, _, err := d.ask(t.Context(), afterTool())
		if err != nil {
			t.Fatal(err)
		}
		if res.Stop != model.StopLength || res.Calls[0].Broken != "" || !strings.Contains(res.Calls[1].Broken, "length limit") ||
			string(res.Calls[1].Args) != "{}" || res.Usage.Output != 7 {
			t.Errorf("%q: got %+v", args, res)
		}
	}
}

func TestCutStreamsAreTimeouts(t *testing.T) {
	t.Parallel()
	words := llm.Text(strings.Repeat("word ", 100))
	call := llm.Calls(llm.Call{ID: "a", Name: "bash", Args: `{"command":"rm -r x"}`})
	tests := map[string]struct {
		reply   llm.Reply
		partial bool
	}{
		"before a byte":         {words.CutAfter(0), false},
		"in the text":           {words.CutAfter(800), true},
		"in the text, tidily":   {words.CutAfter(800).Tidy(), true},
		"in the arguments":      {call.CutInArgs(), false},
		"in arguments, tidily":  {call.CutInArgs().Tidy(), false},
		"text, then arguments":  {llm.TextAndCalls("I look.", llm.Call{Name: "bash", Args: `{"command":"ls"}`}).CutInArgs(), true},
		"an answer in a piece":  {llm.Raw("application/json", `{"choices":[{"message":{"content":"long"}}]}`).CutAfter(20), false},
		"an empty event stream": {llm.Raw("text/event-stream", ""), false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t, llm.Options{})
			d.sim.Queue(tt.reply)
			res, seen, err := d.ask(t.Context(), question())
			e := failure(t, err)
			if e.Kind != model.Timeout || e.Partial != tt.partial || (seen != "") != tt.partial || res != nil {
				t.Errorf("got %+v, progress saw %q", e, seen)
			}
			// Nobody listened, so nothing was shown.
			d.sim.Queue(tt.reply)
			if _, err := d.Generate(t.Context(), question(), nil); failure(t, err).Partial {
				t.Error("partial, although nobody listened")
			}
		})
	}
}

func TestAStreamCutAfterItsEndIsWhole(t *testing.T) {
	t.Parallel()
	d := newDesk(t, llm.Options{})
	d.sim.Queue(llm.Raw("text/event-stream", sse(`{"choices":[{"delta":{"content":"all of it"},"finish_reason":"stop"}]}`, `{"choices":`)).CutAfter(85))
	if res, _, err := d.ask(t.Context(), question()); err != nil || res.Text != "all of it" {
		t.Errorf("got %+v %v", res, err)
	}
}

func TestGivesUpAfterTheRequestTimeout(t *testing.T) {
	t.Parallel()
	for name, reply := range map[string]llm.Reply{
		"before the answer": llm.Hang(),
		"inside the answer": llm.Text(strings.Repeat("a", 200)).PauseAfter(2, make(chan struct{})),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t, llm.Options{}, func(c *openai.Config) { c.RequestTimeout = 100 * time.Millisecond })
			d.sim.Queue(reply)
			_, seen, err := d.ask(t.Context(), question())
			e := failure(t, err)
			if e.Kind != model.Timeout || !strings.Contains(e.Sentence, "within 100ms") || e.Partial != (seen != "") {
				t.Errorf("got %+v, progress saw %q", e, seen)
			}
		})
	}
}

func TestReturnsSoonAfterItsContextEnds(t *testing.T) {
	t.Parallel()
	d := newDesk(t, llm.Options{})
	d.sim.Queue(llm.Hang())
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		_, err := d.Generate(ctx, question(), nil)
		done <- err
	}()
	if _, err := d.sim.Wait(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) || failure(t, err).Kind != model.Timeout {
		t.Errorf("got %v", err)
	}
}

func TestUnreachableEndpoints(t *testing.T) {
	t.Parallel()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_ = l.Close() // a port where nobody listens
	for name, tt := range map[string]struct {
		base func(string) string
		kind model.Kind
		says string
	}{
		"nobody listens": {func(string) string { return "http://" + l.Addr().String() }, model.Timeout, "check that the server runs"},
		"no TLS":         {func(u string) string { return strings.Replace(u, "http://", "https://", 1) }, model.Unavailable, "http://"},
		"a wrong path":   {func(u string) string { return u + "/v2" }, model.Unavailable, "check base_url"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t, llm.Options{}, func(c *openai.Config) { c.BaseURL = tt.base(c.BaseURL) })
			_, _, err := d.ask(t.Context(), question())
			if e := failure(t, err); e.Kind != tt.kind || !strings.Contains(e.Sentence, tt.says) {
				t.Errorf("got %s: %v", e.Kind, err)
			}
		})
	}
}

// endless answers with a body that never ends, which is line over and over.
type endless struct {
	status int
	line   string
}

func (e endless) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{
		StatusCode: e.status, Request: r, Header: http.Header{"Content-Type": {"text/event-stream"}},
		Body: io.NopCloser(e),
	}, nil
}

func (e endless) Read(p []byte) (int, error) { return copy(p, e.line), nil }

func TestReadingIsBounded(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		transport endless
		want      model.Kind
	}{
		{endless{200, ":" + strings.Repeat("x", 4000) + "\n"}, model.Unavailable},
		{endless{200, strings.Repeat("x", 4000)}, model.Unavailable},
		{endless{503, "down\n"}, model.Overloaded},
	} {
		d := newDesk(t, llm.Options{}, func(c *openai.Config) { c.HTTPClient = &http.Client{Transport: tt.transport} })
		_, _, err := d.ask(t.Context(), question())
		if e := failure(t, err); e.Kind != tt.want {
			t.Errorf("%d: got %s: %v", tt.transport.status, e.Kind, err)
		}
	}
}
