package agent

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"bullpen/office"
	"bullpen/office/workspace"
)

// A colleague's folder is called by its name, which may change and which
// somebody else may have after it left. Whose a folder is stands in it.
const ownerFile = ".colleague"

// homes moves folders, one move at a time. Its lock is held over nothing but
// renames within one file system.
type homes struct{ mu sync.Mutex }

// home is a colleague's folder, made, or moved from where it was under another
// name or in the archive.
func (r *Runner) home(c *office.Colleague) (string, error) {
	want := filepath.Join(r.Folder, c.Name)
	if ownerOf(want) == string(c.ID) {
		return want, nil
	}
	r.homes.mu.Lock()
	defer r.homes.mu.Unlock()
	if err := r.settle(c, want); err != nil {
		return "", fmt.Errorf("the folder of %s cannot be made ready: %w", c.Name, err)
	}
	return want, nil
}

// Workspace opens a colleague's workspace: the folder that office.yaml names, looked
// at again each time, or one of its own, which is made if need be. The caller closes it.
func (r *Runner) Workspace(c *office.Colleague) (*os.Root, error) {
	root, _, err := r.workspace(c)
	return root, err
}

func (r *Runner) workspace(c *office.Colleague) (root *os.Root, dir string, err error) {
	home, err := r.home(c)
	if err != nil {
		return nil, "", err
	}
	if dir = filepath.Join(home, "workspace"); c.Cwd != "" {
		if dir, err = workspace.At(filepath.Dir(filepath.Clean(r.Folder))).Resolve(c.Cwd); err != nil {
			return nil, "", fmt.Errorf("the folder that office.yaml names as the workspace of %s (cwd) %w", c.Name, err)
		}
	} else if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, "", fmt.Errorf("the workspace of %s cannot be made: %w", c.Name, err)
	}
	if root, err = os.OpenRoot(dir); err != nil {
		return nil, "", fmt.Errorf("the workspace of %s cannot be opened: %w", c.Name, err)
	}
	return root, dir, nil
}

func (r *Runner) settle(c *office.Colleague, want string) error {
	was := r.find(c.ID)
	if _, err := os.Lstat(want); err == nil {
		switch owner := ownerOf(want); {
		case owner == "" && was == "": // it was there before folders said whose they are
			return claim(want, c.ID)
		case owner == "":
			owner = "unknown"
			fallthrough
		default:
			if err := r.putAway(want, owner, filepath.Base(want)); err != nil {
				return err
			}
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if was == "" {
		if err := os.MkdirAll(want, 0o700); err != nil {
			return err
		}
		return claim(want, c.ID)
	}
	return os.Rename(was, want)
}

// claim says in a folder whose it is.
func claim(dir string, id office.ColleagueID) error {
	return os.WriteFile(filepath.Join(dir, ownerFile), []byte(id), 0o600)
}

func ownerOf(dir string) string {
	id, err := os.ReadFile(filepath.Join(dir, ownerFile))
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(id))
}

// find looks for the folder of a colleague, under whatever name.
func (r *Runner) find(id office.ColleagueID) string {
	for _, dir := range []string{r.Folder, r.archive()} {
		entries, err := os.ReadDir(dir)
		if err != nil {
			continue // there is none yet
		}
		for _, e := range entries {
			if path := filepath.Join(dir, e.Name()); ownerOf(path) == string(id) {
				return path
			}
		}
	}
	return ""
}

// archive is where the folders of those are who left.
func (r *Runner) archive() string {
	return filepath.Join(filepath.Dir(filepath.Clean(r.Folder)), "archive", filepath.Base(r.Folder))
}

// putAway moves a folder into the archive.
func (r *Runner) putAway(dir, owner, name string) error {
	if err := os.MkdirAll(r.archive(), 0o700); err != nil {
		return err
	}
	to := filepath.Join(r.archive(), owner+"-"+name)
	for i := 2; ; i++ {
		if _, err := os.Lstat(to); errors.Is(err, fs.ErrNotExist) {
			return os.Rename(dir, to)
		}
		to = filepath.Join(r.archive(), fmt.Sprintf("%s-%s-%d", owner, name, i))
	}
}

// CountTools is how many tools a colleague holds. See office.ToolCounter.
func (r *Runner) CountTools(c *office.Colleague) int {
	if r.Tools == nil {
		return 0
	}
	return len(r.Tools.For(c))
}

// Archive puts the folder of a colleague away that has left; an adoption brings
// it back. See office.Archiver.
func (r *Runner) Archive(_ context.Context, c office.Colleague) error {
	r.homes.mu.Lock()
	defer r.homes.mu.Unlock()
	dir := filepath.Join(r.Folder, c.Name)
	if ownerOf(dir) != string(c.ID) {
		return nil // put away before, or never there
	}
	if err := r.putAway(dir, string(c.ID), c.Name); err != nil {
		return fmt.Errorf("the folder of %s cannot be put into the archive: %w", c.Name, err)
	}
	return nil
}
