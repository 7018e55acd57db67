//go:build !unix

package console

import "os"

// newFileInput reads plainly where there is no poll.
func newFileInput(f *os.File) (input, error) { return plainInput{f}, nil }

// notifyResize does nothing where no signal tells of a new size.
func notifyResize(chan<- os.Signal) {}
