package llm_test

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"bullpen/internal/sim/llm"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func start(t *testing.T, o llm.Options) *llm.Server {
	t.Helper()
	s, err := llm.Start(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// post sends a body as it is and returns status and answer.
func post(t *testing.T, s *llm.Server, key, body string) (int, string, error) {
	t.Helper()
	tr := &http.Transport{}
	t.Cleanup(tr.CloseIdleConnections)
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL()+"/chat/completions", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if key != "" {
		req.Header.Set("Authorization", "Bearer "+key)
	}
	res, err := (&http.Client{Transport: tr}).Do(req)
	if err != nil {
		return 0, "", err
	}
	defer res.Body.Close()
	raw, err := io.ReadAll(res.Body)
	return res.StatusCode, string(raw), err
}

const hello = `{"model":"m","messages":[{"role":"user","content":"hello"}]}`

func TestAnswersWithoutRulesLikeAnEcho(t *testing.T) {
	t.Parallel()
	s := start(t, llm.Options{})
	status, body, err := post(t, s, "", hello)
	if err != nil || status != 200 || !strings.Contains(body, "You said: hello") {
		t.Fatalf("got %d %s %v", status, body, err)
	}
	var c struct {
		Object  string
		Choices []struct {
			Message struct{ Role, Content string }
			Finish  string `json:"finish_reason"`
		}
		Usage struct {
			Prompt     int `json:"prompt_tokens"`
			Completion int `json:"completion_tokens"`
			Total      int `json:"total_tokens"`
		}
	}
	if err := json.Unmarshal([]byte(body), &c); err != nil {
		t.Fatal(err)
	}
	if c.Object != "chat.completion" || c.Choices[0].Finish != "stop" || c.Usage.Total != c.Usage.Prompt+c.Usage.Completion {
		t.Errorf("unlike the protocol: %+v", c)
	}
}

func TestStreamsPiecesThatMakeUpTheAnswer(t *testing.T) {
	t.Parallel()
	s := start(t, llm.Options{})
	long := strings.Repeat("größer als ein Stück, ", 20)
	s.On(llm.Always(), llm.TextAndCalls(long, llm.Call{ID: "c1", Name: "read", Args: `{"path":"ä.txt"}`}))
	_, body, err := post(t, s, "", `{"model":"m","stream":true,"stream_options":{"include_usage":true},"messages":[{"role":"user","content":"x"}]}`)
	if err != nil {
		t.Fatal(err)
	}
	var text, args, finish string
	var usage, done bool
	for sc := bufio.NewScanner(strings.NewReader(body)); sc.Scan(); {
		data, ok := strings.CutPrefix(sc.Text(), "data: ")
		if !ok {
			continue
		}
		if data == "[DONE]" {
			done = true
			continue
		}
		var c struct {
			Choices []struct {
				Delta struct {
					Content   string
					ToolCalls []struct{ Function struct{ Arguments string } } `json:"tool_calls"`
				}
				Finish string `json:"finish_reason"`
			}
			Usage *struct{}
		}
		if err := json.Unmarshal([]byte(data), &c); err != nil {
			t.Fatalf("%q: %v", data, err)
		}
		usage = usage || c.Usage != nil
		for _, ch := range c.Choices {
			text += ch.Delta.Content
			finish += ch.Finish
			for _, call := range ch.Delta.ToolCalls {
				args += call.Function.Arguments
			}
		}
	}
	if text != long || args != `{"path":"ä.txt"}` || finish != "tool_calls" || !usage || !done {
		t.Errorf("text %q args %q finish %q usage %t done %t", text, args, finish, usage, done)
	}
}

func TestRefusesWhatOpenAIRefuses(t *testing.T) {
	t.Parallel()
	const user = `{"role":"user","content":"x"}`
	call := func(id, args string) string {
		a, _ := json.Marshal(args)
		return `{"id":"` + id + `","type":"function","function":{"name":"f","arguments":` + string(a) + `}}`
	}
	calls := func(cs ...string) string {
		return `{"role":"assistant","content":null,"tool_calls":[` + strings.Join(cs, ",") + `]}`
	}
	result := func(id string) string { return `{"role":"tool","tool_call_id":"` + id + `","content":"r"}` }
	messages := func(ms ...string) string { return `{"model":"m","messages":[` + strings.Join(ms, ",") + `]}` }
	tools := func(ts string) string { return `{"model":"m","messages":[` + user + `],"tools":[` + ts + `]}` }
	tool := func(name, schema string) string {
		return `{"type":"function","function":{"name":"` + name + `","parameters":` + schema + `}}`
	}
	const object = `{"type":"object","properties":{"a":{"type":"string"}}}`

	tests := []struct {
		name, body, want string // want "": accepted
	}{
		{"a plain question", hello, ""},
		{"no JSON", `{"model"`, "could not parse the JSON body"},
		{"no model", `{"messages":[` + user + `]}`, "you must provide a model parameter"},
		{"no messages", `{"model":"m"}`, "Missing required parameter: 'messages'"},
		{"empty messages", messages(), "empty array"},
		{"unknown role", messages(`{"role":"robot","content":"x"}`), "Supported values are: 'system'"},
		{"user without content", messages(`{"role":"user","content":null}`), "expected a string, got null"},
		{"content of another kind", messages(`{"role":"user","content":5}`), "expected one of a string or array"},
		{"assistant with nothing", messages(user, `{"role":"assistant"}`), "expected a string, got null"},
		{"assistant with no calls", messages(user, `{"role":"assistant","content":"x","tool_calls":[]}`), "tool_calls': empty array"},
		{"a call and its result", messages(user, calls(call("a", "{}")), result("a")), ""},
		{"results in another order", messages(user, calls(call("a", "{}"), call("b", "{}")), result("b"), result("a"), user), ""},
		{"a call without result", messages(user, calls(call("a", "{}"))), "did not have response messages: a"},
		{"two of three results", messages(user, calls(call("a", "{}"), call("b", "{}"), call("c", "{}")), result("a"), result("b"), user), "did not have response messages: c"},
		{"a result without call", messages(user, result("a")), "must be a response to a preceeding message"},
		{"a result twice", messages(user, calls(call("a", "{}")), result("a"), result("a")), "must be a response to a preceeding message"},
		{"a result after other words", messages(user, calls(call("a", "{}")), user, result("a")), "did not have response messages: a"},
		{"the same id twice", messages(user, calls(call("a", "{}"), call("a", "{}")), result("a")), "Duplicate tool call id"},
		{"an id of 41 bytes", messages(user, calls(call(strings.Repeat("i", 41), "{}"))), "string too long"},
		{"half arguments", messages(user, calls(call("a", `{"p":`)), result("a")), "must be a JSON object"},
		{"arguments in an array", messages(user, calls(call("a", `[]`)), result("a")), "must be a JSON object"},
		{"a tool", tools(tool("f", object)), ""},
		{"two tools of one name", tools(tool("f", object) + "," + tool("f", object)), "Tool names must be unique"},
		{"a tool's name with a dot", tools(tool("a.b", object)), "does not match pattern"},
		{"a tool without a name", tools(tool("", object)), "Missing required parameter: 'tools[0].function.name'"},
		{"a tool's name of 65 bytes", tools(tool(strings.Repeat("n", 65), object)), "string too long"},
		{"a schema that is a list", tools(tool("f", `[]`)), "is not of type 'object', 'boolean'"},
		{"a schema without type", tools(tool("f", `{}`)), `got 'type: \"None\"'`},
		{"a schema of a string", tools(tool("f", `{"type":"string"}`)), `got 'type: \"string\"'`},
		{"a property that is no schema", tools(tool("f", `{"type":"object","properties":{"a":1}}`)), "In context=('properties', 'a')"},
		{"a tool of another type", tools(`{"type":"web"}`), "Supported values are: 'function'"},
		{"stream_options without stream", `{"model":"m","messages":[` + user + `],"stream_options":{"include_usage":true}}`, "only allowed when 'stream' is enabled"},
		{"both limits", `{"model":"m","messages":[` + user + `],"max_tokens":1,"max_completion_tokens":1}`, "at the same time"},
		{"unknown effort", `{"model":"m","messages":[` + user + `],"reasoning_effort":"much"}`, "Supported values are: 'none'"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := start(t, llm.Options{})
			status, body, err := post(t, s, "", tt.body)
			if err != nil {
				t.Fatal(err)
			}
			if tt.want == "" {
				if status != 200 {
					t.Fatalf("refused: %s", body)
				}
				return
			}
			if status != 400 || !strings.Contains(body, tt.want) || !strings.Contains(body, `"type":"invalid_request_error"`) {
				t.Errorf("got %d %s, want 400 with %q", status, body, tt.want)
			}
			if rs := s.Requests(); len(rs) != 1 || rs[0].Refused == "" || rs[0].N != 0 {
				t.Errorf("the transcript does not show the refusal: %+v", rs)
			}
		})
	}
}

func TestChecksKeyAndModel(t *testing.T) {
	t.Parallel()
	s := start(t, llm.Options{Key: "right", Models: []string{"m"}})
	for _, tt := range []struct {
		key, body, want string
		status          int
	}{
		{"right", hello, "You said", 200},
		{"", hello, "You didn't provide an API key", 401},
		{"wrong", hello, "Incorrect API key provided", 401},
		{"right", strings.Replace(hello, `"m"`, `"other"`, 1), "model_not_found", 404},
	} {
		status, body, err := post(t, s, tt.key, tt.body)
		if err != nil || status != tt.status || !strings.Contains(body, tt.want) {
			t.Errorf("key %q: got %d %s %v, want %d with %q", tt.key, status, body, err, tt.status, tt.want)
		}
	}
}

func TestRulesAnswerInTheirOrder(t *testing.T) {
	t.Parallel()
	s := start(t, llm.Options{})
	s.On(llm.LastUserContains("hello"), llm.Text("first"), llm.Text("second"))
	s.On(llm.Always(), llm.Text("never"))
	s.Queue(llm.Text("queued"))
	for _, want := range []string{"queued", "first", "second", "second"} {
		if _, body, err := post(t, s, "", hello); err != nil || !strings.Contains(body, want) {
			t.Fatalf("got %s %v, want %s", body, err, want)
		}
	}
}

func TestMatchersLookAtTheRequest(t *testing.T) {
	t.Parallel()
	r := &llm.Request{N: 2, Model: "m", Messages: []llm.Message{
		{Role: "system", Content: "you are ada"}, {Role: "user", Content: "hello"}, {Role: "tool", Content: "r"},
	}}
	for name, m := range map[string]llm.Matcher{
		"last user": llm.LastUserContains("ell"), "system": llm.SystemContains("ada"), "nth": llm.Nth(2),
		"model": llm.ForModel("m"), "after tool": llm.AfterTool(), "not": llm.Not(llm.HasTool("bash")),
		"all": llm.All(llm.Nth(2), llm.Always()),
	} {
		if !m(r) {
			t.Errorf("%s does not match", name)
		}
	}
	if llm.All(llm.Nth(2), llm.Nth(3))(r) {
		t.Error("All matches although one does not")
	}
}

func TestWaitsForRequestsAndForgetsOldOnes(t *testing.T) {
	t.Parallel()
	s := start(t, llm.Options{Keep: 2})
	var wg sync.WaitGroup
	wg.Go(func() {
		for range 3 {
			if _, _, err := post(t, s, "", hello); err != nil {
				t.Error(err)
			}
		}
	})
	r, err := s.Wait(t.Context(), 3)
	if err != nil || r.N != 3 || r.LastUser() != "hello" {
		t.Fatalf("got %+v %v", r, err)
	}
	wg.Wait()
	if got := s.Requests(); len(got) != 2 || got[0].N != 2 {
		t.Errorf("kept %d, the first of them %d", len(got), got[0].N)
	}
	if _, err := s.Wait(t.Context(), 1); err == nil {
		t.Error("found a request that was dropped")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Wait(ctx, 4); err == nil {
		t.Error("waited for a request although its context had ended")
	}
}

func TestHangsUntilItIsReleased(t *testing.T) {
	t.Parallel()
	s := start(t, llm.Options{})
	gate := make(chan struct{})
	s.Queue(llm.Text("late").Until(gate))
	done := make(chan string, 1)
	go func() {
		_, body, err := post(t, s, "", hello)
		if err != nil {
			body = err.Error()
		}
		done <- body
	}()
	if _, err := s.Wait(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	select {
	case body := <-done:
		t.Fatalf("answered before its time: %s", body)
	default:
	}
	close(gate)
	if body := <-done; !strings.Contains(body, "late") {
		t.Errorf("got %s", body)
	}
}

func TestCloseReleasesWhatHangs(t *testing.T) {
	t.Parallel()
	s := start(t, llm.Options{})
	s.Queue(llm.Hang())
	done := make(chan error, 1)
	go func() {
		_, _, err := post(t, s, "", hello)
		done <- err
	}()
	if _, err := s.Wait(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	select {
	case <-done:
	case <-time.After(10 * time.Second):
		t.Fatal("the request still hangs")
	}
}

func TestCutsConnections(t *testing.T) {
	t.Parallel()
	streamed := strings.Replace(hello, `"model"`, `"stream":true,"model"`, 1)
	for name, tt := range map[string]struct {
		reply llm.Reply
		body  string
		tidy  bool
	}{
		"whole":       {llm.Text("a long answer").CutAfter(20), hello, false},
		"stream":      {llm.Text("a long answer").CutAfter(20), streamed, false},
		"arguments":   {llm.Calls(llm.Call{Name: "f", Args: `{"path":"x"}`}).CutInArgs(), streamed, false},
		"tidily":      {llm.Text("a long answer").CutAfter(20).Tidy(), streamed, true},
		"at byte 0":   {llm.Text("a long answer").CutAfter(0), hello, false},
		"after pause": {llm.Text("a long answer").PauseAfter(1, closed()).CutAfter(300), streamed, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := start(t, llm.Options{})
			s.Queue(tt.reply)
			_, body, err := post(t, s, "", tt.body)
			if (err == nil) != tt.tidy || strings.Contains(body, "[DONE]") {
				t.Errorf("got %q %v", body, err)
			}
			if name == "arguments" && (!strings.Contains(body, `{\"path`) || strings.Contains(body, `x\"}`)) {
				t.Errorf("not in the middle of the arguments: %q", body)
			}
		})
	}
}

func closed() chan struct{} {
	ch := make(chan struct{})
	close(ch)
	return ch
}

func TestServesManyAtOnce(t *testing.T) {
	t.Parallel()
	s := start(t, llm.Options{})
	s.OnFunc(llm.Always(), func(r *llm.Request) llm.Reply { return llm.Text("for " + r.LastUser()) })
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			if _, body, err := post(t, s, "", hello); err != nil || !strings.Contains(body, "for hello") {
				t.Errorf("got %s %v", body, err)
			}
		})
	}
	wg.Wait()
	if s.Total() != 20 {
		t.Errorf("counted %d requests", s.Total())
	}
}
