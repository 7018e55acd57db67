package shell

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"syscall"
	"time"
)

// ErrNotRunning means that nobody serves the office's command line.
var ErrNotRunning = errors.New("the office is not running here")

// dialTime is how long a caller waits to be let in.
const dialTime = 5 * time.Second

// Ask asks the running office in a folder. The error is ErrNotRunning if it does
// not run; what the office says against the request is in the answer.
func Ask(ctx context.Context, dir string, r Request) (Answer, error) {
	var a Answer
	lines, hangUp, err := request(ctx, dir, r)
	if err != nil {
		return a, err
	}
	defer hangUp()
	if err := lines.Decode(&a); err != nil {
		return a, fmt.Errorf("the office gave no answer, so it may or may not have done it; bullpen status shows how it is: %w", err)
	}
	return a, nil
}

// Watch follows the events of the running office in a folder and calls tell with
// each, as it came over the wire, until ctx ends, the office closes or tell fails.
// The error is ErrNotRunning if the office does not run, nil when it closed; what
// the office says against the request is in the answer.
func Watch(ctx context.Context, dir string, f Follow, tell func(line json.RawMessage) error) (Answer, error) {
	var a Answer
	lines, hangUp, err := request(ctx, dir, Request{Follow: &f})
	if err != nil {
		return a, err
	}
	defer hangUp()
	if err := lines.Decode(&a); err != nil {
		return a, fmt.Errorf("the office gave no answer: %w", err)
	}
	for a.Error == "" {
		var line json.RawMessage
		switch err := lines.Decode(&line); {
		case ctx.Err() != nil:
			return a, ctx.Err()
		case errors.Is(err, io.EOF):
			return a, nil
		case err != nil:
			return a, fmt.Errorf("the events broke off: %w", err)
		}
		if err := tell(line); err != nil {
			return a, err
		}
	}
	return a, nil
}

// request sends a request to the office in a folder. What it says is read from
// lines until hangUp, or until ctx ends.
func request(ctx context.Context, dir string, r Request) (lines *json.Decoder, hangUp func(), err error) {
	path, err := Path(dir)
	if err != nil {
		return nil, nil, err
	}
	d := net.Dialer{Timeout: dialTime}
	c, err := d.DialContext(ctx, "unix", path)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ECONNREFUSED):
		return nil, nil, ErrNotRunning
	case err != nil:
		return nil, nil, fmt.Errorf("the office cannot be reached: %w", err)
	}
	stop := context.AfterFunc(ctx, func() { _ = c.SetDeadline(time.Unix(1, 0)) })
	if err := json.NewEncoder(c).Encode(r); err != nil {
		stop()
		return nil, nil, errors.Join(fmt.Errorf("the office cannot be asked: %w", err), c.Close())
	}
	return json.NewDecoder(c), func() { stop(); _ = c.Close() }, nil
}
