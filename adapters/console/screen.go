package console

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"sync"
	"sync/atomic"

	"bullpen/bridge"
	"bullpen/bridge/render"

	"golang.org/x/term"
)

// screen is the console on a terminal.
type screen struct {
	t     *term.Terminal
	keys  *keys
	out   io.Writer
	file  *os.File // of the output, for its size; nil if it is none
	paint paint
	comp  completer
	winch chan os.Signal
	// prompting says that the cursor stands behind a prompt.
	prompting atomic.Bool
	unraw     func() error
	once      sync.Once
}

// newScreen takes the terminal over until restore. ctx bounds what completion
// asks of the office.
func newScreen(ctx context.Context, opt Options, b *bridge.Bridge, in io.Reader) (*screen, error) {
	s := &screen{
		keys: &keys{in: in}, out: opt.Out, paint: paint(coloured()),
		winch: make(chan os.Signal, 1), unraw: func() error { return nil },
	}
	s.file, _ = opt.Out.(*os.File)
	if f, ok := opt.In.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		was, err := term.MakeRaw(int(f.Fd()))
		if err != nil {
			return nil, fmt.Errorf("the terminal cannot be set up for editing: %w; try it with TERM=dumb", err)
		}
		s.unraw = func() error { return term.Restore(int(f.Fd()), was) }
	}
	s.t = term.NewTerminal(struct {
		io.Reader
		io.Writer
	}{s.keys, s.out}, "> ")
	s.comp = completer{ctx: ctx, b: b, list: s.list}
	s.t.AutoCompleteCallback = s.key
	s.t.SetBracketedPasteMode(true)
	notifyResize(s.winch)
	s.resize()
	return s, nil
}

// restore gives the terminal back as it was. It may be called more than once.
func (s *screen) restore() {
	s.once.Do(func() {
		signal.Stop(s.winch)
		s.t.SetBracketedPasteMode(false)
		if s.prompting.Load() {
			_, _ = io.WriteString(s.out, "\r\n")
		}
		_ = s.unraw()
	})
}

func (s *screen) read(accept func(line) bool) error {
	for {
		s.prompting.Store(true)
		text, err := s.t.ReadLine()
		if errors.Is(err, term.ErrPasteIndicator) {
			err = nil
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		s.prompting.Store(false)
		l := line{text: s.keys.plain(text)}
		if len(l.text) > maxLine {
			l = line{tooLong: true}
		}
		if !accept(l) {
			return nil
		}
	}
}

// key is asked by the editor about keys that it does not know itself.
func (s *screen) key(text string, pos int, key rune) (string, int, bool) {
	switch key {
	case interruptKey:
		if text == "" {
			s.keys.leave()
		}
		return "", 0, true
	case '\t':
		return s.comp.complete(text, pos)
	default:
		return "", 0, false
	}
}

// list shows what a half-typed word may become.
func (s *screen) list(words []string) {
	_ = s.print(s.paint.dim(render.Harmless(strings.Join(words, "  "))) + "\n")
}

func (s *screen) print(text string) error {
	_, err := io.WriteString(s.t, text)
	return err
}

func (s *screen) welcome(v view) error {
	here := "Nobody is here yet."
	if len(v.roster) > 0 {
		here = "Here are " + strings.Join(v.roster, ", ") + "."
	}
	return s.print(fmt.Sprintf("%s  %s\nChannels: %s. Write @name to address somebody. /help lists the commands, /quit leaves.\n",
		s.paint.bold(render.Harmless(v.office)), render.Harmless(here), render.Harmless(strings.Join(v.channels, ", "))))
}

func (s *screen) stand(label string) { s.t.SetPrompt(s.paint.bold(escaped(label)) + "> ") }

func (s *screen) burst(entries []entry) error {
	var b strings.Builder
	for _, e := range entries {
		if e.room.sight == noticed {
			b.WriteString(s.paint.notice(mailNotice(e)) + "\n")
		} else {
			s.message(&b, e)
		}
		if b.Len() >= chunk {
			if err := s.print(b.String()); err != nil {
				return err
			}
			b.Reset()
		}
	}
	return s.print(b.String())
}

// message writes one message; one of several lines is set off below its head.
func (s *screen) message(b *strings.Builder, e entry) {
	b.WriteString(s.paint.dim(escaped(e.anchor)) + " " + s.paint.name(escaped(e.author)))
	if e.room.talk != "" {
		b.WriteString(s.paint.dim(" (" + escaped(e.room.talk) + ")"))
	}
	b.WriteByte(':')
	text := strings.TrimRight(shown(e), "\n")
	if !strings.Contains(text, "\n") {
		b.WriteString(" " + text + "\n")
		return
	}
	b.WriteByte('\n')
	for l := range strings.SplitSeq(text, "\n") {
		b.WriteString(strings.TrimRight("  "+l, " ") + "\n")
	}
}

// shown is a message's text as a terminal shows it.
func shown(e entry) string {
	if e.markdown {
		return render.Console(render.Parse(e.text, render.Options{}))
	}
	return render.Harmless(e.text)
}

func (s *screen) receipt(r receipt) error { return s.print(s.paint.dim(r.String()) + "\n") }

func (s *screen) notice(text string) error { return s.print(s.paint.bold(escaped(text)) + "\n") }

func (s *screen) refuse(sentence string) error {
	return s.print(s.paint.notice(render.Harmless(sentence)) + "\n")
}

func (s *screen) answer(_, text string) error { return s.print(render.Harmless(text) + "\n") }

func (s *screen) resized() <-chan os.Signal { return s.winch }

// resize tells the editor how wide the window is.
func (s *screen) resize() {
	if s.file == nil {
		return
	}
	if w, h, err := term.GetSize(int(s.file.Fd())); err == nil && w > 0 {
		_ = s.t.SetSize(w, h)
	}
}

func (s *screen) echoes() bool { return true }
