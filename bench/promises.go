//go:build linux

package main

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// What is promised of every platform, beside the floor in the same run.
const (
	mostTimes      = 1.7 // of the floor's median and of its processor time
	leastShare     = 0.7 // of the floor's throughput
	mostSyncs      = 4.0 // waits for the disk a message
	mostMemory     = 30  // megabytes, after a burst
	mostToRequest  = 5 * time.Millisecond
	burstEach      = 10 // messages in each chat of a burst
	closedEach     = 15 // in each chat of the closed loop
	steadyMessages = 100
	rounds         = 5
)

// results are those of the rounds of one contender.
type results struct {
	steady []steady
	closed []loop
	bursts []loop
	memory []float64 // after the burst
	heap   []float64 // the part of it that is no file's
}

// onPlatform measures what is promised of a platform, in rounds: the floor and bullpen in
// turn, first at leisure, as it comes out of the box, then as fast as it goes.
func onPlatform(on platform) func(context.Context, *bench) error {
	return func(ctx context.Context, b *bench) error {
		var floor, ours results
		n := rounds
		if b.quick {
			n = 2
		}
		for range n {
			for _, x := range []struct {
				floor bool
				into  *results
			}{{true, &floor}, {false, &ours}} {
				if err := b.atLeisure(ctx, on, scene{floor: x.floor}, x.into); err != nil {
					return err
				}
			}
			for _, x := range []struct {
				floor bool
				into  *results
			}{{true, &floor}, {false, &ours}} {
				if err := b.atSpeed(ctx, on, scene{floor: x.floor, free: true}, x.into); err != nil {
					return err
				}
			}
		}
		b.compare(on, &ours, &floor)
		return b.syncs(ctx, on)
	}
}

// atLeisure is a steady talk and then a burst.
func (b *bench) atLeisure(ctx context.Context, on platform, sc scene, into *results) error {
	c, err := b.contend(ctx, on, sc)
	if err != nil {
		return err
	}
	defer c.close()
	s, err := c.steady(ctx, b.times(steadyMessages))
	if err != nil {
		return err
	}
	l, err := c.burst(ctx, burstEach)
	if err != nil {
		return err
	}
	if err := c.rest(ctx); err != nil {
		return err
	}
	memory, err := c.memory("VmRSS")
	if err != nil {
		return err
	}
	heap, err := c.memory("RssAnon")
	into.steady, into.bursts = append(into.steady, s), append(into.bursts, l)
	into.memory, into.heap = append(into.memory, memory), append(into.heap, heap)
	return err
}

// atSpeed is the closed loop.
func (b *bench) atSpeed(ctx context.Context, on platform, sc scene, into *results) error {
	c, err := b.contend(ctx, on, sc)
	if err != nil {
		return err
	}
	defer c.close()
	l, err := c.closed(ctx, closedEach)
	into.closed = append(into.closed, l)
	return err
}

// compare prints what the rounds gave.
func (b *bench) compare(on platform, ours, floor *results) {
	name := on.letter + "  " + on.name + ": "
	b.ratio(name+"answer at leisure, median, to the floor's", "ms", ours.each(answerTime), floor.each(answerTime), atMost(mostTimes))
	b.ratio(name+"processor at leisure to the floor's", "ms a message", ours.each(steadyCPU), floor.each(steadyCPU), atMost(mostTimes))
	b.ratio(name+"closed loop, throughput to the floor's", "answers/s", ours.loops(loopRate), floor.loops(loopRate), atLeast(leastShare))
	b.ratio(name+"closed loop, processor to the floor's", "ms a message", ours.loops(loopCPU), floor.loops(loopCPU), atMost(mostTimes))
	ordered := !slices.ContainsFunc(slices.Concat(ours.bursts, ours.closed, floor.bursts, floor.closed), func(l loop) bool { return !l.ordered })
	var rate []float64
	for _, l := range ours.bursts {
		rate = append(rate, l.rate)
	}
	b.add(row{
		name: name + "burst of 200: every answer, in order", value: fmt.Sprint(ordered), target: "true", met: judged(ordered),
		beside: fmt.Sprintf("%d rounds; %s answers/s at the rates that the platform documents", len(ours.bursts), spread("%.0f", rate)),
	})
	most := slices.Max(ours.memory)
	b.add(row{
		name: name + "resident memory after the burst", value: spread("%.1f MB", ours.memory), target: fmt.Sprintf("< %d MB", mostMemory), met: judged(most < mostMemory),
		beside: fmt.Sprintf("%.1f MB of it are the program's own pages; the floor %s", most-slices.Max(ours.heap), spread("%.1f MB", floor.memory)),
	})
	var wait, floorWait []time.Duration
	for i := range ours.steady {
		wait, floorWait = append(wait, ours.steady[i].request...), append(floorWait, floor.steady[i].request...)
	}
	b.add(row{
		name: name + "event to model request, median", value: ms(median(wait)), target: "< " + ms(mostToRequest), met: judged(median(wait) < mostToRequest),
		beside: fmt.Sprintf("p99 %s; the floor %s, p99 %s", ms(quantile(wait, 0.99)), ms(median(floorWait)), ms(quantile(floorWait, 0.99))),
	})
}

func answerTime(s steady) float64 { return float64(median(s.answer)) / 1e6 }
func steadyCPU(s steady) float64  { return s.cpu }
func loopRate(l loop) float64     { return l.rate }
func loopCPU(l loop) float64      { return l.cpu }

func (r *results) each(f func(steady) float64) (out []float64) {
	for _, s := range r.steady {
		out = append(out, f(s))
	}
	return out
}

func (r *results) loops(f func(loop) float64) (out []float64) {
	for _, l := range r.closed {
		out = append(out, f(l))
	}
	return out
}

// bound is what a ratio is held against.
type bound struct {
	text string
	ok   func(float64) bool
}

func atMost(x float64) bound {
	return bound{fmt.Sprintf("<= %.2f", x), func(got float64) bool { return got <= x }}
}

func atLeast(x float64) bound {
	return bound{fmt.Sprintf(">= %.2f", x), func(got float64) bool { return got >= x }}
}

// ratio is a row that compares each round of ours with the floor's beside it.
func (b *bench) ratio(name, unit string, ours, floor []float64, to bound) {
	var all []float64
	for i := range ours {
		all = append(all, ours[i]/floor[i])
	}
	b.add(row{
		name: name, value: spread("%.2f", all), target: to.text, met: judged(to.ok(median(all))),
		beside: fmt.Sprintf("%s %s; the floor %s", spread("%.2f", ours), unit, spread("%.2f", floor)),
	})
}
