package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"bullpen/bridge/command"
	"bullpen/config"
	"bullpen/office"
	"bullpen/office/agent"
	"bullpen/office/agent/prompt"
	"bullpen/office/agent/tool/file"
)

// premises are what commands can be told of this process.
func premises(cfg *config.Config, r *agent.Runner, known *knownModels, o *office.Office) command.Premises {
	return command.Premises{
		Dir: cfg.Dir, Log: filepath.Join(cfg.Dir, "logs", logName),
		Validate: func(context.Context) (string, error) {
			var notices strings.Builder
			text, err := validate(cfg.Dir, &notices)
			return notices.String() + text, err
		},
		Prompt: func(ctx context.Context, c *office.Colleague) (command.Prompt, error) {
			p, err := prompts(ctx, o, c)
			out := command.Prompt{Version: prompt.Version, Hash: p.Hash(), Text: p.Text}
			for _, l := range p.Layers {
				out.Layers = append(out.Layers, command.PromptLayer(l))
			}
			return out, err
		},
		Tools: func(c *office.Colleague) []string {
			var names []string
			for _, t := range r.Tools.For(c) {
				names = append(names, t.Name)
			}
			return names
		},
		Models:    known.list,
		Workspace: func(c *office.Colleague) (*os.Root, error) { return r.Workspace(c) },
		OpenFile:  file.OpenRegular,
	}
}
