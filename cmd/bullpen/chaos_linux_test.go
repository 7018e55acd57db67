package main

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	llmsim "bullpen/internal/sim/llm"
	"bullpen/office"
	"bullpen/office/store/redis"
)

// The environment of the chaos tests, for `make chaos` and for saying a failure
// again: which seeds, how many steps each, and how long all of them may take.
const (
	chaosSeeds = "CHAOS_SEEDS" // numbers, with commas
	chaosSteps = "CHAOS_STEPS"
	chaosTime  = "CHAOS_TIME"
)

// chaos is an office to which everything happens, in real processes.
type chaos struct {
	t    *testing.T
	seed uint64
	rand *rand.Rand
	llm  *llmsim.Server
	dir  string
	set  []string // of every process's environment

	redis string  // the address of the Redis; empty: the record is a file
	links []*link // one for each place of a process
	ps    []*process
	all   []*process
	fed   map[*process][]string // the lines with a mark, in order
	next  int                   // number of the next mark
	verbs []*process            // commands from other shells
	hours int                   // how often the time of questions was let be up
	calm  atomic.Bool           // no colleague asks people any more
	log   []string              // the steps
}

func TestChaosInAFile(t *testing.T) {
	t.Parallel()
	eachSeed(t, []uint64{1, 2, 3, 4, 5, 6}, 400, 15*time.Second, func(t *testing.T, seed uint64, steps int, until time.Time) {
		newChaos(t, seed).run(steps, until)
	})
}

func TestChaosInRedis(t *testing.T) {
	t.Parallel()
	eachSeed(t, []uint64{1, 2, 3, 4}, 250, 20*time.Second, func(t *testing.T, seed uint64, steps int, until time.Time) {
		c := newChaos(t, seed)
		c.redis = redisServer(t)
		c.run(steps, until)
	})
}

// eachSeed runs the seeds, side by side and for as long as there is time; what the
// environment says goes first.
func eachSeed(t *testing.T, seeds []uint64, steps int, limit time.Duration, run func(t *testing.T, seed uint64, steps int, until time.Time)) {
	if text := os.Getenv(chaosSeeds); text != "" {
		seeds = nil
		for _, s := range strings.Split(text, ",") {
			n, err := strconv.ParseUint(s, 10, 64)
			if err != nil {
				t.Fatalf("%s: %v", chaosSeeds, err)
			}
			seeds = append(seeds, n)
		}
	}
	if n, err := strconv.Atoi(os.Getenv(chaosSteps)); err == nil {
		steps = n
	}
	if d, err := time.ParseDuration(os.Getenv(chaosTime)); err == nil {
		limit = d
	}
	until := time.Now().Add(limit)
	for _, seed := range seeds {
		t.Run(fmt.Sprintf("seed %d", seed), func(t *testing.T) {
			if time.Now().After(until) {
				t.Logf("there was no time for it; %s=%d has this seed run alone", chaosSeeds, seed)
				return
			}
			run(t, seed, steps, until)
		})
	}
}

func newChaos(t *testing.T, seed uint64) *chaos {
	c := &chaos{t: t, seed: seed, rand: rand.New(rand.NewPCG(seed, 7)), dir: quickFolder(t), fed: map[*process][]string{}}
	var err error
	if c.llm, err = llmsim.Start(llmsim.Options{}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.llm.Close() })
	c.llm.OnFunc(llmsim.Always(), func(req *llmsim.Request) llmsim.Reply { return reckless(req, !c.calm.Load()) })
	if err := os.MkdirAll(c.dir, 0o700); err != nil {
		t.Fatal(err)
	}
	c.set = []string{"BULLPEN_CLOCK=" + filepath.Join(c.dir, "clock"), "BULLPEN_LEASE_TTL=500ms"}
	return c
}

// declare writes office.yaml, with dave or without, and with one role or another
// for bob: the next process that opens the office hires, dismisses and promotes.
func (c *chaos) declare() {
	c.t.Helper()
	yaml := fmt.Sprintf(`
office:
  name: Chaos
  ask_user_roles: [leader, member]
  limits: {max_concurrent_turns: 3, attempts: 1000, shutdown_grace: 200ms}
  channels:
    dev: {members: [alice, bob]}
providers:
  sim: {kind: openai, base_url: "%s"}
agents:
  alice: {role: leader, model: "sim:alice"}
  bob: {role: %s, model: "sim:bob"}
  carol: {model: "sim:carol"}
`, c.llm.URL(), []string{"member", "leader"}[c.rand.IntN(2)])
	if c.rand.IntN(2) == 0 {
		yaml += "  dave: {model: \"sim:dave\"}\n"
	}
	if c.redis != "" {
		yaml += "store: {redis: \"${REDIS_URL}\"}\n"
	}
	path := filepath.Join(c.dir, "office.yaml")
	if err := errors.Join(os.WriteFile(path+".new", []byte(yaml), 0o600), os.Rename(path+".new", path)); err != nil {
		c.t.Fatal(err)
	}
}

