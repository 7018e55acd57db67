package bridge

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"bullpen/office"
)

var _ office.Sender = (*Bridge)(nil)

// lookBack is how far behind an attempt's possible departure a look begins:
// clocks differ.
const lookBack = 5 * time.Minute

// Split cuts a message into what the portal's platform can show. It is the
// office's Options.Split.
func (b *Bridge) Split(p *office.Portal, m *office.Message) []string {
	text := header(m) + m.Spoken(p)
	if text == "" && len(m.Files) > 0 {
		return nil
	}
	if poster := b.poster(p.Platform); poster != nil {
		return poster.Split(text)
	}
	return []string{text}
}

// header says what a message in a mailbox is.
func header(m *office.Message) string {
	if !strings.HasPrefix(string(m.Channel), "mailbox-") || m.Author.Kind == office.ByOffice {
		return ""
	}
	about := ""
	if m.Origin != (office.Anchor{}) {
		about = ", said in " + m.Origin.String()
	}
	return "✉️ for you" + about + ":\n\n"
}

// Send carries out one attempt of the outbox. See office.Sender.
func (b *Bridge) Send(ctx context.Context, o *office.Office, s office.Send) office.Verdict {
	b.recallFor(ctx, o, s.Portal)
	if s.Stream != nil {
		return b.sendStream(ctx, o, s)
	}
	if s.Change {
		return b.sendChange(ctx, o, s)
	}
	out, poster, err := b.outgoing(ctx, o, s)
	if err != nil {
		// Nothing was written.
		if s.State == office.SendLooking {
			return office.Verdict{Kind: office.NoLook}
		}
		return office.Verdict{Kind: office.NotSent}
	}
	if s.State == office.SendLooking {
		return look(ctx, poster, out, s.File())
	}
	// A process that slept between the decision and now must not send any more.
	ctx, cancel := context.WithDeadline(ctx, s.LeaveBy)
	defer cancel()
	if !time.Now().Before(s.LeaveBy) {
		return office.Verdict{Kind: office.NotSent}
	}
	b.pens.quiet(ctx, penAt{portal: s.Portal})
	at, err := post(ctx, poster, out, s.File())
	if err == nil {
		return office.Verdict{Kind: office.Sent, Native: at.ID, Thread: at.Thread}
	}
	return verdictOf(err)
}

// sendChange carries out an attempt to change what stands on a platform. One of
// unknown end is made again without looking, since it changes nothing then.
func (b *Bridge) sendChange(ctx context.Context, o *office.Office, s office.Send) office.Verdict {
	switch {
	case s.State == office.SendLooking:
		return office.Verdict{Kind: office.Clean}
	case !time.Now().Before(s.LeaveBy):
		return office.Verdict{Kind: office.NotSent}
	}
	ctx, cancel := context.WithDeadline(ctx, s.LeaveBy)
	defer cancel()
	return b.amend(ctx, o, &s)
}

// verdictOf says what the error of an attempt means; of none, nothing.
func verdictOf(err error) office.Verdict {
	var failed *PostError
	if !errors.As(err, &failed) {
		return office.Verdict{Kind: office.Uncertain}
	}
	switch failed.Kind {
	case PostRefused:
		return office.Verdict{Kind: office.Refused, Reason: failed.Reason, Close: failed.Closed}
	case PostNotSent:
		v := office.Verdict{Kind: office.NotSent}
		if failed.After > 0 {
			v.RetryAt = time.Now().Add(failed.After)
		}
		return v
	default:
		return office.Verdict{Kind: office.Uncertain}
	}
}

// post shows a part, as a file if it is one. A person's file that the platform does
// not take is named in place of it.
func post(ctx context.Context, poster Poster, out Outgoing, f *office.File) (Posted, error) {
	up, ok := poster.(Uploader)
	if out.File == nil || !ok {
		return poster.Post(ctx, out)
	}
	at, err := up.Upload(ctx, out)
	var failed *PostError
	if isForeign(f) && errors.As(err, &failed) && failed.Kind == PostRefused && !failed.Closed {
		return poster.Post(ctx, named(out, f))
	}
	return at, err
}

func look(ctx context.Context, poster Poster, out Outgoing, f *office.File) office.Verdict {
	at, found, err := poster.Find(ctx, out)
	if err == nil && !found && out.File != nil && isForeign(f) {
		at, found, err = poster.Find(ctx, named(out, f))
	}
	switch {
	case errors.Is(err, ErrBlind):
		return office.Verdict{Kind: office.Blind}
	case err != nil:
		return office.Verdict{Kind: office.NoLook}
	case found:
		return office.Verdict{Kind: office.Found, Native: at.ID, Thread: at.Thread}
	default:
		return office.Verdict{Kind: office.Clean}
	}
}

