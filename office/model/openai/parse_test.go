package openai

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"bullpen/office/model"
)

func TestRetryAfterForms(t *testing.T) {
	t.Parallel()
	now := time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)
	h := func(kv ...string) http.Header {
		out := http.Header{}
		for i := 0; i < len(kv); i += 2 {
			out.Set(kv[i], kv[i+1])
		}
		return out
	}
	tests := []struct {
		name   string
		header http.Header
		wire   wireError
		want   time.Duration
	}{
		{"none", nil, wireError{}, 0},
		{"seconds", h("Retry-After", "60"), wireError{}, time.Minute},
		{"parts of a second", h("Retry-After", "0.5"), wireError{}, 500 * time.Millisecond},
		{"date", h("Retry-After", "Wed, 01 Jan 2025 00:01:30 GMT"), wireError{}, 90 * time.Second},
		{"date, their clock", h("Retry-After", "Wed, 01 Jan 2025 00:01:30 GMT", "Date", "Wed, 01 Jan 2025 00:01:00 GMT"), wireError{}, 30 * time.Second},
		{"date past", h("Retry-After", "Tue, 31 Dec 2024 00:00:00 GMT"), wireError{}, 0},
		{"milliseconds", h("Retry-After-Ms", "250", "Retry-After", "1"), wireError{}, 250 * time.Millisecond},
		{"negative", h("Retry-After", "-5"), wireError{}, 0},
		{"words in the header", h("Retry-After", "soon"), wireError{Message: "try again in 20s"}, 20 * time.Second},
		{"not a number", h("Retry-After", "NaN"), wireError{}, 0},
		{"for ever", h("Retry-After", "1e300"), wireError{}, maxRetryAfter},
		{"infinite", h("Retry-After", "Inf"), wireError{}, maxRetryAfter},
		{"20s", nil, wireError{Message: "Please try again in 20s. Contact us"}, 20 * time.Second},
		{"1m30.5s", nil, wireError{Message: "try again in 1m30.5s."}, 90*time.Second + 500*time.Millisecond},
		{"7m12s", nil, wireError{Message: "Please try again in 7m12s."}, 7*time.Minute + 12*time.Second},
		{"250ms", nil, wireError{Message: "Please try again in 250ms."}, 250 * time.Millisecond},
		{"Azure", nil, wireError{Message: "Please retry after 3 seconds."}, 3 * time.Second},
		{"hours", nil, wireError{Message: "Try again in 1 hour 5 minutes"}, 65 * time.Minute},
		{"Google", nil, wireError{Message: "slow down", Delay: "34s"}, 34 * time.Second},
		{"no unit", nil, wireError{Message: "try again in 20"}, 0},
		{"reset of what is used up", h("X-Ratelimit-Remaining-Requests", "5", "X-Ratelimit-Reset-Requests", "1h", "X-Ratelimit-Remaining-Tokens", "0", "X-Ratelimit-Reset-Tokens", "6m0s"), wireError{}, 6 * time.Minute},
	}
	for _, tt := range tests {
		if got := retryAfter(tt.header, tt.wire, now); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.name, got, tt.want)
		}
	}
}

func TestSentencesNameTheRightKey(t *testing.T) {
	t.Parallel()
	hosted, err := New(Config{Model: "gpt-5", APIKey: "sk-abcdefgh"})
	if err != nil {
		t.Fatal(err)
	}
	other, err := New(Config{Model: "m", BaseURL: "https://openrouter.ai/api/v1"})
	if err != nil {
		t.Fatal(err)
	}
	f := &fault{status: 401}
	if got := hosted.failed(f, &answer{}).Sentence; got != "the key for gpt-5 was refused (401): check OPENAI_API_KEY" {
		t.Error(got)
	}
	if got := other.failed(f, &answer{}).Sentence; !strings.Contains(got, "openrouter.ai") || strings.Contains(got, "OPENAI_API_KEY") {
		t.Error(got)
	}
	if hosted.limitName(0) != "max_completion_tokens" || other.limitName(0) != "max_tokens" || other.limitName(otherLimit) != "max_completion_tokens" {
		t.Error("the limit goes by the wrong name")
	}
}

