package command_test

import (
	"strings"
	"testing"

	"bullpen/bridge/command"
	"bullpen/office"
)

// Which folder of the machine a colleague works in is the owner's to say, and where
// it lies is for those who run the office.
func TestTheFolderThatAColleagueWorksIn(t *testing.T) {
	t.Parallel()
	s := newSeat(t, func(set *office.Setup) {
		set.Colleagues[0].Cwd = "~/shop"
		set.People = append(set.People, office.Person{ID: "ada", Name: "Ada", Admin: true})
	})
	for _, line := range []string{"who alice", "status"} {
		if got := s.run(line); !strings.Contains(got, "works in ~/shop") {
			t.Errorf("%s says\n%s", line, got)
		}
	}
	if got := s.run("who Ann Lee"); strings.Contains(got, "works in") {
		t.Errorf("of one with a folder of its own it says\n%s", got)
	}
	a, err := s.try("dismiss alice")
	if err != nil || a.Confirm == nil || !strings.Contains(a.Text, "the folder that it works in (cwd) is left as it is") {
		t.Errorf("before a dismissal it says %q (%v)", a.Text, err)
	}
	// Without an office.yaml the owner is stopped only there.
	s.refused("configure alice cwd=~/other", "cannot be changed from here")
	s.run("hire tmp temporary=on model=none")
	s.refused("configure tmp cwd=~/other", "is not in office.yaml")

	s.who = office.Person{ID: "ada", Name: "Ada", Admin: true}
	admin := func(line string) error {
		call := s.call()
		call.Sender = command.AdminSender
		_, err := s.set.Run(t.Context(), call, line)
		return err
	}
	for _, line := range []string{"configure alice cwd=~/other", "configure alice cwd=-", "configure alice role=leader cwd=~/other", "configure tmp cwd=/"} {
		if err := admin(line); err == nil || !strings.Contains(err.Error(), "only the owner may say") {
			t.Errorf("%s of an admin: %v", line, err)
		}
	}
	if err := admin("configure tmp description=counts"); err != nil {
		t.Error(err)
	}

	s.who = office.Person{ID: "kim", Name: "Kim"}
	if got := s.run("who alice"); strings.Contains(got, "shop") || !strings.Contains(got, "works in a folder of the machine") {
		t.Errorf("to somebody who only talks it says\n%s", got)
	}
}
