package file

import (
	"crypto/rand"
	"errors"
	"io/fs"
	"os"
	"path"
)

// replace makes the file p hold data, whole or not at all: a file beside it is
// written, synced and renamed over it. Missing folders are made. The mode
// is taken as it is with keep, else under the umask. When replace returns nil,
// the file survives a power loss.
func replace(root *os.Root, p string, data []byte, mode fs.FileMode, keep bool) (err error) {
	dir, name := path.Split(p)
	dir = path.Clean(dir + ".")
	_, statErr := root.Stat(dir)
	made := errors.Is(statErr, fs.ErrNotExist)
	if made {
		if err := root.MkdirAll(dir, 0o755); err != nil {
			return err
		}
	}
	// The folder is held open, so that it cannot become another one meanwhile.
	parent, err := root.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, parent.Close()) }()
	temp := tempPrefix + rand.Text()
	if err := writeTemp(parent, temp, data, mode, keep); err != nil {
		return errors.Join(err, removed(parent, temp))
	}
	if err := parent.Rename(temp, name); err != nil {
		return errors.Join(err, removed(parent, temp))
	}
	if err := syncFolder(parent, "."); err != nil || !made {
		return err
	}
	for dir != "." {
		dir = path.Dir(dir)
		if err := syncFolder(root, dir); err != nil {
			return err
		}
	}
	return nil
}

func writeTemp(parent *os.Root, temp string, data []byte, mode fs.FileMode, keep bool) (err error) {
	f, err := parent.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if _, err := f.Write(data); err != nil {
		return err
	}
	if keep {
		if err := f.Chmod(mode); err != nil {
			return err
		}
	}
	return f.Sync()
}

// removed takes a temporary file away; that it is not there is no error.
func removed(parent *os.Root, temp string) error {
	err := parent.Remove(temp)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// syncFolder makes what was named in a folder durable.
func syncFolder(root *os.Root, dir string) (err error) {
	f, err := root.Open(dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	return f.Sync()
}
