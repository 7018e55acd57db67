package openai_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"bullpen/internal/sim/llm"
	"bullpen/office/model"
	"bullpen/office/model/openai"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const testKey = "sk-test-0123456789+/abcdef"

// desk is a client with the stand-in behind it.
type desk struct {
	*openai.Client
	sim *llm.Server
}

func newDesk(t *testing.T, o llm.Options, change ...func(*openai.Config)) desk {
	t.Helper()
	o.Key = testKey
	sim, err := llm.Start(o)
	if err != nil {
		t.Fatal(err)
	}
	cfg := openai.Config{BaseURL: sim.URL(), APIKey: testKey, Model: "gpt-5", HTTPClient: ownClient(t)}
	for _, f := range change {
		f(&cfg)
	}
	c, err := openai.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := sim.Close(); err != nil {
			t.Error(err)
		}
	})
	return desk{c, sim}
}

func ownClient(t *testing.T) *http.Client {
	t.Helper()
	tr := &http.Transport{}
	t.Cleanup(tr.CloseIdleConnections)
	return &http.Client{Transport: tr}
}

// ask asks for an answer to a plain question and returns what progress saw.
func (d desk) ask(ctx context.Context, req *model.Request) (*model.Response, string, error) {
	var seen strings.Builder
	res, err := d.Generate(ctx, req, func(s string) { seen.WriteString(s) })
	return res, seen.String(), err
}

func question() *model.Request {
	return &model.Request{System: "you are ada", Messages: []model.Message{{Role: model.RoleUser, Text: "hello"}}}
}

// afterTool is a transcript that ends with a tool's result.
func afterTool() *model.Request {
	r := question()
	r.Messages = append(r.Messages,
		model.Message{Role: model.RoleAssistant, Calls: []model.Call{{ID: "call_1", Name: "read", Args: json.RawMessage(`{"path":"x"}`)}}},
		model.Message{Role: model.RoleTool, CallID: "call_1", Text: "contents"})
	return r
}

// failure is err as a *model.Error, which must say something fit to be shown.
func failure(t *testing.T, err error) *model.Error {
	t.Helper()
	var e *model.Error
	if !errors.As(err, &e) {
		t.Fatalf("got %v, which is no *model.Error", err)
	}
	if !strings.Contains(e.Sentence, "gpt-5") || !strings.Contains(e.Sentence, ": ") || strings.ContainsAny(e.Sentence, "\r\n") {
		t.Errorf("the sentence does not name the model and the mend on one line: %q", e.Sentence)
	}
	if strings.Contains(err.Error(), testKey) {
		t.Errorf("the error shows the key: %v", err)
	}
	return e
}
