package shell

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
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
	path, err := Path(dir)
	if err != nil {
		return a, err
	}
	d := net.Dialer{Timeout: dialTime}
	c, err := d.DialContext(ctx, "unix", path)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ECONNREFUSED):
		return a, ErrNotRunning
	case err != nil:
		return a, fmt.Errorf("the office cannot be reached: %w", err)
	}
	defer c.Close()
	stop := context.AfterFunc(ctx, func() { _ = c.SetDeadline(time.Unix(1, 0)) })
	defer stop()
	if err := json.NewEncoder(c).Encode(r); err != nil {
		return a, fmt.Errorf("the office cannot be asked: %w", err)
	}
	if err := json.NewDecoder(c).Decode(&a); err != nil {
		return a, fmt.Errorf("the office gave no answer, so it may or may not have done it; bullpen status shows how it is: %w", err)
	}
	return a, nil
}
