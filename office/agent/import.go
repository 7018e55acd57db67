package agent

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"bullpen/office"
)

// Bounds of an agent's folder that is taken in.
const (
	importBytes = 256 << 20
	importFiles = 20_000
	// identityBytes bounds agent.md.
	identityBytes = 100_000
)

// identityFile says, in its owner's words, who an agent is.
const identityFile = "agent.md"

// imported are the parts of an agent's folder that are taken in.
var imported = []string{identityFile, "workspace", "skills"}

var _ office.Importer = (*Runner)(nil)

// Inspect looks at an agent's folder. See office.Importer.
func (r *Runner) Inspect(_ context.Context, folder string, anywhere bool) (office.AgentFolder, error) {
	f := office.AgentFolder{Path: filepath.Clean(folder), Name: filepath.Base(filepath.Clean(folder))}
	if rest, ok := strings.CutPrefix(f.Path, "agents"+string(filepath.Separator)); ok {
		f.Path = rest
	}
	switch {
	case filepath.IsAbs(f.Path) && !anywhere:
		return f, errors.New("only the owner may name a folder by its path; others name one in the office's folder agents")
	case filepath.IsAbs(f.Path):
		f.Inside = filepath.Dir(f.Path) == filepath.Clean(r.Folder)
	case f.Path != f.Name || f.Name == "." || f.Name == "..":
		return f, fmt.Errorf("%q is no folder's name in the office's folder agents, and no absolute path", folder)
	default:
		f.Path, f.Inside = filepath.Join(r.Folder, f.Name), true
	}
	info, err := os.Lstat(f.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return f, fmt.Errorf("there is no folder %s", folder)
	case err != nil:
		return f, fmt.Errorf("the folder %s cannot be looked at: %w", folder, err)
	case !info.IsDir():
		return f, fmt.Errorf("%s is no folder", folder)
	}
	root, err := os.OpenRoot(f.Path)
	if err != nil {
		return f, fmt.Errorf("the folder %s cannot be opened: %w", folder, err)
	}
	defer root.Close()
	if f.Prompt, err = identity(root); err != nil {
		return f, err
	}
	parts := 0
	for _, name := range imported {
		if _, err := root.Lstat(name); err == nil {
			parts++
		}
	}
	if parts == 0 {
		return f, fmt.Errorf("%s is no agent's folder: it has neither %s", folder, strings.Join(imported, " nor "))
	}
	return f, nil
}

// identity reads agent.md.
func identity(root *os.Root) (string, error) {
	info, err := root.Lstat(identityFile)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", nil
	case err != nil:
		return "", fmt.Errorf("%s cannot be looked at: %w", identityFile, err)
	case !info.Mode().IsRegular() || info.Size() > identityBytes:
		return "", fmt.Errorf("%s has to be a file of at most %d bytes", identityFile, identityBytes)
	}
	text, err := root.ReadFile(identityFile)
	if err != nil {
		return "", fmt.Errorf("%s cannot be read: %w", identityFile, err)
	}
	if !utf8.Valid(text) {
		return "", fmt.Errorf("%s is not valid UTF-8", identityFile)
	}
	return strings.TrimSpace(string(text)), nil
}

// Import copies an agent's folder to where its colleague's will be. The copy is
// made beside it and renamed, so that there is never half of one.
func (r *Runner) Import(ctx context.Context, f office.AgentFolder) error {
	r.homes.mu.Lock()
	defer r.homes.mu.Unlock()
	to := filepath.Join(r.Folder, f.Name)
	if _, err := os.Lstat(to); err == nil {
		if owner := ownerOf(to); owner != "" {
			return fmt.Errorf("the folder %s is that of somebody who was here (%s); adopt them by name", f.Name, owner)
		}
		if !f.Inside && !copied(to) {
			return fmt.Errorf("there is a folder agents/%s already; move it away first", f.Name)
		}
		return nil
	} else if !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("the folder agents/%s cannot be looked at: %w", f.Name, err)
	}
	if err := os.MkdirAll(r.Folder, 0o700); err != nil {
		return fmt.Errorf("the folder for agents cannot be made: %w", err)
	}
	half, err := os.MkdirTemp(r.Folder, ".adopting-")
	if err != nil {
		return fmt.Errorf("the folder for agents cannot be written to: %w", err)
	}
	defer os.RemoveAll(half) //nolint:errcheck // gone already, or of no use
	if err := copyAgent(ctx, f.Path, half); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(half, copyMark), []byte(f.Path+"\n"), 0o600); err != nil {
		return fmt.Errorf("the copy cannot be finished: %w", err)
	}
	if err := os.Rename(half, to); err != nil {
		return fmt.Errorf("the copy cannot be put in its place: %w", err)
	}
	return nil
}

// copyMark stands in a folder that is a copy, and says of what.
const copyMark = ".adopted"

// copied says whether a folder is a copy that was made before a crash.
func copied(dir string) bool {
	_, err := os.Lstat(filepath.Join(dir, copyMark))
	return err == nil
}

// copyAgent copies the parts of an agent's folder, following no link.
func copyAgent(ctx context.Context, from, to string) error {
	src, err := os.OpenRoot(from)
	if err != nil {
		return fmt.Errorf("the folder %s cannot be opened: %w", from, err)
	}
	defer src.Close()
	dst, err := os.OpenRoot(to)
	if err != nil {
		return fmt.Errorf("the copy cannot be opened: %w", err)
	}
	defer dst.Close()
	left := int64(importBytes)
	files := 0
	return fs.WalkDir(src.FS(), ".", func(name string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return fmt.Errorf("%s cannot be read: %w", name, err)
		case ctx.Err() != nil:
			return ctx.Err()
		case name == ".":
			return nil
		case path.Dir(name) == "." && !slices.Contains(imported, name):
			if e.IsDir() {
				return fs.SkipDir
			}
			return nil
		case e.IsDir():
			return dst.Mkdir(name, 0o700)
		case !e.Type().IsRegular():
			return nil // links and devices are left out
		}
		if files++; files > importFiles {
			return fmt.Errorf("the folder %s has more than %d files; adopt a smaller one", from, importFiles)
		}
		n, err := copyFile(src, dst, name, left)
		if left -= n; err == nil && left < 0 {
			err = fmt.Errorf("the folder %s holds more than %d MiB; adopt a smaller one", from, importBytes>>20)
		}
		return err
	})
}

// copyFile copies one file, at most one byte more than left.
func copyFile(src, dst *os.Root, name string, left int64) (int64, error) {
	in, err := src.Open(name)
	if err != nil {
		return 0, fmt.Errorf("%s cannot be read: %w", name, err)
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return 0, fmt.Errorf("%s cannot be read: %w", name, err)
	}
	if !info.Mode().IsRegular() {
		return 0, nil // it was exchanged meanwhile
	}
	out, err := dst.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600|info.Mode().Perm()&0o100)
	if err != nil {
		return 0, fmt.Errorf("%s cannot be written: %w", name, err)
	}
	n, err := io.CopyN(out, in, left+1)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	if err = errors.Join(err, out.Close()); err != nil {
		return n, fmt.Errorf("%s cannot be copied: %w", name, err)
	}
	return n, nil
}
