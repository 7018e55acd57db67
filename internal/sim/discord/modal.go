package discord

import (
	"fmt"
	"slices"
	"strconv"
)

// checkModal: a title of 1 to 45, 1 to 5 parts that are action rows with a text input or labels (D:
// interactions/receiving-and-responding, modal; components/reference).
func checkModal(o object) *refusal {
	if n := chars(str(o, "custom_id")); n < 1 || n > 100 {
		return badLength("data.custom_id", 1, 100)
	}
	if n := chars(str(o, "title")); n < 1 || n > 45 {
		return badLength("data.title", 1, 45)
	}
	parts := objects(o, "components")
	if len(parts) < 1 || len(parts) > maxModalParts {
		return badLength("data.components", 1, maxModalParts)
	}
	for i, p := range parts {
		at := "data.components." + strconv.Itoa(i)
		kind, _ := num(p, "type")
		switch kind {
		case actionRow:
			inner := objects(p, "components")
			if len(inner) != 1 {
				return badLength(at+".components", 1, 1)
			}
			if k, _ := num(inner[0], "type"); k != textInput {
				return notOne(at+".components.0.type", "(4,)")
			}
			if n := chars(str(inner[0], "label")); n < 1 || n > 45 {
				return badLength(at+".components.0.label", 1, 45)
			}
			if bad := checkInput(at+".components.0", inner[0]); bad != nil {
				return bad
			}
		case label:
			inner, ok := p["component"].(object)
			if n := chars(str(p, "label")); n < 1 || n > 45 {
				return badLength(at+".label", 1, 45)
			}
			if !ok {
				return required(at + ".component")
			}
			if bad := checkInput(at+".component", inner); bad != nil {
				return bad
			}
		case textDisplay:
		default:
			return notOne(at+".type", "(1, 10, 18)")
		}
	}
	return checkUnique(parts)
}

// checkInput: a text input's style, its value of at most 4000 and placeholder of at most 100; or a select
// (D: components/reference, text input).
func checkInput(at string, o object) *refusal {
	kind, _ := num(o, "type")
	switch kind {
	case textInput:
	case stringSelect:
		return checkSelect(at, o)
	case userSelect, 6, 7, channelSel:
		return checkID(at, o)
	default:
		return notOne(at+".type", "(3, 4, 5, 6, 7, 8)")
	}
	style, _ := num(o, "style")
	switch {
	case style != 1 && style != 2:
		return notOne(at+".style", "(1, 2)")
	case chars(str(o, "placeholder")) > 100:
		return tooLong(at+".placeholder", 100)
	case chars(str(o, "value")) > 4000:
		return tooLong(at+".value", 4000)
	}
	if n, ok := num(o, "max_length"); ok && (n < 1 || n > 4000) {
		return invalid(at+".max_length", "NUMBER_TYPE_MAX", "int value should be less than or equal to 4000.")
	}
	return checkID(at, o)
}

// Modal is a form that the bot has opened for a person.
type Modal struct {
	CustomID, Title string
	Fields          []Field
}

// Field is one input of a form.
type Field struct {
	CustomID, Label, Value, Placeholder string
	Required                            bool
	Options                             []string // values of a select
	min, max                            int
}

func formOf(i *interaction) *Modal {
	if i.modal == nil {
		return nil
	}
	m := &Modal{CustomID: str(i.modal, "custom_id"), Title: str(i.modal, "title")}
	for _, p := range objects(i.modal, "components") {
		inner, ok := p["component"].(object)
		if all := objects(p, "components"); !ok && len(all) > 0 {
			inner, ok = all[0], true
		}
		if !ok {
			continue
		}
		f := Field{CustomID: str(inner, "custom_id"), Label: str(inner, "label"), Value: str(inner, "value"), Placeholder: str(inner, "placeholder"), Required: true}
		if t := str(p, "label"); t != "" {
			f.Label = t
		}
		if r, ok := inner["required"].(bool); ok {
			f.Required = r
		}
		f.min, _ = num(inner, "min_length")
		f.max = 4000
		if n, ok := num(inner, "max_length"); ok {
			f.max = n
		}
		for _, o := range objects(inner, "options") {
			f.Options = append(f.Options, str(o, "value"))
		}
		m.Fields = append(m.Fields, f)
	}
	return m
}

// Submit fills in the form that answered an interaction and sends it; what values does not name keeps what
// was filled in beforehand. It gives the id of the new interaction.
func (p *Person) Submit(form string, values map[string]string) (string, error) {
	s := p.s
	s.lock()
	defer s.unlock()
	i := s.interactions[form]
	u, err := p.user()
	if err != nil {
		return "", err
	}
	if i == nil || i.modal == nil || i.user != u.ID {
		return "", fmt.Errorf("discord sim: interaction %s opened no form for %s", form, u.Name)
	}
	m := formOf(i)
	filled := map[string]string{}
	for _, f := range m.Fields {
		v, given := values[f.CustomID]
		if !given {
			v = f.Value
		}
		switch n := chars(v); {
		case v == "" && f.Required:
			return "", fmt.Errorf("discord sim: form %q: field %s is required", m.Title, f.CustomID)
		case v != "" && (n < f.min || n > f.max):
			return "", fmt.Errorf("discord sim: form %q: field %s takes %d to %d characters, not %d", m.Title, f.CustomID, f.min, f.max, n)
		case v != "" && f.Options != nil && !slices.Contains(f.Options, v):
			return "", fmt.Errorf("discord sim: form %q: field %s has no option %q", m.Title, f.CustomID, v)
		}
		filled[f.CustomID] = v
	}
	for key := range values {
		if _, ok := filled[key]; !ok {
			return "", fmt.Errorf("discord sim: form %q has no field %s", m.Title, key)
		}
	}
	data := object{"custom_id": m.CustomID, "components": submitted(objects(i.modal, "components"), filled)}
	return s.interact(isModal, u.ID, i.channel, i.message, data).id, nil
}

// submitted are the parts of a form with what was filled in, in the form in which the bot made them.
func submitted(parts []object, values map[string]string) []object {
	var out []object
	for n, p := range parts {
		value := func(in object) object {
			id := str(in, "custom_id")
			o := object{"type": in["type"], "custom_id": id, "id": n + 100}
			if k, _ := num(in, "type"); k == textInput {
				o["value"] = values[id]
			} else {
				o["values"] = []string{values[id]}
			}
			return o
		}
		o := object{"type": p["type"], "id": n + 1}
		if inner, ok := p["component"].(object); ok {
			o["component"] = value(inner)
		} else if all := objects(p, "components"); len(all) > 0 {
			o["components"] = []object{value(all[0])}
		}
		out = append(out, o)
	}
	return out
}
