package office

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"bullpen/office/wake"
)

// Pairing is a stranger who has asked to be let in and waits for an admin.
type Pairing struct {
	Code    string    `json:"code"`
	Account Account   `json:"account"`
	Name    string    `json:"name"` // what the platform calls them; shown, never trusted
	At      time.Time `json:"at"`
	// Owner says that approving it makes the account the owner's.
	Owner bool `json:"owner,omitempty"`
	// Person was given the code to connect a further account; nobody waits then.
	Person PersonID `json:"person,omitempty"`
}

const (
	// pairingLife is how long a code is good for, pairingMost how many wait at once.
	pairingLife = time.Hour
	pairingMost = 3
)

// askPairing gives a stranger a code. One who asks again gets the same one; the
// oldest of too many gives way.
type askPairing struct {
	Account Account
	Name    string
}

func (r askPairing) decide(d *decision) (any, error) {
	d.expirePairings()
	var waiting []*Pairing
	for _, code := range keys(d.s.Pairings) {
		p := d.s.Pairings[code]
		if p.Person != "" {
			continue
		}
		if p.Account == r.Account {
			return *p, nil
		}
		waiting = append(waiting, p)
	}
	if len(waiting) >= pairingMost {
		oldest := slices.MinFunc(waiting, func(a, b *Pairing) int { return a.At.Compare(b.At) })
		d.put(DeletePairing{Code: oldest.Code})
	}
	p := Pairing{Code: d.code(), Account: r.Account, Name: oneLine(r.Name, nameLimit), At: d.now, Owner: d.s.ownerless()}
	d.put(PutPairing{p})
	return p, nil
}

func (d *decision) expired(p *Pairing) bool { return d.now.Sub(p.At) > pairingLife }

func (d *decision) expirePairings() {
	for _, code := range keys(d.s.Pairings) {
		if d.expired(d.s.Pairings[code]) {
			d.put(DeletePairing{Code: code})
		}
	}
}

// ownerless says whether the owner has no account on any platform yet: the
// first to be let in takes that place.
func (s *State) ownerless() bool {
	o := s.owner()
	return o != nil && len(o.Accounts)+len(o.Paired) == 0
}

// welcome makes a person of somebody whom a place's rules let talk without a
// code: a full member of the workspace in a linked channel. It gives no right
// beyond that.
type welcome struct {
	Account Account
	Name    string
}

func (r welcome) decide(d *decision) (any, error) {
	if id, ok := d.s.people[r.Account]; ok {
		return *d.s.People[id], nil
	}
	p := Person{
		ID:   PersonID(r.Account.Platform + "-" + strings.ToLower(r.Account.ID)),
		Name: d.freeName(r.Account, r.Name), Paired: []Account{r.Account},
	}
	d.put(PutPerson{p})
	d.mailboxFor(p)
	return p, nil
}

// approve lets a waiting stranger in.
type approve struct {
	Code string
	By   PersonID
	From string
}

func (r approve) decide(d *decision) (any, error) {
	who := d.s.People[r.By]
	if who == nil || !who.Owner && !who.Admin {
		return nil, fmt.Errorf("only the owner and the admins may let somebody in")
	}
	p := d.s.Pairings[strings.ToUpper(strings.TrimSpace(r.Code))]
	if p == nil || p.Person != "" || d.expired(p) {
		return nil, fmt.Errorf("no such code waits; codes are good for an hour, and a new message of that person brings a new one")
	}
	d.put(DeletePairing{Code: p.Code})
	person := Person{ID: PersonID(p.Account.Platform + "-" + strings.ToLower(p.Account.ID)), Name: d.freeName(p.Account, p.Name)}
	id, met := d.s.people[p.Account]
	if met {
		person = *d.s.People[id] // they have talked in a channel before
	}
	// Several may have asked while the owner had no account; only the first of
	// them to be let in is the owner.
	if o := d.s.owner(); p.Owner && d.s.ownerless() {
		if met {
			person.Paired = slices.DeleteFunc(slices.Clone(person.Paired), func(a Account) bool { return a == p.Account })
			d.put(PutPerson{person})
			if len(person.Accounts)+len(person.Paired) == 0 && !d.s.declared(id) {
				d.put(DeletePerson{id}) // it was the owner all along
			}
		}
		person = *o
	}
	if !slices.Contains(person.Paired, p.Account) {
		person.Paired = append(slices.Clone(person.Paired), p.Account)
	}
	person.Approved = true
	d.put(PutPerson{person})
	d.mailboxFor(person)
	d.audit(Audit{By: who.Name, From: r.From, What: "approve " + p.Account.Platform + " " + p.Account.ID, Outcome: "linked to " + person.Name})
	return person, nil
}

// declared says whether office.yaml lists a person.
func (s *State) declared(id PersonID) bool {
	return slices.ContainsFunc(s.Setup.People, func(p Person) bool { return p.ID == id })
}

// freeName is a name for somebody new that is nobody else's.
func (d *decision) freeName(a Account, name string) string {
	name = wake.Canonical(oneLine(name, nameLimit))
	if wake.CheckName(name) != nil {
		name = a.Platform + "-" + strings.ToLower(a.ID)
	}
	base := name
	for i := 2; d.s.nameTaken(name); i++ {
		name = fmt.Sprintf("%s-%d", base, i)
	}
	return name
}
