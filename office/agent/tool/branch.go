package tool

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"bullpen/office"
	"bullpen/office/wake"
)

// Branches are the offices that this process runs, for a boss that acts on
// several: those whose boss works for the same people. It may be called
// concurrently; nil: there is only the one.
type Branches func(ctx context.Context) ([]*office.Office, error)

// branch is an office that a boss may act on.
type branch struct {
	office.Card
	office *office.Office
}

// branches are the offices that the boss of own may act on, itself first.
func (r *Registry) branches(ctx context.Context, own *office.Office) ([]branch, error) {
	home, err := own.Card(ctx)
	if err != nil {
		return nil, err
	}
	all := []branch{{home, own}}
	if r.others == nil {
		return all, nil
	}
	others, err := r.others(ctx)
	if err != nil {
		return nil, err
	}
	for _, o := range others {
		card, err := o.Card(ctx)
		if o == own || errors.Is(err, office.ErrClosed) || len(card.Boss) == 0 || !samePeople(card.Boss, home.Boss) {
			continue
		}
		if err != nil {
			return nil, err
		}
		all = append(all, branch{card, o})
	}
	slices.SortFunc(all[1:], func(a, b branch) int { return strings.Compare(a.ID, b.ID) })
	return all, nil
}

func samePeople(a, b []office.PersonID) bool {
	in := func(all []office.PersonID) func(office.PersonID) bool {
		return func(id office.PersonID) bool { return !slices.Contains(all, id) }
	}
	return !slices.ContainsFunc(a, in(b)) && !slices.ContainsFunc(b, in(a))
}

// listed names offices for a refusal.
func listed(all []branch) string {
	names := make([]string, 0, len(all))
	for _, b := range all {
		names = append(names, fmt.Sprintf("%q (%s)", b.Name, b.ID))
	}
	return strings.Join(names, ", ")
}

// choose finds the office that a call means: by its name first, then by its id.
// Where there is one alone it need not be named.
func choose(all []branch, name string) (branch, error) {
	if name == "" {
		if len(all) == 1 {
			return all[0], nil
		}
		return branch{}, fmt.Errorf("office is missing, and there are several; name one of %s", listed(all))
	}
	for _, key := range []func(branch) string{func(b branch) string { return b.Name }, func(b branch) string { return b.ID }} {
		var found []branch
		for _, b := range all {
			if wake.Fold(key(b)) == wake.Fold(strings.TrimSpace(name)) {
				found = append(found, b)
			}
		}
		switch len(found) {
		case 0:
		case 1:
			return found[0], nil
		default:
			return branch{}, fmt.Errorf("several offices are called %q; name one by its id: %s", name, listed(found))
		}
	}
	return branch{}, fmt.Errorf("you may act on no office %q; there are %s", name, listed(all))
}

// officeKey is the argument by which a boss names an office.
const officeKey = "office"

// takesOffice says whether a tool acts on an office that can be named.
func takesOffice(t Tool) bool {
	return strings.HasPrefix(t.Name, "office_") && t.Name != "office_list"
}

// withOffice is a tool's schema with the argument that names the office.
func withOffice(schema json.RawMessage) json.RawMessage {
	const property = `"properties":{`
	added := property + `"` + officeKey + `":{"type":"string","description":"Which office, by its name or its id; needed when office_list shows several."}`
	at := bytes.Index(schema, []byte(property))
	if at < 0 {
		return schema
	}
	rest := schema[at+len(property):]
	if !bytes.HasPrefix(bytes.TrimSpace(rest), []byte("}")) {
		added += ","
	}
	return slices.Concat(schema[:at], []byte(added), rest)
}

// splitOffice takes the name of an office out of a call's arguments.
func splitOffice(args json.RawMessage) (name string, rest json.RawMessage, err error) {
	var all map[string]json.RawMessage
	if json.Unmarshal(args, &all) != nil || all[officeKey] == nil {
		return "", args, nil // what else is wrong with them the tool says
	}
	if err := json.Unmarshal(all[officeKey], &name); err != nil {
		return "", args, errors.New("office has to be text")
	}
	delete(all, officeKey)
	rest, err = json.Marshal(all)
	return name, rest, err
}

func listOffices(ctx context.Context, env Env, args json.RawMessage) (string, error) {
	if err := decode(args, &struct{}{}); err != nil {
		return "", err
	}
	all, err := env.registry.branches(ctx, env.Office)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for i, o := range all {
		fmt.Fprintf(&b, "- %s (id %s): %d colleagues, %d working", o.Name, o.ID, o.Colleagues, o.Running)
		if o.Paused {
			b.WriteString(", paused")
		}
		if i == 0 {
			b.WriteString("; you are talked to here")
		}
		b.WriteByte('\n')
	}
	return strings.TrimSuffix(b.String(), "\n"), nil
}

// PrepareIn is Prepare in the office in which a turn runs. A boss's call may be
// for another one: its own calls are decided with the answer, those elsewhere are
// carried out there, once, by their key.
func (r *Registry) PrepareIn(ctx context.Context, env Env, call office.ToolCall) office.PreparedCall {
	i, known := r.byName[call.Name]
	if env.Colleague.Role != office.Boss || !known || !takesOffice(r.tools[i]) || call.Broken != "" {
		return r.Prepare(&env.Colleague, call)
	}
	to, args, err := r.aim(ctx, env, call.Args)
	here := call
	here.Args = args
	p := r.Prepare(&env.Colleague, here)
	p.ToolCall = call
	switch {
	case p.Refused != "":
	case err != nil:
		p.Refused = fmt.Sprintf("%s was not run: %v", call.Name, err)
	case to.office != env.Office:
		p.Verb = nil
	}
	return p
}

// aim finds the office that a boss's call is for, and the rest of its arguments.
func (r *Registry) aim(ctx context.Context, env Env, args json.RawMessage) (branch, json.RawMessage, error) {
	name, rest, err := splitOffice(args)
	if err != nil {
		return branch{}, args, err
	}
	all, err := r.branches(ctx, env.Office)
	if err != nil {
		return branch{}, rest, err
	}
	to, err := choose(all, name)
	return to, rest, err
}

// runAimed carries a boss's call out in the office that it names.
func (r *Registry) runAimed(ctx context.Context, env Env, t Tool, args json.RawMessage) (string, error) {
	to, args, err := r.aim(ctx, env, args)
	if err != nil {
		return "", err
	}
	if to.office == env.Office {
		return t.Run(ctx, env, args)
	}
	home, err := env.Office.Card(ctx)
	if err != nil {
		return "", err
	}
	env.branch = home.ID + " " + env.Call
	env.Office, env.Person = to.office, ""
	if t.Verb == nil {
		return t.Run(ctx, env, args)
	}
	verb, err := t.Verb(args)
	if err != nil {
		return "", err
	}
	res, err := to.office.Branch(ctx, env.branch, verb)
	if err == nil && res.Failed {
		err = errors.New(res.Text)
	}
	env.show(res)
	return res.Text, err
}
