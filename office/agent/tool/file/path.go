package file

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"
)

// Workspace is where the sandboxes show a colleague its workspace. A path
// under it is not accepted, but the refusal says what to write instead.
const Workspace = "/workspace"

// tempPrefix begins the names of files that are being written. A crash may
// leave one behind, so ls, find and grep pass them over.
const tempPrefix = ".bullpen-tmp-"

// place checks a path that a model wrote and returns it in its shortest form,
// relative to the workspace.
func place(root *os.Root, given string) (string, error) {
	switch {
	case given == "":
		return "", faultf("path is empty; name a file relative to the workspace")
	case len(given) > maxPath:
		return "", faultf("path is %s long; the longest is %s", counted(len(given), "byte"), count(maxPath))
	case strings.ContainsAny(given, "\x00\n\r"):
		return "", faultf("path %q holds a line break or a NUL; name one file relative to the workspace", clip(given, 80))
	case given == "~" || strings.HasPrefix(given, "~/"):
		return "", faultf("%s begins with ~; paths are relative to the workspace: write %s", given, path.Join(".", given[1:]))
	case path.IsAbs(given) || filepath.IsAbs(given):
		return "", absolute(root, given)
	}
	p := path.Clean(given)
	if !filepath.IsLocal(filepath.FromSlash(p)) {
		return "", faultf("%s leaves the workspace; name a path inside it, without leading ..", given)
	}
	return p, nil
}

// absolute refuses an absolute path with what to write in its stead.
func absolute(root *os.Root, given string) error {
	for _, base := range []string{root.Name(), Workspace} {
		rel, err := filepath.Rel(base, filepath.Clean(given))
		if err == nil && filepath.IsAbs(base) && filepath.IsLocal(rel) {
			return faultf("%s is absolute; paths are relative to the workspace: write %s", given, filepath.ToSlash(rel))
		}
	}
	return faultf("%s is an absolute path outside the workspace; name a path relative to the workspace", given)
}

// openRegular opens a regular file for reading and never blocks: what is no
// regular file is refused by its kind, before it is opened and, as it may have
// been replaced in between, after.
func openRegular(root *os.Root, p string) (*os.File, fs.FileInfo, error) {
	info, err := root.Stat(p)
	if err != nil {
		return nil, nil, notThere(root, p, err)
	}
	if err := regular(p, info); err != nil {
		return nil, nil, err
	}
	f, err := root.OpenFile(p, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, nil, explain(err, p, "read")
	}
	if info, err = f.Stat(); err == nil {
		err = regular(p, info)
	}
	if err != nil {
		return nil, nil, errors.Join(explain(err, p, "read"), f.Close())
	}
	return f, info, nil
}

// OpenRegular opens a regular file of a workspace by a path that a model wrote. It
// never blocks, and never leaves the workspace; the error is for the model.
func OpenRegular(root *os.Root, given string) (*os.File, fs.FileInfo, error) {
	p, err := place(root, given)
	if err != nil {
		return nil, nil, err
	}
	return openRegular(root, p)
}

func regular(p string, info fs.FileInfo) error {
	switch mode := info.Mode(); {
	case mode.IsRegular():
		return nil
	case mode.IsDir():
		return faultf("%s is a folder, not a file; use ls to see what is in it", p)
	default:
		return faultf("%s is a %s, which has no text of its own; name a regular file", p, kind(mode))
	}
}

// kind names what a mode stands for.
func kind(mode fs.FileMode) string {
	switch {
	case mode.IsRegular():
		return "file"
	case mode.IsDir():
		return "folder"
	case mode&fs.ModeSymlink != 0:
		return "link"
	case mode&fs.ModeNamedPipe != 0:
		return "FIFO"
	case mode&fs.ModeSocket != 0:
		return "socket"
	}
	return "device"
}

// notThere explains why p could not be found and, where only the case of its
// last part is wrong, says the right one.
func notThere(root *os.Root, p string, err error) error {
	if !errors.Is(err, fs.ErrNotExist) {
		return explain(err, p, "read")
	}
	dir, base := path.Split(p)
	siblings, _, listErr := listFolder(root, path.Clean(dir+"."))
	if listErr == nil {
		for _, e := range siblings {
			if strings.EqualFold(e.Name(), base) && e.Name() != base {
				return &fault{"there is no " + p + " in the workspace; did you mean " + dir + e.Name() + "?", err}
			}
		}
	}
	return explain(err, p, "read")
}
