//go:build unix

package console

import (
	"errors"
	"io"
	"os"
	"os/signal"

	"golang.org/x/sys/unix"
)

// fileInput waits for its file and for being stopped at the same time, with
// poll: a deadline would need the file to be non-blocking, which would change
// it for every other process that has it open, the shell among them.
type fileInput struct {
	file     *os.File
	stopping *os.File // its other end is closed to stop
	closed   *os.File
}

func newFileInput(f *os.File) (input, error) {
	stopping, closed, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	return &fileInput{file: f, stopping: stopping, closed: closed}, nil
}

func (in *fileInput) stoppable() bool { return true }

func (in *fileInput) stop() error {
	// The second waits until nobody polls it any more; the first makes that so.
	return errors.Join(in.closed.Close(), in.stopping.Close())
}

// Read returns what the file has, as soon as it has something.
func (in *fileInput) Read(p []byte) (int, error) {
	ready, err := in.wait()
	if err != nil {
		return 0, err
	}
	if !ready {
		return 0, io.EOF
	}
	return in.file.Read(p)
}

// wait says whether the file can be read; otherwise the input was stopped.
func (in *fileInput) wait() (ready bool, err error) {
	outer := withFD(in.file, func(file int32) {
		inner := withFD(in.stopping, func(stopping int32) {
			ready, err = poll(file, stopping)
		})
		err = errors.Join(err, inner)
	})
	if err = errors.Join(err, outer); errors.Is(err, os.ErrClosed) {
		return false, nil
	}
	return ready, err
}

// withFD lends a file's descriptor and keeps the file open meanwhile.
func withFD(f *os.File, use func(fd int32)) error {
	c, err := f.SyscallConn()
	if err != nil {
		return err
	}
	return c.Control(func(fd uintptr) { use(int32(fd)) })
}

func poll(file, stopping int32) (ready bool, err error) {
	for {
		fds := []unix.PollFd{{Fd: stopping, Events: unix.POLLIN}, {Fd: file, Events: unix.POLLIN}}
		_, err := unix.Poll(fds, -1)
		switch {
		case errors.Is(err, unix.EINTR):
		case err != nil:
			return false, os.NewSyscallError("poll", err)
		case fds[0].Revents != 0:
			return false, nil
		case fds[1].Revents != 0:
			return true, nil
		}
	}
}

// notifyResize has c told when the terminal's size changes.
func notifyResize(c chan<- os.Signal) { signal.Notify(c, unix.SIGWINCH) }
