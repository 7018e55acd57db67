package main

import (
	"context"
	"fmt"
	"os/exec"
	"sync"
	"time"

	"bullpen/config"
	"bullpen/office"
	"bullpen/office/agent/tool"
	"bullpen/sandbox"
	"bullpen/sandbox/local"
)

// shells gives each colleague a shell that keeps to its workspace.
type shells struct {
	confine bool
	env     func(colleague string) map[string]string
	mu      sync.Mutex
	made    map[string]*local.Local // by workspace
}

// newShells says whether this machine can have shells at all, and why not. What
// bubblewrap really does is tried when the first script runs. What scripts find in
// their environment is asked of the newest configuration when each of them starts.
func newShells(cfg *config.Config, newest func() *config.Config) (s *shells, sentence string) {
	s = &shells{confine: cfg.Sandbox.Confine, made: map[string]*local.Local{}}
	s.env = func(colleague string) map[string]string { return newest().Environment(colleague) }
	if !s.confine {
		return s, "shell: not confined, as office.yaml says (sandbox.confine: off); scripts of colleagues can do whatever the office's account can"
	}
	if _, err := exec.LookPath("bwrap"); err != nil {
		return nil, "shell: off, because bubblewrap is not installed (apt-get install bubblewrap)"
	}
	return s, "shell: confined to each colleague's workspace by bubblewrap"
}

// shell is agent.Runner's Shell.
func (s *shells) shell(ctx context.Context, c *office.Colleague, workspace string) (tool.Shell, error) {
	s.mu.Lock()
	l := s.made[workspace]
	s.mu.Unlock()
	if l == nil {
		var err error
		if l, err = local.New(ctx, local.Options{Workspace: workspace, Unconfined: !s.confine}); err != nil {
			return nil, err
		}
		s.mu.Lock()
		s.made[workspace] = l
		s.mu.Unlock()
	}
	return script{l, s.env(c.Name)}, nil
}

// script is a sandbox in the words of the bash tool, with a colleague's variables.
type script struct {
	sandbox.Sandbox
	env map[string]string
}

func (s script) Run(ctx context.Context, text string, limit time.Duration, alive func()) (string, bool, error) {
	res, err := s.Sandbox.Run(ctx, sandbox.Command{Shell: text, Env: s.env, Timeout: limit, Watch: func([]byte) { alive() }})
	if err != nil {
		return "", false, err
	}
	out := res.Output
	if res.FullOutput != "" {
		out += fmt.Sprintf("\n[All of the output is in %s.]", res.FullOutput)
	}
	switch {
	case res.TimedOut:
		return out + "\n[It was ended because its time was up.]", true, nil
	case res.Exit != 0:
		return fmt.Sprintf("%s\n[exit status %d]", out, res.Exit), true, nil
	case out == "":
		return "[no output]", false, nil
	}
	return out, false, nil
}
