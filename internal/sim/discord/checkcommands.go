package discord

import (
	"regexp"
	"strconv"
	"strings"
)

// commandName is what names of commands and options must match (D: interactions/application-commands,
// application command naming). Go has no script properties in classes of that form; they are spelt out.
var commandName = regexp.MustCompile(`^[-_'\p{L}\p{N}\p{Devanagari}\p{Thai}]{1,32}$`)

// Types of options (D: interactions/application-commands, application command option type).
const (
	optSub     = 1
	optGroup   = 2
	optString  = 3
	optInteger = 4
	optBoolean = 5
	optUser    = 6
	optChannel = 7
	optRole    = 8
	optNumber  = 10
	optFile    = 11
)

// checkCommands checks what replaces all commands: 100 chat inputs, 15 of each other type, no name twice
// (D: interactions/application-commands, registering a command).
func checkCommands(all []object) *refusal {
	count := map[int]int{}
	seen := map[string]bool{}
	for i, o := range all {
		at := strconv.Itoa(i)
		kind, ok := num(o, "type")
		if !ok {
			kind = 1
		}
		key := strconv.Itoa(kind) + str(o, "name")
		if seen[key] {
			return invalid(at+".name", "APPLICATION_COMMANDS_DUPLICATE_NAME", "Application command names must be unique")
		}
		seen[key] = true
		count[kind]++
		if bad := checkCommand(at+".", o); bad != nil {
			return bad
		}
	}
	if count[1] > 100 || count[2] > 15 || count[3] > 15 {
		return &refusal{status: 400, code: 30032, message: "Maximum number of application commands reached (100)"}
	}
	return nil
}

func checkCommand(at string, o object) *refusal {
	kind, ok := num(o, "type")
	if !ok {
		kind = 1
	}
	name, description := str(o, "name"), str(o, "description")
	if kind != 1 {
		switch {
		case chars(name) < 1 || chars(name) > 32:
			return badLength(at+"name", 1, 32)
		case description != "":
			return invalid(at+"description", "APPLICATION_COMMAND_DESCRIPTION_NOT_ALLOWED", "Context menu commands cannot have description")
		}
		return nil
	}
	if bad := checkNamed(at, name, description); bad != nil {
		return bad
	}
	options := objects(o, "options")
	if bad := checkOptions(at, options, 0); bad != nil {
		return bad
	}
	// D: interactions/application-commands: names, descriptions and values of a command have 8000 at most.
	if size(o) > 8000 {
		return invalid(strings.TrimSuffix(at, "."), "APPLICATION_COMMAND_TOO_LARGE", "Command exceeds maximum size (8000)")
	}
	return nil
}

func checkNamed(at, name, description string) *refusal {
	switch {
	case !commandName.MatchString(name) || name != strings.ToLower(name):
		return invalid(at+"name", "STRING_TYPE_REGEX", "String value did not match validation regex.")
	case chars(description) < 1 || chars(description) > 100:
		return badLength(at+"description", 1, 100)
	}
	return nil
}

// checkOptions: depth 0 is a command's own, 1 a group's or subcommand's, 2 a subcommand's in a group.
func checkOptions(at string, all []object, depth int) *refusal {
	if len(all) > 25 {
		return tooLong(at+"options", 25)
	}
	seen := map[string]bool{}
	optional, nested := false, 0
	for i, o := range all {
		where := at + "options." + strconv.Itoa(i) + "."
		kind, _ := num(o, "type")
		name := str(o, "name")
		if bad := checkNamed(where, name, str(o, "description")); bad != nil {
			return bad
		}
		if seen[name] {
			return invalid(where+"name", "APPLICATION_COMMANDS_OPTIONS_NAME_ALREADY_EXISTS", "Option name already exists")
		}
		seen[name] = true
		if kind == optSub || kind == optGroup {
			nested++
		}
		bad := checkOption(where, o, kind, depth)
		if bad != nil {
			return bad
		}
		needed, _ := o["required"].(bool)
		if needed && optional {
			return invalid(where+"required", "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID", "Required options must be placed before non-required options")
		}
		optional = optional || !needed
	}
	if nested > 0 && nested < len(all) { // D: with subcommands the base command is not usable
		return invalid(at+"options", "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", "Sub-command and sub-command group option types are mutually exclusive to all other types")
	}
	return nil
}

func checkOption(at string, o object, kind, depth int) *refusal {
	inner := objects(o, "options")
	switch {
	case kind < 1 || kind > optFile:
		return notOne(at+"type", "(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)")
	case kind == optGroup && depth > 0, kind == optSub && depth > 1:
		return invalid(at+"type", "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", "Sub-commands cannot be nested so deep")
	case kind == optGroup:
		for i, x := range inner {
			if k, _ := num(x, "type"); k != optSub {
				return notOne(at+"options."+strconv.Itoa(i)+".type", "(1,)")
			}
		}
		return checkOptions(at, inner, 1)
	case kind == optSub:
		for i, x := range inner {
			if k, _ := num(x, "type"); k == optSub || k == optGroup {
				return notOne(at+"options."+strconv.Itoa(i)+".type", "(3, 4, 5, 6, 7, 8, 9, 10, 11)")
			}
		}
		return checkOptions(at, inner, 2)
	}
	return checkChoices(at, o, kind)
}

func checkChoices(at string, o object, kind int) *refusal {
	choices := objects(o, "choices")
	complete, _ := o["autocomplete"].(bool)
	typed := kind == optString || kind == optInteger || kind == optNumber
	switch {
	case len(choices) > 25:
		return tooLong(at+"choices", 25)
	case complete && len(choices) > 0:
		return invalid(at+"autocomplete", "APPLICATION_COMMAND_AUTOCOMPLETE_CHOICES_MUTUALLY_EXCLUSIVE", "Autocomplete and choices are mutually exclusive")
	case !typed && (complete || len(choices) > 0):
		return invalid(at+"choices", "APPLICATION_COMMAND_OPTIONS_CHOICES_INVALID", "Choices and autocomplete are only for strings, integers and numbers")
	}
	return checkChoiceList(at+"choices", choices)
}

// checkChoiceList is also for the answer to an autocomplete.
func checkChoiceList(at string, choices []object) *refusal {
	for i, ch := range choices {
		where := at + "." + strconv.Itoa(i)
		if n := chars(str(ch, "name")); n < 1 || n > 100 {
			return badLength(where+".name", 1, 100)
		}
		if v, ok := ch["value"]; !ok || v == nil {
			return required(where + ".value")
		}
		if n := chars(str(ch, "value")); n > 100 {
			return tooLong(where+".value", 100)
		}
	}
	return nil
}

// size sums names, descriptions and values, with all that is nested.
func size(o object) int {
	n := chars(str(o, "name")) + chars(str(o, "description")) + chars(str(o, "value"))
	for _, key := range []string{"options", "choices"} {
		for _, x := range objects(o, key) {
			n += size(x)
		}
	}
	return n
}
