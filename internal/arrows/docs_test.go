package arrows

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"testing"
)

func TestEveryExportedNameHasAComment(t *testing.T) {
	t.Parallel()
	for _, p := range packages(t) {
		if match("internal/sim/...", p.path) || len(p.code) == 0 {
			continue
		}
		documented := false
		for _, file := range p.code {
			fset := token.NewFileSet()
			tree, err := parser.ParseFile(fset, file, nil, parser.ParseComments|parser.SkipObjectResolution)
			if err != nil {
				t.Errorf("%s: %v", file, err)
				continue
			}
			documented = documented || says(tree.Doc)
			for _, bare := range undocumented(tree) {
				at := fset.Position(bare.Pos())
				t.Errorf("%s/%s:%d: %s has no comment; say what it is, its units, limits and errors", p.path, base(at.Filename), at.Line, bare.name)
			}
		}
		if !documented {
			t.Errorf("%s: package %s has no comment; say above a package clause what it is for", p.path, p.name)
		}
	}
}

// bare is an exported name without a comment.
type bare struct {
	*ast.Ident
	name string // with its type in front, where it has one
}

// undocumented walks one file. A comment above a const or var group speaks for
// all of it; a struct's comment speaks for its fields; an interface's methods
// are contracts and speak for themselves.
func undocumented(tree *ast.File) []bare {
	var found []bare
	for _, decl := range tree.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			if owner, exported := receiver(d); exported && d.Name.IsExported() && !says(d.Doc) {
				found = append(found, bare{d.Name, owner + d.Name.Name})
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				found = append(found, undocumentedSpec(d, spec)...)
			}
		}
	}
	return found
}

func undocumentedSpec(d *ast.GenDecl, spec ast.Spec) []bare {
	var found []bare
	switch s := spec.(type) {
	case *ast.TypeSpec:
		if !s.Name.IsExported() {
			return nil
		}
		if !says(s.Doc, s.Comment) && (d.Lparen.IsValid() || !says(d.Doc)) {
			found = append(found, bare{s.Name, s.Name.Name})
		}
		if i, ok := s.Type.(*ast.InterfaceType); ok {
			found = append(found, undocumentedMethods(s.Name.Name, i)...)
		}
	case *ast.ValueSpec:
		if says(d.Doc, s.Doc, s.Comment) {
			return nil
		}
		for _, name := range s.Names {
			if name.IsExported() {
				found = append(found, bare{name, name.Name})
			}
		}
	}
	return found
}

func undocumentedMethods(owner string, i *ast.InterfaceType) []bare {
	var found []bare
	for _, m := range i.Methods.List {
		if says(m.Doc, m.Comment) {
			continue
		}
		for _, name := range m.Names {
			if name.IsExported() {
				found = append(found, bare{name, owner + "." + name.Name})
			}
		}
	}
	return found
}

// receiver gives a method's type as "T.", "" for a function, and whether people
// outside the package can name it.
func receiver(d *ast.FuncDecl) (owner string, exported bool) {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return "", true
	}
	expr := d.Recv.List[0].Type
	for {
		switch x := expr.(type) {
		case *ast.StarExpr:
			expr = x.X
		case *ast.ParenExpr:
			expr = x.X
		case *ast.IndexExpr:
			expr = x.X
		case *ast.IndexListExpr:
			expr = x.X
		case *ast.Ident:
			return x.Name + ".", x.IsExported()
		default:
			return "", false
		}
	}
}

// says reports whether one of the comments has words in it; a directive such as
// //go:embed has none.
func says(comments ...*ast.CommentGroup) bool {
	for _, c := range comments {
		if strings.TrimSpace(c.Text()) != "" {
			return true
		}
	}
	return false
}

func base(path string) string { return path[strings.LastIndex(path, "/")+1:] }

func TestANameWithoutACommentIsFound(t *testing.T) {
	t.Parallel()
	const source = `package p

// Told is documented.
type Told struct{ Field int }

type Untold struct{}

// Contract is documented.
type Contract interface {
	// Keep does.
	Keep()
	Break()
}

// Say does.
func (*Told) Say() {}

func (t *Told) Mumble() {}

func (h hidden) Exported() {}

type hidden int

type Box[T any] struct{} // Box holds one.

func (b *Box[T]) Open() {}

// The colours.
const (
	Red  = 1
	Blue = 2
)

const (
	Green = 3 // Green is documented.
	Grey  = 4
)

// Kinds are many.
type (
	Kind int
)

//go:noinline
func Bare() {}

var A, b = 1, 2
`
	fset := token.NewFileSet()
	tree, err := parser.ParseFile(fset, "p.go", source, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, u := range undocumented(tree) {
		got = append(got, fmt.Sprintf("%d %s", fset.Position(u.Pos()).Line, u.name))
	}
	want := "6 Untold, 12 Contract.Break, 18 Told.Mumble, 26 Box.Open, 36 Grey, 41 Kind, 45 Bare, 47 A"
	if joined := strings.Join(got, ", "); joined != want {
		t.Errorf("found %s\nwant  %s", joined, want)
	}
}
