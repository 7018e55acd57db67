package rehearsal

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// Log is a log that tests read. Its methods may be called at the same time.
type Log struct {
	mu sync.Mutex
	b  strings.Builder
}

// Write takes what is logged.
func (l *Log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

// String is all that was logged.
func (l *Log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// Logger writes everything into Logged.
func (r *Troupe) Logger() *slog.Logger {
	return slog.New(slog.NewTextHandler(r.Logged, &slog.HandlerOptions{Level: slog.LevelDebug}))
}

// State is the state of the connections as people see it, a line each.
func (r *Troupe) State() string { return strings.Join(r.Bridge.Connections(), "\n") }

// Until waits for a condition, for as long as Patience. The test ends if it does not
// come, with all that is known.
func (r *Troupe) Until(what string, cond func() bool) {
	r.Helper()
	late := time.NewTimer(r.Patience)
	defer late.Stop()
	for !cond() {
		select {
		case <-time.After(r.Tick):
		case <-late.C:
			summary := ""
			if r.Summary != nil {
				summary = r.Summary()
			}
			r.Fatalf("it never came to this: %s\nstate: %s\nasked: %q\n%s\nlog:\n%s", what, r.State(), r.Turns(), summary, r.Logged)
		}
	}
}

// Idle waits until nobody has anything to do and the platform waits for nothing, and
// lingers.
func (r *Troupe) Idle() {
	r.Helper()
	r.Until("all is quiet", func() bool {
		act, err := r.Office.Activity(r.lasting())
		return err == nil && act.Idle() && (r.Settled == nil || r.Settled())
	})
	if r.Linger > 0 {
		<-time.After(r.Linger)
	}
}

// Shows waits until as much is shown in a place as is wanted, which then has to be
// exactly that.
func (r *Troupe) Shows(place string, shown func() []string, want ...string) {
	r.Helper()
	r.Until(fmt.Sprintf("%s shows %q", place, want), func() bool { return len(shown()) >= len(want) })
	if got := shown(); !slices.Equal(got, want) {
		r.Fatalf("%s shows\n%q\nwant\n%q\nlog:\n%s", place, got, want, r.Logged)
	}
}

// Inbox are the files in a colleague's inbox, sorted by name: "name: content".
func (r *Troupe) Inbox(colleague string) []string {
	r.Helper()
	dir := filepath.Join(r.Dir, "agents", colleague, "workspace", "inbox")
	all, err := os.ReadDir(dir)
	if err != nil {
		return nil // it is made with the first file
	}
	var out []string
	for _, f := range all {
		data, err := os.ReadFile(filepath.Join(dir, f.Name()))
		if err != nil {
			r.Fatal(err)
		}
		out = append(out, f.Name()+": "+string(data))
	}
	return out
}
