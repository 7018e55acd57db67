package office

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"bullpen/internal/fault"
)

// Amendment is a change of what office.yaml declares as well as the record: of
// the roster, of channels, of settings. It is checked on the loop, written to
// the file, and then followed by the record in one commit with its audit line.
//
// A kill between the file and the commit is mended by the file at the next
// opening. What the file alone does not tell (a rename looks like one who left
// and one who came) is committed beforehand, as an Intent.
type Amendment interface {
	// plan refuses what cannot be, or says what has to be written.
	plan(d *decision, by actor) (plan, error)
	// carry does in the record what following the new setup has not done, and
	// says what became of it.
	carry(d *decision, by string) any
	// what names it for the audit.
	what() string
}

// plan is what an amendment needs.
type plan struct {
	edits  []Edit
	intent Intent
	// done is the answer of an amendment that is there already: asked for again
	// after a crash, it succeeds without effect.
	done any
}

// IntentKind says what an intent means to do.
type IntentKind string

// The kinds of intent.
const (
	IntendHire    IntentKind = "hire"
	IntendAdopt   IntentKind = "adopt"
	IntendRename  IntentKind = "rename"
	IntendDismiss IntentKind = "dismiss"
)

// Intent is a change of the roster that is being written to office.yaml. There
// is one at a time. Whoever finds it in the record looks whether the file has
// it, and then knows what it meant.
type Intent struct {
	Kind IntentKind `json:"kind,omitempty"`
	Name string     `json:"name,omitempty"` // of whom; of a rename, the new one
	// ID is the colleague's, but of a hire.
	ID   ColleagueID `json:"id,omitempty"`
	By   string      `json:"by,omitempty"`
	From string      `json:"from,omitempty"`
	// Call is the call that asked for it, if a turn did.
	Call string    `json:"call,omitempty"`
	At   time.Time `json:"at,omitzero"`
}

// actor is who asks for an amendment: a person, a colleague by a call of its
// turn, or the boss by a call of its turn in another office.
type actor struct {
	person PersonID
	turn   TurnRef
	branch string // the call of the boss elsewhere
	from   string
}

// calling identifies the call of a turn that asks; empty if none does.
func (d *decision) calling(a actor) string {
	t := d.s.Turns[a.turn.Turn]
	if a.branch != "" || t == nil {
		return a.branch
	}
	open := slices.IndexFunc(t.Calls, func(c Call) bool { return !c.Done })
	return fmt.Sprintf("%d.%d.%d", t.ID, t.Step, open)
}

// asking is the colleague that asks, nil if it is a person, and its name.
func (d *decision) asking(a actor) (c *Colleague, name string, err error) {
	if a.branch != "" {
		if c = d.s.boss(); c == nil {
			return nil, "", errors.New("this office has no boss")
		}
		return c, c.Name, nil
	}
	if a.turn.Turn == 0 {
		who := d.s.People[a.person]
		if who == nil || !who.Owner && !who.Admin {
			return nil, "", errors.New("only the owner and the admins may change the office")
		}
		return nil, who.Name, nil
	}
	t, err := d.current(a.turn)
	if err != nil {
		return nil, "", err
	}
	if c = d.s.Colleagues[t.Colleague]; !c.Role.leads() {
		return nil, "", fmt.Errorf("only leaders may do this, and you are a %s", c.Role)
	}
	return c, c.Name, nil
}

var (
	errNotYours   = errors.New("only the owner and the admins may do this")
	errUndeclared = errors.New("this office's declaration cannot be changed from here; edit office.yaml and start the office again")
	// errUnsettled says that an intent is left over whose file has to be read first.
	errUnsettled = errors.New("a change of office.yaml has not been followed up yet; try again")
)

// amend carries out an amendment, one at a time: two that are written at once
// would each follow a file without the other.
func (o *Office) amend(ctx context.Context, by actor, a Amendment) (any, error) {
	if err := o.checkModels(ctx, a); err != nil {
		return nil, err
	}
	select {
	case o.amending <- struct{}{}:
		defer func() { <-o.amending }()
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-o.done:
		return nil, o.closedErr()
	}
	// Not the intent is what a command was for: killed behind it, it is given again.
	before := WithEvent(ctx, "")
	out, err := o.do(before, intend{by, a, o.declaration != nil})
	if errors.Is(err, errUnsettled) && o.followFile(before) == nil {
		out, err = o.do(before, intend{by, a, o.declaration != nil})
	}
	if err != nil {
		return nil, err
	}
	p := out.(plan)
	if p.done != nil {
		return p.done, nil
	}
	r := amended{By: by, What: a}
	if len(p.edits) > 0 {
		fault.Point("edit.before")
		setup, err := o.declaration.Edit(ctx, p.edits...)
		fault.Point("edit.after")
		if err != nil {
			// Whether it was written is for the file to say.
			return nil, errors.Join(fmt.Errorf("office.yaml was not changed: %w", err), o.followFile(context.WithoutCancel(ctx)))
		}
		r.Setup = &setup
	}
	// The file has it: the record follows, whatever becomes of the caller.
	return o.do(context.WithoutCancel(ctx), r)
}

