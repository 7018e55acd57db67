package bridge

import (
	"context"
	"fmt"
	"slices"

	"bullpen/office"
)

// DMRule says what becomes of a stranger who writes directly.
type DMRule string

// The rules for direct messages.
const (
	DMPairing   DMRule = "pairing" // gets a code that an admin approves
	DMAllowlist DMRule = "allowlist"
	DMOpen      DMRule = "open"
	DMOff       DMRule = "off" // nobody
)

// TalkRule says who may talk in a linked channel.
type TalkRule string

// The rules for channels.
const (
	TalkMembers   TalkRule = "members" // full members of the own workspace
	TalkAllowlist TalkRule = "allowlist"
)

// Access is who may talk to the office on one platform. The zero value lets in
// those who are listed and gives strangers a code.
type Access struct {
	DM   DMRule
	Talk TalkRule
}

// Author is who wrote something, as the platform tells it.
type Author struct {
	Account
	// Name is what the platform calls them: shown, never trusted.
	Name string
	// Full members belong to the own workspace; guests, members of other
	// workspaces and deleted accounts do not.
	Full bool
	// Gone says that the account was deleted or switched off: it is nobody's any more,
	// whatever office.yaml says of it.
	Gone bool
	// Bot marks programs, our own posts among them.
	Bot bool
}

// admit finds the person behind an author, or the sentence that refuses it. A
// right in a direct talk is no right in a channel and the other way round.
func (b *Bridge) admit(ctx context.Context, rule Access, by Author, direct bool) (p office.Person, refusal string, err error) {
	if by.Gone {
		return p, "This account is switched off, so nothing of it is read here.", nil
	}
	a := office.Account(by.Account)
	p, known, err := b.office.PersonBy(ctx, a)
	if err != nil {
		return p, "", err
	}
	if direct {
		return b.admitDirect(ctx, rule.DM, by, p, known)
	}
	listed := known && b.listed(p, a)
	switch {
	case listed:
		return p, "", nil
	case by.Full && (rule.Talk == TalkMembers || rule.Talk == ""):
		p, err = b.office.Welcome(ctx, a, by.Name)
		return p, "", err
	default:
		return p, "You are not on this office's list of people, so your messages here are not read by its colleagues. An admin can add you.", nil
	}
}

// listed says whether office.yaml or an approved code names the account, and
// not only the rule of a channel.
func (b *Bridge) listed(p office.Person, a office.Account) bool {
	return p.Approved || slices.Contains(p.Accounts, a)
}

func (b *Bridge) admitDirect(ctx context.Context, rule DMRule, by Author, p office.Person, known bool) (office.Person, string, error) {
	a := office.Account(by.Account)
	switch {
	case rule == DMOff:
		return p, "This office takes no direct messages. Write in a channel that it is in.", nil
	case known && b.listed(p, a):
		return p, "", nil
	case rule == DMOpen && by.Full:
		p, err := b.office.Welcome(ctx, a, by.Name)
		return p, "", err
	case rule == DMAllowlist:
		return p, "You are not on this office's list of people. An admin can add you.", nil
	}
	pairing, err := b.office.AskPairing(ctx, a, by.Name)
	if err != nil {
		return p, "", err
	}
	if pairing.Owner {
		b.notify(fmt.Sprintf("%s (%s account %s) wants to be the owner of this office. If that is you, type: /approve %s", pairing.Name, a.Platform, a.ID, pairing.Code))
		return p, fmt.Sprintf("Hello! This office has no owner here yet. If it is yours, type this where the office runs: /approve %s (good for an hour).", pairing.Code), nil
	}
	b.notify(fmt.Sprintf("%s (%s account %s) asks to talk to this office. To let them in: /approve %s", pairing.Name, a.Platform, a.ID, pairing.Code))
	return p, fmt.Sprintf("I do not know you yet. Give this code to an admin of the office, who lets you in with: /approve %s (good for an hour).", pairing.Code), nil
}
