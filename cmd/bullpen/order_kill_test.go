package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"bullpen/config"
	discordsim "bullpen/internal/sim/discord"
)

// orderPlace is an office on one platform, whose owner gives it commands there.
type orderPlace struct {
	dir string
	// alone says that the platform has noticed that no process is connected.
	alone func() bool
	// ready says that commands can be given to the process that was started last.
	ready func() bool
	// give gives a command of the root agent with arguments by their names, and says
	// how it is delivered once more, to the next process.
	give func(verb string, args ...string) (again func() error, err error)
}

// orderPlaces are the ways in for commands of platforms.
var orderPlaces = map[string]func(*testing.T) orderPlace{
	"discord": func(t *testing.T) orderPlace {
		g := newGuildplace(t)
		return orderPlace{
			dir: g.dir,
			alone: func() bool {
				return !slices.ContainsFunc(g.discord.Sessions(), func(s discordsim.Session) bool { return s.Connected })
			},
			ready: func() bool { all := g.discord.Sessions(); return len(all) > 0 && all[len(all)-1].Connected },
			give: func(verb string, args ...string) (func() error, error) {
				options := map[string]any{}
				for i := 0; i < len(args); i += 2 {
					options[args[i]] = args[i+1]
				}
				id, err := g.discord.User("maria").Slash(generalID, "/agent "+verb, options)
				return func() error { return g.discord.Redeliver(id) }, err
			},
		}
	},
	"slack": func(t *testing.T) orderPlace {
		w := newWorkplace(t, plan{})
		return orderPlace{
			dir:   w.dir,
			alone: func() bool { return w.slack.Sockets() == 0 },
			ready: func() bool { return w.slack.Sockets() == 1 },
			give: func(verb string, args ...string) (func() error, error) {
				id, err := w.slack.User("maria").Slash("general", "/office", typedOrder(verb, args))
				return func() error { return w.slack.Redeliver(id) }, err
			},
		}
	},
	"telegram": func(t *testing.T) orderPlace {
		ph := newPhone(t)
		return orderPlace{
			dir:   ph.dir,
			alone: func() bool { return true },
			ready: func() bool { return true },
			give: func(verb string, args ...string) (func() error, error) {
				ph.telegram.User(onThePhone).DM("/office " + typedOrder(verb, args))
				return func() error { return nil }, nil // it comes again by itself
			},
		}
	},
}

// typedOrder is a command as it is typed; the values need no names.
func typedOrder(verb string, args []string) string {
	line := "agent " + verb
	for i := 0; i < len(args); i += 2 {
		if args[i] == "description" {
			line += " " + args[i] + `="` + args[i+1] + `"`
			continue
		}
		line += " " + args[i+1]
	}
	return line
}

// TestACommandChangesOnceAcrossAKill kills the process before a command of an admin
// changes anything, between office.yaml and the record, and between the commit and
// the answer, and has the command delivered again: what it adds is there once (B47).
func TestACommandChangesOnceAcrossAKill(t *testing.T) {
	t.Parallel()
	type where struct{ platform, point string }
	var all []where
	for _, platform := range []string{"discord", "slack", "telegram"} {
		for _, point := range []string{"order.before", "edit.after", "order.after"} {
			all = append(all, where{platform, point})
		}
	}
	atOnce(t, all, func(x where) string { return x.platform + " " + x.point }, func(t *testing.T, x where) {
		at := orderPlaces[x.platform](t)
		file := func() string {
			text, err := os.ReadFile(filepath.Join(at.dir, config.FileName))
			if err != nil {
				t.Fatal(err)
			}
			return string(text)
		}
		until := func(p *process, what string, cond func() bool) {
			t.Helper()
			if !awaited(t, patience, cond) {
				t.Fatalf("it never came to this: %s\n%s\n%s", what, file(), p.transcript())
			}
		}
		begin := func(set ...string) *process {
			return start(t, open(at.dir, "--exit-when-idle").with(append(set, inShort...)...))
		}
		const added, barrier = "Be kind, and then be kind.", "Reads slowly"
		var again func() error
		p := begin(killAt(x.point))
		until(p, "the command is taken", func() (ok bool) {
			if !at.ready() {
				return false
			}
			var err error
			again, err = at.give("prompt", "colleague", "bob", "do", "append", "text", added)
			return err == nil
		})
		<-p.exited
		if !p.wasKilled(syscall.SIGKILL) {
			t.Fatalf("it did not die at %s\n%s", x.point, p.transcript())
		}
		until(p, "it is gone", at.alone)
		p = begin()
		until(p, "it comes again", func() bool { return at.ready() && again() == nil })
		until(p, "the next command is taken", func() bool {
			_, err := at.give("configure", "colleague", "bob", "description", barrier)
			return err == nil
		})
		until(p, "the next command is carried out", func() bool { return strings.Contains(file(), barrier) })
		p.end()
		p.wait()
		if n := strings.Count(file(), added); n != 1 {
			t.Errorf("it is added %d times\n%s\n%s", n, file(), p.transcript())
		}
	})
}
