package arrows

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// module is the import path of the tree's root.
const module = "bullpen"

// room is one row of the design's list: who lives there and what it may import.
// Paths are below the module. "a/..." is a and everything below it, "..." is
// everything; "*" stands for one folder, in may for the same one as in path.
type room struct {
	path    string
	may     []string // imported by its code, besides its own package and everybody
	tests   []string // imported by its tests as well
	outside []string // modules that its code imports; "*" is any
	why     string
	mend    string
}

// pure are the parts of the domain that do no I/O.
var pure = []string{"office", "office/wake/...", "office/task/...", "office/schedule/..."}

// rooms says what may import what; the first row that fits a package counts.
var rooms = []room{
	{
		path:    "cmd/bullpen-sim/...",
		may:     []string{"cmd/bullpen-sim/...", "internal/sim/..."},
		tests:   []string{"..."},
		outside: []string{"github.com/spf13/cobra", "golang.org/x/term", "github.com/slack-go/slack"}, // its tests bring the real client
		why:     "bullpen-sim runs the stand-ins alone, so that nothing of ours can make them lenient",
		mend:    "start the stand-in from internal/sim, or move the code into cmd/bullpen",
	},
	{
		path: "cmd/...",
		may: []string{
			"cmd/...", "config/...", "adapters/...", "bridge/...", "sandbox/...", "office/...", "deploy/...", "docs/...",
		},
		tests:   []string{"..."},
		outside: []string{"github.com/spf13/cobra"},
		why:     "the command line wires rooms together and talks to no service itself",
		mend:    "move the code that needs it into the room that owns it and call that",
	},
	{
		path: "internal/conformance", tests: []string{"..."},
		why: "stories on several platforms are told to all of them, by tests alone", mend: "tell it in a test there",
	},
	{
		path: "internal/rehearsal",
		may:  []string{"bridge/...", "office/..."},
		why:  "a rehearsed office is everything but a platform", mend: "bring what a platform needs in the tests of its adapter",
	},
	{
		path: "bench/...", may: []string{"..."}, outside: []string{"*"},
		why: "measurements may drive everything", mend: "give it a row",
	},
	{
		path:    "config/...",
		may:     append([]string{"config/...", "office/workspace"}, pure...),
		outside: []string{"gopkg.in/yaml.v3", "github.com/gofrs/flock", "github.com/google/jsonschema-go/jsonschema"}, // the last in tests
		why:     "config turns YAML into the office's own types and starts nothing",
		mend:    "describe the setting as a type of office and let cmd hand it on",
	},
	{
		path:    "adapters/*/...",
		may:     append([]string{"adapters/*/...", "bridge/..."}, pure...),
		tests:   []string{"office/...", "internal/rehearsal"},
		outside: []string{"*"},
		why:     "an adapter knows its platform's wire, the bridge's words and the office's types, and nothing of a store, an agent or another platform",
		mend:    "say it in a type of bridge, or let bridge decide it",
	},
	{
		path:    "bridge/render/...",
		may:     []string{"bridge/render/..."},
		outside: []string{"github.com/yuin/goldmark", "github.com/rivo/uniseg"},
		why:     "render turns text into a neutral document and knows neither office nor platform",
		mend:    "pass in what it needs as a plain value",
	},
	{
		path:  "bridge/...",
		may:   append([]string{"bridge/..."}, pure...),
		tests: []string{"office/..."},
		why:   "the bridge stands on the office's own types and verbs and knows no adapter, store, model or agent",
		mend:  "declare a small interface in bridge and let cmd pass the implementation",
	},
	{
		path:    "sandbox/...",
		may:     []string{"sandbox/...", "office/agent/tool"},
		tests:   []string{"office/..."},
		outside: []string{"*"},
		why:     "a sandbox knows only the interface it implements",
		mend:    "widen that interface, or pass the value in from cmd",
	},
	{
		path:  "office",
		may:   []string{"office/wake/...", "office/task/...", "office/schedule/..."},
		tests: []string{"office/..."},
		why:   "the domain decides and knows nobody who carries its decisions out",
		mend:  "declare an interface or a type in office and implement it in the room below or above",
	},
	pureRow("office/wake/..."), pureRow("office/task/..."), pureRow("office/schedule/..."), pureRow("office/workspace"),
	{
		path:    "office/store/*/...",
		may:     append([]string{"office/store/..."}, pure...),
		outside: []string{"*"},
		why:     "a store keeps what the office decided and knows its types alone",
		mend:    "put what it must keep into a change of office",
	},
	{
		path: "office/files",
		may:  pure,
		why:  "files are kept by what they hold, and mean nothing to who keeps them",
		mend: "decide it in office and pass the outcome in",
	},
	{
		path: "office/model",
		why:  "what all providers share belongs to no provider and to no office",
		mend: "move it into the provider's folder below office/model",
	},
	{
		path:    "office/model/*/...",
		may:     []string{"office/model/..."},
		outside: []string{"*"},
		why:     "a provider answers a model.Request and knows nothing of offices",
		mend:    "put what it needs into the request",
	},
	agentRow("office/agent/tool/mcp/...", "*"),
	agentRow("office/agent/..."),
	{
		path:    "internal/sim/...",
		may:     []string{"internal/sim/..."},
		outside: []string{"*"},
		why:     "a stand-in is written from the platform's documents, so that it does not share our mistakes",
		mend:    "repeat the few lines here, from the source",
	},
	pureRow("internal/fault/..."), pureRow("internal/obs/..."), pureRow("internal/arrows"),
	{
		path: "deploy/...", tests: []string{"bridge/..."},
		why:  "what is handed out stands by itself; its tests compare it with the commands that there are",
		mend: "compare the two in a test",
	},
	pureRow("docs/..."),
}

