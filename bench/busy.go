//go:build linux

package main

import (
	"context"
	"fmt"
	"strings"
	"sync"

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
	var seen sync.Map // a request's marks, by their number of messages: the last has all
	last := func(r *llm.Request) string {
		var all strings.Builder
		for _, x := range r.Messages {
			if x.Role == "user" {
				all.WriteString(x.Content)
			}
		}
		return all.String()
	}
	m.OnFunc(llm.Always(), func(r *llm.Request) llm.Reply {
		text := last(r)
		seen.Store("text", text)
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
	if err := p.feed(input...); err != nil {
		return err
	}
	if err := p.saw(ctx, ": alice ", posts+1); err != nil { // each has its receipt
		return err
	}
	close(think)
	if err := p.saw(ctx, "alice: I have read all of it.", 1); err != nil {
		return err
	}
	after, err := p.cpu()
	if err != nil {
		return err
	}
	text, _ := seen.Load("text")
	order, once := inOrder(fmt.Sprint(text), posts)
	peak, err := p.memory("VmHWM")
	if err != nil {
		return err
	}
	b.add(row{
		name: "d  1,000 posts to a busy colleague", value: fmt.Sprintf("in order: %t, once: %t", order, once), target: "in order, once", met: judged(order && once),
		beside: fmt.Sprintf("peak memory %.1f MB; %.2f ms of processor a post", peak, float64(after-before)/1e6/posts),
	})
	return nil
}

// inOrder says whether a text names each of n messages, in order, and once.
func inOrder(text string, n int) (order, once bool) {
	order, once = true, true
	at := -1
	for i := range n {
		name := fmt.Sprintf("m-2-%d.", i)
		// The mark is in the line itself and may be quoted nowhere else.
		found := strings.Index(text, name)
		order = order && found > at
		once = once && strings.Count(text, name) == 1
		at = found
	}
	return order, once
}
