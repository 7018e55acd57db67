package main

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"bullpen/office/store/redis"
)

// do has the Redis run one command, in one line, and gives its answer's first line.
func (r *redisd) do(command string) string {
	r.t.Helper()
	c, err := net.Dial("unix", r.socket)
	if err != nil {
		r.t.Fatal(err)
	}
	defer c.Close()
	if _, err := fmt.Fprintf(c, "%s\r\n", command); err != nil {
		r.t.Fatal(err)
	}
	line, err := bufio.NewReader(c).ReadString('\n')
	if err != nil {
		r.t.Fatal(err)
	}
	return strings.TrimSpace(line)
}

// must is do for what has to succeed.
func (r *redisd) must(command string) {
	r.t.Helper()
	if said := r.do(command); strings.HasPrefix(said, "-") {
		r.t.Fatalf("%s: %s", command, said)
	}
}

// inRedisAt makes an office whose record is in a Redis, and how to start it there.
func inRedisAt(t *testing.T, address string) (dir string, l launch) {
	t.Helper()
	dir = quickFolder(t)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	const yaml = "store: {redis: \"${REDIS_URL}\"}\nagents: {alice: {model: demo}, bob: {model: demo, reports_to: alice}}\n"
	if err := os.WriteFile(filepath.Join(dir, "office.yaml"), []byte(yaml), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir, open(dir).with("REDIS_URL="+address, "BULLPEN_LEASE_TTL=900ms")
}

// recordAt is what a Redis holds of the office in a folder.
func recordAt(t *testing.T, address, dir string) *record {
	t.Helper()
	s, err := redis.Open(t.Context(), redis.Options{URL: address, Office: filepath.Base(dir)})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	return recordIn(t.Context(), t, dir, s)
}

// wantOnce: each line is in the record once, in order, and was answered.
func (r *record) wantOnce(t *testing.T, lines ...string) {
	t.Helper()
	r.wantSound(t)
	r.wantDone(t)
	var last int64
	for _, line := range lines {
		found := r.said("user", line)
		if len(found) != 1 || found[0].No < last {
			t.Errorf("%q is in the record %d times, or out of order", line, len(found))
			continue
		}
		last = found[0].No
		if n := r.times(wrote("alice", line)); n != 1 {
			t.Errorf("%q was answered %d times", line, n)
		}
	}
}

// logged waits until the office's log has n lines that say something.
func logged(t *testing.T, dir, text string, n int) {
	t.Helper()
	for deadline := time.Now().Add(patience); ; {
		log, err := os.ReadFile(filepath.Join(dir, "logs", "bullpen.log"))
		if err == nil && strings.Count(string(log), text) >= n {
			return
		}
		if time.Now().After(deadline) || !sleep(t.Context(), 10*time.Millisecond) {
			t.Fatalf("the log does not say %q %d times: %v\n%s", text, n, err, log)
		}
	}
}

// A Redis that is killed and started again costs the time that it was away.
func TestRedisIsRestarted(t *testing.T) {
	t.Parallel()
	d := startRedis(t)
	dir, l := inRedisAt(t, d.address())
	p := start(t, l)
	p.feed("@alice one")
	p.see("alice: You wrote: “@alice one”")
	d.kill()
	p.feed("@alice two")
	logged(t, dir, "could not be renewed", 1)
	d.start()
	p.see("alice: You wrote: “@alice two”")
	p.feed("@alice three", "/quit")
	p.wantExit(0)
	recordAt(t, d.address(), dir).wantOnce(t, "@alice one", "@alice two", "@alice three")
}

// While Redis cannot be reached for longer than its lease lasts nothing is said in the
// office; if nobody took it over it then goes on.
func TestRedisIsOutOfReach(t *testing.T) {
	t.Parallel()
	d := startRedis(t)
	k := newLink(t, d.address())
	dir, l := inRedisAt(t, k.address())
	p := start(t, l)
	p.feed("@alice one")
	p.see("alice: You wrote: “@alice one”")
	k.sever()
	p.feed("@alice two")
	logged(t, dir, "could not be renewed", 8) // more than two leases
	if line := p.out.find("two"); line != "" {
		t.Errorf("what is not stored was shown: %s", line)
	}
	k.mend()
	p.see("alice: You wrote: “@alice two”")
	p.feed("/quit")
	p.wantExit(0)
	recordAt(t, d.address(), dir).wantOnce(t, "@alice one", "@alice two")
}

// Who is cut off loses the office to who is not, and stands by for it then. What it
// was told meanwhile it says that it did not take.
func TestWhoIsCutOffLosesTheOffice(t *testing.T) {
	t.Parallel()
	d := startRedis(t)
	k := newLink(t, d.address())
	dir, l := inRedisAt(t, k.address())
	first := start(t, l)
	first.feed("@alice one")
	first.see("alice: You wrote: “@alice one”")
	second := start(t, open(dir).with("REDIS_URL="+d.address(), "BULLPEN_LEASE_TTL=900ms"))
	third := start(t, open(dir).with("REDIS_URL="+d.address(), "BULLPEN_LEASE_TTL=900ms"))
	second.hear("standing by")
	third.hear("standing by")
	k.sever()
	first.feed("@alice two")
	second.feed("@alice three")
	third.feed("@alice four") // one of them takes it over, and leaves it to the other
	second.end()
	third.end()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	for waiting := []*process{second, third}; len(waiting) > 0; {
		i := slices.IndexFunc(waiting, func(p *process) bool { return len(receipts(p)) > 0 })
		if i < 0 {
			if !sleep(ctx, 10*time.Millisecond) {
				t.Fatal("nobody took the office over")
			}
			continue
		}
		p := waiting[i]
		waiting = slices.Delete(waiting, i, i+1)
		p.signal(syscall.SIGTERM)
		p.wantExit(0)
	}
	k.mend()
	first.hear("it is opened again when it is free") // before that it refuses what it is told
	first.feed("@alice five", "/quit")
	first.see("@alice five")
	first.wantExit(0)
	r := recordAt(t, d.address(), dir)
	r.wantSound(t)
	for _, line := range []string{"@alice one", "@alice three", "@alice four", "@alice five"} {
		if n := len(r.said("user", line)); n != 1 {
			t.Errorf("%q is in the record %d times", line, n)
		}
	}
	if n := len(r.said("user", "@alice two")); n != 0 {
		t.Errorf("what the stale process was told is in the record %d times", n)
	}
}

// Redis may forget its scripts and end its connections at any time.
func TestRedisForgetsScriptsAndEndsConnections(t *testing.T) {
	t.Parallel()
	d := startRedis(t)
	dir, l := inRedisAt(t, d.address())
	p := start(t, l)
	var lines []string
	for i := range 12 {
		line := fmt.Sprintf("@alice line %d", i)
		lines = append(lines, line)
		p.feed(line)
		d.must([]string{"SCRIPT FLUSH", "CLIENT KILL TYPE normal SKIPME yes"}[i%2])
		p.see("alice: You wrote: “" + line + "”")
	}
	p.feed("/quit")
	p.wantExit(0)
	recordAt(t, d.address(), dir).wantOnce(t, lines...)
}

// A Redis that kept its data in memory alone, and was started again, knows nothing of
// what it had confirmed: the office notices and begins with what there is.
func TestRedisForgotTheOffice(t *testing.T) {
	t.Parallel()
	d := startRedis(t)
	d.must("CONFIG SET appendonly no")
	d.must("CONFIG SET save \"\"")
	dir, l := inRedisAt(t, d.address())
	p := start(t, l)
	p.feed("/status", "@alice one")
	p.hear("keeps its data in memory alone and loses the office when it stops")
	p.see("alice: You wrote: “@alice one”")
	d.kill()
	d.forget()
	d.start()
	p.hear("opened again")
	p.feed("@alice two")
	p.see("general-1 user: @alice two")
	p.feed("/quit")
	p.wantExit(0)
	recordAt(t, d.address(), dir).wantOnce(t, "@alice two")
}

// What a Redis that cannot keep a record is told in one sentence, without its password.
func TestARedisThatWillNotDo(t *testing.T) {
	t.Parallel()
	d := startRedis(t)
	d.must("CONFIG SET requirepass open-sesame")
	dir, _ := inRedisAt(t, d.address())
	refused := func(address, sentence string) {
		t.Helper()
		l := whole(dir, "").with("REDIS_URL=" + address)
		p := finished(t, l)
		p.wantExit(1)
		p.hear(sentence)
		if n := len(p.err.all()); n != 1 || strings.Contains(p.transcript(), "sesame") {
			t.Errorf("it said %d lines, or the password\n%s", n, p.transcript())
		}
	}
	with := func(password string) string {
		return strings.Replace(d.address(), "unix://", "unix://:"+password+"@", 1)
	}
	refused(d.address(), "wants a password")
	refused(with("sesame"), "password")
	refused("unix:///nowhere/at/all", "see that it runs and can be reached from here")
	d2 := startRedis(t)
	d2.must("CONFIG SET maxmemory-policy allkeys-lru")
	refused(d2.address(), "maxmemory-policy noeviction")
	p := finished(t, whole(dir, "@alice one\n").with("REDIS_URL="+with("open-sesame")))
	p.wantExit(0)
	p.see("alice: You wrote")
}

// What a Redis could lose is said where people look.
func TestStatusSaysWhatRedisCouldLose(t *testing.T) {
	t.Parallel()
	for setting, sentence := range map[string]string{
		"appendfsync always":   "so nothing is lost when it or its machine stops",
		"appendfsync everysec": "can lose about the last second of commits",
		"appendonly no":        "keeps its data in memory alone",
	} {
		d := startRedis(t)
		d.must("CONFIG SET " + setting)
		_, l := inRedisAt(t, d.address())
		p := start(t, l)
		p.feed("/status", "/quit")
		p.hear("store: Redis at " + d.socket)
		if line := p.err.find(sentence); line == "" {
			t.Errorf("%s: /status does not say %q\n%s", setting, sentence, p.transcript())
		}
		p.wantExit(0)
	}
}
