package discord

import (
	"log/slog"
	"runtime/debug"
	"sync"
	"time"
)

const (
	// laneRoom bounds the events that wait in all lanes; more end the connection,
	// and are read back.
	laneRoom = 2000
	// slowEvent is how long an event may take before it is logged.
	slowEvent = 30 * time.Second
)

// job is one event in a lane.
type job struct {
	what string // for the log
	run  func()
	// failed is called when run panicked.
	failed func()
}

// lanes carry events out: those of one lane in order, one lane independent of
// the others. The zero value is ready; log is set before use.
type lanes struct {
	log     *slog.Logger
	mu      sync.Mutex
	waiting map[string][]job // a lane that is there has a goroutine
	total   int
	work    sync.WaitGroup
}

// add puts a job at the end of a lane. It never blocks; false means that there
// is no room.
func (l *lanes) add(lane string, j job) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.total >= laneRoom {
		return false
	}
	if l.waiting == nil {
		l.waiting = map[string][]job{}
	}
	queue, running := l.waiting[lane]
	l.waiting[lane] = append(queue, j)
	l.total++
	if !running {
		l.work.Go(func() { l.serve(lane) })
	}
	return true
}

func (l *lanes) serve(lane string) {
	for {
		j, ok := l.next(lane)
		if !ok {
			return
		}
		l.do(j)
	}
}

// next takes the head off a lane; a lane with nothing in it ends.
func (l *lanes) next(lane string) (job, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	queue := l.waiting[lane]
	if len(queue) == 0 {
		delete(l.waiting, lane)
		return job{}, false
	}
	l.waiting[lane] = queue[1:]
	l.total--
	return queue[0], true
}

// do carries one event out. A panic ends it alone.
func (l *lanes) do(j job) {
	slow := time.AfterFunc(slowEvent, func() {
		l.log.Warn("an event of Discord's takes long", "event", j.what, "over", slowEvent)
	})
	defer slow.Stop()
	defer func() {
		if p := recover(); p != nil {
			l.log.Error("an event of Discord's failed", "event", j.what, "panic", p, "stack", string(debug.Stack()))
			if j.failed != nil {
				j.failed()
			}
		}
	}()
	j.run()
}

// wait waits until nothing is left. Nothing may be added meanwhile.
func (l *lanes) wait() { l.work.Wait() }
