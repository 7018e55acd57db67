package shell

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
)

// pathMost is the longest path of a unix socket that every system takes, without
// its closing zero (Linux 108, macOS 104).
const pathMost = 103

// Path is where the socket of the office in a folder lies: in the runtime folder
// of this account, under a name made of the office's folder, so that it is short
// however long that is.
func Path(dir string) (string, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", fmt.Errorf("the office's folder cannot be found: %w", err)
	}
	if real, err := filepath.EvalSymlinks(abs); err == nil {
		abs = real
	}
	sum := sha256.Sum256([]byte(abs))
	name := hex.EncodeToString(sum[:10]) + ".sock"
	if run := os.Getenv("XDG_RUNTIME_DIR"); filepath.IsAbs(run) {
		if path := filepath.Join(run, "bullpen", name); len(path) <= pathMost {
			return path, nil
		}
	}
	return filepath.Join("/tmp", "bullpen-"+strconv.Itoa(os.Getuid()), name), nil
}

// makeFolder makes the runtime folder, and refuses one that others could have
// put there or can write to.
func makeFolder(dir string) error {
	if err := os.Mkdir(dir, 0o700); err != nil && !os.IsExist(err) {
		return fmt.Errorf("the folder for sockets cannot be made: %w", err)
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return fmt.Errorf("the folder for sockets cannot be looked at: %w", err)
	}
	owner, ok := info.Sys().(*syscall.Stat_t)
	if !info.IsDir() || info.Mode().Perm()&0o077 != 0 || ok && int(owner.Uid) != os.Getuid() {
		return fmt.Errorf("%s is not a folder of this account alone (it has to be yours, with mode 0700), so the command line is not served there; remove it", dir)
	}
	return nil
}
