package console

import (
	"bytes"
	"io"
	"strings"
	"sync/atomic"
	"unicode/utf8"
)

const (
	// interruptKey stands for Ctrl-C, which the line editor would take for the end
	// of the input, whatever is typed.
	interruptKey = '\U0010FFFD'

	ctrlC  = 0x03
	escape = 0x1B
	del    = 0x7F

	// pictures begins the characters that show control characters: U+240A is the
	// picture of a line end.
	pictures   = 0x2400
	delPicture = 0x2421

	// maxSequence is the longest escape sequence that is waited for. The line
	// editor would wait for the end of one for ever.
	maxSequence = 32
)

var (
	pasteStart = []byte("\x1b[200~")
	pasteEnd   = []byte("\x1b[201~")
)

// keys stands between the terminal and the line editor. What is pasted gets
// pictures for its control characters, so that a paste of several lines stays
// one line while it can be edited and is one message when it is sent; plain
// turns them back.
type keys struct {
	in      io.Reader
	raw     [256]byte
	ready   []byte // for the editor
	held    []byte // in a paste: what may become its end
	run     int    // length of the escape sequence so far, outside a paste
	match   int    // how much of pasteStart was seen
	pasting bool
	afterCR bool
	err     error

	pasted  atomic.Bool // something was pasted once
	leaving atomic.Bool
}

// Read gives the editor its keys. Only the goroutine that edits calls it.
func (k *keys) Read(p []byte) (int, error) {
	for len(k.ready) == 0 {
		if k.leaving.Load() {
			return 0, io.EOF
		}
		if k.err != nil {
			return 0, k.err
		}
		n, err := k.in.Read(k.raw[:])
		k.err = err
		if n == 1 && k.raw[0] == ctrlC && k.pasting {
			// A paste whose end got lost must not lock the person out.
			k.ready = append(k.ready, pasteEnd...)
			k.pasting, k.held = false, nil
			continue
		}
		for _, c := range k.raw[:n] {
			k.key(c)
		}
	}
	n := copy(p, k.ready)
	k.ready = append(k.ready[:0], k.ready[n:]...)
	return n, nil
}

// leave makes the editor see the end of its input.
func (k *keys) leave() { k.leaving.Store(true) }

// key takes one byte in.
func (k *keys) key(c byte) {
	if k.pasting {
		k.pastedKey(c)
		return
	}
	if c == ctrlC {
		k.ready = utf8.AppendRune(k.ready, interruptKey)
		return
	}
	k.ready = append(k.ready, c)
	k.follow(c)
}

// follow watches for the start of a paste and for sequences without an end.
func (k *keys) follow(c byte) {
	switch {
	case c == escape:
		k.match, k.run = 1, 1
		return
	case k.run == 0:
		return
	}
	k.run++
	if k.match > 0 && c == pasteStart[k.match] {
		k.match++
	} else {
		k.match = 0
	}
	switch {
	case k.match == len(pasteStart):
		k.match, k.run, k.pasting, k.afterCR = 0, 0, true, false
		k.pasted.Store(true)
	case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '~':
		k.match, k.run = 0, 0
	case k.run == maxSequence:
		k.ready = append(k.ready, '~')
		k.match, k.run = 0, 0
	}
}

// pastedKey takes one byte of a paste in.
func (k *keys) pastedKey(c byte) {
	k.held = append(k.held, c)
	for len(k.held) > 0 && !bytes.HasPrefix(pasteEnd, k.held) {
		k.picture(k.held[0])
		k.held = k.held[1:]
	}
	if len(k.held) == len(pasteEnd) {
		k.ready = append(k.ready, pasteEnd...)
		k.pasting, k.held = false, nil
	}
}

// picture passes one byte of a paste on. Terminals paste a line end as a
// carriage return, with or without a line feed behind it.
func (k *keys) picture(c byte) {
	afterCR := k.afterCR
	k.afterCR = c == '\r'
	switch {
	case c == '\n' && afterCR:
	case c == '\r':
		k.ready = utf8.AppendRune(k.ready, pictures+'\n')
	case c < ' ':
		k.ready = utf8.AppendRune(k.ready, pictures+rune(c))
	case c == del:
		k.ready = utf8.AppendRune(k.ready, delPicture)
	default:
		k.ready = append(k.ready, c)
	}
}

// plain is an edited line with its control characters back, without line ends
// behind the last line. Where nothing was ever pasted a picture is itself.
func (k *keys) plain(text string) string {
	if k.pasted.Load() {
		text = strings.Map(func(r rune) rune {
			switch {
			case r >= pictures && r < pictures+' ':
				return r - pictures
			case r == delPicture:
				return del
			default:
				return r
			}
		}, text)
	}
	return strings.TrimRight(text, "\n")
}
