package office

import (
	"context"
	"errors"
	"fmt"

	"bullpen/office/wake"
)

// Importer is a Runner that can take in the folder of an agent: a workspace,
// skills and agent.md, which says who it is.
type Importer interface {
	// Inspect looks at a folder: a name within the office's folder of agents or,
	// if anywhere is true, an absolute path. It changes nothing.
	Inspect(ctx context.Context, folder string, anywhere bool) (AgentFolder, error)
	// Import makes the folder that of a colleague to come: a copy of what it holds,
	// without links, unless it stands where the colleague's will. Again it does nothing.
	Import(ctx context.Context, f AgentFolder) error
}

// AgentFolder is a folder that somebody may be adopted from.
type AgentFolder struct {
	Name   string // the folder's own, and the colleague's to be
	Path   string
	Prompt string // agent.md; empty if there is none
	Inside bool   // it stands where the colleague's folder will
}

// AdoptFolder makes a colleague of an agent's folder, which goes by the folder's
// name: one within the office's folder of agents or, for the owner alone, any other
// by its absolute path. Nobody is greeted, and no turn begins.
func (o *Office) AdoptFolder(ctx context.Context, folder string, ephemeral bool, by PersonID, from string) (Hired, error) {
	owner, err := look(ctx, o, func(s *State) bool { p := s.People[by]; return p != nil && p.Owner })
	if err != nil {
		return Hired{}, err
	}
	return came(o.adoptFolder(ctx, folder, owner, ephemeral, actor{person: by, from: from}))
}

// AmendFolder is AdoptFolder for the boss's call: of a folder within the office's
// folder of agents. branch is the key of a call in another office, else empty.
func (o *Office) AmendFolder(ctx context.Context, ref TurnRef, branch, folder string, ephemeral bool) (Result, error) {
	out, err := o.adoptFolder(ctx, folder, false, ephemeral, actor{turn: ref, branch: branch})
	if err != nil {
		return Result{}, err
	}
	return amendResult(out), nil
}

func (o *Office) adoptFolder(ctx context.Context, folder string, anywhere, ephemeral bool, by actor) (any, error) {
	im, ok := o.runner.(Importer)
	if !ok {
		return nil, errors.New("this office takes in no folders")
	}
	f, err := im.Inspect(ctx, folder, anywhere)
	if err != nil {
		return nil, err
	}
	call := AdoptFolderCall{HireCall{Setup: ColleagueSetup{Name: f.Name, Prompt: f.Prompt}, Ephemeral: ephemeral}}
	there, err := lookFor(ctx, o, func(s *State) (bool, error) {
		d := newDecision(s, o.now(), func() string { return "" })
		asks, _, err := d.asking(by)
		if err == nil && asks != nil && !mayAmend(asks.Role, call) {
			err = errNotYours
		}
		if err != nil || d.cameBy(wake.Canonical(f.Name), by) {
			return err == nil, err
		}
		_, err = call.plan(d, by)
		return false, err
	})
	if err == nil && !there {
		err = im.Import(ctx, f)
	}
	if err != nil {
		return nil, fmt.Errorf("%s was not adopted: %w", oneLine(f.Name, nameLimit), err)
	}
	return o.amend(ctx, by, call)
}

// AdoptFolderCall makes a colleague of a folder that has been taken in.
type AdoptFolderCall struct{ HireCall }

func (p AdoptFolderCall) what() string { return "adopt the folder " + oneLine(p.Setup.Name, nameLimit) }

func (p AdoptFolderCall) plan(d *decision, by actor) (plan, error) {
	out, err := p.HireCall.plan(d, by)
	if out.intent.Kind != "" {
		out.intent.Kind = IntendAdopt // so that no onboarding follows
	}
	return out, err
}

func (p AdoptFolderCall) carry(d *decision, by string) any {
	out := p.HireCall.carry(d, by)
	if c := d.s.colleagueNamed(p.Setup.Name); c != nil && c.Ephemeral && c.Onboard {
		calm := *c
		calm.Onboard = false
		d.put(PutColleague{calm})
	}
	return out
}
