package openai

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"strings"

	"bullpen/office/model"
)

// assembly puts tool calls together from the pieces of a stream.
type assembly struct {
	slots   []*slot
	byIndex map[int64]*slot
}

type slot struct {
	id, name string
	args     strings.Builder
	extra    json.RawMessage
}

// add takes one piece. OpenAI numbers its calls; other endpoints give all of
// them the index 0, or none, and tell them apart by id or by a name that starts
// the next one.
func (s *assembly) add(w wireCall) {
	sl := s.find(w)
	if sl == nil {
		sl = &slot{}
		s.slots = append(s.slots, sl)
	}
	if w.Index != nil {
		if s.byIndex == nil {
			s.byIndex = make(map[int64]*slot)
		}
		s.byIndex[*w.Index] = sl
	}
	if sl.id == "" {
		sl.id = string(w.ID)
	}
	if sl.name == "" {
		sl.name = string(w.Function.Name)
	}
	sl.args.WriteString(string(w.Function.Arguments))
	if len(w.Extra) > 0 && string(w.Extra) != "null" {
		sl.extra = w.Extra
	}
}

func (s *assembly) find(w wireCall) *slot {
	var sl *slot
	switch {
	case w.Index != nil:
		sl = s.byIndex[*w.Index]
	case len(s.slots) > 0:
		sl = s.slots[len(s.slots)-1]
	}
	if sl == nil || sl.startsNext(w) {
		return nil
	}
	return sl
}

// startsNext tells a piece of this call from the start of another.
func (sl *slot) startsNext(w wireCall) bool {
	if w.Function.Name == "" || sl.name == "" {
		return false
	}
	if w.ID != "" && sl.id != "" {
		return string(w.ID) != sl.id
	}
	return json.Valid([]byte(sl.args.String()))
}

// calls are the finished calls, each with an id of its own among taken. cut says
// that the model ran into its limit, so that the last one may be half.
func (s *assembly) calls(cut bool, taken map[string]bool) []model.Call {
	out := make([]model.Call, 0, len(s.slots))
	for i, sl := range s.slots {
		call := model.Call{ID: sl.id, Name: sl.name}
		call.Args, call.Broken = arguments(sl.args.String(), cut && i == len(s.slots)-1)
		if call.Name == "" {
			call.Name = "unnamed"
			call.Args, call.Broken = json.RawMessage("{}"), "the call names no tool"
		}
		if call.ID == "" || taken[call.ID] {
			call.ID = "call_" + rand.Text()
		}
		taken[call.ID] = true
		out = append(out, call)
	}
	return out
}

// arguments checks what a model wrote. Nothing at all means no arguments, unless
// the model was cut off before it could write any.
func arguments(written string, cut bool) (args json.RawMessage, broken string) {
	none := json.RawMessage("{}")
	text := strings.TrimSpace(written)
	if (text == "" || text == "null") && !cut {
		return none, ""
	}
	if isObject(json.RawMessage(text)) {
		return json.RawMessage(text), ""
	}
	if cut {
		return none, "the answer ran into its length limit in the middle of this call's arguments"
	}
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		return none, fmt.Sprintf("the arguments are not valid JSON (%v)", err)
	}
	return none, fmt.Sprintf("the arguments are JSON, but %s and not an object", jsonKind(v))
}

func jsonKind(v any) string {
	switch v.(type) {
	case []any:
		return "an array"
	case string:
		return "a string"
	case float64:
		return "a number"
	case bool:
		return "a boolean"
	}
	return "null"
}

// extras are what the endpoint attached to its calls, by the calls' final ids.
func (s *assembly) extras(calls []model.Call) map[string]json.RawMessage {
	var out map[string]json.RawMessage
	for i, sl := range s.slots {
		if len(sl.extra) == 0 || i >= len(calls) {
			continue
		}
		if out == nil {
			out = make(map[string]json.RawMessage)
		}
		out[calls[i].ID] = sl.extra
	}
	return out
}

// takenIDs are the call ids of a transcript: some endpoints begin at call_0 with
// every answer, and other providers refuse the same id twice.
func takenIDs(messages []model.Message) map[string]bool {
	taken := make(map[string]bool)
	for i := range messages {
		for _, call := range messages[i].Calls {
			taken[call.ID] = true
		}
	}
	return taken
}
