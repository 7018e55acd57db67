package command_test

import (
	"strings"
	"testing"

	"bullpen/bridge/command"
	"bullpen/office"
)

func TestStartingAfreshAndWakes(t *testing.T) {
	t.Parallel()
	s := newSeat(t)
	s.refused("new", "name the colleague")
	if got := s.run("new Ann Lee working"); !strings.Contains(got, "Ann Lee starts the working context afresh") {
		t.Errorf("new says %q", got)
	}
	s.place = command.Place{To: "c1", Label: "@alice"}
	if got := s.run("new"); !strings.Contains(got, "alice starts") {
		t.Errorf("new says %q", got)
	}
	s.run("wakes off")
	if got := s.run("post general @alice hello"); !strings.Contains(got, "wakes are switched off") {
		t.Errorf("while wakes are off, a post says %q", got)
	}
	s.run("wakes on")
	s.refused("wakes maybe", "on or off")
	s.refused("agent revive nobody", "there is no colleague")
	s.who = office.Person{ID: "kim", Name: "Kim"}
	s.refused("new alice working", "the owner and the admins")
	if got := s.run("new alice mine"); !strings.Contains(got, "alice starts the context with Kim afresh") {
		t.Errorf("new says %q", got)
	}
}

func TestCompactingAChannel(t *testing.T) {
	t.Parallel()
	s := newSeat(t)
	for range 5 {
		s.post(office.Post{Person: "olga", Channel: "dev", Text: "words"})
	}
	s.refused("channel compact dev 3", "needs a summary")
	s.refused("channel compact dev 3 all of it", "two messages or more")
	a, err := s.try("channel compact dev 1-3 we said words")
	if err != nil || a.Confirm == nil || !strings.Contains(a.Text, "messages 1 to 3 of #dev") {
		t.Fatalf("%+v %v", a, err)
	}
	if got := s.run("channel compact dev 1-3 we said words --yes"); !strings.HasPrefix(got, "dev-6 is the summary") {
		t.Errorf("compacting says %q", got)
	}
	if got := s.run("read dev"); !strings.Contains(got, "we said words") {
		t.Errorf("dev is\n%s", got)
	}
}

// Who is asked about tells whether its talks are kept apart.
func TestWhoSaysThatEverybodysTalkIsOneContext(t *testing.T) {
	t.Parallel()
	s := newSeat(t, func(set *office.Setup) { set.Colleagues[0].SharedDM = true })
	for who, shared := range map[string]bool{"alice": true, "Ann Lee": false} {
		got := s.run("who " + who)
		if strings.Contains(got, "one context for everybody") != shared || !strings.Contains(got, "permission: full") || !strings.Contains(got, "inactive since ") {
			t.Errorf("of %s is told\n%s", who, got)
		}
	}
}
