package slack

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"bullpen/bridge"
)

const (
	// peopleRoom bounds how many accounts are remembered, peopleTTL for how long
	// what Slack said of one is taken as true.
	peopleRoom = 5000
	peopleTTL  = 30 * time.Minute
	// peopleStale is for how long it serves when Slack cannot be asked.
	peopleStale = 24 * time.Hour
)

// people remembers what Slack said of accounts. The zero value is ready.
type people struct {
	mu   sync.Mutex
	byID map[string]member
}

// member is an account.
type member struct {
	name string
	full bool // of the own workspace, no guest, not deactivated
	gone bool // deactivated
	bot  bool
	at   time.Time
}

func (p *people) find(id string) (member, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	m, ok := p.byID[id]
	return m, ok
}

func (p *people) keep(id string, m member) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.byID == nil || len(p.byID) >= peopleRoom {
		p.byID = map[string]member{}
	}
	p.byID[id] = m
}

// author tells who an account is. team is the workspace that an event names for
// its author, if any.
func (a *Adapter) author(ctx context.Context, id, team string) (bridge.Author, error) {
	m, err := a.member(ctx, id)
	if err != nil {
		return bridge.Author{}, err
	}
	return bridge.Author{
		Account: bridge.Account{Platform: platform, ID: id}, Name: m.name, Bot: m.bot, Gone: m.gone,
		Full: m.full && (team == "" || team == a.self().TeamID),
	}, nil
}

// member looks an account up. Where Slack cannot be asked, what it said earlier
// serves for a day.
func (a *Adapter) member(ctx context.Context, id string) (member, error) {
	old, known := a.people.find(id)
	if known && a.now().Sub(old.at) < peopleTTL {
		return old, nil
	}
	m := member{at: a.now()}
	err := a.ask(ctx, "users.info", func(ctx context.Context) error {
		u, err := a.api.GetUserInfoContext(ctx, id)
		if err == nil {
			m.name = cmp.Or(u.Profile.DisplayName, u.RealName, u.Name)
			m.bot = u.IsBot || u.IsWorkflowBot
			m.gone = u.Deleted
			m.full = !u.Deleted && !u.IsRestricted && !u.IsUltraRestricted && !u.IsStranger && u.TeamID == a.self().TeamID
		}
		return err
	})
	switch code := codeOf(err); {
	case err == nil:
		a.problem("users:read", "")
	case ctx.Err() != nil:
		return m, err
	case code == "user_not_found" || code == "user_not_visible":
		m.name = id // of another workspace: nobody of ours
	case code == "missing_scope":
		a.problem("users:read", "the Slack app lacks the scope users:read, so only people listed in office.yaml are heard: add it under OAuth & Permissions and install the app again")
		m.name = id
	case known && a.now().Sub(old.at) < peopleStale:
		return old, nil
	case code != "" && !slices.Contains(passing, code) && !slices.Contains(badToken, code) && code != "ratelimited":
		m.name = id // Slack will not say who that is
	default:
		return m, fmt.Errorf("who %s is cannot be found out now: %w", id, err)
	}
	a.people.keep(id, m)
	return m, nil
}
