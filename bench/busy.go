//go:build linux

package main

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"time"

	"bullpen/internal/sim/llm"
)

// thousand is what becomes of 1,000 lines to a colleague who is thinking about
// the first: all of them reach it, in order, once.
func thousand(ctx context.Context, b *bench) error {
	const posts = 1000
	m, err := startModel()
	if err != nil {
		return err
	}
	defer m.close()
	p, err := b.talking(ctx, m)
	if err != nil {
		return err
	}
	defer p.close()
	think := make(chan struct{})
	var read atomic.Pointer[string] // what the newest request told the colleague
	m.OnFunc(llm.Always(), func(r *llm.Request) llm.Reply {
		text := told(r)
		read.Store(&text)
		reply := llm.Text("I have read it.")
		if strings.Contains(text, fmt.Sprintf("m-2-%d.", posts-1)) {
			reply = llm.Text("I have read all of it.")
		}
		return reply.Until(think)
	})
	input := make([]string, posts)
	for i := range input {
		input[i] = fmt.Sprintf("@alice m-2-%d.", i)
	}
	before, err := p.cpu()
	if err != nil {
		return err
	}
	began := time.Now()
	if err := p.feed(input...); err != nil {
		return err
	}
	if err := p.saw(ctx, ": alice ", posts+1); err != nil { // each has its receipt
		return err
	}
	taken := time.Since(began)
	close(think)
	if err := p.saw(ctx, "alice: I have read all of it.", 1); err != nil {
		return err
	}
	after, err := p.cpu()
	if err != nil {
		return err
	}
	order, once := inOrder(*read.Load(), posts)
	peak, err := p.memory("VmHWM")
	if err != nil {
		return err
	}
	b.add(row{
		name: "d  1,000 posts to a busy colleague", value: fmt.Sprintf("in order: %t, once: %t", order, once), target: "in order, once", met: judged(order && once),
		beside: fmt.Sprintf("peak memory %.1f MB; taken in %.0f a second; %.2f ms of processor a post", peak, posts/taken.Seconds(), float64(after-before)/1e6/posts),
	})
	return nil
}

// told is all that people and the office say in a request.
func told(r *llm.Request) string {
	var all strings.Builder
	for _, x := range r.Messages {
		if x.Role == "user" {
			all.WriteString(x.Content)
		}
	}
	return all.String()
}

// inOrder says whether a text names each of n messages, in order, and once.
func inOrder(text string, n int) (order, once bool) {
	order, once = true, true
	at := -1
	for i := range n {
		name := fmt.Sprintf("m-2-%d.", i)
		found := strings.Index(text, name)
		order = order && found > at
		once = once && strings.Count(text, name) == 1
		at = found
	}
	return order, once
}
