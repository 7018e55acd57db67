package config

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"bullpen/office/wake"
)

// What variables may be: how many of one block, and the characters of a value.
const (
	envMost      = 100
	envValueMost = 4000
)

// theSandboxs are the variables that a script gets from what confines it.
var theSandboxs = []string{"HOME", "PATH", "PWD", "SHLVL", "USER", "_"}

// envField is the table's row for variables: of the office, and of a colleague.
var envField = field{key: "env", is: aMap, each: &field{is: aText, max: envValueMost}}

// Environment is what the scripts of a colleague find in their environment by
// office.yaml: the office's variables, and over them its own. The caller may
// change the map.
func (c *Config) Environment(colleague string) map[string]string {
	all := map[string]string{}
	maps.Copy(all, c.env[""])
	maps.Copy(all, c.env[wake.Fold(colleague)])
	return all
}

// environment reads variables that colleagues may see, and keeps their values for
// whom they are. What it returns is as it is written, with ${VAR} for what is
// taken from elsewhere; nil if there are none.
func (r *reader) environment(n *node, whose string) map[string]string {
	written, values := map[string]string{}, map[string]string{}
	for _, e := range n.keys() {
		switch v := e.value; {
		case v.bad || v.kind == null:
			continue
		case !variableForm.MatchString(e.key):
			r.problem(e.at, v.path, "this is no name of a variable", "use letters, digits and _, and no digit first")
		case slices.Contains(theSandboxs, e.key):
			r.problem(e.at, v.path, e.key+" is set by what confines scripts", "choose another name")
		case v.variable != "" && r.secrets[v.variable] != "":
			r.wrong(v, fmt.Sprintf("${%s} is the secret of %s, and colleagues see what is here", v.variable, r.secrets[v.variable]), "leave it out")
		case v.variable == "" && looksSecret(v.text):
			r.wrong(v, "this looks like a secret, and colleagues see what is here (it is not shown)", "leave it out")
		case strings.ContainsRune(v.text, 0):
			r.wrong(v, "the value holds a character that no variable can hold", "remove it")
		default:
			if values[e.key], written[e.key] = v.text, v.text; v.variable != "" {
				written[e.key] = "${" + v.variable + "}"
			}
		}
	}
	if len(written) > envMost {
		r.wrong(n, fmt.Sprintf("there are %d variables, and %d are the most", len(written), envMost), "leave some out")
	}
	if len(written) == 0 {
		return nil
	}
	if r.cfg.env == nil {
		r.cfg.env = map[string]map[string]string{}
	}
	r.cfg.env[wake.Fold(whose)] = values
	return written
}
