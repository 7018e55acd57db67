//go:build linux

package main

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// slackLatency is the way from a message in Slack to the model's request, with
// the message and the turn on the disk before it leaves.
func slackLatency(ctx context.Context, b *bench) error {
	return b.latency(ctx, "f  Slack", b.onSlack)
}

// latency is the way from a message on a platform to the model's request.
func (b *bench) latency(ctx context.Context, name string, on platform) error {
	ours, err := b.latencies(ctx, false, on)
	if err != nil {
		return fmt.Errorf("bullpen: %w", err)
	}
	floor, err := b.latencies(ctx, true, on)
	if err != nil {
		return fmt.Errorf("floor: %w", err)
	}
	growing, inside, err := fdatasync(b.dir, 200)
	if err != nil {
		return err
	}
	mid, late := median(ours), quantile(ours, 0.99)
	b.add(row{
		name: name + " event to model request, median", value: ms(mid), target: "< 5 ms", met: judged(mid < 5*time.Millisecond),
		beside: fmt.Sprintf("the floor %s, so %.1f times it; fdatasync %s or %s", ms(median(floor)), float64(mid)/float64(median(floor)), ms(growing), ms(inside)),
	})
	b.add(row{
		name: name + " event to model request, p99", value: ms(late), target: "< 25 ms", met: judged(late < 25*time.Millisecond),
		beside: fmt.Sprintf("the floor %s; of %d messages", ms(quantile(floor, 0.99)), len(ours)),
	})
	return nil
}

// latencies says one thing after another, each in the next channel.
func (b *bench) latencies(ctx context.Context, floor bool, on platform) ([]time.Duration, error) {
	const think = 15 * time.Millisecond // for the end of the turn before
	c, err := b.contendOn(ctx, floor, on)
	if err != nil {
		return nil, err
	}
	defer c.close()
	var took []time.Duration
	for i := range b.times(400) {
		n := c.model.count()
		began := time.Now()
		if err := c.say(i%channels, fmt.Sprintf("m-3-%d.", i)); err != nil {
			return nil, err
		}
		at, err := c.model.request(ctx, n+1)
		if err != nil {
			return nil, err
		}
		took = append(took, at.Sub(began))
		if err := pause(ctx, think); err != nil {
			return nil, err
		}
	}
	return took, nil
}

// each is how many messages of a burst come in each channel.
const each = 10

// outcome is how a contender went through a burst.
type outcome struct {
	rate    float64 // answers a second
	cpu     float64 // milliseconds of processor a message
	memory  float64 // megabytes when it is over
	heap    float64 // the part of it that is no file's
	ordered bool
}

// burst sends 200 messages at once, to bullpen and to the floor in turn.
func burst(ctx context.Context, b *bench) error {
	rounds := 5
	if b.quick {
		rounds = 2
	}
	var ours, floor []outcome
	for range rounds {
		for _, x := range []struct {
			floor bool
			into  *[]outcome
		}{{true, &floor}, {false, &ours}} {
			o, err := b.flood(ctx, x.floor)
			if err != nil {
				return err
			}
			*x.into = append(*x.into, o)
		}
	}
	column := func(all []outcome, f func(outcome) float64) []float64 {
		var out []float64
		for _, o := range all {
			out = append(out, f(o))
		}
		return out
	}
	cpu := func(o outcome) float64 { return o.cpu }
	rate := func(o outcome) float64 { return o.rate }
	memory := func(o outcome) float64 { return o.memory }
	heap := func(o outcome) float64 { return o.heap }
	var cpuRatio, rateRatio []float64
	for i := range ours {
		cpuRatio = append(cpuRatio, ours[i].cpu/floor[i].cpu)
		rateRatio = append(rateRatio, ours[i].rate/floor[i].rate)
	}
	ordered := !slices.ContainsFunc(slices.Concat(ours, floor), func(o outcome) bool { return !o.ordered })
	b.add(row{
		name: "g  burst of 200: every answer, in order", value: fmt.Sprint(ordered), target: "true", met: judged(ordered),
		beside: fmt.Sprintf("%d rounds of each", rounds),
	})
	b.add(row{
		name: "g  burst of 200: throughput to the floor's", value: spread("%.2f", rateRatio), target: ">= 0.70", met: judged(median(rateRatio) >= 0.7),
		beside: fmt.Sprintf("%s answers/s; the floor %s", spread("%.0f", column(ours, rate)), spread("%.0f", column(floor, rate))),
	})
	b.add(row{
		name: "g  burst of 200: processor to the floor's", value: spread("%.2f", cpuRatio), target: "<= 1.70", met: judged(median(cpuRatio) <= 1.7),
		beside: fmt.Sprintf("%s ms a message; the floor %s; the least of each %.2f", spread("%.2f", column(ours, cpu)), spread("%.2f", column(floor, cpu)),
			slices.Min(column(ours, cpu))/slices.Min(column(floor, cpu))),
	})
	most := slices.Max(column(ours, memory))
	b.add(row{
		name: "h  resident memory after the burst", value: spread("%.1f MB", column(ours, memory)), target: "< 30 MB", met: judged(most < 30),
		beside: fmt.Sprintf("%.1f MB of it are the program's own pages; the floor %s", most-slices.Max(column(ours, heap)), spread("%.1f MB", column(floor, memory))),
	})
	return nil
}

// flood is one round of one contender.
func (b *bench) flood(ctx context.Context, floor bool) (outcome, error) {
	c, err := b.contend(ctx, floor)
	if err != nil {
		return outcome{}, err
	}
	defer c.close()
	before, err := c.cpu()
	if err != nil {
		return outcome{}, err
	}
	began := time.Now()
	for i := range each {
		for ch := range channels {
			if err := c.say(ch, fmt.Sprintf("m-%d-%d.", ch+10, i)); err != nil {
				return outcome{}, err
			}
		}
	}
	if err := c.shown(ctx, channels*each+1); err != nil {
		return outcome{}, err
	}
	took := time.Since(began)
	if err := c.quiet(ctx); err != nil { // what is left to do counts as well
		return outcome{}, err
	}
	after, err := c.cpu()
	if err != nil {
		return outcome{}, err
	}
	if err := pause(ctx, settled); err != nil {
		return outcome{}, err
	}
	memory, err := c.memory("VmRSS")
	if err != nil {
		return outcome{}, err
	}
	heap, err := c.memory("RssAnon")
	if err != nil {
		return outcome{}, err
	}
	const messages = channels * each
	return outcome{
		rate: messages / took.Seconds(), cpu: float64(after-before) / 1e6 / messages,
		memory: memory, heap: heap, ordered: c.ordered(),
	}, nil
}

// ordered says whether each channel shows the answer to each message, in order
// and once.
func (c *contender) ordered() bool {
	for ch := range channels {
		next := 0
		for _, e := range c.slack.Transcript(place(ch)) {
			m := mark.FindString(e.Wire)
			if !e.Ours || e.EphemeralTo != "" || m == "m-0-0." {
				continue
			}
			if m != fmt.Sprintf("m-%d-%d.", ch+10, next) {
				return false
			}
			next++
		}
		if next != each {
			return false
		}
	}
	return true
}
