package office

import (
	"errors"
	"fmt"
	"maps"
	"strings"
)

// envPrefix begins the keys of variables among a colleague's settings.
const envPrefix = "env."

// EnvKey is the key of a variable, for Configure.
func EnvKey(name string) string { return envPrefix + name }

// setEnv is a setup with one variable more, less, or another. What it may be is for
// the declaration to say, which knows what is a secret.
func setEnv(set *ColleagueSetup, key string, v any) error {
	name := strings.TrimPrefix(key, envPrefix)
	if name == "" || strings.ContainsAny(name, ". \t\r\n") {
		return fmt.Errorf("%q is no name of a variable; use letters, digits and _, and no digit first", oneLine(name, nameLimit))
	}
	text, err := textOf(v)
	if err != nil {
		return err
	}
	_, has := set.Env[name]
	if v == nil && !has {
		return errors.New("there is no variable of that name of its own")
	}
	env := maps.Clone(set.Env)
	if env == nil {
		env = map[string]string{}
	}
	if env[name] = text; v == nil {
		delete(env, name)
	}
	if set.Env = env; len(env) == 0 {
		set.Env = nil
	}
	return nil
}
