package console

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"bullpen/bridge"
	"bullpen/bridge/command"
	"bullpen/internal/fault"
)

// viewer is the name under which the office keeps the console's cursor.
const viewer = "console"

// cursorAfter is how long after something was shown the office is told so. Messages
// that come within it cost one commit; after a kill they are shown again.
const cursorAfter = time.Second

// line is one message or command as it was typed.
type line struct {
	text string
	// tooLong says that it was longer than any message may be, and is not kept.
	tooLong bool
	// open says that its end has not been read.
	open bool
}

// face is how the console looks: a pipe or a screen. All but read is called
// from one goroutine.
type face interface {
	// read hands every line to accept, in order, until the input ends or accept
	// says false.
	read(accept func(line) bool) error
	// welcome opens the conversation.
	welcome(v view) error
	// stand says where what is typed goes now.
	stand(label string)
	// burst shows messages and notices of mail.
	burst(entries []entry) error
	// receipt tells what became of a message.
	receipt(r receipt) error
	// answer shows what a command says, refuse why something was not done.
	answer(command, text string) error
	// notice shows what the office has to say to whoever sits here.
	notice(text string) error
	refuse(sentence string) error
	// resized fires when the window's size changed; nil never does.
	resized() <-chan os.Signal
	resize()
	// echoes says whether what is typed can be seen already.
	echoes() bool
}

// session is one Run. Its goroutine handles lines and messages one after the
// other, so that a message of one's own is known by its receipt before it shows.
type session struct {
	opt  Options
	b    *bridge.Bridge
	face face
	late context.Context // outlives the Run's context by the farewell

	lines   chan line
	handled chan struct{} // answers each line
	pages   chan page

	place  command.Place
	view   view
	shown  int64            // the No up to which messages were shown
	last   *entry           // the newest of them that this process showed, without its text
	stored int64            // the same as the office knows it
	keep   <-chan time.Time // tells when it has to know more; nil: it knows all
	own    map[string]bool
	closed bool // the input is at its end
	left   bool // there was a reason of its own to leave

	untaken *line // was read and not handled; settled when nobody reads any more
}

func newSession(late context.Context, opt Options, b *bridge.Bridge, f face, last *entry) *session {
	return &session{
		opt: opt, b: b, face: f, late: late, last: last,
		lines: make(chan line), handled: make(chan struct{}), pages: make(chan page),
		place: command.Place{Channel: "general", Label: "#general"}, own: map[string]bool{},
	}
}

// run is the life of a session that was opened.
func (s *session) run(ctx context.Context) error {
	watching, stop := context.WithCancel(ctx)
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		if err := safely(func() error { return watch(watching, s.b, s.shown, s.opt.Log, s.pages) }); err != nil {
			hand(watching, s.pages, page{err: err})
		}
	}()
	err := s.loop(ctx)
	stop()
	<-watched
	s.keepCursor()
	return unlessEnded(ctx, err)
}

// unlessEnded is err, unless it only says that ctx ended.
func unlessEnded(ctx context.Context, err error) error {
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return nil
	}
	return err
}

// open finds out where things stand.
func (s *session) open(ctx context.Context) error {
	var err error
	if s.shown, err = s.b.Office().Cursor(ctx, viewer); err != nil {
		return fmt.Errorf("what was shown last cannot be read: %w", err)
	}
	s.stored = s.shown
	if s.last != nil && s.last.no > s.shown {
		// The last Run lost its office before it could say so.
		still, err := s.last.still(ctx, s.b)
		if err != nil {
			return fmt.Errorf("what was shown last cannot be looked up: %w", err)
		}
		if still {
			s.shown = s.last.no
		}
	}
	if s.view, err = look(ctx, s.b); err != nil {
		return err
	}
	s.face.stand(s.place.Label)
	return s.face.welcome(s.view)
}

