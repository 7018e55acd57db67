package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// say feeds a line that people write; each is one of its kind.
func (c *chaos) say(p *process, form string) {
	c.next++
	line := fmt.Sprintf(form, fmt.Sprintf("M%d!", c.next))
	c.fed[p] = append(c.fed[p], line)
	p.feed(line)
	c.note("  %d says %s", p.cmd.Process.Pid, line)
}

// step is one thing that happens.
func (c *chaos) step(place int) {
	p := c.at(place)
	switch n := c.rand.IntN(100); {
	case n < 56:
		c.say(p, c.oneOf("@alice %s", "@bob %s", "@carol %s", "@alice @bob %s", "$member %s", "$leader %s", "#dev %s", "@dave %s", "@erin %s", "%s to nobody", "@user @carol %s"))
		if c.rand.IntN(3) == 0 {
			p.taken(len(receipts(p)) + 1)
		}
	case n < 64:
		c.verb(p)
	case n < 70:
		who := c.oneOf("alice", "bob")
		p.feed("/in @" + who)
		c.say(p, "%s between us")
		p.feed("/in " + c.oneOf("#general", "#dev"))
	case n < 74:
		c.command(p, "/pause for a while")
	case n < 80:
		c.command(p, "/resume")
	case n < 86:
		c.command(p, "/interrupt "+c.oneOf("alice", "bob", "carol"))
	case n < 89:
		c.command(p, "/dnd "+c.oneOf("alice", "bob", "carol"))
	case n < 91:
		c.clock(c.oneOf("0s", "1h", "-1h", "26h", "-40m", "5h"))
	case n < 94:
		c.note("%d is killed", p.cmd.Process.Pid)
		p.kill()
	case n < 96:
		c.note("%d is told to end", p.cmd.Process.Pid)
		p.signal(syscall.SIGTERM)
		p.wait()
	default:
		c.disturb(place, p)
	}
}

// clock sets the office's clock wrong.
func (c *chaos) clock(by string) {
	c.t.Helper()
	c.note("the clock is wrong by %s", by)
	path := filepath.Join(c.dir, "clock")
	if err := errors.Join(os.WriteFile(path+".new", []byte(by), 0o600), os.Rename(path+".new", path)); err != nil {
		c.t.Fatal(err)
	}
}

func (c *chaos) oneOf(of ...string) string { return of[c.rand.IntN(len(of))] }

func (c *chaos) command(p *process, line string) {
	c.note("  %d: %s", p.cmd.Process.Pid, line)
	p.feed(line)
}

// disturb is what can happen where there is a Redis; elsewhere a moment's sleep of
// the process, which is no harm there either.
func (c *chaos) disturb(place int, p *process) {
	if c.redis == "" || c.rand.IntN(3) == 0 {
		c.note("%d sleeps", p.cmd.Process.Pid)
		p.stop()
		if c.redis != "" {
			other := c.at((place + 1) % len(c.ps))
			c.say(other, "@alice %s while the other sleeps")
			for before := answers(other); answers(other) == before && other.stirs(len(other.out.all())+len(other.err.all())+1); {
				continue
			}
		}
		p.signal(syscall.SIGCONT)
		return
	}
	k := c.links[place]
	c.note("%d is cut off", p.cmd.Process.Pid)
	if c.rand.IntN(2) == 0 {
		k.cut()
		return
	}
	k.sever()
	c.say(p, "@bob %s while Redis is away")
	p.taken(len(receipts(p)) + 1)
	k.mend()
}

// taken waits until a process has given n receipts, or for its death, or for so
// long that it seems to have nothing to take.
func (p *process) taken(n int) {
	p.t.Helper()
	if n == 1 && p.err.find("standing by") != "" {
		return // it may have to wait for long
	}
	enough := time.After(time.Second)
	for len(receipts(p)) < n {
		_, changed, _ := p.err.look("\x00", 1)
		select {
		case <-changed:
		case <-p.exited:
			return
		case <-enough:
			return
		}
	}
}

// answers is how many lines a process has said something about: one that loses the
// office in this moment refuses what it is told.
func answers(p *process) int {
	n := len(receipts(p))
	for _, line := range p.err.all() {
		if strings.HasPrefix(line, "refused: ") {
			n++
		}
	}
	return n
}