// Whatever counts an endpoint sends, no class is negative and the parts are
// within their totals.
func TestUsageAddsUp(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Int64Range(-10, 1000)
		raw, _ := json.Marshal(map[string]any{
			"prompt_tokens": n.Draw(t, "prompt"), "completion_tokens": n.Draw(t, "completion"), "total_tokens": n.Draw(t, "total"),
			"prompt_tokens_details":     map[string]any{"cached_tokens": n.Draw(t, "cached"), "cache_write_tokens": n.Draw(t, "write")},
			"completion_tokens_details": map[string]any{"reasoning_tokens": n.Draw(t, "reasoning")},
		})
		var w wireUsage
		if err := json.Unmarshal(raw, &w); err != nil {
			t.Fatal(err)
		}
		u := w.usage()
		if u.Input < 0 || u.CacheRead < 0 || u.CacheWrite < 0 || u.Reasoning < 0 || u.Output < u.Reasoning {
			t.Fatalf("%s gave %+v", raw, u)
		}
		if prompt := max(w.Prompt, 0); u.Input+u.CacheRead+u.CacheWrite != prompt {
			t.Fatalf("%s gave %+v: the parts are not the prompt", raw, u)
		}
	})
}

// However a stream is cut into pieces, its calls and text come out the same.
func TestPiecesMakeTheSameAnswer(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String().Draw(t, "text")
		args := `{"a":"b","c":[1,2,3]}`
		var shown strings.Builder
		a := &answer{progress: func(s string) { shown.WriteString(s) }}
		for rest := []rune(text); len(rest) > 0; {
			n := rapid.IntRange(1, len(rest)).Draw(t, "n")
			feed(t, a, map[string]any{"content": string(rest[:n])})
			rest = rest[n:]
		}
		first := map[string]any{"index": 0, "id": "x", "function": map[string]any{"name": "f", "arguments": ""}}
		feed(t, a, map[string]any{"tool_calls": []any{first}})
		for rest := args; rest != ""; {
			n := rapid.IntRange(1, len(rest)).Draw(t, "n")
			feed(t, a, map[string]any{"tool_calls": []any{map[string]any{"index": 0, "function": map[string]any{"arguments": rest[:n]}}}})
			rest = rest[n:]
		}
		calls := a.calls.calls(false, map[string]bool{})
		if a.text.String() != text || len(calls) != 1 || string(calls[0].Args) != args {
			t.Fatalf("got %q %+v", a.text.String(), calls)
		}
		if strings.TrimSpace(text) != "" && shown.String() != text {
			t.Fatalf("showed %q of %q", shown.String(), text)
		}
	})
}

func feed(t *rapid.T, a *answer, delta map[string]any) {
	raw, err := json.Marshal(map[string]any{"choices": []any{map[string]any{"delta": delta}}})
	if err != nil {
		t.Fatal(err)
	}
	if f := a.take(raw); f != nil {
		t.Fatalf("%s: %v", raw, f.cause)
	}
}

// FuzzAnswer feeds whatever bytes an endpoint may send: nothing panics, and what
// comes out keeps the promises of model.Response and model.Error.
func FuzzAnswer(f *testing.F) {
	f.Add([]byte(`{"choices":[{"delta":{"content":"x","tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"{"}}]},"finish_reason":"length"}],"usage":{"prompt_tokens":3}}`))
	f.Add([]byte(`{"error":{"message":"429 Provider returned error","code":"x","details":[{"retryDelay":"3s"}]}}`))
	f.Add([]byte(`[{"error":"x"}]`))
	c, err := New(Config{Model: "gpt-5", APIKey: "sk-abcdefgh"})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		a := &answer{}
		flt := a.take(data)
		if flt == nil {
			flt = a.take(data)
		}
		if flt != nil {
			if e := c.failed(flt, a); e.Kind == "" || e.Sentence == "" || strings.ContainsAny(e.Sentence, "\n\r") || e.RetryAfter < 0 {
				t.Errorf("%+v", e)
			}
			return
		}
		res, err := c.conclude(&model.Request{}, a)
		if err != nil {
			if model.KindOf(err) == "" {
				t.Errorf("no kind: %v", err)
			}
			return
		}
		seen := map[string]bool{}
		for _, call := range res.Calls {
			if call.ID == "" || seen[call.ID] || call.Name == "" || !isObject(call.Args) || (call.Broken != "" && string(call.Args) != "{}") {
				t.Errorf("%+v", call)
			}
			seen[call.ID] = true
		}
	})
}
