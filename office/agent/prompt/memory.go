package prompt

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
)

// Bounds of what a context begins with, in bytes. What is over them is named, so
// that the colleague can read it.
const (
	memoryFile = 16 << 10
	memoryAll  = 48 << 10
	// memoryFiles bounds the files of instructions/.
	memoryFiles = 50
)

// Memory reads the files with which a context begins, out of a colleague's
// workspace: memory/MEMORY.md, instructions/*.md and, in the private context of a
// person, memory/people/<person>.md. Files that are not there are left out.
func Memory(workspace *os.Root, person string) (string, error) {
	names := []string{"memory/MEMORY.md"}
	more, err := instructions(workspace)
	if err != nil {
		return "", err
	}
	names = append(names, more...)
	if person != "" && fs.ValidPath(person) && !strings.Contains(person, "/") {
		names = append(names, "memory/people/"+person+".md")
	}
	var b strings.Builder
	for _, name := range names {
		text, cut, err := beginning(workspace, name, min(memoryFile, memoryAll-b.Len()))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			return "", err
		}
		fmt.Fprintf(&b, "\n### %s\n%s\n", name, strings.TrimSpace(text))
		if cut {
			fmt.Fprintf(&b, "(This is only its beginning; read the file for the rest.)\n")
		}
	}
	if b.Len() == 0 {
		return "", nil
	}
	return "## Your memory\nThese files of your workspace were read when this context began. What you write into them counts from the next context on.\n" +
		strings.TrimSuffix(b.String(), "\n"), nil
}

// instructions are the names of instructions/*.md, in order.
func instructions(workspace *os.Root) ([]string, error) {
	dir, err := workspace.Open("instructions")
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("instructions cannot be read: %w", err)
	}
	defer dir.Close()
	entries, err := dir.ReadDir(-1)
	if err != nil {
		return nil, fmt.Errorf("instructions cannot be read: %w", err)
	}
	var names []string
	for _, e := range entries {
		if e.Type().IsRegular() && path.Ext(e.Name()) == ".md" {
			names = append(names, "instructions/"+e.Name())
		}
	}
	slices.Sort(names)
	return names[:min(len(names), memoryFiles)], nil
}

// beginning reads at most most bytes of a file.
func beginning(workspace *os.Root, name string, most int) (text string, cut bool, err error) {
	info, err := workspace.Stat(name)
	if err == nil && !info.Mode().IsRegular() {
		err = fs.ErrNotExist // opening a pipe would wait for its writer
	}
	if err != nil {
		return "", false, fmt.Errorf("%s cannot be read: %w", name, err)
	}
	f, err := workspace.Open(name)
	if err != nil {
		return "", false, fmt.Errorf("%s cannot be read: %w", name, err)
	}
	defer f.Close()
	all, err := io.ReadAll(io.LimitReader(f, int64(max(most, 0))+1))
	if err != nil {
		return "", false, fmt.Errorf("%s cannot be read: %w", name, err)
	}
	if cut = len(all) > most; cut {
		all = all[:max(most, 0)]
	}
	return strings.ToValidUTF8(string(all), ""), cut, nil
}
