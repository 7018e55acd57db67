// Package tool holds every tool of a colleague: its contract, as the model
// sees it, and its code, over the office's verbs and the colleague's
// workspace. One registry serves the model loop and whatever else comes to
// call tools; what a colleague may call is enforced here, where the call is
// executed, and not only by what the model was shown.
package tool

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"reflect"
	"runtime/debug"
	"slices"
	"strings"

	"bullpen/internal/fault"
	"bullpen/office"
	"bullpen/office/model"
)

// Env is what a running tool stands in.
type Env struct {
	Office    *office.Office
	Colleague office.Colleague
	Person    office.PersonID // whose private context the turn is in
	Turn      office.TurnRef  // whose call it is
	Workspace *os.Root        // the colleague's folder; the tool does not close it
	// Shell gives the colleague's shell; nil where there is none.
	Shell func(ctx context.Context) (Shell, error)
	// Call identifies the call that runs, over attempts: turn, step and call.
	Call string
	// Alive is told of every sign of life that a running tool gives; nil: nobody asks.
	Alive func()

	// branch is the call of a boss that is carried out in another office.
	branch   string
	registry *Registry
	// Structure is given what a result says for programs, as JSON, beside its text;
	// the office keeps it, bounded. nil: nobody asks.
	Structure func(json.RawMessage)
}

// Tool is one tool. Exactly one of Verb and Run is set. An office call with Run
// is carried out outside of the loop, because it writes office.yaml; it is run
// again after a crash, and then has to succeed.
type Tool struct {
	model.Tool
	Class office.CallClass
	// Leader tools are held by leaders only.
	Leader bool
	// BossOnly tools are held by the boss alone; which others it holds is told by name.
	BossOnly bool
	// Asks tools are held by those who may ask people and wait for them.
	Asks bool
	// Verb turns the arguments of an office call into what the office decides.
	Verb func(args json.RawMessage) (office.Verb, error)
	// Run executes any other call. Its error is for the model: one sentence.
	Run func(ctx context.Context, env Env, args json.RawMessage) (string, error)
}

// Registry is the set of tools that this process has. It is read-only after New.
type Registry struct {
	tools  []Tool
	byName map[string]int
	others Branches
}

// Among tells the registry which other offices its boss may act on. It is called
// before the registry's first use.
func (r *Registry) Among(others Branches) { r.others = others }

// New makes a registry of the built-in tools and any further ones. Two tools
// of one name are an error of the program.
func New(more ...Tool) (*Registry, error) {
	r := &Registry{byName: map[string]int{}}
	for _, t := range slices.Concat(officeTools(), leadersTools(), bossTools(), fileTools(), []Tool{sendFileTool()}, more) {
		if _, twice := r.byName[t.Name]; twice {
			return nil, fmt.Errorf("two tools are called %s", t.Name)
		}
		switch t.Name { // those that look at all the others
		case "office_colleagues":
			t.Verb = plainVerb(office.ColleaguesCall{Tools: r.count})
		case "office_roster":
			t.Verb = plainVerb(office.RosterCall{Tools: r.count})
		}
		r.byName[t.Name] = len(r.tools)
		r.tools = append(r.tools, t)
	}
	return r, nil
}

// For lists the contracts of the tools that a colleague holds.
func (r *Registry) For(c *office.Colleague) []model.Tool {
	var held []model.Tool
	for _, t := range r.tools {
		if !holds(c, t) {
			continue
		}
		if c.Role == office.Boss && r.others != nil && takesOffice(t) {
			t.Schema = withOffice(t.Schema)
		}
		held = append(held, t.Tool)
	}
	return held
}

func holds(c *office.Colleague, t Tool) bool { return c.Holds(t.Name, t.need()) }

// need is what the tool asks of its caller. The office's own calls change
// nothing outside of it, whatever they do inside.
func (t Tool) need() office.Need {
	return office.Need{Leader: t.Leader, Boss: t.BossOnly || bossHolds[t.Name], BossOnly: t.BossOnly, Asks: t.Asks, Effect: t.Class == office.EffectCall}
}

// count is how many tools a colleague holds.
func (r *Registry) count(c *office.Colleague) int { return len(r.For(c)) }

