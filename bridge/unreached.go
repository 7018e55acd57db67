package bridge

import (
	"context"
	"slices"

	"bullpen/office"
)

// Reach is an account of a person to whom mail could go.
type Reach struct {
	Account string
	Person  office.PersonID
}

// Unreached lists the accounts on a platform of the people who have no direct talk
// linked there that is open.
func (b *Bridge) Unreached(ctx context.Context, platform string) ([]Reach, error) {
	v, err := b.office.View(ctx)
	if err != nil {
		return nil, err
	}
	portals, err := b.office.Portals(ctx, platform)
	if err != nil {
		return nil, err
	}
	reached := map[office.PersonID]bool{}
	for _, p := range portals {
		reached[p.Person] = p.Kind == office.DMPortal && p.Closed == "" || reached[p.Person]
	}
	var all []Reach
	for _, p := range v.People {
		if reached[p.ID] {
			continue
		}
		for _, acc := range slices.Concat(p.Accounts, p.Paired) {
			if acc.Platform == platform {
				all = append(all, Reach{acc.ID, p.ID})
			}
		}
	}
	return all, nil
}
