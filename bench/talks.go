//go:build linux

package main

import (
	"context"
	"time"
)

// The rounds of messages, which their marks name.
const (
	steadyRound = 1 + iota
	closedRound
	burstRound
)

// gap is how long after an answer the next message comes in the steady talk: no chat
// gets two within a second, which is what Telegram allows.
const gap = 50 * time.Millisecond

// steady is how a contender answered one message after the other.
type steady struct {
	answer  []time.Duration // from what was said to its answer, without the model's part
	request []time.Duration // from what was said to the model's request
	cpu     float64         // milliseconds of processor a message
}

// steady says n things one after another, each in the next chat.
func (c *contender) steady(ctx context.Context, n int) (s steady, err error) {
	s.cpu, err = c.spent(ctx, n, func() error {
		for i := range n {
			requests, thought := c.model.count(), c.model.spent()
			began := time.Now()
			if err := c.talk(ctx, i%chats, steadyRound); err != nil {
				return err
			}
			took := time.Since(began)
			at, err := c.model.request(ctx, requests+1)
			if err != nil {
				return err
			}
			s.answer = append(s.answer, took-(c.model.spent()-thought))
			s.request = append(s.request, at.Sub(began))
			if err := pause(ctx, gap); err != nil {
				return err
			}
		}
		return nil
	})
	return s, err
}

// spent is the processor time that n messages took, in milliseconds each. What is
// left to do after the last answer counts as well.
func (c *contender) spent(ctx context.Context, n int, do func() error) (float64, error) {
	before, err := c.cpu()
	if err != nil {
		return 0, err
	}
	if err := do(); err != nil {
		return 0, err
	}
	if err := c.quiet(ctx); err != nil {
		return 0, err
	}
	after, err := c.cpu()
	return float64(after-before) / 1e6 / float64(n), err
}

// loop is how a contender went through many messages at once.
type loop struct {
	rate    float64 // answers a second
	cpu     float64 // milliseconds of processor a message
	ordered bool
}

// closed has a conversation in each chat at once, of n messages, each written when the
// one before is answered.
func (c *contender) closed(ctx context.Context, n int) (l loop, err error) {
	first, left := c.said, [chats]int{}
	for chat := range chats {
		left[chat] = n
	}
	next := func() (done bool, err error) {
		done = true
		for chat := range chats {
			if !c.answered(chat) {
				done = false
				continue
			}
			if left[chat] == 0 {
				continue
			}
			left[chat]--
			done = false
			if err := c.say(chat, closedRound); err != nil {
				return false, err
			}
		}
		return done, nil
	}
	l.cpu, err = c.spent(ctx, n*chats, func() error {
		began := time.Now()
		var failed error
		err := c.until(ctx, func() bool {
			var done bool
			done, failed = next()
			return done || failed != nil
		})
		l.rate = float64(n*chats) / time.Since(began).Seconds()
		if failed != nil {
			return failed
		}
		return err
	})
	l.ordered = c.inOrder(closedRound, first)
	return l, err
}

// burst writes n messages in each chat at once.
func (c *contender) burst(ctx context.Context, n int) (l loop, err error) {
	first := c.said
	l.cpu, err = c.spent(ctx, n*chats, func() error {
		began := time.Now()
		for range n {
			for chat := range chats {
				if err := c.say(chat, burstRound); err != nil {
					return err
				}
			}
		}
		err := c.through(ctx, burstRound)
		l.rate = float64(n*chats) / time.Since(began).Seconds()
		return err
	})
	l.ordered = c.inOrder(burstRound, first)
	return l, err
}
