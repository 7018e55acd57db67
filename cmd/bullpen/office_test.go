package main

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"bullpen/office/store/redis"
)

// household is a folder of offices.
type household struct {
	t    *testing.T
	home string
	set  []string
}

func newHousehold(t *testing.T, ids ...string) *household {
	h := &household{t: t, home: filepath.Dir(quickFolder(t))}
	for _, id := range ids {
		h.bullpen("office", "create", id).wantExit(0)
	}
	return h
}

func (h *household) launch(args ...string) launch {
	return launch{program: faulty, args: args, set: append([]string{"BULLPEN_HOME=" + h.home}, h.set...)}
}

// bullpen runs one command to its end, with nothing to read.
func (h *household) bullpen(args ...string) *process {
	h.t.Helper()
	l := h.launch(args...)
	l.input = new(string)
	return finished(h.t, l)
}

// up starts offices.
func (h *household) up(args ...string) *process {
	h.t.Helper()
	return start(h.t, h.launch(append([]string{"up"}, args...)...))
}

func (h *household) dir(id string) string { return filepath.Join(h.home, "offices", id) }

// configure replaces text in an office's office.yaml.
func (h *household) configure(id, old, text string) {
	h.t.Helper()
	path := filepath.Join(h.dir(id), "office.yaml")
	was, err := os.ReadFile(path)
	if err != nil {
		h.t.Fatal(err)
	}
	now := strings.Replace(string(was), old, text, 1)
	if now == string(was) {
		h.t.Fatalf("%s has no %q", path, old)
	}
	if err := os.WriteFile(path, []byte(now), 0o600); err != nil {
		h.t.Fatal(err)
	}
}

// inRedis moves the records of offices to a Redis.
func (h *household) inRedis(ids ...string) (address string) {
	h.t.Helper()
	address = redisServer(h.t)
	h.set = append(h.set, "REDIS_URL="+address, "BULLPEN_LEASE_TTL=1500ms")
	for _, id := range ids {
		h.configure(id, "\nagents:", "\nstore: {redis: \"${REDIS_URL}\"}\nagents:")
	}
	return address
}

func TestOfficesAreMadeListedRenamedAndDeleted(t *testing.T) {
	t.Parallel()
	h := newHousehold(t)
	h.bullpen("office", "list").see("There is no office in")
	h.bullpen("office", "create", "acme", "--name", `Acme: "we" # build`).wantExit(0)
	h.bullpen("office", "create", "beta").wantExit(0)
	for _, bad := range [][]string{{"create", "acme"}, {"create", "Bad"}, {"create", "../x"}, {"create"}, {"rename", "nobody", "x"}, {"rename", "acme", "a\nb"}, {"delete", "nobody"}} {
		h.bullpen(append([]string{"office"}, bad...)...).wantExit(2)
	}
	h.bullpen("office", "rename", "beta", "Beta Inc.").wantExit(0)
	list := h.bullpen("office", "list")
	for id, name := range map[string]string{"acme": `Acme: "we" # build`, "beta": "Beta Inc."} {
		line := list.out.find(h.dir(id))
		for _, part := range []string{id + " ", name, " 3 ", " file ", " no "} {
			if !strings.Contains(line, part) {
				t.Errorf("the line of %s lacks %q: %s", id, part, line)
			}
		}
	}

	p := h.up("--office", "acme")
	p.feed("@alice are you there")
	p.see("alice: You wrote")
	h.bullpen("office", "list").see("bullpen up, process ")
	refused := h.bullpen("office", "delete", "acme", "--yes")
	refused.wantExit(1)
	refused.hear("already running")
	p.feed("@alice still there")
	p.see("alice: You wrote: “@alice still there”")
	p.feed("/quit")
	p.wantExit(0)

	no := h.bullpen("office", "delete", "acme")
	no.see("4 messages, 3 colleagues")
	no.see("Nothing was deleted.")
	yes := h.launch("office", "delete", "acme")
	answer := "acme\n"
	yes.input = &answer
	finished(t, yes).wantExit(0)
	h.bullpen("office", "delete", "beta", "--yes", "--purge").wantExit(0)
	h.bullpen("office", "list").see("There is no office in")
	trash, err := filepath.Glob(filepath.Join(h.home, "trash", "acme-*", "bullpen.db"))
	if err != nil || len(trash) != 1 {
		t.Errorf("the trash holds %q (%v)", trash, err)
	}
	if all, err := os.ReadDir(filepath.Join(h.home, "trash")); err != nil || len(all) != 1 {
		t.Errorf("the trash holds %v (%v)", all, err)
	}
}

// The name is changed wherever people may have written it, and nothing else is.
func TestANameIsChangedInPlace(t *testing.T) {
	t.Parallel()
	const agents = "\nagents: {alice: {model: demo}} # all of them\n"
	for _, before := range []string{
		"office:\n  name: Acme",
		"# first\noffice: # us\n\n  # a name: of sorts\n  description: d\n  name: 'It''s' # so\n  timezone: UTC",
		"people:\n  maria:\n    name: Maria\noffice:\n  name: \"A \\\" b\"",
		"office: {name: Acme, timezone: UTC}",
		"people:\n  maria:\n    name: Maria",
	} {
		dir := writeOffice(t, before+agents)
		const name = `New: "one" # now`
		if err := setName(t.Context(), dir, name); err != nil {
			t.Errorf("%q: %v", before, err)
			continue
		}
		cfg, err := load(dir, io.Discard)
		if err != nil || cfg.Setup.Name != name {
			t.Errorf("%q: the name is not changed: %v", before, err)
		}
		text, err := os.ReadFile(filepath.Join(dir, "office.yaml"))
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(before + agents) {
			if line = strings.TrimSpace(line); !strings.Contains(line, "name: ") && !strings.Contains(string(text), line) {
				t.Errorf("%q is gone from\n%s", line, text)
			}
		}
	}
}

