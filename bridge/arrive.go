package bridge

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"bullpen/bridge/command"
	"bullpen/office"
	"bullpen/office/wake"
)

// portalID names the portal of a place.
func portalID(platform, place string) office.PortalID {
	return office.PortalID(platform + ":" + place)
}

// Arrive takes in what somebody wrote on a platform. When it returns without
// error the platform may be told that it is kept: it is durable, or of no
// concern. The same message again changes nothing.
func (b *Bridge) Arrive(ctx context.Context, a Arrival) (Reception, error) {
	if a.Author.Bot {
		return Reception{Ignored: true}, nil
	}
	id := portalID(a.Author.Platform, a.Place)
	if !a.Direct {
		_, linked, err := b.office.Portal(ctx, id)
		switch {
		case err != nil:
			return Reception{Ignored: true}, err
		case !linked:
			return b.unlinked(ctx, a)
		}
	}
	if code, ok := connectIn(a); ok && !a.Author.Gone {
		return b.connect(ctx, a, code)
	}
	who, refusal, err := b.admit(ctx, b.access[a.Author.Platform], a.Author, a.Direct)
	if err != nil {
		return Reception{}, err
	}
	if refusal != "" {
		if a.History || !b.refused.Tell(a.Author.Account, time.Now()) {
			refusal = ""
		}
		return Reception{Refusal: refusal}, nil
	}
	if a.Direct {
		if err := b.office.Link(ctx, office.Portal{ID: id, Platform: a.Author.Platform, Place: a.Place, Kind: office.DMPortal, Person: who.ID}); err != nil {
			return Reception{}, err
		}
	}
	line, way, err := b.commandIn(ctx, a)
	if err != nil {
		return Reception{}, err
	}
	if way != "" {
		return b.runOnce(ctx, string(id)+"\x00"+a.Native, who, a, line, way)
	}
	spans, err := b.spans(ctx, a)
	if err != nil {
		return Reception{}, err
	}
	in := office.Inbound{Portal: id, Person: who.ID, Native: a.Native, Thread: a.Thread, Reply: a.Reply, Answers: a.Answers, Text: a.Text, Spans: spans, More: a.More, Of: a.Of}
	for _, f := range a.Files {
		in.Files = append(in.Files, office.File{ID: f.ID, Name: f.Name, Type: f.Type, Size: f.Size})
	}
	take := b.office.Inbound
	if a.History {
		take = b.office.Filled
	}
	rec, err := take(ctx, in)
	return Reception{Receipt: rec}, err
}

// unlinked takes in what was written in a place that is not linked: nothing but a
// command of an admin, who has to be able to link it from there.
func (b *Bridge) unlinked(ctx context.Context, a Arrival) (Reception, error) {
	line, way, err := b.commandIn(ctx, a)
	if err != nil || way == "" || a.History {
		return Reception{Ignored: true}, err
	}
	who, sender, err := b.sender(ctx, Order{Author: a.Author, Place: a.Place})
	if err != nil || sender != command.AdminSender && sender != command.OwnerSender {
		return Reception{Ignored: true}, err
	}
	return b.runOnce(ctx, string(portalID(a.Author.Platform, a.Place))+"\x00"+a.Native, who, a, line, way)
}

// commandIn finds a command in a text: the platform shows it as one, it is a
// direct talk and the text begins with a slash and a command's name, or the
// office's bot is mentioned first and all that follows is a command with arguments
// that fit. Anything else is talk; way is empty then.
func (b *Bridge) commandIn(ctx context.Context, a Arrival) (line string, way command.Way, err error) {
	platform := a.Author.Platform
	text := strings.TrimSpace(a.Text)
	direct, slash := strings.CutPrefix(text, "/")
	switch {
	case a.Forwarded:
		return "", "", nil
	case a.Command != "" && b.commands.Knows(platform, a.Command):
		return a.Command, command.BySlash, nil
	case a.Direct && slash && (b.commands.Knows(platform, direct) || b.commands.Almost(platform, direct)):
		return direct, command.ByDirect, nil
	case len(a.Mentions) == 0 || a.Mentions[0].Kind != MentionSelf || strings.TrimSpace(a.Text[:a.Mentions[0].Start]) != "":
		return "", "", nil
	}
	line = strings.TrimPrefix(strings.TrimSpace(a.Text[a.Mentions[0].End:]), "/")
	if strings.Contains(line, "\n") {
		return "", "", nil
	}
	if fits, err := b.commands.Fits(ctx, b.office, platform, line); !fits {
		return "", "", err
	}
	return line, command.ByMention, nil
}

// runOnce carries out a command once, however often the platform delivers it.
func (b *Bridge) runOnce(ctx context.Context, event string, who office.Person, a Arrival, line string, way command.Way) (Reception, error) {
	var r Reply
	again, err := b.exactly(ctx, event, func(ctx context.Context) (err error) {
		if a.History {
			r.Text = "This command came while the office was not connected, so it was not carried out; type it again if it is still wanted."
			return nil
		}
		o := Order{Author: a.Author, Way: way, Place: a.Place, Direct: a.Direct, Event: event, Line: line}
		if r, err = b.obey(ctx, o, who, rankOf(who)); err != nil {
			r.Text = sentence(err)
		}
		return nil
	})
	if again || err != nil {
		return Reception{Ignored: true}, err
	}
	return Reception{Answer: r.Text, Choices: r.Choices}, nil
}

