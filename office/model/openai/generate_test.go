package openai_test

import (
	"context"
	"encoding/json"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"bullpen/internal/sim/llm"
	"bullpen/office/model"
	"bullpen/office/model/openai"
)

func TestStreamsTextAndBooksUsage(t *testing.T) {
	t.Parallel()
	d := newDesk(t, llm.Options{})
	long := strings.Repeat("größer als ein Stück, ", 30)
	d.sim.Queue(llm.Text(long).Model("gpt-5-2025").Usage(llm.Usage{Prompt: 100, Cached: 60, CacheWrite: 10, Completion: 20, Reasoning: 5}))
	res, seen, err := d.ask(t.Context(), question())
	if err != nil {
		t.Fatal(err)
	}
	want := &model.Response{
		Text: long, Stop: model.StopEnd, Model: "gpt-5-2025",
		Usage: model.Usage{Input: 30, CacheRead: 60, CacheWrite: 10, Output: 20, Reasoning: 5},
	}
	if diff := cmp.Diff(want, res); diff != "" {
		t.Error(diff)
	}
	if seen != long {
		t.Errorf("progress saw %q", seen)
	}
	r := d.sim.Requests()[0]
	if !r.Stream || !r.IncludeUsage || r.Messages[0].Role != "system" || r.System() != "you are ada" {
		t.Errorf("asked for %+v", r)
	}
}

func TestProgressIsGivenWhileTheAnswerIsWritten(t *testing.T) {
	t.Parallel()
	d := newDesk(t, llm.Options{})
	more := make(chan struct{})
	d.sim.Queue(llm.Text(strings.Repeat("a", 64)+"end").PauseAfter(2, more))
	var first string
	_, err := d.Generate(t.Context(), question(), func(s string) {
		if first == "" {
			first = s
			close(more) // the rest is only sent once this was shown
		}
	})
	if err != nil || first != strings.Repeat("a", 64) {
		t.Errorf("got %q %v", first, err)
	}
}

func TestReturnsToolCalls(t *testing.T) {
	t.Parallel()
	for name, o := range map[string]llm.Options{"streamed": {}, "in one piece": {IgnoreStream: true}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t, o)
			d.sim.Queue(llm.TextAndCalls("I look.",
				llm.Call{ID: "a", Name: "read", Args: `{"path":"ä b"}`},
				llm.Call{ID: "b", Name: "now", Args: ``},
				llm.Call{ID: "c", Name: "ls", Args: `{"path":`},
				llm.Call{ID: "d", Name: "ls", Args: `["x"]`}))
			req := question()
			req.Tools = []model.Tool{{Name: "read", Description: "reads", Schema: json.RawMessage(`{"type":"object","properties":{"path":{"type":"string"},"a":{"type":"string"}}}`)}}
			res, _, err := d.ask(t.Context(), req)
			if err != nil {
				t.Fatal(err)
			}
			want := []model.Call{
				{ID: "a", Name: "read", Args: json.RawMessage(`{"path":"ä b"}`)},
				{ID: "b", Name: "now", Args: json.RawMessage(`{}`)},
				{ID: "c", Name: "ls", Args: json.RawMessage(`{}`), Broken: "the arguments are not valid JSON (unexpected end of JSON input)"},
				{ID: "d", Name: "ls", Args: json.RawMessage(`{}`), Broken: "the arguments are JSON, but an array and not an object"},
			}
			if diff := cmp.Diff(want, res.Calls); diff != "" {
				t.Error(diff)
			}
			if res.Text != "I look." || res.Stop != model.StopCalls {
				t.Errorf("got %q %s", res.Text, res.Stop)
			}
			if sent := string(d.sim.Requests()[0].Tools[0].Function.Parameters); sent != string(req.Tools[0].Schema) {
				t.Errorf("the schema went out as %s", sent)
			}
		})
	}
}

