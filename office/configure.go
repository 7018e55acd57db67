package office

import (
	"fmt"
	"reflect"
	"slices"

	"bullpen/office/wake"
)

// configure compares the stored office with its setup and mends it by the
// setup: what office.yaml says holds. It changes nothing where they agree.
type configure struct{ Setup Setup }

func (r configure) decide(d *decision) (any, error) {
	if err := checkHierarchy(r.Setup.Colleagues); err != nil {
		return nil, err
	}
	if err := checkPresets(r.Setup.RolePermissions); err != nil {
		return nil, err
	}
	if err := checkBoss(r.Setup.Boss); err != nil {
		return nil, err
	}
	before := d.s.Limits
	d.s.Setup, d.s.Limits = r.Setup, r.Setup.Limits.withDefaults()
	d.s.zone, d.day = nil, "" // it may be another one now
	d.tellAgain(before)
	d.configurePeople(r.Setup.People)
	d.configureRoster(r.Setup.Colleagues)
	d.configureChannels(r.Setup.Channels)
	d.configureBoss(r.Setup.Boss)
	return nil, nil
}

func (d *decision) configurePeople(people []Person) {
	if !slices.ContainsFunc(people, func(p Person) bool { return p.Owner }) {
		people = append(slices.Clone(people), Person{ID: DefaultOwner, Name: string(DefaultOwner), Owner: true, Admin: true})
	}
	wanted := map[PersonID]bool{}
	for _, p := range people {
		wanted[p.ID] = true
		old := d.s.People[p.ID]
		if old != nil {
			p.Paired, p.Approved, p.Muted = old.Paired, old.Approved, old.Muted
		}
		if old == nil || !reflect.DeepEqual(*old, p) {
			d.put(PutPerson{p})
		}
		d.mailboxFor(p)
	}
	for _, id := range keys(d.s.People) {
		p := *d.s.People[id]
		switch {
		case wanted[id]:
		case len(p.Paired) > 0 && !p.Owner: // let in by a code, not by the file
		default:
			d.put(DeletePerson{id})
		}
	}
}

func (d *decision) mailboxFor(p Person) {
	if id := MailboxOf(p.ID); d.s.Channels[id] == nil {
		d.put(PutChannel{Channel{ID: id, Kind: MailboxChannel, Name: p.Name + "'s mailbox", Person: p.ID}})
	}
}

// nameTaken says whether a name addresses somebody already.
func (s *State) nameTaken(name string) bool {
	key := wake.Fold(name)
	for _, p := range s.People {
		if wake.Fold(p.Name) == key {
			return true
		}
	}
	return s.colleagueNamed(name) != nil
}

func (d *decision) configureRoster(setups []ColleagueSetup) {
	d.renameIntended(setups)
	setups = d.ranked(setups)
	wanted := map[ColleagueID]bool{}
	for i, set := range setups {
		var next Colleague
		old := d.s.colleagueNamed(set.Name)
		if old != nil {
			next = *old
		} else {
			next = d.newcomer(set.Name)
		}
		wanted[next.ID] = true
		next.Order, next.ColleagueSetup, next.Ephemeral = i, d.s.Setup.permit(set), false
		if old == nil || old.Role != next.Role {
			d.rosterMoved()
		}
		d.tellShared(old, next.ColleagueSetup)
		if old == nil || !reflect.DeepEqual(*old, next) {
			d.put(PutColleague{next})
		}
	}
	for _, id := range slices.Clone(d.s.roster) {
		switch c := d.s.Colleagues[id]; {
		case wanted[id]:
		case !c.Ephemeral:
			d.dismiss(id)
		default:
			d.reconfigure(c, c.ColleagueSetup)
		}
	}
	d.rank()
}

// undeclared is a setup that no declaration lists, with what its role brings.
func (d *decision) undeclared(set ColleagueSetup) ColleagueSetup {
	set.AskUser = d.s.Setup.asks(set.Role)
	return d.s.Setup.permit(set)
}

// reconfigure gives a colleague that no declaration lists other settings.
func (d *decision) reconfigure(c *Colleague, set ColleagueSetup) {
	next := *c
	next.ColleagueSetup = d.undeclared(set)
	if next.Role != c.Role {
		d.rosterMoved()
	}
	if !reflect.DeepEqual(*c, next) {
		d.put(PutColleague{next})
	}
}

// renameIntended renames whom the declaration lists under the name that was intended.
func (d *decision) renameIntended(setups []ColleagueSetup) {
	in := d.s.Meta.Intent
	c := d.s.Colleagues[in.ID]
	if in.Kind != IntendRename || c == nil || c.Gone || c.Name == in.Name {
		return
	}
	named := func(name string) bool {
		return slices.ContainsFunc(setups, func(set ColleagueSetup) bool { return wake.Fold(set.Name) == wake.Fold(name) })
	}
	if named(in.Name) && (!named(c.Name) || wake.Fold(c.Name) == wake.Fold(in.Name)) {
		d.rename(c, in.Name)
	}
}