// followFile brings the record in line with the file and settles what is intended.
func (o *Office) followFile(ctx context.Context) error {
	if o.declaration == nil {
		return nil
	}
	setup, err := o.declaration.Read(ctx)
	if err != nil {
		return fmt.Errorf("office.yaml cannot be read: %w", err)
	}
	_, err = o.do(ctx, follow{setup})
	return err
}

// intend plans an amendment and makes durable what the file alone will not tell.
type intend struct {
	By       actor
	What     Amendment
	Declared bool // there is a declaration to write to
}

func (r intend) decide(d *decision) (any, error) {
	asks, name, err := d.asking(r.By)
	if err != nil {
		return nil, err
	}
	if asks != nil && !mayAmend(asks.Role, r.What) {
		return nil, errNotYours
	}
	if d.s.Meta.Intent.Kind != "" {
		return nil, errUnsettled
	}
	p, err := r.What.plan(d, r.By)
	switch {
	case err != nil, p.done != nil:
		return p, err
	case len(p.edits) > 0 && !r.Declared:
		return nil, errUndeclared
	}
	if p.intent.Kind != "" && len(p.edits) > 0 {
		p.intent.By, p.intent.From, p.intent.At, p.intent.Call = name, r.By.from, d.now, d.calling(r.By)
		d.s.Meta.Intent, d.meta = p.intent, true
	}
	return p, nil
}

// mayAmend says whether a leader, or the boss, may ask for an amendment.
func mayAmend(role Role, a Amendment) bool {
	switch a.(type) {
	case ConfigureCall, ChannelCreateCall, ChannelDeleteCall, ChannelMembersCall:
		return true
	case HireCall, AdoptCall, AdoptFolderCall, DismissCall, RenameOfficeCall:
		return role == Boss
	default:
		return false
	}
}

// amended is the commit of an amendment that is in the file: the record follows it.
type amended struct {
	By    actor
	What  Amendment
	Setup *Setup // nil: the file has no part in it
}

func (r amended) decide(d *decision) (any, error) {
	// Who asked may have gone meanwhile; what is in the file holds all the same.
	by := "the office"
	if p := d.s.People[r.By.person]; p != nil {
		by = p.Name
	} else if t := d.s.Turns[r.By.turn.Turn]; t != nil {
		by = d.s.Colleagues[t.Colleague].Name
	} else if r.By.branch != "" {
		by = bossName
	}
	d.call = d.calling(r.By)
	defer func() { d.call = "" }()
	noted := false
	if r.Setup != nil {
		out, err := follow{*r.Setup}.decide(d)
		if err != nil {
			return nil, err
		}
		noted = out.(bool)
	}
	out := r.What.carry(d, by)
	if !noted {
		d.audit(Audit{By: by, From: r.By.from, What: r.What.what(), Outcome: "done"})
	}
	return out, nil
}

// follow brings the record in line with the file and settles what was intended:
// it is there, with its audit line, or has come to nothing.
type follow struct{ Setup Setup }

func (r follow) decide(d *decision) (any, error) {
	in := d.s.Meta.Intent
	if d.call == "" && in.Call != "" {
		d.call = in.Call
		defer func() { d.call = "" }()
	}
	if _, err := configure(r).decide(d); err != nil {
		return false, err
	}
	if in.Kind == "" {
		return false, nil
	}
	d.s.Meta.Intent, d.meta = Intent{}, true
	c := d.s.colleagueNamed(in.Name)
	if there := c != nil; there == (in.Kind == IntendDismiss) || there && in.ID != "" && c.ID != in.ID {
		return false, nil
	}
	d.audit(Audit{By: in.By, From: in.From, What: in.Kind.words() + " " + in.Name, Outcome: "done"})
	return true, nil
}

func (k IntentKind) words() string {
	if k == IntendRename {
		return "rename to"
	}
	return string(k)
}

// Amend carries out an amendment that a turn of a leader or of the boss asks for; it gives
// the result of its call. The same call run again after a crash succeeds. ErrStale:
// the attempt is over.
func (o *Office) Amend(ctx context.Context, ref TurnRef, a Amendment) (Result, error) {
	out, err := o.amend(ctx, actor{turn: ref}, a)
	if err != nil {
		return Result{}, err
	}
	return amendResult(out), nil
}

// said is the answer of an amendment that only has a sentence to say.
func said(out any, err error) (string, error) {
	if err != nil {
		return "", err
	}
	return fmt.Sprint(out), nil
}
