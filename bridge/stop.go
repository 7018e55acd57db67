package bridge

import (
	"context"
	"strings"

	"bullpen/bridge/command"
)

// Stop is a press of the button by which a platform itself lets people stop whoever
// works in a thread.
type Stop struct {
	Author Author
	// Place and Thread are where, in the platform's ids; Direct, that it is a talk
	// with the office's bot.
	Place, Thread string
	Direct        bool
	// Event identifies the press, so that it counts once however often it is delivered.
	Event string
}

// Stop ends the turns that run in a thread, as the command interrupt does and by the
// same rights. The text is for who pressed alone; found says whether anybody worked
// there. The error means that nothing is known of it.
func (b *Bridge) Stop(ctx context.Context, s Stop) (text string, found bool, err error) {
	open, _, err := b.office.Working(ctx)
	if err != nil {
		return "", false, err
	}
	var said []string
	for _, h := range open {
		if !s.names(b.workplaces(ctx, s.Author.Platform, h)) {
			continue
		}
		found = true
		r, err := b.Order(ctx, Order{
			Author: s.Author, Way: command.ByButton, Place: s.Place, Direct: s.Direct,
			Event: s.Event + " " + h.Name, Line: "interrupt " + h.Name,
		})
		if err != nil {
			return "", found, err
		}
		if r.Text != "" {
			said = append(said, r.Text)
		}
	}
	return strings.Join(said, "\n"), found, nil
}

// names says whether one of the places where a turn shows is the stop's: its thread,
// or the message that this would begin with.
func (s Stop) names(at []Presence) bool {
	for _, p := range at {
		if p.Place == s.Place && (p.Thread == s.Thread || p.Thread == "" && p.Native == s.Thread) {
			return true
		}
	}
	return false
}
