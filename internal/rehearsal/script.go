package rehearsal

import (
	"context"
	"slices"
	"strings"

	"bullpen/office/model"
)

// Answer is what a colleague's model says to a request. It is called by the turns of
// several colleagues at the same time.
type Answer func(ctx context.Context, colleague string, req *model.Request) (*model.Response, error)

// Text is an answer that ends a turn.
func Text(s string) *model.Response { return &model.Response{Text: s, Stop: model.StopEnd} }

// scripted is one colleague's model.
type scripted struct {
	r    *Troupe
	name string
}

func (s scripted) Generate(ctx context.Context, req *model.Request, progress func(string)) (*model.Response, error) {
	s.r.note(s.name, req)
	return s.r.Answer(context.WithValue(ctx, writer{}, progress), s.name, req)
}

// writer finds, in the context of an Answer, what takes its pieces.
type writer struct{}

// Write gives out a piece of an answer before the rest of it is there. It is called by
// an Answer, with its own context.
func Write(ctx context.Context, piece string) {
	if progress, ok := ctx.Value(writer{}).(func(string)); ok && progress != nil {
		progress(piece)
	}
}

func (r *Troupe) note(name string, req *model.Request) {
	text, ok := req.Messages[len(req.Messages)-1].Text, true
	if r.Hears != nil {
		text, ok = r.Hears(req)
	}
	var all strings.Builder
	for _, m := range req.Messages {
		all.WriteString(m.Text + "\n")
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.given[name] = all.String()
	if ok {
		r.asked = append(r.asked, name+": "+text)
	}
}

// Turns are what colleagues were given so far, in order: "alice: text".
func (r *Troupe) Turns() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.asked)
}

// Count is how many of Turns hold a text.
func (r *Troupe) Count(part string) int {
	n := 0
	for _, t := range r.Turns() {
		if strings.Contains(t, part) {
			n++
		}
	}
	return n
}

// Given is all that a colleague was given in the last request, and "" before the first.
func (r *Troupe) Given(colleague string) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.given[colleague]
}
