package bridge

import (
	"log/slog"
	"runtime/debug"
	"sync"
	"time"
)

const (
	// LaneRoom bounds the events that wait in all lanes of one adapter.
	LaneRoom = 2000
	// slowEvent is how long an event may take before it is logged.
	slowEvent = 30 * time.Second
)

// Job is what one event of a platform's makes an adapter do.
type Job struct {
	// What names the event, for the log.
	What string
	Run  func()
	// Failed, if it is not nil, is called when Run panicked.
	Failed func()
}

// Do runs the job here and now. A panic ends it alone; one that takes longer than
// half a minute is logged while it still runs.
func (j Job) Do(log *slog.Logger) {
	slow := time.AfterFunc(slowEvent, func() { log.Warn("an event takes long", "event", j.What, "over", slowEvent) })
	defer slow.Stop()
	defer func() {
		if p := recover(); p != nil {
			log.Error("an event failed", "event", j.What, "panic", p, "stack", string(debug.Stack()))
			j.apologise(log)
		}
	}()
	j.Run()
}

// apologise calls Failed, which may fail for what made Run fail.
func (j Job) apologise(log *slog.Logger) {
	defer func() {
		if p := recover(); p != nil {
			log.Error("the failure of an event could not be shown", "event", j.What, "panic", p)
		}
	}()
	if j.Failed != nil {
		j.Failed()
	}
}

// Lanes carry an adapter's events out: those of one lane in order, each lane
// independent of the others. NewLanes makes one. Its methods may be called from any
// goroutine.
type Lanes struct {
	log     *slog.Logger
	mu      sync.Mutex
	waiting map[string][]Job // a lane that is there has a goroutine
	total   int
	work    sync.WaitGroup
}

// NewLanes makes lanes without a job. log names the platform.
func NewLanes(log *slog.Logger) *Lanes {
	return &Lanes{log: log, waiting: map[string][]Job{}}
}

// Add puts a job at the end of a lane. It never blocks; false means that LaneRoom
// jobs wait already: the event has to come again.
func (l *Lanes) Add(lane string, j Job) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.total >= LaneRoom {
		return false
	}
	queue, running := l.waiting[lane]
	l.waiting[lane] = append(queue, j)
	l.total++
	if !running {
		l.work.Go(func() { l.serve(lane) })
	}
	return true
}

func (l *Lanes) serve(lane string) {
	for {
		j, ok := l.next(lane)
		if !ok {
			return
		}
		j.Do(l.log)
	}
}

// next takes the head off a lane; a lane with nothing in it ends.
func (l *Lanes) next(lane string) (Job, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	queue := l.waiting[lane]
	if len(queue) == 0 {
		delete(l.waiting, lane)
		return Job{}, false
	}
	l.waiting[lane] = queue[1:]
	l.total--
	return queue[0], true
}

// Wait waits until nothing is left. Nothing may be added meanwhile.
func (l *Lanes) Wait() { l.work.Wait() }
