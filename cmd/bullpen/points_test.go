package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// module is the folder of the whole source, seen from this one.
const module = "../.."

// effects are the kinds of things that a commit comes before or after, and
// whether the story that the kill test tells has a part in them. One that is new
// belongs here, and has a point on either side.
var effects = map[string]bool{
	"commit": true, "model": true, "print": true, "receipt": true, "tool": true,
	"send":             false, // needs a platform; the console is owed nothing
	"draft":            false, // needs a platform that shows what is written
	"stream":           false, // the same
	"order":            false, // a command of a platform
	"edit":             false, // of office.yaml
	"slack.stop":       false, // needs Slack
	"discord.finish":   false, // needs Discord
	"slack.ack":        false, // needs Slack
	"telegram.confirm": false, // needs Telegram
}

// TestEveryEffectCanBeKilled compares three lists: the points in the source, the
// kinds of effects there are, and what the kill test's story passes.
func TestEveryEffectCanBeKilled(t *testing.T) {
	t.Parallel()
	var all, told []string
	for _, e := range slices.Sorted(maps.Keys(effects)) {
		all = append(all, e+".after", e+".before")
		if effects[e] {
			told = append(told, e+".after", e+".before")
		}
	}
	passed := map[string]bool{}
	for _, name := range traced(t, faulty, everything) {
		passed[name] = true
	}
	if got := slices.Sorted(maps.Keys(passed)); !slices.Equal(got, told) {
		t.Errorf("the story passes the points %v, want %v", got, told)
	}
	if got := pointsInSource(t); !slices.Equal(got, all) {
		t.Errorf("the source has the points %v, want %v", got, all)
	}
}

func pointsInSource(t *testing.T) []string {
	t.Helper()
	point := regexp.MustCompile(`\bfault\.Point\("([^"]*)"\)`)
	found := map[string]bool{}
	err := filepath.WalkDir(module, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		code, err := os.ReadFile(path)
		for _, m := range point.FindAllStringSubmatch(string(code), -1) {
			found[m[1]] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return slices.Sorted(maps.Keys(found))
}

// commits are the requests that the office's loop decides, by type, and the rows
// of the table of commits in docs/architecture.md that say what they store.
var commits = map[string][]string{
	"postRequest":  {"event", "turn"},
	"inbound":      {"event", "turn", "parked"},
	"fill":         {"parked"},
	"filled":       {"parked", "event"},
	"revise":       {"change"},
	"Reply":        {"reply", "result", "join", "end", "question, answer"},
	"branchCall":   {"result"},
	"callResult":   {"result", "join"},
	"remark":       {"join"}, // what could not be had of what joined
	"proceed":      {"result", "join"},
	"fail":         {"end"},
	"press":        {"question, answer"},
	"takeOver":     {"setup", "sending", "attempt"},
	"recoverSends": {"sending"},
	"tick":         {"sending", "turn"},
	"Verdict":      {"verdict", "sending"},
	"beginStream":  {"stream"},
	"streamed":     {"stream", "verdict"}, // of a turn that has ended meanwhile
	"link":         {"verb"},
	"askPairing":   {"verb"},
	"welcome":      {"verb"},
	"approve":      {"verb"},
	"interrupt":    {"verb"},
	"unlink":       {"verb"},
	"move":         {"verb"},
	"muteMail":     {"verb"},
	"handFile":     {"verb"},
	"connectCode":  {"verb"},
	"connect":      {"verb"},
	"disconnect":   {"verb"},
	"mailDone":     {"verb"},
	"sendFile":     {"result"},
	"talkWith":     {"verb"},
	"pause":        {"verb"},
	"disturb":      {"verb"},
	"auditLine":    {"verb"}, // of what was refused
	"deliverHeld":  {"verb"},
	"newContext":   {"verb"},
	"compactRange": {"verb"},
	"drop":         {"archive"},
	"Summarised":   {"reply"},
	"dropHeld":     {"verb"},
	"waiting":      {"attempt"}, // until when it waits for its model's account
	"once":         {"verb"},    // that its event was seen
	"madeThere":    {"verb"},    // what an adapter made on its platform
	"configure":    {"setup"},
	"intend":       {"verb"}, // what the file alone will not tell
	"amended":      {"verb", "setup"},
	"follow":       {"setup"},
	"reload":       {"verb", "setup"},
	"stuck":        {"attempt", "question, answer"},
	"revive":       {"verb"},
	"wakes":        {"verb"},
	"recoverTurns": {"attempt"},
	"park":         {"attempt"}, // so that the next one counts no crash
	"setCursor":    {"cursor"},
}

// TestTheTableOfCommits: the documentation lists every commit that there is, and
// marks as (later) those that there are not.
func TestTheTableOfCommits(t *testing.T) {
	t.Parallel()
	if got, want := requests(t), slices.Sorted(maps.Keys(commits)); !slices.Equal(got, want) {
		t.Errorf("the office decides %v, want %v", got, want)
	}
	made := map[string]bool{}
	for _, rows := range commits {
		for _, row := range rows {
			made[row] = true
		}
	}
	if got, want := rowsOfCommits(t), slices.Sorted(maps.Keys(made)); !slices.Equal(got, want) {
		t.Errorf("the table of commits lists %v, want %v", got, want)
	}
}

// requests are the types of package office that decide something: those with a
// method decide(*decision).
func requests(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(module, "office", "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, path := range files {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		tree, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range tree.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok || f.Recv == nil || f.Name.Name != "decide" {
				continue
			}
			if owner, ok := f.Recv.List[0].Type.(*ast.Ident); ok {
				found = append(found, owner.Name)
			}
		}
	}
	slices.Sort(found)
	return found
}

// rowsOfCommits are the first words of the table's rows that are not (later).
func rowsOfCommits(t *testing.T) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(module, "docs", "architecture.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, table, ok := strings.Cut(string(text), "\n| commit | contains |")
	if !ok {
		t.Fatal("docs/architecture.md has no table of commits")
	}
	table, _, _ = strings.Cut(table, "\n\n")
	var rows []string
	for line := range strings.Lines(table) {
		cells := strings.Split(line, "|")
		if len(cells) < 3 || strings.Contains(cells[1], "(later)") || strings.Trim(cells[1], " -") == "" {
			continue
		}
		rows = append(rows, strings.TrimSpace(cells[1]))
	}
	slices.Sort(rows)
	if len(rows) == 0 {
		t.Fatal("the table of commits has no rows: " + strconv.Quote(table))
	}
	return rows
}
