package arrows

import (
	"strings"
	"testing"
)

func TestAnEdgeIsJudgedByItsRoom(t *testing.T) {
	t.Parallel()
	const code, test = false, true
	for _, c := range []struct {
		from, to string
		test     bool
		want     string // a part of the complaint; "" is allowed
	}{
		{"cmd/bullpen", "adapters/slack", code, ""},
		{"cmd/bullpen", "config", code, ""},
		{"cmd/bullpen", "github.com/spf13/cobra", code, ""},
		{"cmd/bullpen", "github.com/slack-go/slack", code, "talks to no service itself"},
		{"cmd/bullpen", "internal/sim/slack", code, "move the import into a _test.go file"},
		{"cmd/bullpen", "internal/sim/slack", test, ""},
		{"cmd/bullpen-sim", "internal/sim/slack", code, ""},
		{"cmd/bullpen-sim", "office", code, "nothing of ours can make them lenient"},
		{"bench", "internal/sim/slack", code, ""},

		{"adapters/slack", "bridge", code, ""},
		{"adapters/slack", "bridge/render", code, ""},
		{"adapters/slack/format", "adapters/slack", code, ""},
		{"adapters/slack", "github.com/slack-go/slack", code, ""},
		{"adapters/slack", "office", code, ""},
		{"adapters/slack", "office/store/sqlite", code, "nothing of a store"},
		{"adapters/slack", "adapters/discord", code, "another platform"},
		{"adapters/slack", "adapters/discord/format", test, "another platform"},
		{"adapters/slack", "internal/sim/slack", code, "stand-ins are for tests"},
		{"adapters/slack", "internal/sim/slack", test, ""},
		{"adapters/slack", "config", test, "only cmd reads the configuration"},

		{"bridge", "office", code, ""},
		{"bridge", "adapters/slack", code, "knows no adapter"},
		{"bridge", "adapters/slack", test, "knows no adapter"},
		{"bridge", "office/store/sqlite", code, "knows no adapter, store"},
		{"bridge", "office/store/sqlite", test, ""},
		{"bridge", "github.com/yuin/goldmark", code, "small interface in bridge"},
		{"bridge/render", "github.com/yuin/goldmark/ast", code, ""},
		{"bridge/render", "github.com/yuin/goldmark-emoji", code, "neutral document"},
		{"bridge/render", "office", code, "neither office nor platform"},

		{"config", "office", code, ""},
		{"config", "bridge", code, "starts nothing"},
		{"config", "gopkg.in/yaml.v3", code, ""},
		{"office", "config", code, "only cmd reads the configuration"},
		{"cmd/bullpen", "config", test, ""},

		{"office", "office/wake", code, ""},
		{"office", "office/store/sqlite", code, "knows nobody"},
		{"office", "office/store/sqlite", test, ""},
		{"office", "office/agent", code, "knows nobody"},
		{"office", "office/model", code, "knows nobody"},
		{"office", "bridge", test, "knows nobody"},
		{"office", "pgregory.net/rapid", test, ""},
		{"office", "pgregory.net/rapid", code, "knows nobody"},
		{"office", "golang.org/x/text/unicode/norm", code, ""},
		{"office", "github.com/redis/go-redis/v9", code, "knows nobody"},
		{"office", "internal/fault", code, ""},
		{"office/wake", "office", code, "relies on nobody"},
		{"office/store/sqlite", "office", code, ""},
		{"office/store/sqlite", "modernc.org/sqlite", code, ""},
		{"office/store/sqlite", "office/agent", code, "its types alone"},
		{"office/agent/tool", "office", code, ""},
		{"office/agent/tool", "sandbox/local", code, "let cmd pass"},
		{"office/agent", "office/store/redis", code, "let cmd pass"},
		{"office/agent", "office/model", code, ""},
		{"office/agent", "office/model/openai", code, "whichever they are"},
		{"office/agent/tool", "github.com/modelcontextprotocol/go-sdk/mcp", code, "let cmd pass"},
		{"office/agent/tool/mcp", "github.com/modelcontextprotocol/go-sdk/mcp", code, ""},
		{"office/model", "github.com/openai/openai-go/v3", code, "belongs to no provider"},
		{"office/model/openai", "github.com/openai/openai-go/v3", code, ""},
		{"office/model/openai", "office", code, "nothing of offices"},

		{"sandbox/docker", "office/agent/tool", code, ""},
		{"sandbox/docker", "github.com/docker/docker/client", code, ""},
		{"sandbox/docker", "office", code, "only the interface"},
		{"internal/sim/slack", "adapters/slack", code, "share our mistakes"},
		{"internal/obs", "office", code, "stands at the bottom"},
		{"internal/obs", "log/slog", code, ""},
	} {
		e := edge{file: c.from + "/x.go", from: c.from, to: c.to, test: c.test, outside: roomOf(c.to) == nil}
		got := e.fault()
		if c.want == "" && got != "" {
			t.Errorf("%s may import %s (test %v), yet: %s", c.from, c.to, c.test, got)
		}
		if c.want != "" && (!strings.Contains(got, c.want) || !strings.HasPrefix(got, e.file)) {
			t.Errorf("%s imports %s (test %v): got %q, want %q in it", c.from, c.to, c.test, got, c.want)
		}
	}
}

func TestAComplaintNamesFileEdgeReasonAndMend(t *testing.T) {
	t.Parallel()
	e := edge{file: "office/post.go", from: "office", to: "office/store/sqlite"}
	want := "office/post.go: office imports office/store/sqlite. " +
		"Why not: the domain decides and knows nobody who carries its decisions out. " +
		"Mend: declare an interface or a type in office and implement it in the room below or above"
	if got := e.fault(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestEveryRowHasItsReasonAndIsReached(t *testing.T) {
	t.Parallel()
	for i, r := range rooms {
		if r.why == "" || r.mend == "" {
			t.Errorf("%s: a row without reason or mend", r.path)
		}
		sample := strings.ReplaceAll(strings.TrimSuffix(r.path, "/..."), "*", "x")
		if roomOf(sample) != &rooms[i] {
			t.Errorf("%s: an earlier row takes %s", r.path, sample)
		}
	}
}

func TestANameThatSaysNothingIsRefused(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		path, name string
		refused    bool
	}{
		{"office/util", "util", true},
		{"office/types", "officetypes", true},
		{"office/wake", "common", true},
		{"models", "models", true},
		{"office/model", "model", false},
		{"cmd/bullpen", "main", false},
	} {
		if got := nameFault(c.path, c.name); (got != "") != c.refused {
			t.Errorf("package %s in %s: got %q", c.name, c.path, got)
		}
	}
}

func TestAPackageOutsideTheRoomsIsRefusedOnce(t *testing.T) {
	t.Parallel()
	for _, path := range []string{".", "attic", "office/attic", "adapters", "office/store"} {
		p := pkg{path: path, name: "attic", edges: []edge{
			{file: path + "/a.go", from: path, to: "config"},
			{file: path + "/b.go", from: path, to: "internal/sim/slack"},
		}}
		if got := p.faults(); len(got) != 1 || !strings.Contains(got[0], "no room") {
			t.Errorf("%s: got %q, want one complaint about its room", path, got)
		}
	}
}

func TestTheTreeIsReadWithItsTestFiles(t *testing.T) {
	t.Parallel()
	for _, p := range packages(t) {
		if p.path != "internal/arrows" {
			continue
		}
		for _, e := range p.edges {
			if e.file == "internal/arrows/checker_test.go" && e.to == "strings" && e.test && e.outside {
				return
			}
		}
	}
	t.Error("the import of strings in this file was not found")
}
