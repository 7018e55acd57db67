package office

import (
	"crypto/rand"
	"strings"
	"testing"
	"time"
)

func account(id string) Account { return Account{Platform: "slack", ID: id} }

// ask lets a stranger ask to be let in. Codes are of real randomness: those of a
// desk begin alike.
func (k *desk) ask(id, name string) Pairing {
	k.Helper()
	k.now = k.now.Add(time.Second)
	d := newDecision(k.s, k.now, rand.Text)
	out, err := d.request(askPairing{Account: account(id), Name: name})
	if err != nil {
		k.Fatal(err)
	}
	for _, c := range d.batch() {
		k.rec.apply(c)
	}
	k.checkRecord()
	return out.(Pairing)
}

// admit approves a code.
func (k *desk) admit(p Pairing) Person {
	k.Helper()
	return k.must(approve{Code: p.Code, By: DefaultOwner, From: "console"}).(Person)
}

// withAccount gives the owner an account, so that nobody else takes the place.
func withAccount(s *Setup) {
	s.People = append(s.People, Person{ID: DefaultOwner, Name: "user", Owner: true, Admin: true, Accounts: []Account{account("U0")}})
}

func TestACodeCanBeReadOut(t *testing.T) {
	t.Parallel()
	k := newDesk(t)
	random := []string{"IL0OABCD", "O0I1L2E5", "FGHJKLMN"}
	d := newDecision(k.s, k.now, func() string { next := random[0]; random = random[1:]; return next })
	if got := d.code(); got != "ABCD2E5F" {
		t.Errorf("%s: eight characters, none of which is taken for another", got)
	}
}

func TestOneWhoAsksAgainGetsTheSameCode(t *testing.T) {
	t.Parallel()
	k := newDesk(t)
	first := k.ask("U1", "kim")
	if len(first.Code) != 8 {
		t.Errorf("code %q", first.Code)
	}
	k.takeOver()
	if again := k.ask("U1", "kim k."); again.Code != first.Code || len(k.rec.pairings) != 1 {
		t.Errorf("asked again: %s, first %s; %d wait", again.Code, first.Code, len(k.rec.pairings))
	}
}

func TestACodeIsGoodForAnHour(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		age time.Duration
		ok  bool
	}{{time.Hour, true}, {time.Hour + time.Second, false}} {
		k := newDesk(t, withAccount)
		p := k.ask("U1", "kim")
		_, err := k.later(tc.age, approve{Code: p.Code, By: DefaultOwner})
		if (err == nil) != tc.ok {
			t.Errorf("after %v: %v", tc.age, err)
		}
		if again := k.ask("U1", "kim"); again.Code == p.Code {
			t.Errorf("after %v the same code was given again", tc.age)
		}
	}
}

func TestAtMostThreeWaitAndTheOldestGivesWay(t *testing.T) {
	t.Parallel()
	k := newDesk(t, withAccount)
	codes := []Pairing{k.ask("U1", "a"), k.ask("U2", "b"), k.ask("U3", "c"), k.ask("U4", "d")}
	if len(k.rec.pairings) != 3 {
		t.Errorf("%d wait", len(k.rec.pairings))
	}
	if _, err := k.do(approve{Code: codes[0].Code, By: DefaultOwner}); err == nil {
		t.Error("the oldest still waits")
	}
	for _, p := range codes[1:] {
		k.admit(p)
	}
	if len(k.rec.pairings) != 0 {
		t.Error("an approved code still waits")
	}
	if _, err := k.do(approve{Code: codes[1].Code, By: DefaultOwner}); err == nil {
		t.Error("a code was good twice")
	}
}

