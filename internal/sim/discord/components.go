package discord

import (
	"slices"
	"strconv"
)

// Types of components (D: components/reference, component types).
const (
	actionRow    = 1
	button       = 2
	stringSelect = 3
	textInput    = 4
	userSelect   = 5
	channelSel   = 8
	section      = 9
	textDisplay  = 10
	container    = 17
	label        = 18
)

// checkComponents applies the rules of components in messages. Without the flag only action rows are
// allowed, at most 5 (D: components/reference, legacy message component behavior); with it at most 40
// components in all.
func checkComponents(all []object, v2 bool) *refusal {
	if !v2 && len(all) > 5 {
		return badLength("components", 1, 5)
	}
	total := 0
	for i, c := range all {
		at := "components." + strconv.Itoa(i)
		kind, _ := num(c, "type")
		if !v2 && kind != actionRow {
			return notOne(at+".type", "(1,)")
		}
		if v2 && (kind == button || kind >= stringSelect && kind <= channelSel) {
			return notOne(at+".type", "(1, 9, 10, 12, 13, 14, 17)")
		}
		if bad := checkComponent(at, c, &total); bad != nil {
			return bad
		}
	}
	if total > 40 {
		return badLength("components", 1, 40)
	}
	return nil
}

func checkComponent(at string, c object, total *int) *refusal {
	*total++
	kind, _ := num(c, "type")
	children := objects(c, "components")
	switch kind {
	case actionRow:
		if bad := checkRow(at, children); bad != nil {
			return bad
		}
	case button:
		return checkButton(at, c)
	case stringSelect:
		return checkSelect(at, c)
	case userSelect, 6, 7, channelSel:
		return checkID(at, c)
	case textInput:
		return notOne(at+".type", "(2, 3, 5, 6, 7, 8)") // only in modals
	case section:
		if len(children) < 1 || len(children) > 3 {
			return badLength(at+".components", 1, 3)
		}
		acc, ok := c["accessory"].(object)
		if !ok {
			return required(at + ".accessory")
		}
		if bad := checkComponent(at+".accessory", acc, total); bad != nil {
			return bad
		}
	case textDisplay:
		if n := chars(str(c, "content")); n < 1 || n > 4000 {
			return badLength(at+".content", 1, 4000)
		}
	case 11, 12, 13, 14, container: // thumbnail, gallery, file, separator
	default:
		return notOne(at+".type", "(1, 2, 3, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 17)")
	}
	for i, child := range children {
		if bad := checkComponent(at+".components."+strconv.Itoa(i), child, total); bad != nil {
			return bad
		}
	}
	return nil
}

// checkRow: up to five buttons or one select (D: components/reference, action row).
func checkRow(at string, children []object) *refusal {
	if len(children) < 1 || len(children) > 5 {
		return badLength(at+".components", 1, 5)
	}
	for i, c := range children {
		if kind, _ := num(c, "type"); kind != button && len(children) > 1 {
			return invalid(at+".components."+strconv.Itoa(i), "COMPONENT_LAYOUT_WIDTH_EXCEEDED", "The specified component exceeds the maximum width")
		}
	}
	return nil
}

// checkButton: custom_id for styles 1 to 4, url for 5, a label of at most 80 (D: components/reference,
// button).
func checkButton(at string, c object) *refusal {
	style, _ := num(c, "style")
	emoji, _ := c["emoji"].(object)
	switch {
	case style < 1 || style > 6:
		return notOne(at+".style", "(1, 2, 3, 4, 5, 6)")
	case chars(str(c, "label")) > 80:
		return tooLong(at+".label", 80)
	case style == 5:
		if n := chars(str(c, "url")); n < 1 || n > 512 {
			return badLength(at+".url", 1, 512)
		}
		if str(c, "custom_id") != "" {
			return invalid(at, "BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE", "A custom id and url cannot both be specified")
		}
		return nil
	case style != 6 && str(c, "label") == "" && emoji == nil:
		return required(at + ".label")
	}
	return checkID(at, c)
}

func checkID(at string, c object) *refusal {
	if n := chars(str(c, "custom_id")); n < 1 || n > 100 {
		return badLength(at+".custom_id", 1, 100)
	}
	if chars(str(c, "placeholder")) > 150 {
		return tooLong(at+".placeholder", 150)
	}
	return nil
}

func checkSelect(at string, c object) *refusal {
	if bad := checkID(at, c); bad != nil {
		return bad
	}
	options := objects(c, "options")
	if len(options) < 1 || len(options) > 25 {
		return badLength(at+".options", 1, 25)
	}
	for i, o := range options {
		where := at + ".options." + strconv.Itoa(i)
		for _, key := range []string{"label", "value"} {
			if n := chars(str(o, key)); n < 1 || n > 100 {
				return badLength(where+"."+key, 1, 100)
			}
		}
		if chars(str(o, "description")) > 100 {
			return tooLong(where+".description", 100)
		}
	}
	return nil
}

// checkUnique: no custom_id twice in a message (D: components/reference, custom id).
func checkUnique(all []object) *refusal {
	var seen []string
	for _, c := range flatten(all) {
		id := str(c, "custom_id")
		if id == "" {
			continue
		}
		if slices.Contains(seen, id) {
			return invalid("components", "COMPONENT_CUSTOM_ID_DUPLICATED", "Component custom id cannot be duplicated")
		}
		seen = append(seen, id)
	}
	return nil
}

// flatten lists components with what is within them, in reading order.
func flatten(all []object) []object {
	var out []object
	for _, c := range all {
		out = append(out, c)
		out = append(out, flatten(objects(c, "components"))...)
		for _, key := range []string{"accessory", "component"} {
			if inner, ok := c[key].(object); ok {
				out = append(out, flatten([]object{inner})...)
			}
		}
	}
	return out
}
