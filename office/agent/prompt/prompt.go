// Package prompt composes a colleague's system prompt out of layers in a fixed
// order. The same inputs give the same bytes, so that providers' caches hit
// from turn to turn: nothing that changes by itself (the time, who is running)
// belongs here; that is told in frames.
package prompt

import (
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
)

// Version names the base layer's text. It is raised when base.md changes.
const Version = "2"

//go:embed base.md
var base string

// LeadingNotes are the notes on leading: how to dispatch, read states and hand over.
//
//go:embed leading.md
var LeadingNotes string

// Input is what a prompt is composed of.
type Input struct {
	Office      string
	About       string // the office's description
	Name        string
	Role        string
	Description string
	ReportsTo   string
	Reports     []string // who reports to this colleague, in order of declaration
	Workspace   string   // how the workspace is called; never a path of the machine's
	Env         []string // names of the variables in its scripts' environment, sorted
	Custom      string   // prompt_inline
	// Leads says that the colleague is a leader; Notes is where it finds the notes
	// on leading.
	Leads bool
	Notes string
	// BossFor are those for whom it runs the office, if it is the boss.
	BossFor []string
}

// Prompt is a composed prompt.
type Prompt struct {
	Text   string
	Layers []Layer
}

// Layer is one part of a prompt.
type Layer struct {
	Name string
	Text string
}

// Compose puts the layers together: base, office, hierarchy, runtime, identity, custom.
func Compose(in Input) Prompt {
	layers := []Layer{
		{"base", strings.TrimSpace(base)},
		{"office", officeLayer(in)},
		{"hierarchy", hierarchyLayer(in)},
		{"runtime", runtimeLayer(in)},
		{"identity", identityLayer(in)},
		{"custom", strings.TrimSpace(in.Custom)},
	}
	var p Prompt
	var texts []string
	for _, l := range layers {
		if l.Text != "" {
			p.Layers = append(p.Layers, l)
			texts = append(texts, l.Text)
		}
	}
	p.Text = strings.Join(texts, "\n\n") + "\n"
	return p
}

// With adds a layer behind all others; an empty one adds nothing.
func (p Prompt) With(name, text string) Prompt {
	if text == "" {
		return p
	}
	return Prompt{
		Text:   p.Text + "\n" + text + "\n",
		Layers: append(slices.Clone(p.Layers), Layer{name, text}),
	}
}

// Hash is the first 12 hex digits of the text's SHA-256, for logs.
func (p Prompt) Hash() string {
	sum := sha256.Sum256([]byte(p.Text))
	return hex.EncodeToString(sum[:])[:12]
}

func officeLayer(in Input) string {
	s := "## The office\nThis office is called " + in.Office + "."
	if in.About != "" {
		s += " " + in.About
	}
	return s
}

func hierarchyLayer(in Input) string {
	var lines []string
	if in.ReportsTo != "" {
		lines = append(lines, "You report to "+in.ReportsTo+".")
	}
	if len(in.Reports) > 0 {
		lines = append(lines, "These report to you: "+strings.Join(in.Reports, ", ")+".")
	}
	if len(lines) == 0 {
		return ""
	}
	return "## Hierarchy\n" + strings.Join(lines, " ")
}

func runtimeLayer(in Input) string {
	if len(in.Env) == 0 {
		return ""
	}
	return "## Runtime\nYour scripts find these variables in their environment: " + strings.Join(in.Env, ", ") + "."
}

func identityLayer(in Input) string {
	if len(in.BossFor) > 0 {
		return "## You\nYou are the boss of this office and run it for " + strings.Join(in.BossFor, ", ") + ", who alone talk to you, directly. " +
			"You are on no roster: no colleague can write to you and nothing else wakes you. Whom you post to or write to works by itself; look at what came of it with office_read and office_colleagues when you are asked again. " +
			"Before you dismiss somebody or delete a channel, be sure that it was asked for, and report what the result says was dropped. " +
			"Your tools for files work in your own workspace, with relative paths."
	}
	s := fmt.Sprintf("## You\nYour name is %s. Your role is %s.", in.Name, in.Role)
	if in.Description != "" {
		s += " " + in.Description
	}
	s += " Your tools for files work in your workspace, with relative paths."
	if in.Leads && in.Notes != "" {
		s += " Notes on how to lead are there too, in " + in.Notes + "."
	}
	return s
}
