package redis

import (
	"context"
	_ "embed"
	"strings"

	driver "github.com/redis/go-redis/v9"
)

//go:embed lua/commit.lua
var commitText string

//go:embed lua/acquire.lua
var acquireText string

//go:embed lua/renew.lua
var renewText string

//go:embed lua/release.lua
var releaseText string

//go:embed lua/settle.lua
var settleText string

// The scripts. All but commit may run twice without harm, so the client may
// send them again by itself.
var (
	commitScript  = driver.NewScript(commitText)
	acquireScript = driver.NewScript(acquireText)
	renewScript   = driver.NewScript(renewText)
	releaseScript = driver.NewScript(releaseText)
	settleScript  = driver.NewScript(settleText)
)

// once is a command that the client never sends again by itself.
type once struct{ *driver.Cmd }

// NoRetry tells the client so.
func (once) NoRetry() bool { return true }

// runOnce runs a script that must not be repeated behind our back: by its hash,
// and whole if the server has forgotten it, which it says before it runs anything.
func (s *Store) runOnce(ctx context.Context, script *driver.Script, text string, keys []string, args []any) (string, error) {
	reply, err := s.send(ctx, "EVALSHA", script.Hash(), keys, args)
	if driver.HasErrorPrefix(err, "NOSCRIPT") {
		reply, err = s.send(ctx, "EVAL", text, keys, args)
	}
	return reply, err
}

func (s *Store) send(ctx context.Context, name, script string, keys []string, args []any) (string, error) {
	all := make([]any, 0, 3+len(keys)+len(args))
	all = append(all, name, script, len(keys))
	for _, k := range keys {
		all = append(all, k)
	}
	cmd := once{driver.NewCmd(ctx, append(all, args...)...)}
	if err := s.client.Process(ctx, cmd); err != nil {
		return "", err
	}
	text, err := cmd.Text()
	return strings.TrimSpace(text), err
}
