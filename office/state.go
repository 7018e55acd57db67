package office

import (
	"cmp"
	"maps"
	"slices"
	"time"
	"unicode/utf8"

	"bullpen/office/wake"
)

// State is the live state of an office: everything that decide looks at. It
// grows with the roster and with what waits, never with history. It is owned
// by the loop; nobody else touches it.
type State struct {
	Setup      Setup
	Limits     Limits
	Meta       Meta
	Colleagues map[ColleagueID]*Colleague
	Channels   map[ChannelID]*Channel
	People     map[PersonID]*Person
	Items      map[int64]*Item
	Turns      map[int64]*Turn // open ones
	Cursors    map[string]int64
	Portals    map[PortalID]*Portal
	Sends      map[int64]*Send
	Parked     map[int64]*Parked
	Questions  map[string]*Question
	Pairings   map[string]*Pairing
	// Closing office starts no turns. It is a fact of this process, not of the record.
	Closing bool

	// What follows is derived from the above by apply.
	queues  map[ColleagueID][]*Item // waiting, by ID
	backlog backlog
	held    map[int64][]*Item // by the turn that holds them
	running map[ColleagueID]*Turn
	roster  []ColleagueID        // by declaration, without the gone and the boss
	levels  []wake.Member        // the same with their rungs
	names   *wake.Directory      // nil: to be built
	lanes   map[PortalID][]*Send // the outbox, by portal and ID
	parked  map[PortalID][]*Parked
	people  map[Account]PersonID
	zone    *time.Location
	// Facts of this process, not of the record.
	rates   rates
	filling map[PortalID]bool   // portals whose gap is being filled
	natives natives             // what platforms lately called messages
	tails   map[ContextID]int64 // the last entry of each context, as far as it is known
	split   func(*Portal, *Message) []string
	recent  recent // events taken in lately, which a caller's look-up may have missed
}

func newState(setup Setup) *State {
	return &State{
		Setup: setup, Limits: setup.Limits.withDefaults(),
		Colleagues: map[ColleagueID]*Colleague{}, Channels: map[ChannelID]*Channel{}, People: map[PersonID]*Person{},
		Items: map[int64]*Item{}, Turns: map[int64]*Turn{}, Cursors: map[string]int64{},
		Portals: map[PortalID]*Portal{}, Sends: map[int64]*Send{}, Parked: map[int64]*Parked{}, Questions: map[string]*Question{}, Pairings: map[string]*Pairing{},
		lanes: map[PortalID][]*Send{}, parked: map[PortalID][]*Parked{}, people: map[Account]PersonID{}, filling: map[PortalID]bool{}, rates: rates{}, tails: map[ContextID]int64{},
		split:  func(_ *Portal, m *Message) []string { return []string{m.Text} },
		queues: map[ColleagueID][]*Item{}, backlog: newBacklog(), held: map[int64][]*Item{}, running: map[ColleagueID]*Turn{},
	}
}

// keep takes over what is true of this process, whatever the record says.
func (s *State) keep(old *State) {
	s.Closing, s.filling, s.recent, s.natives, s.rates = old.Closing, old.filling, old.recent, old.natives, old.rates
}

// restore makes the state that a snapshot describes.
func restore(setup Setup, snap *Snapshot) *State {
	s := newState(setup)
	s.Meta = snap.Meta
	for i := range snap.Colleagues {
		s.apply(PutColleague{snap.Colleagues[i]})
	}
	for i := range snap.People {
		s.apply(PutPerson{snap.People[i]})
	}
	for i := range snap.Channels {
		s.apply(PutChannel{snap.Channels[i]})
	}
	for i := range snap.Turns {
		s.apply(PutTurn{snap.Turns[i]})
	}
	slices.SortFunc(snap.Items, func(a, b Item) int { return cmp.Compare(a.ID, b.ID) })
	for i := range snap.Items {
		it := snap.Items[i]
		if it.Body != nil {
			it.Body = inline(it.Body, s.Limits.Message)
		}
		s.apply(PutItem{it})
	}
	for i := range snap.Portals {
		s.apply(PutPortal{snap.Portals[i]})
	}
	slices.SortFunc(snap.Sends, func(a, b Send) int { return cmp.Compare(a.ID, b.ID) })
	for i := range snap.Sends {
		s.apply(PutSend{snap.Sends[i]})
	}
	slices.SortFunc(snap.Parked, func(a, b Parked) int { return cmp.Compare(a.ID, b.ID) })
	for i := range snap.Parked {
		s.apply(PutParked{snap.Parked[i]})
	}
	for i := range snap.Questions {
		s.apply(PutQuestion{snap.Questions[i]})
	}
	for i := range snap.Pairings {
		s.apply(PutPairing{snap.Pairings[i]})
	}
	maps.Copy(s.Cursors, snap.Cursors)
	return s
}

