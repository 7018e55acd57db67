//go:build !unix || solaris || netbsd

package main

// room is not known here.
func room(string) (free uint64, ok bool) { return 0, false }
