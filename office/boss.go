package office

import (
	"context"
	"fmt"
	"reflect"
	"slices"

	"bullpen/office/wake"
)

// The boss runs the office on behalf of some people, who talk to it directly. It
// is kept like a colleague, with turns, contexts and a budget, but it is on no
// roster: it has no name in an address, is in no level and no channel, and
// nothing but a direct message of one of its people starts a turn of it.

// BossID is the boss's id; no colleague has such a one.
const BossID ColleagueID = "boss"

// bossName is what the boss is called; no colleague can be.
const bossName = "boss"

// BossSetup declares the boss.
type BossSetup struct {
	Model    string
	Fallback []string
	// People are those for whom it works; nobody else can reach it.
	People []PersonID
}

// works says whether the boss works for a person; not where there is none.
func (b *BossSetup) works(for_ PersonID) bool {
	return b != nil && slices.Contains(b.People, for_)
}

// leads says whether a role holds what leaders hold.
func (r Role) leads() bool { return r == Leader || r == Boss }

// boss is the boss, nil where there is none.
func (s *State) boss() *Colleague {
	if c := s.Colleagues[BossID]; c != nil && !c.Gone {
		return c
	}
	return nil
}

// staff are the roster, and the boss behind it.
func (s *State) staff() []ColleagueID {
	if s.boss() == nil {
		return s.roster
	}
	return append(slices.Clone(s.roster), BossID)
}

// mayTalk says whether a person may talk to a colleague directly.
func (s *State) mayTalk(who PersonID, c *Colleague) bool {
	return c != nil && !c.Gone && (c.Role != Boss || s.Setup.Boss.works(who))
}

// partnerNamed is the colleague, or the boss, that a person can name; nil if there
// is none of that name whom they may talk to.
func (s *State) partnerNamed(name string, who PersonID) *Colleague {
	if c := s.colleagueNamed(name); c != nil {
		return c
	}
	if c := s.boss(); c != nil && wake.Fold(name) == bossName && s.mayTalk(who, c) {
		return c
	}
	return nil
}

// configureBoss brings the boss in line with its declaration.
func (d *decision) configureBoss(set *BossSetup) {
	old := d.s.Colleagues[BossID]
	if set == nil {
		if old != nil && !old.Gone {
			d.dismiss(BossID)
		}
		return
	}
	var next Colleague
	switch {
	case old == nil:
		next = Colleague{ID: BossID, Joined: d.now}
	case old.Gone:
		next = d.back(*old)
	default:
		next = *old
	}
	next.ColleagueSetup = ColleagueSetup{
		Name: bossName, Role: Boss, Model: set.Model, Fallback: set.Fallback, AskUser: true,
		Description: "Runs the office for those who talk to it.",
	}
	if old == nil || !reflect.DeepEqual(*old, next) {
		d.put(PutColleague{next})
	}
}

// checkBoss refuses a boss for whom nobody can ask anything.
func checkBoss(set *BossSetup) error {
	switch {
	case set == nil:
		return nil
	case len(set.People) == 0:
		return fmt.Errorf("the boss works for nobody; name somebody in office.boss.people")
	case set.Model == "":
		return fmt.Errorf("the boss has no model; write one in office.boss.model")
	}
	return nil
}

// Card is what the offices of a process know of one another.
type Card struct {
	ID, Name string
	Paused   bool
	// Colleagues counts the roster, Running those who work.
	Colleagues, Running int
	// Boss are the people for whom the office's boss works; empty: it has none.
	Boss []PersonID
}

// Card tells what an office is.
func (o *Office) Card(ctx context.Context) (Card, error) {
	return look(ctx, o, func(s *State) Card {
		c := Card{ID: s.Setup.ID, Name: s.Setup.Name, Paused: s.Meta.Pause.On, Colleagues: len(s.roster), Running: len(s.Turns)}
		if s.Setup.Boss != nil && s.boss() != nil {
			c.Boss = slices.Clone(s.Setup.Boss.People)
		}
		return c
	})
}

// branchCall is a call of the boss, in a turn of another office of this process.
// It is carried out once, by its key.
type branchCall struct {
	Key  string
	Verb Verb
}

func (r branchCall) event() string { return "boss " + r.Key }

func (r branchCall) decide(d *decision) (any, error) {
	c := d.s.boss()
	if c == nil {
		return nil, fmt.Errorf("the office %s has no boss", d.s.Setup.Name)
	}
	if _, again := d.s.recent.find(r.event()); again {
		return Result{Text: doneBefore}, nil
	}
	res := r.Verb.run(d, &Turn{Colleague: BossID, State: TurnOpen})
	if !res.Failed {
		d.put(PutSeen{Event: r.event(), At: d.now})
		d.remember(r.event(), Receipt{})
	}
	return res, nil
}

const doneBefore = "[office] This call was carried out before the office stopped; what it returned is not known any more."

// Branch carries out a call of the boss that it makes in a turn of another office
// of this process. key identifies the call: one that is made again succeeds
// without effect.
func (o *Office) Branch(ctx context.Context, key string, v Verb) (Result, error) {
	r := branchCall{key, v}
	if _, seen, err := o.store.Seen(ctx, r.event()); err != nil || seen {
		return Result{Text: doneBefore}, err
	}
	out, err := o.do(ctx, r)
	if err != nil {
		return Result{}, err
	}
	return out.(Result), nil
}

// AmendBranch is Amend for the boss in a turn of another office; key identifies
// its call.
func (o *Office) AmendBranch(ctx context.Context, key string, a Amendment) (Result, error) {
	out, err := o.amend(ctx, actor{branch: key}, a)
	if err != nil {
		return Result{}, err
	}
	return amendResult(out), nil
}
