package console

import (
	"context"
	"fmt"
	"strings"

	"bullpen/bridge"
	"bullpen/internal/fault"
)

const (
	// maxText is the longest message that an office takes in, in bytes.
	maxText = 1 << 20
	// maxLine leaves room for what is no part of the message: the slash that
	// escapes a slash and a carriage return.
	maxLine = maxText + 2
)

// take handles one line: a command, or a message for the place where one
// stands. It says whether the person leaves; the error is of the output.
func (s *session) take(ctx context.Context, l line) (leave bool, err error) {
	switch {
	case l.tooLong:
		return false, s.refuse(fmt.Sprintf("that line is longer than a message may be (%d bytes) and was not taken in; send it in parts or as a file", maxText))
	case strings.TrimSpace(l.text) == "":
		return false, nil
	case strings.HasPrefix(l.text, "//"):
		return false, s.say(l.text[1:])
	case strings.HasPrefix(l.text, "/") && !strings.Contains(l.text, "\n"):
		return s.command(ctx, l.text[1:])
	default:
		return false, s.say(l.text)
	}
}

// say posts a message and shows its receipt.
func (s *session) say(text string) error {
	rec, err := s.b.Handle(s.late, bridge.Event{
		Author: bridge.ConsoleAccount, Channel: s.place.Channel, To: s.place.To, Text: text,
	})
	if err != nil {
		if s.late.Err() != nil {
			return nil // whether it was taken in is not known; without a receipt it counts as not
		}
		return s.refuse(err.Error())
	}
	r := receipt{anchor: rec.Anchor.String(), note: rec.Note}
	for _, d := range rec.Deliveries {
		r.outcomes = append(r.outcomes, outcome{name: d.Name, word: string(d.Outcome), detail: d.Detail})
	}
	if s.face.echoes() {
		s.own[r.anchor] = true
	}
	fault.Point("receipt.before")
	if err := s.face.receipt(r); err != nil {
		return fmt.Errorf("the console's receipts cannot be written: %w", err)
	}
	fault.Point("receipt.after")
	return nil
}

// command runs one command, without its slash. What was said before it is
// shown before its answer.
func (s *session) command(ctx context.Context, text string) (leave bool, err error) {
	if err := s.catchUp(ctx); err != nil {
		s.untaken = &line{text: "/" + text} // the next Run does it, if there is one
		return false, err
	}
	place := s.place
	a, err := s.b.Command(s.late, bridge.ConsoleAccount, &place, text)
	if err != nil {
		if s.late.Err() != nil {
			return false, nil
		}
		return false, s.refuse(err.Error())
	}
	if place != s.place {
		s.place = place
		s.face.stand(place.Label)
	}
	if a.Text != "" {
		if err := s.face.answer(a.Verb, a.Text); err != nil {
			return false, fmt.Errorf("the console's answers cannot be written: %w", err)
		}
	}
	return a.Quit, nil
}

func (s *session) refuse(sentence string) error {
	if err := s.face.refuse(sentence); err != nil {
		return fmt.Errorf("the console's notices cannot be written: %w", err)
	}
	return nil
}