// loop handles what comes until there is a reason to leave.
func (s *session) loop(ctx context.Context) error {
	lines := s.lines
	var again <-chan struct{}
	for ctx.Err() == nil {
		var leave bool
		var err error
		select {
		case <-ctx.Done():
			return nil
		case <-s.face.resized():
			s.face.resize()
			continue
		case l, more := <-lines:
			if !more {
				lines, s.closed = nil, true
				leave = s.opt.Terminal
				break
			}
			if leave, err = s.take(ctx, l); err == nil && !leave {
				s.answerLine(ctx)
			}
		case p := <-s.pages:
			err = s.show(ctx, p)
		case text := <-s.b.Notices():
			err = s.face.notice(text)
		case <-s.keep:
			s.keepCursor()
		case <-again:
		}
		if err != nil || leave {
			s.left = leave
			return err
		}
		if s.closed && s.opt.ExitWhenIdle {
			again = s.b.Office().Changed() // before the look, so that nothing falls between
			idle, err := s.idle(ctx)
			if err != nil || idle {
				s.left = idle
				return err
			}
		}
	}
	return nil
}

// accept is what a face's read hands lines to: it waits until each is handled,
// so that the next prompt shows the place it led to.
func (s *session) accept(ctx context.Context) func(line) bool {
	return func(l line) bool {
		select {
		case s.lines <- l:
		case <-ctx.Done():
			s.untaken = &l
			return false
		}
		select {
		case <-s.handled:
			return true
		case <-ctx.Done():
			return false
		}
	}
}

func (s *session) answerLine(ctx context.Context) {
	select {
	case s.handled <- struct{}{}:
	case <-ctx.Done():
	}
}

// idle says whether nothing is ready, running or unprinted.
func (s *session) idle(ctx context.Context) (bool, error) {
	a, err := s.b.Office().Activity(ctx)
	if err != nil {
		return false, err
	}
	return a.Idle() && a.Last <= s.shown, nil
}

// catchUp shows what the office has taken in by now.
func (s *session) catchUp(ctx context.Context) error {
	a, err := s.b.Office().Activity(ctx)
	for err == nil && s.shown < a.Last {
		select {
		case p := <-s.pages:
			err = s.show(ctx, p)
		case text := <-s.b.Notices():
			err = s.face.notice(text)
		case <-ctx.Done():
			err = ctx.Err()
		}
	}
	return err
}

// show prints a page; that it did is remembered soon.
func (s *session) show(ctx context.Context, p page) error {
	if p.err != nil || len(p.entries) == 0 {
		return p.err
	}
	entries, err := s.visible(ctx, p.entries)
	if err != nil {
		return err
	}
	if len(entries) > 0 {
		fault.Point("print.before")
		if err := s.face.burst(entries); err != nil {
			return fmt.Errorf("the console's messages cannot be written: %w", err)
		}
		fault.Point("print.after")
	}
	last := p.entries[len(p.entries)-1]
	last.text = ""
	s.last, s.shown = &last, last.no
	if s.keep == nil {
		s.keep = time.After(cursorAfter)
	}
	return nil
}

// visible are the entries that the person at the console is to see.
func (s *session) visible(ctx context.Context, entries []entry) ([]entry, error) {
	seen := entries[:0:0]
	for _, e := range entries {
		if _, known := s.view.rooms[e.channel]; !known {
			v, err := look(ctx, s.b)
			if err != nil {
				return nil, err
			}
			s.view = v
			s.view.addUnknown(e.channel)
		}
		if s.own[e.anchor] {
			delete(s.own, e.anchor)
			continue
		}
		e.room = s.view.rooms[e.channel]
		if e.room.sight != unseen {
			seen = append(seen, e)
		}
	}
	return seen, nil
}

// keepCursor tells the office up to where messages were shown. A failure costs
// that they are shown again.
func (s *session) keepCursor() {
	s.keep = nil
	if s.shown == s.stored {
		return
	}
	if err := s.b.Office().SetCursor(s.late, viewer, s.shown); err != nil {
		s.opt.Log.Warn("the console's place in the record could not be stored", "err", err)
		return
	}
	s.stored = s.shown
}
