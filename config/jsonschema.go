package config

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// JSONSchema is the JSON Schema (2020-12) of office.yaml, for editors that
// complete and check it while it is typed. It is made from the table of keys; the
// descriptions are the comments of the example. It knows the form of values, not
// what they refer to: [Load] does.
func JSONSchema() ([]byte, error) {
	var c checker
	root := c.read([]byte(Example))
	if root == nil {
		return nil, fmt.Errorf("the example is not in order: %w", &c.problems)
	}
	explained := map[*field]string{}
	explain(root, &schema, strings.Split(Example, "\n"), explained)
	top := describe(&schema, explained)
	top["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	top["title"] = "office.yaml of Bullpen"
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(top); err != nil {
		return nil, fmt.Errorf("write the JSON Schema: %w", err)
	}
	return b.Bytes(), nil
}

// explain collects the comments that stand right above keys.
func explain(n *node, f *field, lines []string, into map[*field]string) {
	for _, e := range n.entries {
		sub := f.each
		if f.is == aBlock {
			sub = fieldOf(f.fields, e.key)
		}
		if sub == nil {
			continue
		}
		var text []string
		for at := e.at.line - 2; at >= 0; at-- {
			comment, ok := strings.CutPrefix(strings.TrimSpace(lines[at]), "#")
			if !ok {
				break
			}
			text = append([]string{strings.TrimSpace(comment)}, text...)
		}
		if _, known := into[sub]; !known && len(text) > 0 && f.is == aBlock {
			into[sub] = strings.Join(text, " ")
		}
		explain(e.value, sub, lines, into)
	}
}

// object is an object of JSON.
type object = map[string]any

// describe is the schema of one value.
func describe(f *field, explained map[*field]string) object {
	o := form(f, explained)
	if text := explained[f]; text != "" {
		o["description"] = text
	}
	if f.def != "" {
		o["default"] = f.def
	}
	switch {
	case f.ignored == notBuilt:
		return object{"deprecated": true, "description": "Is not built yet; ignored."}
	case f.ignored != "":
		return object{"deprecated": true, "description": f.ignored}
	case f.alias != "":
		o["description"] = "Another name for " + f.alias + "."
	}
	return o
}

// form says what may stand there. A key may be left without a value.
func form(f *field, explained map[*field]string) object {
	switch f.is {
	case anything:
		return object{}
	case aBlock:
		properties := object{}
		for i := range f.fields {
			properties[f.fields[i].key] = describe(&f.fields[i], explained)
		}
		return object{"type": []string{"object", "null"}, "properties": properties, "additionalProperties": false}
	case aMap:
		return object{"type": []string{"object", "null"}, "additionalProperties": describe(f.each, explained)}
	case aList:
		return object{"type": []string{"array", "null"}, "items": describe(f.each, explained)}
	case aSecret, appToken, botToken, telegramToken, discordToken:
		return object{"type": []string{"string", "null"}, "pattern": reference.String()}
	}
	return object{"anyOf": []object{single(f), {"type": "string", "pattern": reference.String()}, {"type": "null"}}}
}

// single is the form of one value. What is made of digits may be written with and
// without quotes.
func single(f *field) object {
	switch f.is {
	case aCount:
		return object{"type": []string{"integer", "string"}, "minimum": 1, "pattern": wholeNumber.String()}
	case aMoney:
		return object{"type": []string{"number", "string"}, "exclusiveMinimum": 0, "pattern": moneyForm}
	case aPrice:
		return object{"type": []string{"number", "string"}, "minimum": 0, "pattern": decimalNumber.String()}
	case aFlag:
		return object{"type": "boolean"}
	case aDuration:
		return object{"type": "string", "pattern": `^([0-9.]+(ns|us|µs|ms|s|m|h))+$`}
	case aChoice:
		return choices(f)
	case slackMember:
		return object{"type": "string", "pattern": memberForm.String()}
	case telegramUser:
		return object{"type": []string{"integer", "string"}, "pattern": telegramUserForm.String()}
	case telegramChat:
		return object{"type": []string{"integer", "string"}, "pattern": telegramChatForm.String()}
	case discordID:
		return object{"type": []string{"integer", "string"}, "pattern": discordIDForm.String()}
	}
	o := object{"type": []string{"string", "number"}}
	if f.max > 0 {
		o["maxLength"] = f.max
	}
	return o
}

// choices lists words. Those that are digits, and on and off, may be read as
// something else than a text.
func choices(f *field) object {
	var all []any
	for _, word := range append(append([]string{}, f.choices...), f.later...) {
		all = append(all, word)
		switch {
		case wholeNumber.MatchString(word):
			all = append(all, json.Number(word))
		case word == "on":
			all = append(all, true)
		case word == "off":
			all = append(all, false)
		}
	}
	return object{"enum": all}
}
