package command_test

import (
	"context"
	"strings"
	"testing"

	"bullpen/office"
)

// The boss is there for its people, where it is a matter of talking to somebody.
func TestTheBossIsThereForItsPeople(t *testing.T) {
	t.Parallel()
	s := newSeat(t, func(set *office.Setup) {
		set.Boss = &office.BossSetup{Model: "none", People: []office.PersonID{"olga"}}
	})
	if got := s.run("with boss"); got != "You talk with boss now." || s.place.To != office.BossID {
		t.Errorf("with boss: %q, at %+v", got, s.place)
	}
	if got := s.run("dm boss hire somebody"); !strings.Contains(got, "boss") {
		t.Errorf("dm boss: %q", got)
	}
	if got := s.run("status"); !strings.Contains(got, "- the boss: ") {
		t.Errorf("status: %q", got)
	}
	if got := s.run("new boss"); !strings.Contains(got, "boss starts the working context afresh") {
		t.Errorf("new boss: %q", got)
	}
	s.refused("agent dismiss boss --yes", "no colleague called")
	s.refused("agent configure boss role=member", "no colleague called")
	page, err := s.o.Messages(context.Background(), office.MessageQuery{Channels: []office.ChannelID{office.DirectWithPerson(office.BossID, "olga")}})
	if err != nil || len(page.Messages) != 1 || page.Messages[0].Text != "hire somebody" {
		t.Errorf("its talk: %+v, %v", page.Messages, err)
	}
	s.who = office.Person{ID: "kim", Name: "Kim"}
	for _, line := range []string{"with boss", "dm boss hire me", "who boss", "new boss mine"} {
		s.refused(line, "no colleague called")
	}
}
