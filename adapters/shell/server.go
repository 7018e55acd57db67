package shell

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"bullpen/bridge"
	"bullpen/bridge/command"
)

const (
	// requestMost bounds a request in bytes.
	requestMost = 1 << 20
	// requestTime is how long a caller may take to ask and to read the answer,
	// answerTime how long an answer may take.
	requestTime = 10 * time.Second
	answerTime  = 2 * time.Minute
	// callersMost bounds how many are served at once; others wait.
	callersMost = 16
)

// Server is the adapter.
type Server struct {
	dir string
	log *slog.Logger
	// Hide takes secrets out of events; nil: they are told as they are.
	Hide func(string) string

	followers atomic.Int32
}

var _ bridge.Adapter = (*Server)(nil)

// New makes the adapter of the office in a folder. log may be nil.
func New(dir string, log *slog.Logger) *Server {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return &Server{dir: dir, log: log}
}

// Platform is "shell".
func (*Server) Platform() string { return command.Shell }

// Run serves until ctx ends. A caller whose request was read gets its answer.
func (s *Server) Run(ctx context.Context, b *bridge.Bridge) error {
	l, err := s.listen()
	if err != nil {
		return err
	}
	return s.accept(ctx, b, l)
}

func (s *Server) accept(ctx context.Context, b *bridge.Bridge, l *net.UnixListener) error {
	stop := context.AfterFunc(ctx, func() { _ = l.Close() })
	defer stop()
	defer l.Close()
	var serving sync.WaitGroup
	defer serving.Wait()
	room := make(chan struct{}, callersMost)
	for {
		c, err := l.AcceptUnix()
		switch {
		case ctx.Err() != nil:
			if err == nil {
				_ = c.Close()
			}
			return nil
		case err != nil:
			return fmt.Errorf("the command line is no longer served: %w", err)
		}
		room <- struct{}{}
		serving.Go(func() {
			defer func() { <-room }()
			defer c.Close()
			s.serve(ctx, b, c)
		})
	}
}

// listen opens the socket. One that a killed process left is replaced; the
// office's lease has seen to it that no living one has it.
func (s *Server) listen() (*net.UnixListener, error) {
	path, err := Path(s.dir)
	if err != nil {
		return nil, err
	}
	if err := makeFolder(filepath.Dir(path)); err != nil {
		return nil, err
	}
	if info, err := os.Lstat(path); err == nil {
		if info.Mode().Type() != os.ModeSocket {
			return nil, fmt.Errorf("%s is in the way of the office's socket; remove it", path)
		}
		if c, err := net.DialTimeout("unix", path, time.Second); err == nil {
			_ = c.Close()
			return nil, fmt.Errorf("another process serves the command line at %s; stop that one first", path)
		} else if !errors.Is(err, syscall.ECONNREFUSED) {
			return nil, fmt.Errorf("the office's socket is in an odd state: %w", err)
		}
		if err := os.Remove(path); err != nil {
			return nil, fmt.Errorf("the socket that an earlier process left cannot be removed: %w", err)
		}
	}
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		return nil, fmt.Errorf("the command line cannot be served: %w", err)
	}
	if err := os.Chmod(path, 0o600); err != nil {
		return nil, errors.Join(fmt.Errorf("the office's socket cannot be kept to this account: %w", err), l.Close())
	}
	return l, nil
}

// serve answers one caller. A panic ends its request alone.
func (s *Server) serve(ctx context.Context, b *bridge.Bridge, c *net.UnixConn) {
	if !ours(c) {
		s.log.Warn("another account asked for the command line and was refused")
		s.write(c, Answer{Error: "this office belongs to another account", Kind: Refused})
		return
	}
	_ = c.SetReadDeadline(time.Now().Add(requestTime))
	var r Request
	if err := json.NewDecoder(bufio.NewReader(io.LimitReader(c, requestMost))).Decode(&r); err != nil {
		s.write(c, Answer{Error: "the request cannot be read: " + err.Error(), Kind: Usage})
		return
	}
	if r.Follow != nil {
		s.follow(ctx, b, c, *r.Follow)
		return
	}
	// What has begun is finished, also when the office closes.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), answerTime)
	defer cancel()
	s.write(c, s.answer(ctx, b, r))
}

func (s *Server) write(c *net.UnixConn, a Answer) {
	_ = c.SetWriteDeadline(time.Now().Add(requestTime))
	if err := json.NewEncoder(c).Encode(a); err != nil {
		s.log.Info("an answer could not be given", "err", err)
	}
}

func (s *Server) answer(ctx context.Context, b *bridge.Bridge, r Request) (a Answer) {
	defer func() {
		if p := recover(); p != nil {
			s.log.Error("a command failed", "panic", p, "stack", string(debug.Stack()))
			a = Answer{Error: "an internal error; the log has the details", Kind: Failed}
		}
	}()
	if r.Complete != nil {
		return complete(ctx, b, *r.Complete)
	}
	ans, err := b.Shell(ctx, r.Words, r.Yes)
	if err != nil {
		return Answer{Error: err.Error(), Kind: kindOf(err)}
	}
	a = Answer{Text: ans.Text, Table: ans.Table, Confirm: ans.Confirm != nil}
	if ans.Data != nil {
		if a.Data, err = json.Marshal(ans.Data); err != nil {
			return Answer{Error: "the answer cannot be written as JSON: " + err.Error(), Kind: Failed}
		}
	}
	return a
}

func complete(ctx context.Context, b *bridge.Bridge, q Complete) Answer {
	cmd, ok := b.Commands().Command(command.Shell, q.Root, q.Name)
	if !ok {
		return Answer{}
	}
	o := bridge.Order{Author: bridge.Author{Account: bridge.ConsoleAccount}, Way: command.ByShell, Command: cmd}
	all, err := b.Choices(ctx, o, q.Arg, q.Prefix)
	if err != nil {
		return Answer{Error: err.Error(), Kind: Failed}
	}
	var a Answer
	for _, c := range all {
		a.Choices = append(a.Choices, c.Value)
	}
	return a
}

// kindOf says what sort of reason an error is.
func kindOf(err error) Kind {
	var refusal *command.Refusal
	var usage *command.Usage
	var missing *command.Missing
	switch {
	case errors.As(err, &refusal):
		return Refused
	case errors.As(err, &usage), errors.As(err, &missing):
		return Usage
	default:
		return Failed
	}
}