func TestCallIDsAreMadeUnique(t *testing.T) {
	t.Parallel()
	d := newDesk(t, llm.Options{})
	d.sim.Queue(llm.Calls(
		llm.Call{ID: "call_1", Name: "a", Args: `{}`}, // taken by the transcript
		llm.Call{ID: "twice", Name: "b", Args: `{}`},
		llm.Call{ID: "twice", Name: "c", Args: `{}`},
		llm.Call{ID: llm.NoID, Name: "d", Args: `{}`}))
	req := afterTool()
	res, _, err := d.ask(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	ids := map[string]bool{"call_1": true}
	for _, c := range res.Calls {
		if c.ID == "" || ids[c.ID] || len(c.ID) > 40 {
			t.Errorf("%s has the id %q", c.Name, c.ID)
		}
		ids[c.ID] = true
	}
	// The strict other side takes them back.
	req.Messages = append(req.Messages, model.Message{Role: model.RoleAssistant, Calls: res.Calls})
	for _, c := range res.Calls {
		req.Messages = append(req.Messages, model.Message{Role: model.RoleTool, CallID: c.ID, Text: "done"})
	}
	if _, _, err := d.ask(t.Context(), req); err != nil {
		t.Errorf("the next request: %v", err)
	}
}

func TestThinkingLevels(t *testing.T) {
	t.Parallel()
	for level, want := range map[string]string{"": "", "off": "", "minimal": "minimal", "low": "low", "medium": "medium", "high": "high", "xhigh": "xhigh"} {
		d := newDesk(t, llm.Options{})
		req := question()
		req.Thinking = level
		if _, _, err := d.ask(t.Context(), req); err != nil {
			t.Fatalf("%s: %v", level, err)
		}
		r := d.sim.Requests()[0]
		if r.ReasoningEffort != want || (want == "" && strings.Contains(string(r.Body), "reasoning_effort")) {
			t.Errorf("%q went out as %s", level, r.Body)
		}
	}
	d := newDesk(t, llm.Options{})
	req := question()
	req.Thinking = "much"
	if _, _, err := d.ask(t.Context(), req); failure(t, err).Kind != model.Invalid || d.sim.Total() != 0 {
		t.Errorf("got %v after %d requests", err, d.sim.Total())
	}
}

func TestEndpointsThatRefuseAFeatureAreAskedWithoutIt(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		opts  llm.Options
		usage bool
		tries int // requests for the first answer
	}{
		"stream_options":        {llm.Options{RefuseStreamOptions: true}, false, 2},
		"stream":                {llm.Options{RefuseStream: true}, true, 2},
		"stream ignored":        {llm.Options{IgnoreStream: true}, true, 1},
		"max_tokens":            {llm.Options{ModernLimit: true}, true, 2},
		"max_completion_tokens": {llm.Options{LegacyLimit: true}, true, 1},
		"everything":            {llm.Options{RefuseStreamOptions: true, RefuseStream: true, ModernLimit: true}, true, 3},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t, tt.opts)
			req := question()
			req.MaxTokens = 500
			for i := range 2 {
				res, seen, err := d.ask(t.Context(), req)
				if err != nil {
					t.Fatal(err)
				}
				if res.Text != "You said: hello" || seen != res.Text || (res.Usage != model.Usage{}) != tt.usage {
					t.Errorf("got %+v, progress saw %q", res, seen)
				}
				if want := tt.tries + i; d.sim.Total() != want {
					t.Errorf("%d requests after answer %d, want %d", d.sim.Total(), i+1, want)
				}
			}
		})
	}
}

func TestEndpointsThatSendNoUsageWork(t *testing.T) {
	t.Parallel()
	d := newDesk(t, llm.Options{})
	d.sim.Queue(llm.Text("fine").NoUsage(), llm.Text("no reason").NoFinish())
	for _, want := range []string{"fine", "no reason"} {
		if res, _, err := d.ask(t.Context(), question()); err != nil || res.Text != want || res.Stop != model.StopEnd {
			t.Errorf("got %+v %v", res, err)
		}
	}
}

