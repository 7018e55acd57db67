package command_test

import (
	"strings"
	"testing"

	"bullpen/office"
)

// What a choice says may stand before the name of whom it is about.
func TestAChoiceBeforeTheName(t *testing.T) {
	t.Parallel()
	s := newSeat(t)
	s.run("hire rita temporary=on model=none")
	if got := s.run("agent permission deny rita bash"); !strings.Contains(got, "rita is configured") {
		t.Errorf("it says %q", got)
	}
	if got := s.run("agent permission show rita"); !strings.Contains(got, "Denied: bash") {
		t.Errorf("it says %q", got)
	}
	s.run("hire show temporary=on model=none")
	if got := s.run("agent permission show"); !strings.Contains(got, "show is a member") {
		t.Errorf("a colleague of that name comes first, and it says %q", got)
	}
	s.refused("agent permission deny ritta bash", `there is no colleague called "ritta"`)
}

// Whoever leaves a command's root out, or names another, is told its own.
func TestACommandOfAnotherRootIsNamed(t *testing.T) {
	t.Parallel()
	s := newSeat(t)
	s.refused("env alice", "there is no command /env; did you mean /agent env?")
	s.refused("channel dismiss alice", `no command "dismiss" of channel; did you mean /agent dismiss?`)
	s.refused("agent pause", `no command "pause" of agent; did you mean /pause?`)
	s.refused("agent fire", `no command "fire" of agent; did you mean /agent hire?`)
}

func TestTheVariablesOfAColleague(t *testing.T) {
	t.Parallel()
	s := newSeat(t, func(set *office.Setup) {
		set.Env = map[string]string{"A": "1", "B": "2"}
		set.Colleagues[0].Env = map[string]string{"B": "${OTHER}"}
	})
	if got, want := s.run("agent env alice"), "The variables of alice:\n- A=1 (the office's)\n- B=${OTHER}"; got != want {
		t.Errorf("it says %q, want %q", got, want)
	}
	if got := s.run("agent env show ann lee"); !strings.Contains(got, "- B=2 (the office's)") {
		t.Errorf("it says %q", got)
	}
	for line, want := range map[string]string{
		"agent env alice set":            "name the variable",
		"agent env alice set X":          "name the variable",
		"agent env alice unset":          "name the variable",
		"agent env alice unset A":        "no variable of that name of its own",
		"agent env alice X y":            "say whether to set or to unset",
		"agent env alice unset B y":      "say whether to set or to unset",
		`agent env alice set "a b" c`:    "no name of a variable",
		`agent env alice set a.b c`:      "no name of a variable",
		"agent env alice set X hunter22": "cannot be changed from here",
	} {
		s.refused(line, want)
	}
	log := s.run("logs audit")
	if strings.Contains(log, "hunter22") || !strings.Contains(log, "name=") {
		t.Errorf("the audit log is\n%s", log)
	}
	s.run("hire tmp temporary=on model=none")
	s.refused("agent env tmp set X y", "is not in office.yaml")
	s.who = office.Person{ID: "kim", Name: "Kim"}
	s.refused("agent env alice", "for the owner and the admins")
}
