package console

import (
	"io"
	"os"
)

// input is a reader whose Read ends when it is stopped, where the system can do
// that.
type input interface {
	io.Reader
	// stoppable says whether stop ends a Read that waits.
	stoppable() bool
	// stop ends this and every later Read with io.EOF. The file stays open.
	stop() error
}

func newInput(r io.Reader) (input, error) {
	if f, ok := r.(*os.File); ok {
		return newFileInput(f)
	}
	return plainInput{r}, nil
}

// plainInput cannot be stopped.
type plainInput struct{ io.Reader }

func (plainInput) stoppable() bool { return false }
func (plainInput) stop() error     { return nil }