// spans turns a platform's mentions into what they name in this office.
func (b *Bridge) spans(ctx context.Context, a Arrival) ([]wake.Span, error) {
	var out []wake.Span
	for _, m := range a.Mentions {
		s := wake.Span{Start: m.Start, End: m.End, Kind: wake.SpanNobody}
		switch m.Kind {
		case MentionAccount:
			p, ok, err := b.office.PersonBy(ctx, office.Account{Platform: a.Author.Platform, ID: m.ID})
			if err != nil {
				return nil, err
			}
			if ok && !b.seesItself(ctx, a, p) {
				s.Kind, s.ID = wake.SpanPerson, string(p.ID)
			}
		case MentionLevel:
			s.Kind, s.ID = wake.SpanLevel, m.ID
		case MentionColleagueID:
			s.Kind, s.ID = wake.SpanColleague, m.ID
		case MentionColleague:
			id, err := b.colleague(ctx, m.ID)
			if err != nil {
				return nil, err
			}
			if id != "" {
				s.Kind, s.ID = wake.SpanColleague, string(id)
			}
		case MentionPlace, MentionHere:
			place := m.ID
			if m.Kind == MentionHere {
				place = a.Place
			}
			p, ok, err := b.office.Portal(ctx, portalID(a.Author.Platform, place))
			if err != nil {
				return nil, err
			}
			if ok && p.Kind == office.ChannelPortal {
				s.Kind, s.ID = wake.SpanChannel, string(p.Channel)
			}
		}
		out = append(out, s)
	}
	return out, b.frontDesk(ctx, a, out)
}

// colleague finds a colleague by name; empty if there is none.
func (b *Bridge) colleague(ctx context.Context, name string) (office.ColleagueID, error) {
	v, err := b.office.View(ctx)
	if err != nil {
		return "", err
	}
	for _, c := range v.Colleagues {
		if wake.Fold(c.Name) == wake.Fold(name) {
			return c.ID, nil
		}
	}
	return "", nil
}

// frontDesk makes a mention of the office's bot call the front desk, unless the
// text calls somebody else: "@Office @alice hi" is for alice.
func (b *Bridge) frontDesk(ctx context.Context, a Arrival, spans []wake.Span) error {
	self := func(m Mention) bool { return m.Kind == MentionSelf }
	if !slices.ContainsFunc(a.Mentions, self) {
		return nil
	}
	v, err := b.office.View(ctx)
	if err != nil {
		return err
	}
	if w, err := wake.Read(a.Text, spans, v.Names); err != nil || w.Kind != wake.Nobody {
		return nil // err is told to the writer when the text is taken in
	}
	id, err := b.office.FrontDesk(ctx)
	if err != nil || id == "" {
		return err
	}
	for i, m := range a.Mentions {
		if self(m) {
			spans[i].Kind, spans[i].ID = wake.SpanColleague, string(id)
		}
	}
	return nil
}

// seesItself says whether the platform itself notifies a mentioned person of
// the very message, so that a copy in the mailbox would be a second one: it
// does, wherever they have an account on it.
func (b *Bridge) seesItself(_ context.Context, a Arrival, p office.Person) bool {
	for _, x := range append(append([]office.Account(nil), p.Accounts...), p.Paired...) {
		if x.Platform == a.Author.Platform {
			return true
		}
	}
	return false
}

// Change is an edit or a deletion on a platform. It never wakes anybody and
// never runs a command.
type Change struct {
	Platform, Place string
	Native          string
	// Version is the platform's stamp of the change; stamps compare as text.
	Version string
	Text    string
	Deleted bool
}

// Changed takes a change in.
func (b *Bridge) Changed(ctx context.Context, c Change) error {
	id := portalID(c.Platform, c.Place)
	if _, linked, err := b.office.Portal(ctx, id); err != nil || !linked {
		return err
	}
	_, err := b.office.Revise(ctx, office.Revision{Portal: id, Native: c.Native, Version: c.Version, Text: c.Text, Deleted: c.Deleted})
	return err
}

// Press is somebody's press of a button that decides a question; value is the
// button's. The text says what was decided; the error, for who pressed, why not.
func (b *Bridge) Press(ctx context.Context, by Account, value string) (string, error) {
	if strings.HasPrefix(value, mailPrefix) {
		return b.pressMail(ctx, by, value)
	}
	question, option, err := pressed(value)
	if err != nil {
		return "", err
	}
	p, ok, err := b.office.PersonBy(ctx, office.Account(by))
	if err != nil {
		return "", err
	}
	if !ok {
		return "", errors.New("only people of this office may decide this")
	}
	return b.office.Decide(ctx, question, option, "", p.ID)
}

// pressed takes a button's value apart. One without an option is of a question
// that has a single one.
func pressed(value string) (question string, option int, err error) {
	question, n, more := strings.Cut(value, ":")
	if more {
		option, err = strconv.Atoi(n)
	}
	if err != nil {
		return "", 0, errors.New("this button is none of ours")
	}
	return question, option, nil
}
