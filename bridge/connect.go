package bridge

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"bullpen/office"
)

// connectVerb begins what somebody writes from a new account to connect it.
const connectVerb = "connect"

// codeLength is the length of a code that connects accounts.
const codeLength = 8

const (
	// guessesMost is how many wrong codes one account may try within guessEvery, and
	// guessersMost how many accounts are remembered.
	guessesMost, guessEvery = 5, time.Hour
	guessersMost            = 1000
)

// guesses counts codes that accounts have tried. The zero value is ready.
type guesses struct {
	mu    sync.Mutex
	tried map[Account][]time.Time
}

// may says whether an account may try a code now, and counts it.
func (g *guesses) may(by Account, now time.Time) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.tried == nil || len(g.tried) >= guessersMost {
		g.tried = map[Account][]time.Time{}
	}
	lately := slices.DeleteFunc(g.tried[by], func(t time.Time) bool { return now.Sub(t) > guessEvery })
	if len(lately) >= guessesMost {
		return false
	}
	g.tried[by] = append(lately, now)
	return true
}

// connectIn finds a code in what somebody writes directly: "connect ABCD2345", with
// a slash or without.
func connectIn(a Arrival) (code string, ok bool) {
	text := a.Text
	if a.Command != "" {
		text = a.Command
	}
	words := strings.Fields(strings.TrimPrefix(strings.TrimSpace(text), "/"))
	if !a.Direct || a.History || a.Forwarded || len(words) != 2 || !strings.EqualFold(words[0], connectVerb) || len(words[1]) != codeLength {
		return "", false
	}
	return words[1], true
}

// connect makes the account of an arrival that of whoever was given the code. It is
// open to strangers: the code is what they have to show.
func (b *Bridge) connect(ctx context.Context, a Arrival, code string) (Reception, error) {
	id := portalID(a.Author.Platform, a.Place)
	var rec Reception
	again, err := b.exactly(ctx, string(id)+"\x00"+a.Native, func(ctx context.Context) (err error) {
		rec, err = b.connectOnce(ctx, id, a, code)
		return err
	})
	if again || err != nil {
		return Reception{Ignored: true}, err
	}
	return rec, nil
}

func (b *Bridge) connectOnce(ctx context.Context, id office.PortalID, a Arrival, code string) (Reception, error) {
	if !b.guesses.may(a.Author.Account, time.Now()) {
		return Reception{Answer: "Too many codes were wrong; try again in an hour."}, nil
	}
	who, err := b.office.Connect(ctx, code, office.Account(a.Author.Account))
	if err != nil {
		return Reception{Answer: "Nothing was connected: " + err.Error() + "."}, nil //nolint:nilerr // it is told to its writer
	}
	p := office.Portal{ID: id, Platform: a.Author.Platform, Place: a.Place, Kind: office.DMPortal, Person: who.ID}
	if err := b.office.Link(ctx, p); err != nil {
		return Reception{}, err
	}
	return Reception{Answer: "Hello " + who.Name + ": this account is yours in the office now, with all your rights, and mail can reach you here."}, nil
}
