//go:build !linux

package shell

import "net"

// ours trusts the mode of the folder that the socket lies in.
func ours(*net.UnixConn) bool { return true }
