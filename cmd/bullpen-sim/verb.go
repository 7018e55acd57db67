package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// verb is something that a person at the prompt P can do beside talking.
type verb[P any] struct {
	name, args, help string
	do               func(p P, args string) (string, error)
}

// usage lists verbs below a line about talking; each begins with prefix and has width columns for the rest.
func usage[P any](intro, prefix string, width int, verbs []verb[P]) string {
	var b strings.Builder
	b.WriteString(intro + "\n")
	for _, v := range verbs {
		fmt.Fprintf(&b, "  %s%-*s %s\n", prefix, width, strings.TrimSpace(v.name+" "+v.args), v.help)
	}
	return b.String()
}

// simVerb carries out what follows "/sim", and helps if that is no verb.
func simVerb[P any](p P, rest string, verbs []verb[P], help func() string) (string, error) {
	name, args, _ := strings.Cut(strings.TrimSpace(rest), " ")
	for _, v := range verbs {
		if v.name == name {
			return v.do(p, strings.TrimSpace(args))
		}
	}
	return help(), nil
}

// misbehave plans the fault that what names, or puts the platform into that state.
func misbehave[F any](what string, faults map[string]F, plan func(F), states map[string]func()) error {
	if f, ok := faults[what]; ok {
		plan(f)
		return nil
	}
	if f, ok := states[what]; ok {
		f()
		return nil
	}
	known := append(slices.Sorted(maps.Keys(faults)), slices.Sorted(maps.Keys(states))...)
	return fmt.Errorf("there is no %q; there are %s", what, strings.Join(known, ", "))
}