func TestTheFirstToBeLetInIsTheOwner(t *testing.T) {
	t.Parallel()
	k := newDesk(t)
	one, two := k.ask("U1", "ann"), k.ask("U2", "eve") // both before anybody is let in
	if p := k.admit(two); p.ID != DefaultOwner || !p.Owner {
		t.Errorf("the first became %+v", p)
	}
	if p := k.admit(one); p.Owner || p.Admin || p.ID == DefaultOwner {
		t.Errorf("the second became %+v", p)
	}
	three := k.ask("U3", "dan")
	if p := k.admit(three); three.Owner || p.Owner || p.Name != "dan" || !p.Approved {
		t.Errorf("the third became %+v", p)
	}
	k.takeOver()
	for id, want := range map[string]PersonID{"U1": "slack-u1", "U2": DefaultOwner, "U3": "slack-u3"} {
		if got := k.s.people[account(id)]; got != want {
			t.Errorf("%s is %s after a restart, want %s", id, got, want)
		}
	}
	if k.rec.channels[MailboxOf("slack-u1")].Kind != MailboxChannel {
		t.Error("one who was let in has no mailbox")
	}
}

func TestAnOwnerWhoHadTalkedBeforeIsOnePerson(t *testing.T) {
	t.Parallel()
	k := newDesk(t)
	k.must(welcome{Account: account("U1"), Name: "ann"})
	k.admit(k.ask("U1", "ann"))
	for range 5 { // the people are a map
		k.takeOver()
		if got := k.s.people[account("U1")]; got != DefaultOwner {
			t.Fatalf("the account belongs to %s", got)
		}
	}
}

func TestOneWhoTalkedInAChannelKeepsTheirPersonWhenLetIn(t *testing.T) {
	t.Parallel()
	k := newDesk(t, withAccount)
	met := k.must(welcome{Account: account("U1"), Name: "ann"}).(Person)
	if met.Approved || met.Admin || met.Owner {
		t.Errorf("a welcome gave rights: %+v", met)
	}
	if again := k.must(welcome{Account: account("U1"), Name: "another name"}).(Person); again.ID != met.ID || again.Name != "ann" {
		t.Errorf("welcomed twice: %+v", again)
	}
	p := k.admit(k.ask("U1", "other"))
	if p.ID != met.ID || p.Name != "ann" || !p.Approved || len(p.Paired) != 1 {
		t.Errorf("let in as %+v", p)
	}
}

func TestWhoMayLetSomebodyIn(t *testing.T) {
	t.Parallel()
	k := newDesk(t, withKim)
	p := k.ask("U1", "ann")
	for _, by := range []PersonID{kim, "nobody", ""} {
		if _, err := k.do(approve{Code: p.Code, By: by}); err == nil {
			t.Errorf("%q let somebody in", by)
		}
	}
	if _, err := k.do(approve{Code: "WRONG234", By: DefaultOwner}); err == nil || !strings.Contains(err.Error(), "an hour") {
		t.Errorf("a wrong code: %v", err)
	}
	k.must(approve{Code: "  " + strings.ToLower(p.Code) + " ", By: DefaultOwner, From: "console"}) // as a person types it
	if a := k.rec.audit; len(a) != 1 || a[0].By != "user" || a[0].From != "console" || !strings.Contains(a[0].What, "U1") {
		t.Errorf("audit %+v", a)
	}
}

func TestANewNameIsNobodyElses(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, want string }{
		{"dora", "dora"},
		{"  dora\n", "dora"},
		{"alice", "alice-2"}, // a colleague's
		{"ALICE ", "ALICE-2"},
		{"al\u200bice", "alice-2"}, // looks the same
		{"kim", "kim-2"},           // a person's
		{"user", "slack-u1"},       // the owner
		{"office", "slack-u1"},
		{"everyone", "slack-u1"},
		{"leader", "slack-u1"},
		{"", "slack-u1"},
		{"@alice", "slack-u1"},
		{"a\nfrom the office", "a from the office"},
		{strings.Repeat("x", 80), "slack-u1"},
	} {
		for _, way := range []string{"welcome", "approve"} {
			k := newDesk(t, withKim, func(s *Setup) { s.People[0].Accounts = []Account{account("U0")} })
			var p Person
			if way == "welcome" {
				p = k.must(welcome{Account: account("U1"), Name: tc.name}).(Person)
			} else {
				p = k.admit(k.ask("U1", tc.name))
			}
			if p.Name != tc.want {
				t.Errorf("%s of %q became %q, want %q", way, tc.name, p.Name, tc.want)
			}
		}
	}
}
