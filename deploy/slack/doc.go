// Package slack holds the manifest of the office's Slack app: its name, its bot,
// its command, and every right and event that the office uses there.
package slack

import _ "embed"

// Manifest is manifest.yaml, as Slack takes it under Create New App, From a
// manifest (docs.slack.dev, reference/app-manifest).
//
//go:embed manifest.yaml
var Manifest string
