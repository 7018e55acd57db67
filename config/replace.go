package config

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// replaceFile puts another text in the place of a file, whole or not at all: it
// is written beside it, brought to the disk, and renamed. The file's mode and
// owner stay.
func replaceFile(path string, text []byte) (err error) {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	dir := filepath.Dir(path)
	f, err := os.CreateTemp(dir, "."+filepath.Base(path)+".new-*")
	if err != nil {
		return sayFull(err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(sayFull(err), os.Remove(f.Name()))
		}
	}()
	_, err = f.Write(text)
	if err = errors.Join(err, f.Chmod(info.Mode().Perm()), keepOwner(f, info), f.Sync(), f.Close()); err != nil {
		return err
	}
	if err := os.Rename(f.Name(), path); err != nil {
		return err
	}
	return syncDir(dir)
}

// sayFull names the one failure that has a mend of its own.
func sayFull(err error) error {
	if errors.Is(err, syscall.ENOSPC) {
		return fmt.Errorf("the disk is full; make room on it and try again: %w", syscall.ENOSPC)
	}
	return err
}