func TestDeletingAnOfficeLeavesNothingInRedis(t *testing.T) {
	t.Parallel()
	h := newHousehold(t, "acme", "beta")
	address := h.inRedis("acme", "beta")
	for _, id := range []string{"acme", "beta"} {
		p := h.up("--office", id)
		p.feed("@alice are you there")
		p.see("alice: You wrote")
		p.feed("/quit")
		p.wantExit(0)
	}
	h.bullpen("office", "delete", "acme", "--yes").wantExit(0)
	for id, want := range map[string]bool{"acme": false, "beta": true} {
		s, err := redis.Open(t.Context(), redis.Options{URL: address, Office: id})
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		if snap, err := s.Load(t.Context()); err == nil && (len(snap.Colleagues) > 0 || snap.Head.N > 0) != want {
			t.Errorf("Redis holds of %s: %+v", id, snap)
		}
	}
}

func TestSeveralOfficesInOneProcess(t *testing.T) {
	t.Parallel()
	h := newHousehold(t, "one", "two", "three")
	h.configure("two", "model: demo", "model: nobody:knows")
	p := h.up("--all")
	p.hear("one: open")
	p.hear("three: open")
	p.hear("two: the office in " + h.dir("two") + " cannot be opened as it is configured:")
	// What is mended or made runs without anybody starting it.
	h.configure("two", "model: nobody:knows", "model: demo")
	h.bullpen("office", "create", "four").wantExit(0)
	p.hear("two: open")
	p.hear("four: open")
	for _, id := range []string{"one", "two", "three", "four"} {
		if _, err := os.Stat(filepath.Join(h.dir(id), "logs", "bullpen.log")); err != nil {
			t.Errorf("%s has no log of its own: %v", id, err)
		}
	}
	second := h.bullpen("up", "--dir", h.dir("one"))
	second.wantExit(1)
	second.hear("already running: bullpen up --all")
	p.signal(syscall.SIGTERM)
	p.wantExit(0)
	for _, id := range []string{"one", "two", "three", "four"} {
		if r := readRecord(t, h.dir(id)); r.snap.Head.Nonce != "" {
			t.Errorf("%s is still leased", id)
		}
	}
}

func TestNoOfficeThatCanBeOpened(t *testing.T) {
	t.Parallel()
	h := newHousehold(t)
	h.bullpen("up", "--all").wantExit(2)
	h = newHousehold(t, "one", "two")
	for _, id := range []string{"one", "two"} {
		h.configure(id, "model: demo", "model: nobody:knows")
	}
	for _, args := range [][]string{{"up", "--all"}, {"up", "--office", "one", "--office", "two"}, {"up", "--office", "one"}, {"up", "--office", "none"}, {"up", "--all", "--dir", "x"}} {
		h.bullpen(args...).wantExit(2)
	}
}

// runs are the offices that a process has opened and not lost since.
func runs(p *process) map[string]bool {
	open := map[string]bool{}
	for _, line := range p.err.all() {
		if id, said, ok := strings.Cut(line, ": "); ok {
			open[id] = said == "open"
		}
	}
	for id, is := range open {
		if !is {
			delete(open, id)
		}
	}
	return open
}

// spread waits until each office runs in exactly one of the processes.
func (h *household) spread(ids []string, ps ...*process) {
	h.t.Helper()
	ctx, cancel := context.WithTimeout(h.t.Context(), patience)
	defer cancel()
	for {
		in := map[string]int{}
		for _, p := range ps {
			for id := range runs(p) {
				in[id]++
			}
		}
		for id, n := range in {
			if n > 1 {
				h.t.Fatalf("%s runs in %d processes", id, n)
			}
		}
		if len(in) == len(ids) {
			return
		}
		if !sleep(ctx, 20*time.Millisecond) {
			for _, p := range ps {
				h.t.Log(p.transcript())
			}
			h.t.Fatalf("%v run, want %v", in, ids)
		}
	}
}

func TestProcessesShareTheOfficesOfARedis(t *testing.T) {
	t.Parallel()
	ids := []string{"a", "b", "c", "d", "e", "f"}
	h := newHousehold(t, ids...)
	h.inRedis(ids...)
	var ps []*process
	for range 3 {
		ps = append(ps, h.up("--all"))
	}
	h.spread(ids, ps...)
	for _, p := range ps {
		t.Logf("process %d runs %v", p.cmd.Process.Pid, runs(p))
		if n := len(ids) - len(runs(p)); n > 0 { // the first may have opened all of them
			p.await(p.err, "standing by", n)
		}
	}
	ps[0].kill()
	h.spread(ids, ps[1], ps[2])
	ps[1].signal(syscall.SIGTERM)
	ps[1].wantExit(0)
	h.spread(ids, ps[2])
	ps[2].signal(syscall.SIGTERM)
	ps[2].wantExit(0)
}
