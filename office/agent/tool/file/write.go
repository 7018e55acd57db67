package file

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path"
	"strings"
)

const writeDescription = "Write a whole file of the workspace: makes it, and its folders, or replaces what it holds. " +
	"To change a part of a file use edit."

const writeSchema = `{"type":"object","additionalProperties":false,"required":["path","content"],"properties":{` +
	`"path":{"type":"string","description":"File, relative to the workspace"},` +
	`"content":{"type":"string","description":"All of the file's text, at most 4 MB"}}}`

// write is the tool that makes or replaces a file.
func write(_ context.Context, root *os.Root, args json.RawMessage) (string, error) {
	a := parse("write", args, "path", "content")
	given := a.required("path")
	content := a.required("content")
	if a.err != nil {
		return "", a.err
	}
	p, err := place(root, given)
	if err != nil {
		return "", err
	}
	if strings.HasSuffix(given, "/") || p == "." {
		return "", faultf("%s is a folder, not a file; name a file in it", given)
	}
	if len(content) > maxWrite {
		return "", faultf("content for %s is %s; the most that write takes is %d MB: write it in parts to several files",
			p, counted(len(content), "byte"), maxWrite>>20)
	}
	mode, existed, err := target(root, p)
	if err != nil {
		return "", err
	}
	if err := replace(root, p, []byte(content), mode, existed); err != nil {
		return "", explain(err, p, "written")
	}
	did := "made "
	if existed {
		did = "replaced "
	}
	return did + p + ": " + counted(len(content), "byte") + ", " + counted(lineCount(content), "line"), nil
}

// defaultMode is a new file's mode, before the process's umask.
const defaultMode fs.FileMode = 0o644

// target checks that p may be written and returns the mode that it is to have
// and whether it is there already.
func target(root *os.Root, p string) (fs.FileMode, bool, error) {
	info, err := root.Lstat(p)
	if errors.Is(err, fs.ErrNotExist) {
		return defaultMode, false, nil
	}
	if err != nil {
		return 0, false, explain(err, p, "written")
	}
	mode := info.Mode()
	if mode&fs.ModeSymlink != 0 {
		return 0, false, linkTarget(root, p)
	}
	if err := regular(p, info); err != nil {
		return 0, false, err
	}
	if mode.Perm()&0o222 == 0 {
		return 0, false, faultf("%s is read-only (mode %04o); make it writable first if it is meant to change", p, mode.Perm())
	}
	return mode.Perm(), true, nil
}

// linkTarget refuses to write through a link: a rename would replace the link
// and leave the file that it names as it was.
func linkTarget(root *os.Root, p string) error {
	if _, err := root.Stat(p); err != nil && escapes(err) {
		return explain(err, p, "written")
	}
	to, err := root.Readlink(p)
	if err != nil {
		return explain(err, p, "written")
	}
	return faultf("%s is a link to %s; name that file itself", p, path.Join(path.Dir(p), to))
}

func lineCount(text string) int {
	n := strings.Count(text, "\n")
	if text != "" && !strings.HasSuffix(text, "\n") {
		n++
	}
	return n
}
