//go:build linux

// Command bench measures what bullpen costs: it builds the program, runs it
// against stand-ins for Slack, Discord, Telegram and a model on this machine and prints each figure
// beside its target and beside a yardstick of the same minute: what the disk, the
// store, or the least program that could do the same (bench/floor) takes here.
// Absolute times drift with the machine, the yardsticks drift along.
//
// The exit status says whether everything could be measured, never how it turned
// out.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// measurement is one thing that is looked at, by the letter of -only.
type measurement struct {
	letters string // each letter selects it
	what    string
	run     func(context.Context, *bench) error
}

var measurements = []measurement{
	{"a", "a typed line", typedLine},
	{"b", "an idle office", idle},
	{"c", "opening", opening},
	{"d", "a thousand posts to one busy colleague", thousand},
	{"e", "many writers", manyWriters},
	{"f", "Slack", onPlatform(platforms[0])},
	{"i", "many idle colleagues", crowd},
	{"jk", "a wake, and a long history", history},
	{"l", "commits in Redis", redisCommits},
	{"m", "Discord", onPlatform(platforms[1])},
	{"t", "Telegram", onPlatform(platforms[2])},
}

// timeout bounds one measurement.
const timeout = 15 * time.Minute

func main() {
	only := flag.String("only", "", "letters of the measurements to run, with or without commas; all when empty")
	quick := flag.Bool("quick", false, "fewer repetitions: a look, not a figure")
	profile := flag.String("profile", "", "a folder for processor profiles of the office, one for each time that it is started")
	gogc := flag.String("gogc", "", "GOGC for the office, to see what a setting would bring; as it comes when empty")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := measure(ctx, *only, &bench{quick: *quick, profile: *profile, gogc: *gogc}); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func measure(ctx context.Context, only string, b *bench) (err error) {
	if b.dir, err = os.MkdirTemp("", "bullpen-bench-"); err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(b.dir) }()
	if err := b.build(ctx); err != nil {
		return err
	}
	var failed []error
	for _, m := range measurements {
		if only != "" && !strings.ContainsAny(only, m.letters) {
			continue
		}
		fmt.Fprintf(os.Stderr, "%s: %s …\n", m.letters, m.what)
		if err := within(ctx, b, m); err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", m.what, err))
		}
	}
	b.print(os.Stdout)
	return errors.Join(failed...)
}

func within(ctx context.Context, b *bench, m measurement) error {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	b.now = m.letters[:1]
	return m.run(ctx, b)
}

// bench is one run of this program.
type bench struct {
	dir     string // everything is in here
	bullpen string
	floor   string
	quick   bool
	gogc    string // of the office's collector; empty: as it comes
	now     string // the letter of what is being measured

	profile  string // the folder for profiles; empty: none are made
	profiles int    // made so far
	rows     []row
}

// row is a line of the table.
type row struct {
	name, value, target, beside string
	met                         verdict
}

// verdict says whether a target is met.
type verdict string

const (
	met    verdict = "met"
	missed verdict = "NOT MET"
	open   verdict = "" // there is no target
)

func judged(ok bool) verdict {
	if ok {
		return met
	}
	return missed
}

func (b *bench) add(r row) {
	b.rows = append(b.rows, r)
	fmt.Fprintf(os.Stderr, "   %s: %s\n", r.name, r.value)
}

// times is n, or a few when it has to be quick.
func (b *bench) times(n int) int {
	if b.quick {
		return max(2, n/5)
	}
	return n
}

// folder makes a new folder for an office.
func (b *bench) folder() (string, error) { return os.MkdirTemp(b.dir, "office-") }

// build compiles the programs as they are released; with profiles, bullpen from
// the same source with a switch for them.
func (b *bench) build(ctx context.Context) error {
	b.bullpen, b.floor = filepath.Join(b.dir, "bullpen"), filepath.Join(b.dir, "floor")
	tags := "-tags="
	if b.profile != "" {
		tags = "-tags=cpuprofile"
	}
	for out, pkg := range map[string]string{b.bullpen: "bullpen/cmd/bullpen", b.floor: "bullpen/bench/floor"} {
		cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-buildvcs=false", tags, "-o", out, pkg)
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
		if said, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("building %s: %w\n%s", pkg, err, said)
		}
	}
	return nil
}

// print shows the table.
func (b *bench) print(out *os.File) {
	head := row{"what", "value", "target", "beside it", ""}
	width := [3]int{}
	cells := func(r row) [3]string { return [3]string{r.name, r.value, r.target} }
	for _, r := range slices.Concat([]row{head}, b.rows) {
		for i, c := range cells(r) {
			width[i] = max(width[i], len([]rune(c)))
		}
	}
	for _, r := range slices.Concat([]row{head}, b.rows) {
		c := cells(r)
		fmt.Fprintf(out, "%-*s  %-*s  %-*s  %-7s  %s\n", width[0], c[0], width[1], c[1], width[2], c[2], r.met, r.beside)
	}
}
