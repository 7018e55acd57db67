package file

import (
	"context"
	"encoding/json"
	"io/fs"
	"os"
	"strings"
)

const findDescription = "Find files and folders of the workspace by a glob: *.go anywhere below path, " +
	"src/**/*.{ts,tsx} from path on. Folders end in /. Looks neither into .git and .bullpen nor through links."

const findSchema = `{"type":"object","additionalProperties":false,"required":["pattern"],"properties":{` +
	`"pattern":{"type":"string","description":"Glob with *, ?, **, [a-z], {a,b}; without a slash it matches names at any depth"},` +
	`"path":{"type":"string","description":"Folder to begin in, relative to the workspace; the workspace itself if left out"},` +
	`"limit":{"type":"integer","minimum":1,"description":"Most paths to return, up to 1,000 (default)"}}}`

// find is the tool that looks for names.
func find(ctx context.Context, root *os.Root, args json.RawMessage) (string, error) {
	a := parse("find", args, "pattern", "path", "limit")
	pattern := a.required("pattern")
	given := a.text("path")
	limit := a.number("limit", maxEntries, maxEntries)
	if a.err != nil {
		return "", a.err
	}
	if given == "" {
		given = "."
	}
	dir, err := place(root, given)
	if err != nil {
		return "", err
	}
	g, err := compileGlob("pattern", pattern)
	if err != nil {
		return "", err
	}
	if err := startFolder(root, dir); err != nil {
		return "", err
	}
	var out strings.Builder
	found, full := 0, false
	w := &walk{ctx: ctx, root: root, depth: maxDepth + 1}
	w.visit = func(p string, e fs.DirEntry) error {
		if err := keepOut(e); err != nil {
			return err
		}
		if g.match(below(dir, p)) {
			if found == limit || out.Len() >= maxOutput {
				full = true
				return errEnough
			}
			found++
			out.WriteString(oneLine(p) + suffix(e) + "\n")
		}
		return nil
	}
	if err := w.from(dir); err != nil {
		return "", err
	}
	notes := w.notes()
	switch {
	case full:
		notes = append(notes, "the first "+count(found)+" are shown and there are more; use a narrower pattern or path")
	case found == 0:
		notes = append(notes, "nothing below "+dir+" matches "+pattern)
	}
	return noted(out.String(), notes...), nil
}

// below is p relative to dir.
func below(dir, p string) string {
	if dir == "." {
		return p
	}
	return strings.TrimPrefix(p, dir+"/")
}

func suffix(e fs.DirEntry) string {
	if e.IsDir() {
		return "/"
	}
	return ""
}

// ownFolder is where a sandbox keeps long outputs. A search that names it looks
// into it.
const ownFolder = ".bullpen"

// keepOut keeps a search out of the folders in which nobody looks for text of
// their own.
func keepOut(e fs.DirEntry) error {
	if e.IsDir() && (e.Name() == ".git" || e.Name() == ownFolder) {
		return fs.SkipDir
	}
	return nil
}
