package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"bullpen/bridge"
)

const (
	// openAtOnce is how many offices are opened side by side: each reads its record.
	openAtOnce = 4
	// newOffices is how often the folder of all offices is looked at for new ones.
	newOffices = 5 * time.Second
	// tryAgain is how long an office that failed waits before it is opened again; it
	// doubles up to tryAgainMost.
	tryAgain     = 2 * time.Second
	tryAgainMost = time.Minute
)

// many runs offices side by side, none of them with a console.
type many struct {
	host    *host
	opening chan struct{} // holds one element for each office that is being opened
	out     *prefixed

	running sync.WaitGroup

	mu    sync.Mutex
	known map[string]bool // by id: those that are looked after
	// refused are those that cannot be opened as they are configured; once something
	// runs, or may run later, that is no reason to end.
	refused map[string]bool
	hope    bool
	failed  error
	giveUp  context.CancelFunc
}

// runAll runs all offices there are, and those that are made meanwhile.
func (h *host) runAll(ctx context.Context) error {
	all, err := officesDir()
	if err != nil {
		return err
	}
	list := func() (map[string]string, error) {
		ids, err := officeIDs()
		folders := map[string]string{}
		for _, id := range ids {
			folders[id] = filepath.Join(all, id)
		}
		return folders, err
	}
	folders, err := list()
	if err != nil {
		return err
	}
	if len(folders) == 0 {
		return &exitError{exitConfig, fmt.Errorf("there is no office in %s; bullpen office create ID makes one", all)}
	}
	return h.runMany(ctx, folders, list)
}

// runNamed runs the offices with these ids.
func (h *host) runNamed(ctx context.Context, ids []string) error {
	folders := map[string]string{}
	for _, id := range ids {
		dir, err := officeNamed(id)
		if err != nil {
			return err
		}
		folders[id] = dir
	}
	return h.runFolders(ctx, folders)
}

// runFolders runs the offices in these folders, by their ids.
func (h *host) runFolders(ctx context.Context, folders map[string]string) error {
	return h.runMany(ctx, folders, nil)
}

// runMany runs offices until ctx ends. If none of them can be opened as it is
// configured that is its error. list, if it is not nil, tells of offices that were
// made later.
func (h *host) runMany(ctx context.Context, folders map[string]string, list func() (map[string]string, error)) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(ctx, h.ending)()
	m := &many{
		host: h, opening: make(chan struct{}, openAtOnce), out: &prefixed{},
		known: map[string]bool{}, refused: map[string]bool{}, giveUp: cancel,
	}
	m.lookAfter(ctx, folders)
	if list != nil {
		for sleep(ctx, newOffices) {
			if folders, err := list(); err == nil { // else it is asked again soon
				m.lookAfter(ctx, folders)
			}
		}
	}
	m.running.Wait()
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.failed
}

// lookAfter begins to run the offices that are not looked after yet, in an order
// of its own: another process that starts at this moment has another one.
func (m *many) lookAfter(ctx context.Context, folders map[string]string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	var fresh []string
	for id := range folders {
		if !m.known[id] {
			fresh = append(fresh, id)
		}
	}
	rand.Shuffle(len(fresh), func(i, j int) { fresh[i], fresh[j] = fresh[j], fresh[i] })
	for _, id := range fresh {
		m.known[id] = true
		m.running.Go(func() {
			m.keep(ctx, id, folders[id])
			m.mu.Lock()
			defer m.mu.Unlock()
			delete(m.known, id)
		})
	}
}

// refuse notes that an office cannot be opened as it is configured. When that is
// all there is the process has nothing to do.
func (m *many) refuse(id string, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.refused[id] = true
	if !m.hope && len(m.refused) == len(m.known) {
		m.failed = &exitError{exitConfig, errors.New("no office could be opened as it is configured")}
		m.giveUp()
	}
}

// hopeful notes that an office runs, or may run later.
func (m *many) hopeful() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.hope = true
}

// keep runs one office, again and again, until ctx ends or its folder is gone.
func (m *many) keep(ctx context.Context, id, dir string) {
	out := m.out.of(id)
	k := &keeping{many: m, charge: charge{dir: dir, notices: out, front: nobody(out), say: &sayer{out: out}}}
	k.charge.opened = k.opened
	for pause := tryAgain; ctx.Err() == nil && isOffice(dir); pause = min(2*pause, tryAgainMost) {
		began := time.Now()
		err := k.once(ctx)
		var held *heldElsewhere
		var mistake *exitError
		switch {
		case ctx.Err() != nil:
			if err != nil && !errors.Is(err, context.Canceled) {
				k.charge.say.once(err.Error())
			}
			return
		case errors.As(err, &held):
			m.hopeful()
			m.host.standBy(ctx, k.charge, held)
			pause = tryAgain / 2
			continue
		case errors.As(err, &mistake) && mistake.code == exitConfig:
			k.charge.say.once(err.Error())
			m.refuse(id, err)
		case err != nil:
			k.charge.say.once(err.Error())
			m.hopeful()
		}
		if time.Since(began) > tryAgainMost {
			pause = tryAgain // it ran well before
		}
		sleep(ctx, pause)
	}
}

// keeping is one office of many.
type keeping struct {
	many   *many
	charge charge
	free   *sync.Once // gives its place among those that are being opened to another
}

// once runs the office; a panic is an error of this office alone.
func (k *keeping) once(ctx context.Context) (err error) {
	select {
	case k.many.opening <- struct{}{}:
	case <-ctx.Done():
		return nil
	}
	k.free = new(sync.Once)
	defer k.release()
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("it failed: %v\n%s", p, debug.Stack())
		}
	}()
	return k.many.host.runOnce(ctx, k.charge)
}

func (k *keeping) release() { k.free.Do(func() { <-k.many.opening }) }

// opened is when the office is open.
func (k *keeping) opened() {
	k.release()
	k.many.hopeful()
	k.charge.say.once("open")
}

// nobody is the front of an office without a console. What somebody should know
// goes to out.
func nobody(out io.Writer) front {
	return func(ctx context.Context, b *bridge.Bridge, _ *slog.Logger) error {
		for {
			select {
			case text := <-b.Notices():
				fmt.Fprintln(out, text)
			case <-ctx.Done():
				return nil
			}
		}
	}
}

// prefixed writes whole lines to standard error, each with its office's id before it.
type prefixed struct{ mu sync.Mutex }

func (p *prefixed) of(id string) prefixedWriter { return prefixedWriter{p, id} }

type prefixedWriter struct {
	all *prefixed
	id  string
}

// Write writes the lines of text.
func (w prefixedWriter) Write(text []byte) (int, error) {
	w.all.mu.Lock()
	defer w.all.mu.Unlock()
	var b strings.Builder
	for line := range strings.Lines(strings.TrimSuffix(string(text), "\n") + "\n") {
		b.WriteString(w.id + ": " + line)
	}
	_, err := os.Stderr.WriteString(b.String())
	return len(text), err
}