// run lets the steps happen and then looks at what has become of it all.
func (c *chaos) run(steps int, until time.Time) {
	c.declare()
	places := 1
	if c.redis != "" {
		places = 2
	}
	for range places {
		if c.redis != "" {
			c.links = append(c.links, newLink(c.t, c.redis))
		}
		c.ps = append(c.ps, nil)
	}
	n := 0
	defer func() { c.report(n) }()
	for ; n < steps && time.Now().Before(until) && !c.t.Failed(); n++ {
		c.step(c.rand.IntN(places))
	}
	c.rest()
}

// report says how much happened, and of a failure all that there is to know.
func (c *chaos) report(n int) {
	c.t.Logf("%d steps, %d lines, %d processes, %d requests to models", n, c.next, len(c.all), c.llm.Total())
	if !c.t.Failed() {
		return
	}
	c.t.Logf("say it again with: %s=%d %s=%d go test -run '^%s$' ./cmd/bullpen", chaosSeeds, c.seed, chaosSteps, n, strings.Split(c.t.Name(), "/")[0])
	c.t.Log("the steps:\n" + strings.Join(c.log, "\n"))
	for _, p := range c.all {
		c.t.Logf("process %d:\n%s", p.cmd.Process.Pid, p.transcript())
	}
}

func (c *chaos) note(format string, args ...any) { c.log = append(c.log, fmt.Sprintf(format, args...)) }

// at is the process in a place; one that has died is started anew.
func (c *chaos) at(place int) *process {
	if p := c.ps[place]; p != nil {
		select {
		case <-p.exited:
		default:
			return p
		}
	}
	if c.rand.IntN(3) == 0 {
		c.declare()
	}
	var more []string
	if c.rand.IntN(3) == 0 {
		more = append(more, killAt(20+c.rand.IntN(400)))
	}
	c.ps[place] = c.start(place, open(c.dir, "--exit-when-idle"), more...)
	return c.ps[place]
}

func (c *chaos) start(place int, l launch, more ...string) *process {
	set := append(slices.Clone(c.set), more...)
	if c.redis != "" {
		set = append(set, "REDIS_URL="+c.links[place].address())
	}
	p := start(c.t, l.with(set...))
	c.all = append(c.all, p)
	c.note("%d: process %d starts %v", place, p.cmd.Process.Pid, more)
	return p
}

// rest ends the chaos: the processes that live finish what they were told, then the
// record is looked at, then what is held is let go and it is looked at again.
func (c *chaos) rest() {
	c.calm.Store(true)
	for _, p := range c.ps {
		if p != nil {
			p.end()
		}
	}
	c.endQuestions(c.ps...)
	for _, p := range append(slices.Clone(c.ps), c.verbs...) {
		if p != nil {
			p.wait()
		}
	}
	c.wantVerbs()
	c.declare()
	c.whole("")
	r := c.record()
	c.wantHeldForAReason(r)
	for range 20 { // what they are shown may have them set a do-not-disturb once more
		c.whole("/resume\n/dnd alice\n/dnd bob\n/dnd carol\n/dnd dave\n/dnd erin\n")
		if r = c.record(); !slices.ContainsFunc(r.snap.Items, waits) {
			break
		}
	}
	c.wantAll(r)
}

// TestChaosRestsWhenSomebodyAsks: the end of the chaos does not wait out, in real time,
// what a colleague asks when nobody is there any more.
func TestChaosRestsWhenSomebodyAsks(t *testing.T) {
	t.Parallel()
	c := newChaos(t, 1)
	c.declare()
	c.clock("0s")
	began := time.Now()
	c.whole("@bob M50!\n") // whim has bob ask about 50, for a minute
	if took := time.Since(began); took > patience/2 {
		t.Errorf("it took %s", took)
	}
	p := c.all[0]
	if p.out.find("bob: What about 50?") == "" || p.out.find("bob: ok 50") == "" {
		t.Errorf("bob did not ask and then go on without an answer\n%s", p.transcript())
	}
}

// waits says whether a delivery is one that starts a turn.
func waits(it office.Item) bool { return !it.Quiet && !it.Hop }

// whole runs the office with an input to its end, undisturbed. A call that was in the
// record when a process was killed may ask people only now, and nobody answers.
func (c *chaos) whole(input string) {
	c.t.Helper()
	asked := len(c.verbs)
	p := c.start(0, whole(c.dir, input))
	p.endsWithin(time.Second)
	c.endQuestions(p)
	p.wait()
	for _, v := range c.verbs[asked:] {
		v.wait()
	}
	if code := p.cmd.ProcessState.ExitCode(); code != 0 {
		c.t.Errorf("the office does not come to rest: exit status %d", code)
	}
}

func (c *chaos) record() *record {
	c.t.Helper()
	if c.redis == "" {
		return readRecord(c.t, c.dir)
	}
	s, err := redis.Open(c.t.Context(), redis.Options{URL: c.redis, Office: filepath.Base(c.dir)})
	if err != nil {
		c.t.Fatal(err)
	}
	defer s.Close()
	return recordIn(c.t.Context(), c.t, c.dir, s)
}