// Shapes that compatible endpoints send, as they are.
func TestReadsCompatibleEndpoints(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		body  string
		text  string
		calls []model.Call
		usage model.Usage
	}{
		"comments, CRLF, null error and usage, no DONE": {
			body: ": PROCESSING\r\n\r\ndata: {\"error\":null,\"usage\":null,\"choices\":[{\"delta\":{\"content\":\"hi\"}}]}\r\n\r\ndata: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\r\n\r\n",
			text: "hi",
		},
		"all calls at index 0": {
			body: sse(`{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}}]}}]}`,
				`{"choices":[{"delta":{"tool_calls":[{"index":0,"id":"b","function":{"name":"g","arguments":"{\"x\":1}"}}]},"finish_reason":"tool_calls"}]}`),
			calls: []model.Call{{ID: "a", Name: "f", Args: json.RawMessage(`{}`)}, {ID: "b", Name: "g", Args: json.RawMessage(`{"x":1}`)}},
		},
		"no index, arguments as an object, name repeated": {
			body: sse(`{"choices":[{"delta":{"tool_calls":[{"id":"a","function":{"name":"f","arguments":{"x":1}}}]}}]}`,
				`{"choices":[{"delta":{"tool_calls":[{"id":"b","function":{"name":"g","arguments":"{\"y\""}}]}}]}`,
				`{"choices":[{"delta":{"tool_calls":[{"id":"b","function":{"name":"g","arguments":":2}"}}]},"finish_reason":"stop"}]}`),
			calls: []model.Call{{ID: "a", Name: "f", Args: json.RawMessage(`{"x":1}`)}, {ID: "b", Name: "g", Args: json.RawMessage(`{"y":2}`)}},
		},
		"content in parts": {
			body: sse(`{"choices":[{"delta":{"content":[{"type":"thinking","thinking":[]},{"type":"text","text":"hi"}]},"finish_reason":"stop"}]}`),
			text: "hi",
		},
		"usage growing in every piece": {
			body: sse(`{"choices":[{"delta":{"content":"a"}}],"usage":{"prompt_tokens":5,"completion_tokens":1}}`,
				`{"choices":[{"delta":{"content":"b"},"finish_reason":"stop"}],"usage":{"prompt_tokens":5,"completion_tokens":2,"prompt_cache_hit_tokens":4}}`,
				`{"choices":[],"usage":{"prompt_tokens":0,"completion_tokens":0}}`),
			text: "ab", usage: model.Usage{Input: 1, CacheRead: 4, Output: 2},
		},
		"thinking only in the total": {
			body: sse(`{"choices":[{"delta":{"content":"a"},"finish_reason":"stop"}],"usage":{"prompt_tokens":5,"completion_tokens":1,"total_tokens":16}}`),
			text: "a", usage: model.Usage{Input: 5, Output: 11, Reasoning: 10},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDesk(t, llm.Options{})
			d.sim.Queue(llm.Raw("text/event-stream; charset=utf-8", tt.body))
			res, seen, err := d.ask(t.Context(), question())
			if err != nil {
				t.Fatal(err)
			}
			if res.Text != tt.text || seen != tt.text || res.Usage != tt.usage {
				t.Errorf("got %+v, progress saw %q", res, seen)
			}
			if diff := cmp.Diff(tt.calls, res.Calls); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func sse(events ...string) string { return "data: " + strings.Join(events, "\n\ndata: ") + "\n\n" }

func TestLeadingBlanksAreHeldBack(t *testing.T) {
	t.Parallel()
	d := newDesk(t, llm.Options{})
	blank := strings.Repeat("\n", 64)
	d.sim.Queue(llm.Text(blank+"words"), llm.Text(blank))
	if res, seen, err := d.ask(t.Context(), question()); err != nil || seen != blank+"words" || res.Text != seen {
		t.Errorf("got %+v %q %v", res, seen, err)
	}
	_, seen, err := d.ask(t.Context(), question())
	if e := failure(t, err); e.Kind != model.Empty || e.Partial || seen != "" {
		t.Errorf("got %+v, progress saw %q", e, seen)
	}
}

func TestReasoningGoesBackToWhoeverWroteIt(t *testing.T) {
	t.Parallel()
	d := newDesk(t, llm.Options{})
	d.sim.Queue(llm.Calls(llm.Call{ID: "a", Name: "f", Args: `{}`}).Thinking("step by step"))
	res, _, err := d.ask(t.Context(), question())
	if err != nil {
		t.Fatal(err)
	}
	req := question()
	req.Messages = append(req.Messages,
		model.Message{Role: model.RoleAssistant, Calls: res.Calls, Extra: res.Extra},
		model.Message{Role: model.RoleTool, CallID: "a", Text: "r"})
	if _, _, err := d.ask(t.Context(), req); err != nil {
		t.Fatal(err)
	}
	if body := string(d.sim.Requests()[1].Body); !strings.Contains(body, `"reasoning_content":"step by step"`) {
		t.Errorf("the reasoning is missing: %s", body)
	}

	other := newDesk(t, llm.Options{}, func(c *openai.Config) { c.Model = "gpt-5-other" })
	if _, _, err := other.ask(t.Context(), req); err != nil {
		t.Fatal(err)
	}
	if body := string(other.sim.Requests()[0].Body); strings.Contains(body, "step by step") {
		t.Errorf("another endpoint was sent the reasoning: %s", body)
	}
}

func TestConnectionsAreUsedAgain(t *testing.T) {
	t.Parallel()
	var dials atomic.Int32
	d := newDesk(t, llm.Options{}, func(c *openai.Config) {
		tr := c.HTTPClient.Transport.(*http.Transport)
		tr.DialContext = func(ctx context.Context, network, addr string) (net.Conn, error) {
			dials.Add(1)
			return (&net.Dialer{}).DialContext(ctx, network, addr)
		}
	})
	for range 5 {
		if _, _, err := d.ask(t.Context(), question()); err != nil {
			t.Fatal(err)
		}
	}
	if dials.Load() != 1 {
		t.Errorf("%d connections for 5 requests in a row", dials.Load())
	}
}

func TestAClientServesManyAtOnce(t *testing.T) {
	t.Parallel()
	d := newDesk(t, llm.Options{RefuseStreamOptions: true})
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			if res, seen, err := d.ask(t.Context(), question()); err != nil || res.Text != "You said: hello" || seen != res.Text {
				t.Errorf("got %+v %v", res, err)
			}
		})
	}
	wg.Wait()
}

func BenchmarkGenerate(b *testing.B) {
	sim, err := llm.Start(llm.Options{Keep: -1})
	if err != nil {
		b.Fatal(err)
	}
	tr := &http.Transport{}
	c, err := openai.New(openai.Config{BaseURL: sim.URL(), Model: "gpt-5", HTTPClient: &http.Client{Transport: tr}})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := c.Generate(b.Context(), question(), nil); err != nil {
			b.Fatal(err)
		}
	}
	tr.CloseIdleConnections()
	_ = sim.Close()
}