func (d *decision) configureChannels(setups []ChannelSetup) {
	if d.s.Channels[General] == nil {
		d.put(PutChannel{Channel{ID: General, Kind: GeneralChannel, Name: string(General)}})
	}
	wanted := map[ChannelID]bool{General: true}
	for _, set := range setups {
		id := ChannelID(wake.Fold(set.Name))
		wanted[id] = true
		ch := Channel{ID: id, Kind: GroupChannel}
		if old := d.s.Channels[id]; old != nil {
			ch = *old
		}
		next := ch
		next.Name, next.Topic, next.DefaultWake, next.Gone = set.Name, set.Topic, set.DefaultWake, false
		next.FinalText = set.FinalText
		if id != General {
			next.Members = d.subscribers(&ch, set.Members)
		}
		if d.s.Channels[id] == nil || !reflect.DeepEqual(ch, next) {
			d.put(PutChannel{next})
		}
	}
	for _, id := range keys(d.s.Channels) {
		if ch := d.s.Channels[id]; ch.Kind == GroupChannel && !ch.Gone && !wanted[id] {
			d.deleteChannel(*ch)
		}
	}
}

// subscribers are those that a channel's declaration names, and those of its
// members whom no declaration knows.
func (d *decision) subscribers(ch *Channel, names []string) []ColleagueID {
	var ids []ColleagueID
	for _, name := range names {
		if c := d.s.colleagueNamed(name); c != nil {
			ids = append(ids, c.ID)
		}
	}
	for _, id := range ch.Members {
		if c := d.s.Colleagues[id]; !ch.Gone && c.Ephemeral && !c.Gone && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// deleteChannel takes a group channel away, and its places on the platforms.
// Its messages stay, and what waits of it is still delivered.
func (d *decision) deleteChannel(ch Channel) {
	gone := closed{name: ch.Name, members: namesOf(d.s.membersOf(&ch))}
	defer func() { d.closed = append(d.closed, gone) }()
	ch.Gone, ch.Members = true, nil
	d.put(PutChannel{ch})
	for _, id := range keys(d.s.Portals) {
		if p := d.s.Portals[id]; p.Kind == ChannelPortal && p.Channel == ch.ID {
			gone.places = append(gone.places, p.Platform)
			gone.sends += len(d.s.lanes[p.ID])
			d.unlink(p)
		}
	}
}

// takeOver is the first thing that a new owner decides: the record brought in
// line with the setup, and what its predecessor left in the middle taken up. It
// is one request, so that nothing starts or leaves between its parts and is then
// taken for the predecessor's.
type takeOver struct{ Setup Setup }

func (r takeOver) decide(d *decision) (any, error) {
	for _, part := range []request{follow(r), recoverSends{}, recoverTurns{}} {
		if _, err := part.decide(d); err != nil {
			return nil, err
		}
	}
	return nil, nil
}

// recoverTurns is how a new owner takes over what its predecessor left: every
// open turn is attempted again, from its last commit.
type recoverTurns struct{}

func (recoverTurns) decide(d *decision) (any, error) {
	for _, id := range keys(d.s.Turns) {
		t := *d.s.Turns[id]
		t.Attempt++
		d.doubtStreams(&t)
		if t.Parked {
			t.Parked = false
		} else {
			t.Crashes++
		}
		if t.Crashes >= d.s.Limits.Attempts {
			d.end(&t, TurnFailed, fmt.Sprintf("the office stopped %d times in the middle of it", t.Crashes), "")
			continue
		}
		d.reopen(&t, "[office] Interrupted: the office stopped while this ran. It may have run; look before you repeat it.")
	}
	return nil, nil
}

// reopen makes a turn ready for its next attempt. A call that may have had its
// effect is closed: we never run it again.
func (d *decision) reopen(t *Turn, interrupted string) {
	t.Calls = slices.Clone(t.Calls)
	for i := range t.Calls {
		if t.Calls[i].waits() || t.Calls[i].Answer != nil && !t.Calls[i].Done {
			break // neither it nor what follows it has begun
		}
		if c := &t.Calls[i]; !c.Done && c.Class == EffectCall {
			c.Done = true
			d.tellCall(EventToolEnded, t, *c, true)
			d.entry(t, Entry{Kind: EntryResult, CallID: c.ID, Failed: true, Text: interrupted})
		}
	}
	switch {
	case !t.Stuck.IsZero():
		t.Notice = fmt.Sprintf("[office] There was no sign of life in this turn for %s; this is attempt %d. What stands above has been done; go on from there.", d.s.Limits.StuckAfter, t.Attempt)
	case t.Crashes > 0:
		t.Notice = fmt.Sprintf("[office] The office stopped in the middle of this turn; this is attempt %d. What stands above has been done; go on from there.", t.Attempt)
	}
	d.put(PutTurn{*t})
	d.happens(TurnBegan, t, d.heldBy(t))
	d.begun = append(d.begun, TurnStart{Turn: *t, Colleague: *d.s.Colleagues[t.Colleague], Limits: d.s.Limits})
}

// park marks the open turns at an orderly stop, so that their next attempt is
// not counted as a crash.
type park struct{}

func (park) decide(d *decision) (any, error) {
	d.s.Closing = true
	for _, id := range keys(d.s.Turns) {
		t := *d.s.Turns[id]
		t.Parked = true
		d.put(PutTurn{t})
		d.settled = append(d.settled, t.ID) // nobody waits here any more
	}
	return nil, nil
}

// keys are a map's keys in order, so that deciding never depends on a map's.
func keys[K interface{ ~string | ~int64 }, V any](m map[K]V) []K {
	out := make([]K, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}
