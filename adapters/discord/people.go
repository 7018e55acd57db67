package discord

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"sync"
	"time"

	"bullpen/bridge"
)

const (
	// peopleRoom bounds how many accounts are remembered, peopleTTL for how long
	// what Discord said of one is taken as true.
	peopleRoom = 5000
	peopleTTL  = 30 * time.Minute
)

// people remembers who is a member of the server. The zero value is ready.
type people struct {
	mu   sync.Mutex
	byID map[string]belongs
}

// belongs says whether an account is a full member of the server, or was deleted.
type belongs struct {
	full, gone bool
	at         time.Time
}

func (p *people) find(id string, now time.Time) (b belongs, known bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	b, ok := p.byID[id]
	return b, ok && now.Sub(b.at) < peopleTTL
}

// keep remembers b, and gives it back.
func (p *people) keep(id string, b belongs) belongs {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.byID == nil || len(p.byID) >= peopleRoom {
		p.byID = map[string]belongs{}
	}
	p.byID[id] = b
	return b
}

// author tells who wrote a message. Whoever has not agreed to the server's rules
// yet is no full member.
func (a *Adapter) author(ctx context.Context, m *message) (bridge.Author, error) {
	by := bridge.Author{
		Account: bridge.Account{Platform: platform, ID: m.Author.ID}, Name: shownName(m.Author, m.Member), Bot: a.foreign(m),
	}
	if by.Bot {
		return by, nil
	}
	if m.Member != nil && m.Guild != "" && m.Guild == a.guild() {
		by.Full = !m.Member.Pending
		a.people.keep(m.Author.ID, belongs{full: by.Full, at: a.now()})
		return by, nil
	}
	b, err := a.belongs(ctx, m.Author.ID)
	by.Full, by.Gone = b.full, b.gone
	return by, err
}

// unknownUser is what Discord answers about an account that is no more; one that is
// only no member gets another code (topics/opcodes-and-status-codes, JSON).
const unknownUser = 10013

// belongs asks Discord about an account.
func (a *Adapter) belongs(ctx context.Context, id string) (belongs, error) {
	if b, known := a.people.find(id, a.now()); known {
		return b, nil
	}
	if a.guild() == "" {
		return belongs{}, nil
	}
	var m member
	err := a.ask(ctx, http.MethodGet, "guilds/"+a.guild()+"/members/"+id, nil, &m)
	if e := (*callError)(nil); errors.As(err, &e) && e.answered() && tokenFault(err) == nil {
		return a.people.keep(id, belongs{gone: e.code == unknownUser, at: a.now()}), nil
	}
	if err != nil {
		return belongs{}, err
	}
	return a.people.keep(id, belongs{full: !m.Pending, at: a.now()}), nil
}

// foreign says whether a message is by a program, our own posts among them: by
// its ids, never by its name.
func (a *Adapter) foreign(m *message) bool {
	return m.Author == nil || m.Author.Bot || m.Author.System || m.Webhook != "" || m.App != "" || m.Author.ID == a.self().User
}

// shownName is what people call an account.
func shownName(u *user, m *member) string {
	nick := ""
	if m != nil {
		nick = m.Nick
	}
	if nick == "" && u.Member != nil {
		nick = u.Member.Nick
	}
	return cmp.Or(nick, u.Global, u.Username)
}
