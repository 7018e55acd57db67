package shell

import (
	"net"
	"os"

	"golang.org/x/sys/unix"
)

// ours says whether the process at the other end runs under this account, or is
// the machine's administrator, whom no mode keeps out.
func ours(c *net.UnixConn) bool {
	raw, err := c.SyscallConn()
	if err != nil {
		return false
	}
	var cred *unix.Ucred
	if raw.Control(func(fd uintptr) { cred, err = unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED) }) != nil || err != nil {
		return false
	}
	return allowed(cred.Uid, uint32(os.Getuid()))
}

func allowed(peer, self uint32) bool { return peer == self || peer == 0 }