// outgoing puts together what the adapter needs.
func (b *Bridge) outgoing(ctx context.Context, o *office.Office, s office.Send) (Outgoing, Poster, error) {
	p, ok, err := o.Portal(ctx, s.Portal)
	if err != nil {
		return Outgoing{}, nil, err
	}
	poster := b.poster(p.Platform)
	if !ok || poster == nil {
		return Outgoing{}, nil, errNoPoster
	}
	thread, err := threadOf(ctx, o, &p, &s)
	if err != nil {
		return Outgoing{}, nil, err
	}
	out := Outgoing{
		Key: fmt.Sprintf("%s.%d.%d", b.key, s.ID, s.Part), Since: s.At.Add(-lookBack),
		Place: p.Place, Thread: thread, Again: s.Again, Mentions: mentions(ctx, o, p.Platform),
	}
	if p.Kind == office.DMPortal || s.ReplyTo != 0 && s.Root == 0 {
		if out.ReplyTo, err = nativeOf(ctx, o, &p, office.Anchor{Channel: s.Message.Channel, Seq: s.ReplyTo}); err != nil {
			return Outgoing{}, nil, err
		}
	}
	if s.Author.Kind != office.ByOffice {
		out.Persona = s.Author.Name
	}
	if f := s.File(); f != nil {
		if err := b.carry(ctx, o, &out, &s, *f, poster); err != nil {
			return Outgoing{}, nil, err
		}
	} else {
		out.Text = s.Parts[s.Part]
	}
	switch {
	case s.Part != len(s.Parts)-1:
	case s.Question == "" && isMail(s.Message):
		if err := offerMail(ctx, o, &out, s.Message); err != nil {
			return Outgoing{}, nil, err
		}
	case s.Question != "":
		if err := offer(ctx, o, &out, s.Question); err != nil {
			return Outgoing{}, nil, err
		}
	}
	return out, poster, nil
}

// offer puts the buttons of a question under what is shown, unless it has been
// decided already.
func offer(ctx context.Context, o *office.Office, out *Outgoing, id string) error {
	q, open, err := o.Question(ctx, id)
	if err != nil || !open {
		return err
	}
	out.Question = id
	for i, label := range q.Options {
		out.Buttons = append(out.Buttons, Button{Label: label, Value: fmt.Sprintf("%s:%d", id, i)})
	}
	return nil
}

// nativeOf is what the portal's platform calls a message, empty if it is not there.
func nativeOf(ctx context.Context, o *office.Office, p *office.Portal, a office.Anchor) (string, error) {
	if a.Seq == 0 {
		return "", nil
	}
	natives, err := o.Natives(ctx, a)
	for _, n := range natives {
		if n.Portal == p.ID && !n.Alias {
			return n.ID, err
		}
	}
	return "", err
}

// threadOf is the platform's id of the thread in which a message is shown.
func threadOf(ctx context.Context, o *office.Office, p *office.Portal, s *office.Send) (string, error) {
	if s.Thread != "" {
		return s.Thread, nil
	}
	a := office.Anchor{Channel: s.Message.Channel, Seq: s.Root}
	if p.Kind == office.DMPortal {
		a.Seq = s.ReplyTo // a direct talk goes on where it was: in a thread, or not
	}
	if a.Seq == 0 {
		return "", nil
	}
	natives, err := o.Natives(ctx, a)
	if err != nil {
		return "", err
	}
	for _, n := range natives {
		switch {
		case n.Portal != p.ID:
		case n.Thread != "":
			return n.Thread, nil
		case p.Kind != office.DMPortal:
			return n.ID, nil
		}
	}
	return "", nil
}

// mentions finds what people and channels are called natively on a platform.
func mentions(ctx context.Context, o *office.Office, platform string) func(string) (Native, bool) {
	return func(token string) (Native, bool) {
		v, err := o.View(ctx)
		if err != nil || len(token) < 2 {
			return Native{}, false
		}
		sign, name := token[0], token[1:]
		if sign == '@' {
			for _, p := range v.People {
				if !strings.EqualFold(p.Name, name) {
					continue
				}
				for _, a := range append(append([]office.Account(nil), p.Accounts...), p.Paired...) {
					if a.Platform == platform {
						return Native{Kind: NativePerson, ID: a.ID, Label: p.Name}, true
					}
				}
			}
			return Native{}, false
		}
		portals, err := o.Portals(ctx, platform)
		if err != nil {
			return Native{}, false
		}
		for _, p := range portals {
			if p.Kind == office.ChannelPortal && strings.EqualFold(string(p.Channel), name) {
				return Native{Kind: NativeChannel, ID: p.Place, Label: name}, true
			}
		}
		return Native{}, false
	}
}