// apply gives a change its meaning in memory. Values are replaced, never
// altered in place, so what decide handed out stays what it was.
func (s *State) apply(c Change) {
	switch c := c.(type) {
	case PutMeta:
		s.Meta = c.Meta
	case PutColleague:
		s.Colleagues[c.Colleague.ID] = &c.Colleague
		s.rosterChanged()
	case PutPerson:
		s.People[c.Person.ID] = &c.Person
		s.peopleChanged()
	case DeletePerson:
		delete(s.People, c.ID)
		s.peopleChanged()
	case PutChannel:
		old := s.Channels[c.Channel.ID]
		s.Channels[c.Channel.ID] = &c.Channel
		if old == nil || old.Name != c.Channel.Name || old.Kind != c.Channel.Kind || old.Gone != c.Channel.Gone {
			s.names = nil
		}
	case PutItem:
		s.putItem(&c.Item)
	case DeleteItem:
		s.dropItem(c.ID)
	case PutTurn:
		t := &c.Turn
		if t.State == TurnOpen {
			s.Turns[t.ID], s.running[t.Colleague] = t, t
			break
		}
		delete(s.Turns, t.ID)
		if r := s.running[t.Colleague]; r != nil && r.ID == t.ID {
			delete(s.running, t.Colleague)
		}
	case PutCursor:
		s.Cursors[c.Viewer] = c.No
	case PutPortal:
		s.Portals[c.Portal.ID] = &c.Portal
	case PutSend:
		if old := s.Sends[c.Send.ID]; old != nil {
			lane := s.lanes[c.Send.Portal]
			lane[slices.Index(lane, old)] = &c.Send
		} else {
			s.lanes[c.Send.Portal] = append(s.lanes[c.Send.Portal], &c.Send)
		}
		s.Sends[c.Send.ID] = &c.Send
	case DeleteSend:
		if x := s.Sends[c.ID]; x != nil {
			delete(s.Sends, c.ID)
			remove(s.lanes, x.Portal, x)
		}
	case PutParked:
		if old := s.Parked[c.Parked.ID]; old != nil {
			lane := s.parked[c.Parked.In.Portal]
			lane[slices.Index(lane, old)] = &c.Parked
		} else {
			s.parked[c.Parked.In.Portal] = append(s.parked[c.Parked.In.Portal], &c.Parked)
		}
		s.Parked[c.Parked.ID] = &c.Parked
	case DeleteParked:
		if x := s.Parked[c.ID]; x != nil {
			delete(s.Parked, c.ID)
			remove(s.parked, x.In.Portal, x)
		}
	case PutQuestion:
		s.Questions[c.Question.ID] = &c.Question
	case DeleteQuestion:
		delete(s.Questions, c.ID)
	case PutPairing:
		s.Pairings[c.Pairing.Code] = &c.Pairing
	case DeletePairing:
		delete(s.Pairings, c.Code)
	case PutMessage, DropMessage, DropOld, PutSeen, PutNative, DropNative, PutRevision, AppendUsage, AppendAudit, AppendEntry, DropEntry:
		// History: the store alone keeps it.
	}
}

// putItem replaces an item where it waits, if it goes on waiting there: a queue that
// is full is folded at its front with each delivery.
func (s *State) putItem(it *Item) {
	old := s.Items[it.ID]
	if old == nil || old.Turn != 0 || it.Turn != 0 || !s.backlog.replace(old, it) {
		s.dropItem(it.ID)
		s.addItem(it)
		return
	}
	s.Items[it.ID] = it
	swap(s.queues[it.To], it)
}

