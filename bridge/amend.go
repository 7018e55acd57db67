package bridge

import (
	"cmp"
	"context"
	"slices"

	"bullpen/office"
)

// Editor is a Poster that can change what it has shown.
type Editor interface {
	// Edit shows out in place of what the platform calls native. The same again is no
	// error; an error is a *PostError.
	Edit(ctx context.Context, native string, out Outgoing) error
	// Delete takes it away. What is not there is no error; an error is a *PostError.
	Delete(ctx context.Context, native string, out Outgoing) error
}

// surplus ends a part that stands for more than it can hold.
const surplus = " …"

// amend has a message look as the record has it, wherever it stands in the portal.
// To do it again changes nothing.
func (b *Bridge) amend(ctx context.Context, o *office.Office, s *office.Send) office.Verdict {
	p, ok, err := o.Portal(ctx, s.Portal)
	if err != nil {
		return office.Verdict{Kind: office.NotSent}
	}
	poster := b.poster(p.Platform)
	editor, edits := poster.(Editor)
	if !ok || !edits {
		return office.Verdict{Kind: office.Sent}
	}
	m, err := o.Message(ctx, s.Message)
	if err != nil {
		return office.Verdict{Kind: office.NotSent}
	}
	stands, err := b.stands(ctx, o, &p, m)
	if err != nil {
		return office.Verdict{Kind: office.NotSent}
	}
	if len(stands) == 0 {
		return office.Verdict{Kind: office.Sent}
	}
	out, err := b.changed(ctx, o, &p, m)
	if err != nil {
		return office.Verdict{Kind: office.NotSent}
	}
	shown := *m
	if s.Note != "" {
		shown.Text += "\n\n" + s.Note
	}
	parts := b.Split(&p, &shown)
	if n := len(stands); len(parts) > n {
		parts = parts[:n]
		parts[n-1] += surplus
	}
	var refused error
	for i, n := range stands {
		one := out
		err := error(nil)
		switch {
		case m.Deleted, i >= len(parts):
			err = editor.Delete(ctx, n.ID, one)
		default:
			one.Text = parts[i]
			if i < len(stands)-1 {
				one.Question, one.Buttons = "", nil
			}
			err = editor.Edit(ctx, n.ID, one)
		}
		if v := verdictOf(err); v.Kind == office.Refused {
			refused = err
		} else if err != nil {
			return v
		}
	}
	if refused != nil {
		return verdictOf(refused)
	}
	return office.Verdict{Kind: office.Sent}
}

// stands are the texts of a message on a portal, in order; its files are left out.
func (b *Bridge) stands(ctx context.Context, o *office.Office, p *office.Portal, m *office.Message) ([]office.Native, error) {
	all, err := o.Natives(ctx, m.Anchor())
	if err != nil {
		return nil, err
	}
	files := 0
	for _, f := range m.Files {
		if f.GoesTo(p) {
			files++
		}
	}
	all = slices.DeleteFunc(slices.Clone(all), func(n office.Native) bool { return n.Portal != p.ID || n.Alias })
	slices.SortFunc(all, func(a, b office.Native) int { return cmp.Compare(a.Part, b.Part) })
	if m.Deleted {
		return all, nil
	}
	return all[:max(0, len(all)-files)], nil
}

// changed is what every part of a changed message has in common.
func (b *Bridge) changed(ctx context.Context, o *office.Office, p *office.Portal, m *office.Message) (Outgoing, error) {
	out := Outgoing{Place: p.Place, Mentions: mentions(ctx, o, p.Platform)}
	if m.Author.Kind != office.ByOffice {
		out.Persona = m.Author.Name
	}
	if m.Question == "" {
		if isMail(m.Anchor()) {
			out.Buttons = mailButtons(m)
		}
		return out, nil
	}
	return out, offer(ctx, o, &out, m.Question)
}
