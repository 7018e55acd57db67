//go:build linux

package main

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"time"
)

// contender is a program that answers on a platform, with the platform and the model
// that it talks to.
type contender struct {
	*process
	stage
	model *modelServer
	said  [chats]int // messages in each chat so far, and their answers
}

// settled is after what time nothing is done any more that has to do with starting.
const settled = 3 * time.Second

// contend starts a program on a fresh folder, and waits until it has answered in each
// chat once and all is quiet.
func (b *bench) contend(ctx context.Context, on platform, sc scene) (c *contender, err error) {
	c = &contender{}
	defer func() {
		if err != nil {
			c.close()
		}
	}()
	if c.model, err = startModel(); err != nil {
		return c, err
	}
	if c.stage, err = on.open(); err != nil {
		return c, err
	}
	if err := c.begin(b, sc); err != nil {
		return c, err
	}
	if err := c.until(ctx, c.connected); err != nil {
		return c, err
	}
	if err := pause(ctx, settled); err != nil { // what was missed has been read by then
		return c, err
	}
	for chat := range chats {
		if err := c.talk(ctx, chat, 0); err != nil {
			return c, err
		}
	}
	return c, c.rest(ctx)
}

// begin starts the program.
func (c *contender) begin(b *bench, sc scene) error {
	dir, err := b.folder()
	if err != nil {
		return err
	}
	program, args := b.bullpen, []string{"up", "--dir", dir}
	if sc.floor {
		program = b.floor
		args = slices.Concat(c.floor(), []string{"-model", c.model.url + "/chat/completions", "-db", filepath.Join(dir, "floor.db")})
	} else if err := outfit(dir, c.stage, c.model.url, sc); err != nil {
		return err
	}
	start := b.start
	if sc.traced {
		start = b.startTraced
	}
	c.process, err = start(program, args...)
	return err
}

// rest waits until all is done that messages had to be followed by: reactions, a
// checkpoint, what is given back.
func (c *contender) rest(ctx context.Context) error {
	if err := pause(ctx, settled); err != nil {
		return err
	}
	return c.quiet(ctx)
}

// say writes the next message to a chat's colleague. round tells the messages of one
// measurement from those of another.
func (c *contender) say(chat, round int) error {
	c.said[chat]++
	return c.stage.say(chat, fmt.Sprintf("@a%02d m-%d-%d.", chat, round, c.said[chat]))
}

// answered says whether a chat shows an answer to all that was said there.
func (c *contender) answered(chat int) bool { return c.count(chat) >= 2*c.said[chat] }

// talk writes a message and waits for its answer.
func (c *contender) talk(ctx context.Context, chat, round int) error {
	if err := c.say(chat, round); err != nil {
		return err
	}
	return c.until(ctx, func() bool { return c.answered(chat) })
}

// until waits for something on the platform; it is looked at after each change.
func (c *contender) until(ctx context.Context, is func() bool) error {
	for {
		next := c.Changed()
		if is() {
			return nil
		}
		select {
		case <-next:
		case <-c.ended:
			return fmt.Errorf("it ended (%w):\n%s", errOr(c.reason), c.out.tail())
		case <-ctx.Done():
			return fmt.Errorf("still waiting: %w\n%s\n%s", ctx.Err(), c.out.tail(), c.Summary())
		}
	}
}

// inOrder says whether each chat shows the answer to each message of a round, in
// order and once; first is how many came before. What was said while a colleague was
// busy may be answered together.
func (c *contender) inOrder(round int, first [chats]int) bool {
	for chat := range chats {
		next := first[chat]
		for _, n := range c.numbers(chat, round) {
			if next++; n != next {
				return false
			}
		}
		if next != c.said[chat] {
			return false
		}
	}
	return true
}

// numbers are those of the messages of a round that are answered in a chat.
func (c *contender) numbers(chat, round int) (out []int) {
	for _, text := range c.answers(chat) {
		for _, m := range mark.FindAllString(text, -1) {
			var r, n int
			if _, err := fmt.Sscanf(m, "m-%d-%d.", &r, &n); err == nil && r == round {
				out = append(out, n)
			}
		}
	}
	return out
}

// through waits until the last message of a round is answered in each chat.
func (c *contender) through(ctx context.Context, round int) error {
	const look = 10 * time.Millisecond
	for chat := 0; chat < chats; {
		all := c.numbers(chat, round)
		if len(all) > 0 && all[len(all)-1] == c.said[chat] {
			chat++
			continue
		}
		select {
		case <-time.After(look):
		case <-c.ended:
			return fmt.Errorf("it ended (%w):\n%s", errOr(c.reason), c.out.tail())
		case <-ctx.Done():
			return fmt.Errorf("still waiting: %w\n%s\n%s", ctx.Err(), c.out.tail(), c.Summary())
		}
	}
	return nil
}

// close ends the program and its surroundings.
func (c *contender) close() {
	if c.process != nil {
		c.process.close()
	}
	if c.stage != nil {
		_ = c.stage.Close()
	}
	if c.model != nil {
		c.model.close()
	}
}
