package bridge

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"bullpen/office"
)

// mailPrefix begins the values of the buttons below mail; which one, and the
// number of the mail in its person's mailbox, follow.
const mailPrefix = "mail:"

// IsMail says whether a button's value is of one below mail: what a press of it did
// is told to who pressed alone, and changes nothing that others see.
func IsMail(value string) bool { return strings.HasPrefix(value, mailPrefix) }

// mailButtons are what can be done about mail where it is shown.
func mailButtons(m *office.Message) []Button {
	if m.Done || m.Author.Kind != office.ByColleague || m.Question != "" {
		return nil
	}
	n := strconv.FormatInt(m.Seq, 10)
	return []Button{
		{Label: "Reply", Value: mailPrefix + "r:" + n},
		{Label: "Done", Value: mailPrefix + "d:" + n},
		{Label: "Mute " + m.Author.Name, Value: mailPrefix + "m:" + n},
	}
}

// isMail says whether a message stands in a mailbox.
func isMail(a office.Anchor) bool { return strings.HasPrefix(string(a.Channel), "mailbox-") }

// offerMail puts the buttons of mail below it.
func offerMail(ctx context.Context, o *office.Office, out *Outgoing, a office.Anchor) error {
	m, err := o.Message(ctx, a)
	if err != nil {
		return err
	}
	out.Buttons = mailButtons(m)
	return nil
}

// pressMail carries out a press of a button below somebody's mail: everybody has
// their own alone.
func (b *Bridge) pressMail(ctx context.Context, by Account, value string) (string, error) {
	who, ok, err := b.office.PersonBy(ctx, office.Account(by))
	if err != nil {
		return "", err
	}
	what, number, _ := strings.Cut(strings.TrimPrefix(value, mailPrefix), ":")
	n, bad := strconv.ParseInt(number, 10, 64)
	if !ok || bad != nil {
		return "", errors.New("this button is for whose mail it is")
	}
	m, err := b.office.Message(ctx, office.Anchor{Channel: office.MailboxOf(who.ID), Seq: n})
	if err != nil {
		return "", err
	}
	switch what {
	case "r":
		return b.replyTo(ctx, by, who, m)
	case "d":
		_, err := b.office.MailDone(ctx, who.ID, n)
		return "Done.", err
	case "m":
		from := office.ColleagueID(m.Author.ID)
		return b.office.MuteMail(ctx, who.ID, from, !slices.Contains(who.Muted, from))
	default:
		return "", errors.New("this button is none of ours")
	}
}

// replyTo makes what the person writes next on that platform go to the sender of
// a mail.
func (b *Bridge) replyTo(ctx context.Context, by Account, who office.Person, m *office.Message) (string, error) {
	portals, err := b.office.Portals(ctx, by.Platform)
	if err != nil {
		return "", err
	}
	for _, p := range portals {
		if p.Kind != office.DMPortal || p.Person != who.ID {
			continue
		}
		if _, err := b.office.TalkWith(ctx, p.ID, who.ID, m.Author.Name); err != nil {
			return "", err
		}
		return fmt.Sprintf("What you write here next goes to %s.", m.Author.Name), nil
	}
	return "", errors.New("you have no direct talk with the office here")
}
