//go:build unix && !solaris && !netbsd

package main

import "syscall"

// room is how many bytes this user may still write where a folder is.
func room(dir string) (free uint64, ok bool) {
	var s syscall.Statfs_t
	if err := syscall.Statfs(dir, &s); err != nil {
		return 0, false
	}
	return uint64(s.Bavail) * uint64(s.Bsize), true //nolint:unconvert // their types differ between systems
}
