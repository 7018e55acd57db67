// Package workspace finds the folder of the machine that office.yaml names as a
// colleague's workspace (agents.<name>.cwd), and refuses those in which secrets and
// the work of others lie. Whoever needs such a folder asks here each time: what a
// path leads to may have changed since.
package workspace

import (
	"errors"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"strings"
)

// Office is where an office stands on its machine.
type Office struct {
	Dir  string // the office's folder, absolute
	Home string // that of the account it runs as; empty where nobody knows
}

// At is the office in dir, of this process's account.
func At(dir string) Office {
	home, err := os.UserHomeDir()
	if err != nil {
		if account, err := user.Current(); err == nil {
			home = account.HomeDir
		}
	}
	return Office{Dir: dir, Home: home}
}

// Refusal is why a folder cannot be a workspace.
type Refusal struct {
	Why  string // what follows the folder's name: does not exist
	Mend string
}

// Error is the reason and the mend, to stand behind what names the folder.
func (r *Refusal) Error() string { return r.Why + "; " + r.Mend }

// another is the mend of what is no mistake of typing.
const another = "name another folder, or leave cwd out for a workspace of its own"

func refused(why string) *Refusal { return &Refusal{why, another} }

// Resolve finds the folder that is written in office.yaml: an absolute path, one
// below the home folder (~/…), or one relative to the office's folder. What it
// returns is absolute and without symbolic links. The error is a *Refusal.
func (o Office) Resolve(written string) (string, error) {
	path, err := o.expand(written)
	if err != nil {
		return "", err
	}
	dir, err := filepath.EvalSymlinks(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", &Refusal{"does not exist", "make the folder, or leave cwd out for a workspace of its own"}
	case err != nil:
		return "", refused("cannot be looked at (" + cause(err) + ")")
	}
	at, err := chain(dir)
	switch {
	case err != nil:
		return "", refused("cannot be looked at (" + cause(err) + ")")
	case !at[0].IsDir():
		return "", refused("is no folder")
	}
	if why := o.harm(at); why != "" {
		return "", refused(why)
	}
	return dir, nil
}

// expand makes an absolute path of what is written.
func (o Office) expand(written string) (string, error) {
	rest, ofHome := strings.CutPrefix(written, "~")
	switch {
	case strings.TrimSpace(written) == "":
		return "", refused("names no folder")
	case ofHome && rest != "" && rest[0] != '/':
		return "", refused("begins with ~, which stands for your own home folder alone")
	case ofHome && o.Home == "":
		return "", &Refusal{"begins with ~, and nobody knows your home folder", "write the whole path"}
	case ofHome:
		return filepath.Join(o.Home, rest), nil
	case filepath.IsAbs(written):
		return filepath.Clean(written), nil
	default:
		return filepath.Join(o.Dir, written), nil
	}
}

// cause is an error without the path in it, which the caller names.
func cause(err error) string {
	var at *fs.PathError
	if errors.As(err, &at) {
		err = at.Err
	}
	return err.Error()
}