// Prepare looks at a call without running it: what may be done about it after
// a crash, what it asks of the office, or why it cannot be run at all.
func (r *Registry) Prepare(c *office.Colleague, call office.ToolCall) office.PreparedCall {
	p := office.PreparedCall{ToolCall: call, Class: office.OfficeCall}
	i, known := r.byName[call.Name]
	switch {
	case !known:
		p.Refused = fmt.Sprintf("there is no tool %q; you have %s", call.Name, strings.Join(r.namesFor(c), ", "))
	case !holds(c, r.tools[i]):
		p.Refused = fmt.Sprintf("you do not hold the tool %s; you have %s", call.Name, strings.Join(r.namesFor(c), ", "))
	case call.Broken != "":
		p.Refused = fmt.Sprintf("%s was not run: its arguments are not a JSON object (%s); call it again", call.Name, call.Broken)
	case r.tools[i].Verb != nil:
		verb, err := r.tools[i].Verb(call.Args)
		if err != nil {
			p.Refused = fmt.Sprintf("%s was not run: %v", call.Name, err)
			break
		}
		p.Verb, p.Need = verb, r.tools[i].need()
	default:
		p.Class, p.Need = r.tools[i].Class, r.tools[i].need()
	}
	return p
}

func (r *Registry) namesFor(c *office.Colleague) []string {
	var names []string
	for _, t := range r.For(c) {
		names = append(names, t.Name)
	}
	return names
}

// Run executes a prepared call that is neither the office's own nor refused.
// A tool that panics fails alone.
func (r *Registry) Run(ctx context.Context, env Env, call office.PreparedCall) (res office.Result) {
	defer func() {
		if p := recover(); p != nil {
			res = office.Result{Failed: true, Text: fmt.Sprintf("%s failed by an error of its own: %v\n%s", call.Name, p, firstLines(debug.Stack(), 12))}
		}
	}()
	fault.Point("tool.before")
	var structure json.RawMessage
	env.registry, env.Structure = r, func(v json.RawMessage) { structure = v }
	t := r.tools[r.byName[call.Name]]
	run := t.Run
	if env.Colleague.Role == office.Boss && takesOffice(t) {
		run = func(ctx context.Context, env Env, args json.RawMessage) (string, error) {
			return r.runAimed(ctx, env, t, args)
		}
	}
	text, err := run(ctx, env, call.Args)
	fault.Point("tool.after")
	if err != nil {
		return office.Result{Failed: true, Text: fmt.Sprintf("%s failed: %v", call.Name, err)}
	}
	return office.Result{Text: text, Structure: structure}
}

// alive tells whoever asks of a sign of life.
func (env Env) alive() {
	if env.Alive != nil {
		env.Alive()
	}
}

// show passes on what a result says for programs.
func (env Env) show(res office.Result) {
	if env.Structure != nil && !res.Failed {
		env.Structure(res.Structure)
	}
}

// firstLines keeps a stack readable for a model: where it failed, not all of it.
func firstLines(stack []byte, n int) []byte {
	lines := bytes.SplitAfterN(stack, []byte("\n"), n+1)
	if len(lines) > n {
		lines = lines[:n]
	}
	return bytes.Join(lines, nil)
}

// decode reads the arguments of a call into v, naming what does not fit.
func decode(args json.RawMessage, v any) error {
	d := json.NewDecoder(bytes.NewReader(args))
	d.DisallowUnknownFields()
	err := d.Decode(v)
	var wrong *json.UnmarshalTypeError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &wrong) && wrong.Field == "":
		return fmt.Errorf("its arguments have to be a JSON object, not a %s", wrong.Value)
	case errors.As(err, &wrong):
		return fmt.Errorf("%s has to be a %s, not a %s", wrong.Field, plainType(wrong.Type), wrong.Value)
	default:
		return fmt.Errorf("its arguments do not fit: %s", strings.TrimPrefix(err.Error(), "json: "))
	}
}

func plainType(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return "text"
	case reflect.Slice:
		return "list"
	case reflect.Bool:
		return "true or false"
	default:
		return "number"
	}
}
