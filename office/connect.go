package office

import (
	"context"
	"fmt"
	"slices"
	"strings"
)

// ConnectCode gives a person a code, good for an hour, that connects a further
// account to them when it is said by that account: see Connect. Who was let in only as a
// member of a place gets none.
func (o *Office) ConnectCode(ctx context.Context, person PersonID, from string) (Pairing, error) {
	out, err := o.do(ctx, connectCode{person, from})
	if err != nil {
		return Pairing{}, err
	}
	return out.(Pairing), nil
}

// Connect makes an account that of the person who was given the code; the person's
// rights are the account's from then on, and their mail may reach it.
func (o *Office) Connect(ctx context.Context, code string, account Account) (Person, error) {
	out, err := o.do(ctx, connect{code, account})
	if err != nil {
		return Person{}, err
	}
	return out.(Person), nil
}

// Disconnect takes accounts of a platform, which were connected by a code, away from
// a person. Those of office.yaml stay.
func (o *Office) Disconnect(ctx context.Context, person PersonID, platform, from string) ([]Account, error) {
	out, err := o.do(ctx, disconnect{person, platform, from})
	if err != nil {
		return nil, err
	}
	return out.([]Account), nil
}

type connectCode struct {
	Person PersonID
	From   string
}

func (r connectCode) decide(d *decision) (any, error) {
	who := d.s.People[r.Person]
	if who == nil || !who.Owner && !who.Admin && !who.Approved && len(who.Accounts) == 0 {
		return nil, fmt.Errorf("only people whom an admin has let in may connect accounts")
	}
	d.expirePairings()
	for _, code := range keys(d.s.Pairings) {
		if p := d.s.Pairings[code]; p.Person == who.ID {
			return *p, nil
		}
	}
	p := Pairing{Code: d.code(), Person: who.ID, Name: who.Name, At: d.now}
	d.put(PutPairing{p})
	d.audit(Audit{By: who.Name, From: r.From, What: "ask for a code to connect an account", Outcome: "given"})
	return p, nil
}

type connect struct {
	Code    string
	Account Account
}

func (r connect) decide(d *decision) (any, error) {
	p := d.s.Pairings[strings.ToUpper(strings.TrimSpace(r.Code))]
	if p == nil || p.Person == "" || d.expired(p) || d.s.People[p.Person] == nil {
		return nil, fmt.Errorf("no such code is good now; /connect, where the office knows you, gives another")
	}
	who := *d.s.People[p.Person]
	if id, met := d.s.people[r.Account]; met && id != who.ID {
		other := *d.s.People[id]
		if slices.Contains(other.Accounts, r.Account) {
			return nil, fmt.Errorf("this account is %s's in office.yaml", other.Name)
		}
		other.Paired = slices.DeleteFunc(slices.Clone(other.Paired), func(a Account) bool { return a == r.Account })
		d.put(PutPerson{other})
		if len(other.Accounts)+len(other.Paired) == 0 && !other.Owner && !d.s.declared(id) {
			d.put(DeletePerson{id}) // it was this person all along
		}
	}
	d.put(DeletePairing{Code: p.Code})
	if !slices.Contains(who.Accounts, r.Account) && !slices.Contains(who.Paired, r.Account) {
		who.Paired = append(slices.Clone(who.Paired), r.Account)
	}
	who.Approved = true
	d.put(PutPerson{who})
	d.mailboxFor(who)
	d.audit(Audit{By: who.Name, From: r.Account.Platform, What: "connect " + r.Account.Platform + " " + r.Account.ID, Outcome: "connected to " + who.Name})
	return who, nil
}

type disconnect struct {
	Person         PersonID
	Platform, From string
}

func (r disconnect) decide(d *decision) (any, error) {
	who := d.s.People[r.Person]
	if who == nil {
		return nil, fmt.Errorf("nobody called %q is known to this office", r.Person)
	}
	next, gone := *who, []Account(nil)
	next.Paired = slices.DeleteFunc(slices.Clone(who.Paired), func(a Account) bool {
		if a.Platform == r.Platform {
			gone = append(gone, a)
		}
		return a.Platform == r.Platform
	})
	if len(gone) == 0 {
		return nil, fmt.Errorf("no account of yours on %q was connected by a code; those of office.yaml are changed there", r.Platform)
	}
	d.put(PutPerson{next})
	for _, id := range keys(d.s.Portals) {
		p := d.s.Portals[id]
		if p.Kind == DMPortal && p.Person == who.ID && p.Platform == r.Platform && !p.Unlinked {
			if _, err := (unlink{id}).decide(d); err != nil {
				return nil, err
			}
		}
	}
	for _, a := range gone {
		d.audit(Audit{By: who.Name, From: r.From, What: "disconnect " + a.Platform + " " + a.ID, Outcome: "disconnected"})
	}
	return gone, nil
}