func (s *State) addItem(it *Item) {
	s.Items[it.ID] = it
	if it.Turn != 0 {
		s.held[it.Turn] = append(s.held[it.Turn], it)
		return
	}
	s.queues[it.To] = insert(s.queues[it.To], it)
	s.backlog.add(it)
}

func (s *State) dropItem(id int64) {
	it := s.Items[id]
	if it == nil {
		return
	}
	delete(s.Items, id)
	if it.Turn != 0 {
		if s.held[it.Turn] = slices.DeleteFunc(s.held[it.Turn], func(x *Item) bool { return x.ID == id }); len(s.held[it.Turn]) == 0 {
			delete(s.held, it.Turn)
		}
		return
	}
	s.backlog.drop(it)
	if left := without(s.queues[it.To], id); len(left) > 0 {
		s.queues[it.To] = left
	} else {
		delete(s.queues, it.To)
	}
}

// remove takes x out of its lane.
func remove[T comparable](lanes map[PortalID][]T, id PortalID, x T) {
	lane := lanes[id]
	i := slices.Index(lane, x)
	if lane = slices.Delete(lane, i, i+1); len(lane) == 0 {
		delete(lanes, id)
		return
	}
	lanes[id] = lane
}

func (s *State) onRoster(id ColleagueID) bool {
	c := s.Colleagues[id]
	return c != nil && !c.Gone && c.Role != Boss
}

func (s *State) peopleChanged() {
	s.names = nil
	clear(s.people)
	for _, p := range s.People {
		for _, a := range slices.Concat(p.Accounts, p.Paired) {
			s.people[a] = p.ID
		}
	}
}

func (s *State) rosterChanged() {
	s.names, s.levels = nil, nil
	s.roster = nil
	for id, c := range s.Colleagues {
		if !c.Gone && c.Role != Boss {
			s.roster = append(s.roster, id)
		}
	}
	slices.SortFunc(s.roster, func(a, b ColleagueID) int {
		return cmp.Or(cmp.Compare(s.Colleagues[a].Order, s.Colleagues[b].Order), cmp.Compare(a, b))
	})
}

// owner is the person that @user means.
func (s *State) owner() *Person {
	for _, p := range s.People {
		if p.Owner {
			return p
		}
	}
	return nil
}

// rungs is the roster as the wake grammar sees it.
func (s *State) rungs() []wake.Member {
	if s.levels == nil {
		for _, id := range s.roster {
			s.levels = append(s.levels, wake.Member{ID: string(id), Level: string(s.Colleagues[id].Role)})
		}
	}
	return s.levels
}

func (s *State) colleagueNamed(name string) *Colleague {
	key := wake.Fold(name)
	for _, id := range s.roster {
		if c := s.Colleagues[id]; wake.Fold(c.Name) == key {
			return c
		}
	}
	return nil
}

// status is what a colleague is doing, as others see it.
func (s *State) status(c *Colleague) Status {
	switch {
	case c.Dead.On():
		return Dead
	case s.running[c.ID] != nil && !s.running[c.ID].Waiting.IsZero():
		return QuotaRetry
	case s.running[c.ID] != nil && !s.running[c.ID].Stuck.IsZero():
		return Stuck
	case s.running[c.ID] != nil:
		return Running
	case c.LastActive.IsZero():
		return Inactive
	default:
		return Idle
	}
}

// members are the colleagues that a channel's wake reaches.
func (s *State) members(ch *Channel) []ColleagueID {
	if ch.Kind == GeneralChannel {
		return s.roster
	}
	return ch.Members
}

// LongText says whether a message is too long for a frame that shows limit
// characters of one.
func LongText(m *Message, limit int) bool {
	return len(m.Text) > limit && utf8.RuneCountInString(m.Text) > limit
}

// inline is a message as a frame shows it: its text cut at limit characters.
// A long text is kept whole in the record only, so that a queue is bounded.
func inline(m *Message, limit int) *Message {
	if !LongText(m, limit) {
		return m
	}
	c := *m
	c.Text, c.Cut = cut(m.Text, limit), true
	return &c
}

// cut keeps the first n runes.
func cut(text string, n int) string {
	for i := range text {
		if n == 0 {
			return text[:i]
		}
		n--
	}
	return text
}
