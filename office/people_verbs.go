package office

import (
	"context"
	"errors"
)

// PersonBy finds the person behind an account.
func (o *Office) PersonBy(ctx context.Context, a Account) (p Person, ok bool, err error) {
	found, err := look(ctx, o, func(s *State) *Person { return s.People[s.people[a]] })
	if found == nil {
		return Person{}, false, err
	}
	return *found, true, nil
}

// Welcome makes a person of somebody whom a place's rules let talk; one who is
// known already stays who they are.
func (o *Office) Welcome(ctx context.Context, a Account, name string) (Person, error) {
	out, err := o.do(ctx, welcome{a, name})
	if err != nil {
		return Person{}, err
	}
	return out.(Person), nil
}

// AskPairing gives a stranger the code that an admin has to approve.
func (o *Office) AskPairing(ctx context.Context, a Account, name string) (Pairing, error) {
	out, err := o.do(ctx, askPairing{a, name})
	if err != nil {
		return Pairing{}, err
	}
	return out.(Pairing), nil
}

// Approve lets the stranger in that a code was given to.
func (o *Office) Approve(ctx context.Context, code string, by PersonID, from string) (Person, error) {
	out, err := o.do(ctx, approve{code, by, from})
	if err != nil {
		return Person{}, err
	}
	return out.(Person), nil
}

// Interrupt ends the turn that a colleague is running now; whoever asked for it
// is told, and what waits for the colleague is handed over.
func (o *Office) Interrupt(ctx context.Context, colleague string, by PersonID, from string) (Interrupted, error) {
	out, err := o.do(ctx, interrupt{colleague, by, from})
	if err != nil {
		return Interrupted{}, err
	}
	return out.(Interrupted), nil
}

// Decide answers a question: with one of its options, counted from 0, or, where
// text is not empty, with a text. The answer says what was decided, by whom; the
// error, for who answered, why it was not.
func (o *Office) Decide(ctx context.Context, question string, option int, text string, by PersonID) (string, error) {
	out, err := o.do(ctx, press{ID: question, Option: option, Text: text, By: by})
	if err != nil {
		return "", err
	}
	return out.(string), nil
}

// Question finds a question that has not been decided yet.
func (o *Office) Question(ctx context.Context, id string) (q Question, ok bool, err error) {
	found, err := look(ctx, o, func(s *State) *Question { return s.Questions[id] })
	if found == nil {
		return Question{}, false, err
	}
	return *found, true, nil // apply replaces records and never alters them
}

// Owner is the owner person.
func (o *Office) Owner(ctx context.Context) (Person, error) {
	found, err := look(ctx, o, (*State).owner)
	switch {
	case err != nil:
		return Person{}, err
	case found == nil:
		return Person{}, errors.New("this office has no owner; name one under office.owner in office.yaml")
	}
	return *found, nil
}

// FrontDesk is the colleague who answers talk to the office itself; empty if
// there is nobody.
func (o *Office) FrontDesk(ctx context.Context) (ColleagueID, error) {
	return look(ctx, o, func(s *State) ColleagueID {
		d := decision{s: s}
		return d.partner(&Portal{}, nil)
	})
}

// Pause pauses the office or resumes it; resuming says whom it woke.
func (o *Office) Pause(ctx context.Context, on bool, note string, by PersonID, from string) (Resumed, error) {
	out, err := o.do(ctx, pause{On: on, Note: note, By: by, From: from})
	if err != nil {
		return Resumed{}, err
	}
	return out.(Resumed), nil
}

// Disturb ends the do-not-disturb of a colleague that forgot it; the text says
// what that did.
func (o *Office) Disturb(ctx context.Context, colleague string, by PersonID, from string) (string, error) {
	out, err := o.do(ctx, disturb{Colleague: colleague, By: by, From: from})
	if err != nil {
		return "", err
	}
	return out.(string), nil
}