// pureRow is a room that imports nothing but the standard library.
func pureRow(path string) room {
	return room{
		path: path,
		why:  "it stands at the bottom: everybody above may rely on it, so it relies on nobody",
		mend: "pass the value in, or move the code to the room that needs both",
	}
}

// agentRow is a part of a colleague's turn.
func agentRow(path string, outside ...string) room {
	return room{
		path:    path,
		may:     append([]string{"office/agent/...", "office/model", "office/workspace"}, pure...),
		tests:   []string{"office/..."},
		outside: outside,
		why:     "a turn works with the office's verbs, a Model and a Sandbox, whichever they are",
		mend:    "ask for an interface and let cmd pass the implementation",
	}
}

// everybody may import these.
var everybody = []string{"internal/fault/...", "internal/obs/..."}

// guarded rooms say themselves why somebody may not import them.
var guarded = []struct{ path, why, mend string }{
	{"config/...", "only cmd reads the configuration", "take the office's own type instead; config turns YAML into it"},
	{"internal/sim/...", "stand-ins are for tests, cmd/bullpen-sim and bench", "move the import into a _test.go file"},
}

// anywhere are the outside modules as good as the standard library.
var anywhere = []string{"golang.org/x/text"}

// testModules are the outside modules of tests.
var testModules = []string{
	"github.com/google/go-cmp", "github.com/rogpeppe/go-internal", "pgregory.net/rapid", "go.uber.org/goleak",
}

// emptyNames say nothing about what a package is for.
var emptyNames = []string{"util", "utils", "common", "helper", "helpers", "types", "models"}

// edge is one import in one file. From and to are below the module, "." is its
// root; an import from elsewhere has its whole path in to, and outside set.
type edge struct {
	file, from, to string
	outside, test  bool
}

// fault says what is wrong with the edge, or "".
func (e edge) fault() string {
	home := roomOf(e.from)
	if home == nil || e.allowed(home) {
		return "" // a package without a room is one complaint, not one an import
	}
	why, mend := home.why, home.mend
	for _, g := range guarded {
		if !e.outside && match(g.path, e.to) {
			why, mend = g.why, g.mend
		}
	}
	return fmt.Sprintf("%s: %s imports %s. Why not: %s. Mend: %s", e.file, e.from, e.to, why, mend)
}

func (e edge) allowed(home *room) bool {
	if e.outside {
		ok := standard(e.to) || below(anywhere, e.to) || below(home.outside, e.to)
		return ok || e.test && below(testModules, e.to)
	}
	ok := e.to == e.from || home.admits(home.may, e) || home.admits(everybody, e)
	return ok || e.test && (match("internal/sim/...", e.to) || home.admits(home.tests, e))
}

// admits reports whether one of the patterns fits where the edge goes.
func (r *room) admits(patterns []string, e edge) bool {
	for _, p := range patterns {
		if match(r.bind(p, e.from), e.to) {
			return true
		}
	}
	return false
}

// bind replaces the "*" of a pattern by the folder that stands for it in from.
func (r *room) bind(pattern, from string) string {
	parts := strings.Split(from, "/")
	for i, part := range strings.Split(r.path, "/") {
		if part == "*" {
			return strings.ReplaceAll(pattern, "*", parts[i])
		}
	}
	return pattern
}

// roomOf finds the row of a package, nil if it has none.
func roomOf(path string) *room {
	for i := range rooms {
		if match(rooms[i].path, path) {
			return &rooms[i]
		}
	}
	return nil
}

// match reports whether a package's path fits a pattern of room.
func match(pattern, path string) bool {
	if pattern == "..." {
		return true
	}
	stem, open := strings.CutSuffix(pattern, "/...")
	want, have := strings.Split(stem, "/"), strings.Split(path, "/")
	if len(have) < len(want) || len(have) > len(want) && !open {
		return false
	}
	for i := range want {
		if want[i] != "*" && want[i] != have[i] {
			return false
		}
	}
	return true
}

// below reports whether path is in one of the modules; "*" is all of them.
func below(modules []string, path string) bool {
	for _, m := range modules {
		if m == "*" || path == m || strings.HasPrefix(path, m+"/") {
			return true
		}
	}
	return false
}

// standard reports whether path is in the standard library: no dot in its first part.
func standard(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return !strings.Contains(first, ".")
}

// nameFault says what is wrong with a package's name or folder, or "".
func nameFault(path, name string) string {
	folder := path[strings.LastIndex(path, "/")+1:]
	for _, bad := range emptyNames {
		if name == bad || folder == bad {
			return fmt.Sprintf("%s: a package called %s. Why not: the name does not say what it is for, so everything ends up there. Mend: name it after what it offers, or move its code to whoever uses it", path, bad)
		}
	}
	return ""
}

// roomFault says that a package has no row, or "".
func roomFault(path string) string {
	if roomOf(path) != nil {
		return ""
	}
	return fmt.Sprintf("%s: a package in no room of the design. Why not: nobody can say what it may import. Mend: move it into a room, or give it a row in internal/arrows", path)
}

// faults lists all that is wrong with a package's name, place and imports.
func (p pkg) faults() []string {
	all := []string{nameFault(p.path, p.name), roomFault(p.path)}
	for _, e := range p.edges {
		all = append(all, e.fault())
	}
	return slices.DeleteFunc(all, func(fault string) bool { return fault == "" })
}

func TestArrowsOnlyPointDown(t *testing.T) {
	t.Parallel()
	for _, p := range packages(t) {
		for _, fault := range p.faults() {
			t.Error(fault)
		}
	}
}
