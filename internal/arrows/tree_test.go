package arrows

import (
	"bytes"
	"encoding/json"
	"errors"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// root is the module's folder as seen from this package.
const root = "../.."

// pkg is one package of the tree.
type pkg struct {
	path  string // below the module, "." is its root
	name  string
	dir   string
	code  []string // its files, absolute
	tests []string // its tests' files, those of package name_test as well
	edges []edge
}

// listed is what go list -json says of a package, as far as it is read here.
type listed struct {
	Dir, ImportPath, Name                                        string
	GoFiles, CgoFiles, IgnoredGoFiles, TestGoFiles, XTestGoFiles []string
}

// packages lists the tree. Files for other systems and build tags count too; a
// package that does not compile is still listed.
func packages(t *testing.T) []pkg {
	t.Helper()
	touch(t)
	cmd := exec.CommandContext(t.Context(), "go", "list", "-e",
		"-json=Dir,ImportPath,Name,GoFiles,CgoFiles,IgnoredGoFiles,TestGoFiles,XTestGoFiles", "./...")
	cmd.Dir = root
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list ./...: %v\n%s", err, &stderr)
	}
	var all []pkg
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var l listed
		if err := dec.Decode(&l); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatalf("what go list wrote: %v", err)
		}
		all = append(all, readPackage(t, l))
	}
	if len(all) < 2 {
		t.Fatalf("go list ./... found %d packages in %s; the check would prove nothing", len(all), root)
	}
	return all
}

// touch looks at every folder of the tree. go test remembers which folders a
// test has read, not what go list has: without this a new package would leave an
// old "ok" in the test cache.
func touch(t *testing.T) {
	t.Helper()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		name := d.Name()
		if path != root && (name[0] == '.' || name[0] == '_' || name == "testdata" || path == filepath.Join(root, "bin")) {
			return fs.SkipDir
		}
		return nil
	})
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
}

func readPackage(t *testing.T, l listed) pkg {
	t.Helper()
	p := pkg{path: relative(l.ImportPath), name: l.Name, dir: l.Dir}
	for _, name := range slices.Concat(l.GoFiles, l.CgoFiles, l.IgnoredGoFiles, l.TestGoFiles, l.XTestGoFiles) {
		file := filepath.Join(l.Dir, name)
		test := strings.HasSuffix(name, "_test.go")
		if test {
			p.tests = append(p.tests, file)
		} else {
			p.code = append(p.code, file)
		}
		p.edges = append(p.edges, imports(t, p.path, file, test)...)
	}
	return p
}

// imports reads one file's edges.
func imports(t *testing.T, from, file string, test bool) []edge {
	t.Helper()
	tree, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
	if err != nil {
		t.Errorf("%s: %v", file, err)
		return nil
	}
	edges := make([]edge, 0, len(tree.Imports))
	for _, spec := range tree.Imports {
		to, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			t.Errorf("%s: import %s: %v", file, spec.Path.Value, err)
			continue
		}
		outside := to != module && !strings.HasPrefix(to, module+"/")
		edges = append(edges, edge{file: from + "/" + filepath.Base(file), from: from, to: relative(to), outside: outside, test: test})
	}
	return edges
}

// relative cuts the module off a path of ours and leaves others whole.
func relative(path string) string {
	if path == module {
		return "."
	}
	return strings.TrimPrefix(path, module+"/")
}
