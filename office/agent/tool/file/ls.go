package file

import (
	"context"
	"encoding/json"
	"io/fs"
	"os"
	"strings"
)

const lsDescription = "List a folder of the workspace, sorted by name: folders end in /, files show their size, " +
	"links their target. At most 1,000 entries; depth lists folders within it too."

const lsSchema = `{"type":"object","additionalProperties":false,"properties":{` +
	`"path":{"type":"string","description":"Folder, relative to the workspace; the workspace itself if left out"},` +
	`"depth":{"type":"integer","minimum":1,"description":"Levels to list, 1 (default) to 10"}}}`

// ls is the tool that lists a folder.
func ls(ctx context.Context, root *os.Root, args json.RawMessage) (string, error) {
	a := parse("ls", args, "path", "depth")
	given := a.text("path")
	depth := a.number("depth", 1, 10)
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
	if err := startFolder(root, dir); err != nil {
		return "", err
	}
	var out strings.Builder
	shown, full := 0, false
	w := &walk{ctx: ctx, root: root, depth: depth}
	w.visit = func(p string, e fs.DirEntry) error {
		if shown == maxEntries || out.Len() >= maxOutput {
			full = true
			return errEnough
		}
		shown++
		out.WriteString(entryLine(root, dir, p, e) + "\n")
		return nil
	}
	if err := w.from(dir); err != nil {
		return "", err
	}
	notes := w.notes()
	switch {
	case full:
		notes = append(notes, "the first "+counted(shown, "entry")+
			" are shown and there are more; list a folder further down, or use find")
	case shown == 0 && w.unread == 0:
		notes = append(notes, dir+" is empty")
	}
	return noted(out.String(), notes...), nil
}

// entryLine describes one entry, named relative to the folder that is listed.
func entryLine(root *os.Root, dir, p string, e fs.DirEntry) string {
	name := p
	if dir != "." {
		name = strings.TrimPrefix(p, dir+"/")
	}
	name = oneLine(name)
	switch {
	case e.IsDir():
		return name + "/"
	case e.Type()&fs.ModeSymlink != 0:
		target, err := root.Readlink(p)
		if err != nil {
			return name + " (link)"
		}
		return name + " -> " + oneLine(target) + " (link)"
	case !e.Type().IsRegular():
		return name + " (" + kind(e.Type()) + ")"
	}
	// Not e.Info: it looks the path up outside the root.
	info, err := root.Lstat(p)
	if err != nil {
		return name
	}
	return name + "  " + counted(info.Size(), "byte")
}

// oneLine shows a name on one line, whatever it is made of.
func oneLine(name string) string {
	name = strings.ToValidUTF8(name, "\uFFFD")
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return '?'
		}
		return r
	}, name)
}
