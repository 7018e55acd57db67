package openai

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	sdk "github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/packages/param"

	"bullpen/office/model"
)

// encodedTools keeps tools as they go over the wire: the same few are sent with
// every request, and encoding them is most of the work of one. The zero value is
// ready; it may be used concurrently.
type encodedTools struct {
	mu     sync.Mutex
	byName map[string]encodedTool
}

type encodedTool struct {
	of   model.Tool
	wire json.RawMessage
}

// maxEncoded bounds how many tools are kept.
const maxEncoded = 256

var errNoObject = errors.New("the schema is no JSON object")

// encode gives a tool as it goes over the wire.
func (e *encodedTools) encode(t model.Tool) (json.RawMessage, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if k, ok := e.byName[t.Name]; ok && k.of.Description == t.Description && bytes.Equal(k.of.Schema, t.Schema) {
		return k.wire, nil
	}
	if len(t.Schema) > 0 && !isObject(t.Schema) {
		return nil, errNoObject
	}
	type definition struct {
		Name        string          `json:"name"`
		Description string          `json:"description,omitempty"`
		Parameters  json.RawMessage `json:"parameters,omitempty"`
	}
	wire, err := json.Marshal(struct {
		Function definition `json:"function"`
		Type     string     `json:"type"`
	}{definition{t.Name, t.Description, t.Schema}, "function"})
	if err != nil {
		return nil, err
	}
	if e.byName == nil || len(e.byName) >= maxEncoded {
		e.byName = map[string]encodedTool{}
	}
	e.byName[t.Name] = encodedTool{t, wire}
	return wire, nil
}

// tools passes schemas on byte by byte: decoded into a map they would lose the
// order of their properties, which models follow.
func (c *Client) tools(tools []model.Tool) ([]sdk.ChatCompletionToolUnionParam, error) {
	out := make([]sdk.ChatCompletionToolUnionParam, 0, len(tools))
	for _, t := range tools {
		wire, err := c.encoded.encode(t)
		if err != nil {
			return nil, &model.Error{Kind: model.Invalid, Err: err, Sentence: fmt.Sprintf(
				"the tool %q has a schema that is no JSON object, so %s cannot be asked: mend or deny the tool", oneLine(t.Name, maxNameLen), c.model)}
		}
		out = append(out, param.Override[sdk.ChatCompletionToolUnionParam](wire))
	}
	return out, nil
}
