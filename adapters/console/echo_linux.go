package console

import "golang.org/x/sys/unix"

// hush keeps a terminal from showing what is typed until back is called. It is
// called before a secret is asked for, so that not even who types at once sees it.
func hush(fd int) (back func()) {
	was, err := unix.IoctlGetTermios(fd, unix.TCGETS)
	if err != nil {
		return func() {}
	}
	quiet := *was
	quiet.Lflag &^= unix.ECHO
	if err := unix.IoctlSetTermios(fd, unix.TCSETS, &quiet); err != nil {
		return func() {}
	}
	return func() { _ = unix.IoctlSetTermios(fd, unix.TCSETS, was) }
}
