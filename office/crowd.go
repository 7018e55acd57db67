package office

import "time"

const (
	// maxJobs is how many requests one batch may hold.
	maxJobs = 256
	// crowdWait bounds the wait for those who were answered together, whatever a
	// commit takes; crowdShare is the share of a commit that it may take.
	crowdWait  = 2 * time.Millisecond
	crowdShare = 4
)

// crowd makes batches of those who ask at the same time. Who is answered together
// mostly asks again together, but not at once: whoever is the first of them would
// have a commit alone, and all others would wait for its disk.
type crowd struct {
	size int           // how many were answered by the last batch
	wait time.Duration // for how long they are worth waiting for
}

// answered remembers a batch that took a time to commit, 0 if it had nothing to.
// One who is alone is never waited for.
func (c *crowd) answered(jobs int, took time.Duration) {
	c.size, c.wait = jobs, min(took/crowdShare, crowdWait)
}

// gather takes what waits beside the first job, so that all of it shares one commit.
func (c *crowd) gather(first job, from <-chan job) []job {
	jobs := []job{first}
	var late <-chan time.Time
	for len(jobs) < maxJobs {
		select {
		case j := <-from:
			jobs = append(jobs, j)
			continue
		default:
		}
		if len(jobs) >= c.size || c.wait <= 0 {
			return jobs
		}
		if late == nil {
			late = time.After(c.wait)
		}
		select {
		case j := <-from:
			jobs = append(jobs, j)
		case <-late:
			return jobs
		}
	}
	return jobs
}
