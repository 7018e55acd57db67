package llm

import (
	"encoding/json"
	"fmt"
)

// maxToolNameLen and maxTools are from the API reference of tools.
const (
	maxToolNameLen = 64
	maxTools       = 128
)

// checkTools refuses malformed tool definitions.
func checkTools(tools []Tool) *refusal {
	if len(tools) > maxTools {
		return badRequest("tools", "array_above_max_length", fmt.Sprintf(
			"Invalid 'tools': array too long. Expected an array with maximum length %d, but got an array with length %d instead.", maxTools, len(tools)))
	}
	seen := make(map[string]bool, len(tools))
	for i := range tools {
		t := &tools[i]
		at := field("tools[%d]", i)
		if ref := checkTool(t, at); ref != nil {
			return ref
		}
		if seen[t.Function.Name] {
			// DeepSeek's words (dataelement/Clawith 251); Anthropic's are the
			// same. OpenAI does not document what it does with two.
			return badRequest("", "invalid_request_error", "Tool names must be unique.")
		}
		seen[t.Function.Name] = true
	}
	return nil
}

func checkTool(t *Tool, at string) *refusal {
	name := at + ".function.name"
	switch {
	case t.Type != "function":
		return badRequest(at+".type", "invalid_value", "Invalid value: '"+t.Type+"'. Supported values are: 'function' and 'custom'.")
	case t.Function.Name == "":
		return badRequest(name, "missing_required_parameter", "Missing required parameter: '"+name+"'.")
	case !callName.MatchString(t.Function.Name):
		return badRequest(name, "invalid_value", "Invalid '"+name+
			"': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.")
	case len(t.Function.Name) > maxToolNameLen:
		return badRequest(name, "string_above_max_length", fmt.Sprintf(
			"Invalid '%s': string too long. Expected a string with maximum length %d, but got a string with length %d instead.", name, maxToolNameLen, len(t.Function.Name)))
	case len(t.Function.Parameters) == 0:
		return nil // a tool without arguments
	}
	return checkSchema(t, at+".function.parameters")
}

// checkSchema: the words are quoted in ComposioHQ/composio 1829, and for
// properties in FoundationAgents/OpenManus 1162.
func checkSchema(t *Tool, at string) *refusal {
	bad := func(what string) *refusal {
		return badRequest(at, "invalid_function_parameters", "Invalid schema for function '"+t.Function.Name+"': "+what)
	}
	var schema struct {
		Type       json.RawMessage `json:"type"`
		Properties json.RawMessage `json:"properties"`
	}
	if json.Unmarshal(t.Function.Parameters, &schema) != nil || t.Function.Parameters[0] != '{' {
		return bad(string(t.Function.Parameters) + " is not of type 'object', 'boolean'.")
	}
	var kind string
	if len(schema.Type) == 0 {
		kind = "None"
	} else if json.Unmarshal(schema.Type, &kind) != nil {
		kind = string(schema.Type)
	}
	if kind != "object" {
		return bad("schema must be a JSON Schema of 'type: \"object\"', got 'type: \"" + kind + "\"'.")
	}
	var properties map[string]json.RawMessage
	if len(schema.Properties) > 0 && json.Unmarshal(schema.Properties, &properties) != nil {
		return bad(string(schema.Properties) + " is not of type 'object'.")
	}
	for name, p := range properties {
		if p[0] != '{' && string(p) != "true" && string(p) != "false" {
			return bad("In context=('properties', '" + name + "'), " + string(p) + " is not of type 'object', 'boolean'.")
		}
	}
	return nil
}
