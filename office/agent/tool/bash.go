package tool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"bullpen/office"
	"bullpen/office/model"
)

// Shell runs scripts in a colleague's workspace and keeps them to it.
type Shell interface {
	// Run runs a script to its end, at most for the given time (0: the shell's
	// own limit). A script that fails is no error; the text says so. alive is
	// called for output as it comes, by one goroutine at a time.
	Run(ctx context.Context, script string, limit time.Duration, alive func()) (text string, failed bool, err error)
}

// Bash is the tool for a colleague's shell. It is registered only where a
// shell can be had that keeps to the workspace.
func Bash() Tool {
	return Tool{
		Tool: model.Tool{
			Name:        "bash",
			Description: "Run a script with bash in your workspace. It reaches nothing outside of it and no network. Long output is cut in the middle and kept whole in a file.",
			Schema: json.RawMessage(`{"type":"object","additionalProperties":false,"required":["command"],"properties":{` +
				`"command":{"type":"string","description":"The script."},` +
				`"timeout":{"type":"integer","description":"Seconds after which it is ended; 120 unless given."}}}`),
		},
		Class: office.EffectCall, Run: bash,
	}
}

func bash(ctx context.Context, env Env, args json.RawMessage) (string, error) {
	var a struct {
		Command string `json:"command"`
		Timeout int    `json:"timeout"`
	}
	if err := decode(args, &a); err != nil {
		return "", err
	}
	switch {
	case a.Command == "":
		return "", errors.New("command is missing; give a script")
	case a.Timeout < 0:
		return "", fmt.Errorf("timeout is %d; it is a number of seconds", a.Timeout)
	case env.Shell == nil:
		return "", errors.New("this office has no shell")
	}
	sh, err := env.Shell(ctx)
	if err != nil {
		return "", err
	}
	text, failed, err := sh.Run(ctx, a.Command, time.Duration(a.Timeout)*time.Second, env.alive)
	if err != nil {
		return "", err
	}
	if failed {
		return "", errors.New(text)
	}
	return text, nil
}
