package storetest

import (
	"maps"
	"slices"
	"strings"

	"bullpen/office"
)

// model is a record as plain maps: what every store must be equal to.
type model struct {
	meta       office.Meta
	colleagues map[office.ColleagueID]office.Colleague
	people     map[office.PersonID]office.Person
	channels   map[office.ChannelID]office.Channel
	messages   map[office.Anchor]office.Message
	items      map[int64]office.Item
	turns      map[int64]office.Turn
	entries    map[office.ContextID][]office.Entry
	seen       map[string]office.Anchor
	cursors    map[string]int64
	portals    map[office.PortalID]office.Portal
	natives    map[nativeKey]office.Native
	sends      map[int64]office.Send
	parked     map[int64]office.Parked
	questions  map[string]office.Question
	pairings   map[string]office.Pairing
	revisions  map[nativeKey][]office.Revision
}

// nativeKey is what a platform calls a message, and where.
type nativeKey struct {
	portal office.PortalID
	id     string
}

func newModel() *model {
	return &model{
		colleagues: map[office.ColleagueID]office.Colleague{},
		people:     map[office.PersonID]office.Person{},
		channels:   map[office.ChannelID]office.Channel{},
		messages:   map[office.Anchor]office.Message{},
		items:      map[int64]office.Item{},
		turns:      map[int64]office.Turn{},
		entries:    map[office.ContextID][]office.Entry{},
		seen:       map[string]office.Anchor{},
		cursors:    map[string]int64{},
		portals:    map[office.PortalID]office.Portal{},
		natives:    map[nativeKey]office.Native{},
		sends:      map[int64]office.Send{},
		parked:     map[int64]office.Parked{},
		questions:  map[string]office.Question{},
		pairings:   map[string]office.Pairing{},
		revisions:  map[nativeKey][]office.Revision{},
	}
}

func (m *model) apply(changes []office.Change) {
	for _, c := range changes {
		switch c := c.(type) {
		case office.PutMeta:
			m.meta = c.Meta
		case office.PutColleague:
			m.colleagues[c.Colleague.ID] = c.Colleague
		case office.PutPerson:
			m.people[c.Person.ID] = c.Person
		case office.DeletePerson:
			delete(m.people, c.ID)
		case office.PutChannel:
			m.channels[c.Channel.ID] = c.Channel
		case office.PutMessage:
			m.messages[c.Message.Anchor()] = *c.Message
		case office.DropMessage:
			delete(m.messages, office.Anchor{Channel: c.Channel, Seq: c.Seq})
		case office.DropOld:
			if c.Log == office.LogSeen {
				delete(m.seen, c.Key)
			}
		case office.PutSeen:
			m.seen[c.Event] = c.Anchor
		case office.PutItem:
			m.items[c.Item.ID] = c.Item
		case office.DeleteItem:
			delete(m.items, c.ID)
		case office.PutTurn:
			m.putTurn(c.Turn)
		case office.AppendEntry:
			m.entries[c.Entry.In] = append(m.entries[c.Entry.In], c.Entry)
		case office.DropEntry:
			m.entries[c.In] = slices.DeleteFunc(m.entries[c.In], func(e office.Entry) bool { return e.N == c.N })
		case office.PutCursor:
			m.cursors[c.Viewer] = c.No
		default:
			m.applyOutside(c)
		}
	}
}

// applyOutside applies what has to do with platforms.
func (m *model) applyOutside(c office.Change) {
	switch c := c.(type) {
	case office.PutPortal:
		m.portals[c.Portal.ID] = c.Portal
	case office.PutNative:
		m.natives[nativeKey{c.Native.Portal, c.Native.ID}] = c.Native
	case office.DropNative:
		delete(m.natives, nativeKey{c.Native.Portal, c.Native.ID})
		delete(m.revisions, nativeKey{c.Native.Portal, c.Native.ID})
	case office.PutSend:
		m.sends[c.Send.ID] = c.Send
	case office.DeleteSend:
		delete(m.sends, c.ID)
	case office.PutParked:
		m.parked[c.Parked.ID] = c.Parked
	case office.DeleteParked:
		delete(m.parked, c.ID)
	case office.PutQuestion:
		m.questions[c.Question.ID] = c.Question
	case office.DeleteQuestion:
		delete(m.questions, c.ID)
	case office.PutPairing:
		m.pairings[c.Pairing.Code] = c.Pairing
	case office.DeletePairing:
		delete(m.pairings, c.Code)
	case office.PutRevision:
		k := nativeKey{c.Revision.Portal, c.Revision.Native}
		m.revisions[k] = append(m.revisions[k], c.Revision)
	}
}

func (m *model) putTurn(t office.Turn) {
	if t.State == office.TurnOpen {
		m.turns[t.ID] = t
	} else {
		delete(m.turns, t.ID)
	}
}

func (m *model) snapshot(head office.Head) *office.Snapshot {
	snap := &office.Snapshot{
		Head: head, Meta: m.meta, Cursors: m.cursors,
		Colleagues: slices.Collect(maps.Values(m.colleagues)),
		People:     slices.Collect(maps.Values(m.people)),
		Channels:   slices.Collect(maps.Values(m.channels)),
		Items:      slices.Collect(maps.Values(m.items)),
		Turns:      slices.Collect(maps.Values(m.turns)),
		Portals:    slices.Collect(maps.Values(m.portals)),
		Sends:      slices.Collect(maps.Values(m.sends)),
		Parked:     slices.Collect(maps.Values(m.parked)),
		Questions:  slices.Collect(maps.Values(m.questions)),
		Pairings:   slices.Collect(maps.Values(m.pairings)),
	}
	for i := range snap.Items {
		if body, ok := m.messages[snap.Items[i].Message]; ok {
			snap.Items[i].Body = &body
		}
	}
	return snap
}

func (m *model) transcript(in office.ContextID, limit int) []office.Entry {
	all := m.entries[in]
	if limit > 0 && len(all) > limit {
		all = all[len(all)-limit:]
	}
	return all
}

func (m *model) page(q office.MessageQuery) office.MessagePage {
	var page office.MessagePage
	for _, msg := range m.messages {
		if len(q.Channels) > 0 && !slices.Contains(q.Channels, msg.Channel) {
			continue
		}
		page.Stored = true
		if matches(q, &msg) {
			page.Messages = append(page.Messages, msg)
		}
	}
	page.Total = len(page.Messages)
	slices.SortFunc(page.Messages, func(a, b office.Message) int { return int(a.No - b.No) })
	if over := page.Total - q.Limit; q.Limit > 0 && over > 0 {
		if q.Newest {
			page.Messages = page.Messages[over:]
		} else {
			page.Messages = page.Messages[:q.Limit]
		}
	}
	return page
}

// matches says whether a message of a channel that was asked for is wanted.
func matches(q office.MessageQuery, m *office.Message) bool {
	switch {
	case q.From != 0 && m.Seq < q.From,
		q.To != 0 && m.Seq > q.To,
		q.After != 0 && m.No <= q.After,
		q.Root != 0 && m.Root != q.Root && m.Seq != q.Root,
		q.Author != "" && m.Author.ID != q.Author,
		!q.Sees(m):
		return false
	}
	return strings.Contains(fold(m.Text), fold(q.Contains))
}

// fold takes the case from a text, letter by letter: σ, ς and Σ are one.
func fold(s string) string { return strings.ToLower(strings.ToUpper(s)) }
