package file

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// arguments are the decoded arguments of one call. The first thing wrong with
// them is kept in err, so that a tool asks for all it needs and looks once.
type arguments struct {
	tool string
	raw  map[string]json.RawMessage
	err  error
}

// parse decodes the arguments of tool, which may only be those in names.
func parse(tool string, args json.RawMessage, names ...string) *arguments {
	a := &arguments{tool: tool}
	if strings.TrimSpace(string(args)) == "" {
		return a
	}
	if err := json.Unmarshal(args, &a.raw); err != nil {
		a.err = &fault{
			fmt.Sprintf("the arguments of %s are not a JSON object; send an object with %s", tool, listed(names)), err,
		}
		return a
	}
	var unknown []string
	for name := range a.raw {
		if !slices.Contains(names, name) {
			unknown = append(unknown, strconv.Quote(clip(name, 60)))
		}
	}
	if len(unknown) > 0 {
		slices.Sort(unknown)
		a.refuse("%s takes no %s; its arguments are %s",
			tool, strings.Join(unknown[:min(len(unknown), 5)], " and no "), listed(names))
	}
	return a
}

func (a *arguments) refuse(format string, args ...any) {
	if a.err == nil {
		a.err = faultf(format, args...)
	}
}

// get returns the raw value of an argument; null is the same as absent.
func (a *arguments) get(name string) (json.RawMessage, bool) {
	v, ok := a.raw[name]
	return v, ok && string(v) != "null"
}

// text returns a string argument, empty if it is absent.
func (a *arguments) text(name string) string {
	v, ok := a.get(name)
	if !ok {
		return ""
	}
	var s string
	if json.Unmarshal(v, &s) != nil {
		a.refuse("%s of %s is %s; it must be a string in quotes", name, a.tool, kindOf(v))
	}
	return s
}

// required is text for an argument that must be there, though it may be empty.
func (a *arguments) required(name string) string {
	if _, ok := a.get(name); !ok {
		a.refuse("%s needs %s, which is missing; send it as a string", a.tool, name)
	}
	return a.text(name)
}

// number returns a whole number from 1 to most; absent and 0 are def, and more
// than most is most, since models ask for "everything" that way.
func (a *arguments) number(name string, def, most int) int {
	v, ok := a.get(name)
	if !ok {
		return def
	}
	n, ok := whole(v)
	switch {
	case !ok:
		a.refuse("%s of %s is %s; it must be a whole number", name, a.tool, kindOf(v))
		return def
	case n < 0:
		a.refuse("%s of %s is %d; it must be 1 or more", name, a.tool, n)
		return def
	case n == 0:
		return def
	}
	return int(min(n, int64(most)))
}

// flag returns a boolean argument, false if it is absent.
func (a *arguments) flag(name string) bool {
	v, ok := a.get(name)
	if !ok {
		return false
	}
	switch strings.ToLower(strings.Trim(string(v), `"`)) {
	case "true":
		return true
	case "false":
		return false
	}
	a.refuse("%s of %s is %s; it must be true or false", name, a.tool, kindOf(v))
	return false
}

// whole reads a whole number, also one in quotes or written as 10.0.
func whole(v json.RawMessage) (int64, bool) {
	s := string(v)
	var quoted string
	if json.Unmarshal(v, &quoted) == nil {
		s = strings.TrimSpace(quoted)
	}
	if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		return n, true
	}
	const exact = 1 << 53
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || f != math.Trunc(f) || math.Abs(f) > exact {
		return 0, false
	}
	return int64(f), true
}

// kindOf says in words what kind of JSON value v is.
func kindOf(v json.RawMessage) string {
	switch v[0] {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return "the string " + clip(string(v), 40)
	case 't', 'f':
		return "a boolean"
	}
	return "the number " + clip(string(v), 40)
}

// listed joins names as in "a, b and c".
func listed(names []string) string {
	last := len(names) - 1
	if last < 1 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:last], ", ") + " and " + names[last]
}
