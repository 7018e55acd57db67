package workspace

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
)

// officeFile is what makes a folder an office's.
const officeFile = "office.yaml"

var (
	// kept are the parts of an office's folder that are the office's own.
	kept = []string{"agents", "archive", "files", "logs"}
	// secret are the files of an office's folder that may be links to elsewhere.
	secret = []string{".env", officeFile, "bullpen.db"}
	// machines show the machine and its processes, the office's own environment
	// among it.
	machines = []string{"/proc", "/sys", "/dev"}
)

// memory is among the devices, and yet what lies in it are ordinary folders.
const memory = "/dev/shm"

// harm says why nobody may work in a folder; empty where one may.
func (o Office) harm(dir lineage) string {
	if len(dir) == 1 {
		return "is the root of this machine"
	}
	for _, p := range machines {
		if part := of(p); (dir.in(part) || part.in(dir)) && !dir[1:].in(of(memory)) {
			return "is, holds, or lies in " + p + ", which shows what the office's process knows"
		}
	}
	switch office := of(o.Dir); {
	case of(o.Home).in(dir):
		return "is your home folder, or holds it"
	case office.in(dir):
		return "is the office's folder, or holds it, with its secrets and the work of all"
	case o.Home != "" && of(filepath.Join(o.Home, ".bullpen", "offices")).in(dir):
		return "holds the folders of offices, with their secrets"
	case dir.ofAnother(office):
		return "lies in the folder of another office"
	}
	for _, name := range secret {
		if of(filepath.Join(o.Dir, name)).in(dir) {
			return "holds the office's " + name
		}
	}
	for _, path := range o.ownParts() {
		if part := of(path); dir.in(part) || part.in(dir) {
			return "is, holds, or lies in a folder that the office keeps for itself and its colleagues"
		}
	}
	return ""
}

// ownParts are the folders that the office keeps, and those of colleagues, each of
// which may be a link to elsewhere.
func (o Office) ownParts() []string {
	var all []string
	for _, name := range kept {
		all = append(all, filepath.Join(o.Dir, name))
	}
	agents, _ := os.ReadDir(all[0]) // none where it cannot be read
	for _, e := range agents {
		home := filepath.Join(all[0], e.Name())
		all = append(all, home, filepath.Join(home, "workspace"))
	}
	return all
}

// lineage is a file or folder and all that it lies in, up to the root.
type lineage []entry

type entry struct {
	fs.FileInfo
	path string
}

// chain is the lineage of a path without symbolic links.
func chain(path string) (lineage, error) {
	var all lineage
	for {
		info, err := os.Stat(path)
		if err != nil {
			return nil, err
		}
		all = append(all, entry{info, path})
		up := filepath.Dir(path)
		if up == path {
			return all, nil
		}
		path = up
	}
}

// of is the lineage of what a path leads to; empty where that is nothing.
func of(path string) lineage {
	if path == "" {
		return nil
	}
	resolved, err := filepath.EvalSymlinks(path)
	if err != nil {
		return nil
	}
	all, err := chain(resolved)
	if err != nil {
		return nil
	}
	return all
}

// in says whether it is the other, or lies in it. Folders are compared, not their
// names: one may be mounted twice, and capitals may make no difference.
func (l lineage) in(other lineage) bool {
	return len(other) > 0 && slices.ContainsFunc(l, func(e entry) bool { return os.SameFile(e.FileInfo, other[0].FileInfo) })
}

// ofAnother says whether it lies in an office's folder that is not this one.
func (l lineage) ofAnother(office lineage) bool {
	return slices.ContainsFunc(l, func(e entry) bool {
		_, err := os.Stat(filepath.Join(e.path, officeFile))
		return err == nil && (len(office) == 0 || !os.SameFile(e.FileInfo, office[0].FileInfo))
	})
}
