//go:build unix

package config

import (
	"errors"
	"os"
	"syscall"
)

// keepOwner gives a file the owner of another, where this process may: root, who
// edits the file of somebody else.
func keepOwner(f *os.File, of os.FileInfo) error {
	s, ok := of.Sys().(*syscall.Stat_t)
	if !ok || int(s.Uid) == os.Geteuid() && int(s.Gid) == os.Getegid() {
		return nil
	}
	if err := f.Chown(int(s.Uid), int(s.Gid)); err != nil && !errors.Is(err, os.ErrPermission) {
		return err
	}
	return nil
}

// syncDir brings a rename to the disk.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
