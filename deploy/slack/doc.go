// Package slack holds the manifest of the office's Slack app: its name, its bot,
// its command, and every right and event that the office uses there.
package slack

import (
	_ "embed"
	"strings"
)

// Manifest is manifest.yaml, as Slack takes it under Create New App, From a
// manifest (docs.slack.dev, reference/app-manifest).
//
//go:embed manifest.yaml
var Manifest string

// AgentScope comes with an app that is declared as an agent, which it need not be.
const AgentScope = "assistant:write"

// Scopes are the rights of the bot that the manifest asks for, without AgentScope.
func Scopes() []string {
	_, rest, _ := strings.Cut(Manifest, "\n    bot:\n")
	var all []string
	for line := range strings.Lines(rest) {
		scope, ok := strings.CutPrefix(strings.TrimSpace(line), "- ")
		if !ok {
			break
		}
		if scope != AgentScope {
			all = append(all, scope)
		}
	}
	return all
}
