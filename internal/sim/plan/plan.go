// Package plan keeps the faults that a test has planned for the next calls or events of a stand-in.
package plan

import "slices"

// Plan is what is still to happen, oldest first: faults F, each under the name of what is to meet it. The
// zero value is empty. It has no lock of its own.
type Plan[F any] struct{ planned []planned[F] }

type planned[F any] struct {
	name  string
	fault F
}

// Add plans faults for the next of a name, one each, in order. An empty name stands for any.
func (p *Plan[F]) Add(name string, faults ...F) {
	for _, f := range faults {
		p.planned = append(p.planned, planned[F]{name, f})
	}
}

// Take removes the oldest fault for one of the names that something goes by, and returns it; the zero value
// of F if there is none.
func (p *Plan[F]) Take(names ...string) F {
	i := slices.IndexFunc(p.planned, func(x planned[F]) bool { return x.name == "" || slices.Contains(names, x.name) })
	if i < 0 {
		var none F
		return none
	}
	f := p.planned[i].fault
	p.planned = slices.Delete(p.planned, i, i+1)
	return f
}

// Len counts the faults that nothing has met yet.
func (p *Plan[F]) Len() int { return len(p.planned) }
