package office

import (
	"context"
)

// Declaration is where an office is declared: office.yaml. A change that also
// changes the office is written there first, under its lock, and then
// committed; opening compares the two and mends the record by the file.
type Declaration interface {
	// Edit writes edits, all or none, keeping comments and order, and returns the
	// setup that the declaration describes afterwards. An edit that is there
	// already is no error and writes nothing. A declaration that was edited by hand
	// meanwhile is read again, not overwritten; an invalid one refuses the edit.
	Edit(ctx context.Context, edits ...Edit) (Setup, error)
	// Read returns the setup that the declaration describes now.
	Read(ctx context.Context) (Setup, error)
}

// Edit is one change of a declaration.
type Edit interface{ isEdit() }

// The edits. Fields are yaml keys with their values; nil removes the key.
type (
	// AddColleague declares a colleague.
	AddColleague struct{ Colleague ColleagueSetup }
	// RemoveColleague takes a colleague out, also of channels' members and of
	// front_desk. The office refuses beforehand while others report to it.
	RemoveColleague struct{ Name string }
	// RenameColleague renames one everywhere in the declaration.
	RenameColleague struct{ From, To string }
	// SetColleague sets keys below agents.<name>.
	SetColleague struct {
		Name   string
		Fields map[string]any
	}
	// AddChannel declares a group channel.
	AddChannel struct{ Channel ChannelSetup }
	// RemoveChannel takes a group channel out.
	RemoveChannel struct{ Name string }
	// SetChannel sets keys of a channel: members, topic, default_wake, reply, threads.
	SetChannel struct {
		Name   string
		Fields map[string]any
	}
	// SetOffice sets keys below office.
	SetOffice struct{ Fields map[string]any }
	// SetPerson sets keys below people.<id>: slack, discord, telegram, admin, mail.
	// It declares the person who is not there yet.
	SetPerson struct {
		Person PersonID
		Fields map[string]any
	}
	// SetPortal pairs a channel with a platform's place; an empty place removes the pair.
	SetPortal struct{ Platform, Channel, Place string }
)

func (AddColleague) isEdit()    {}
func (RemoveColleague) isEdit() {}
func (RenameColleague) isEdit() {}
func (SetColleague) isEdit()    {}
func (AddChannel) isEdit()      {}
func (RemoveChannel) isEdit()   {}
func (SetChannel) isEdit()      {}
func (SetOffice) isEdit()       {}
func (SetPerson) isEdit()       {}
func (SetPortal) isEdit()       {}
