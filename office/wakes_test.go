package office

import (
	"strings"
	"testing"
)

func TestAPersonsMessageWakesWhomItAddresses(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ channel, text, want string }{
		{"general", "@alice hello", "alice delivered"},
		{"general", "@alice and @bob", "alice delivered, bob delivered"},
		{"general", "$leader help", "carol delivered"},
		{"general", "$member all of you", "carol delivered, alice delivered, bob delivered"},
		{"dev", "$member", "alice delivered, bob delivered"},
		{"dev", "$leader", ""},
		{"general", "#dev standup", "alice delivered, bob delivered"},
		{"dev", "#general standup", "carol delivered, alice delivered, bob delivered"},
		{"general", "a note without an address", ""},
		{"general", "@user buy milk", "user mailbox"},
		{"general", "@alice tell @user", "user mailbox, alice delivered"},
		{"general", "mail kim@alice.example", ""},
		{"general", "`@alice` is code", ""},
	} {
		t.Run(tc.channel+" "+tc.text, func(t *testing.T) {
			t.Parallel()
			k := newDesk(t)
			r := k.say(tc.channel, tc.text)
			if got := outcomes(r); got != tc.want {
				t.Errorf("receipt %q, want %q", got, tc.want)
			}
			if got := k.rec.messages[r.Anchor].Text; got != tc.text {
				t.Errorf("stored %q, want the text unaltered", got)
			}
		})
	}
}

func TestConflictingSpellingsAreKeptAsANoteAndSaidPrivately(t *testing.T) {
	t.Parallel()
	k := newDesk(t)
	r := k.say("general", "@alice and $leader, look")
	if r.Note == "" || !strings.Contains(r.Note, "@alice") || !strings.Contains(r.Note, "$leader") {
		t.Errorf("the receipt says %q; it should name both spellings", r.Note)
	}
	if len(r.Deliveries) != 0 || len(k.s.Turns) != 0 {
		t.Errorf("woke %v", r.Deliveries)
	}
	wantLines(t, "general", k.texts("general"), "user: @alice and $leader, look")
}

func TestMailGoesToTheMailboxAndWakesNobody(t *testing.T) {
	t.Parallel()
	k := newDesk(t)
	k.say("general", "@alice report to me")
	k.call("alice", verb(DMCall{Wake: []string{"@user"}, Text: "all green"}))
	if k.running("bob") != nil || k.running("carol") != nil {
		t.Error("mail woke a colleague")
	}
	wantLines(t, "mailbox", k.texts(MailboxOf(DefaultOwner)), "alice: all green")
}

func TestAWakeListIsRequiredAndStrict(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name string
		wake []string
		want string // in the result
	}{
		{"missing", nil, "wake"},
		{"nobody is a decision", []string{}, "Nobody was woken"},
		{"unknown name", []string{"@bobb"}, "bob"},
		{"mixed", []string{"@bob", "$leader"}, "Refused"},
		{"itself only", []string{"@alice"}, "Nobody was woken"},
		{"a level", []string{"$leader"}, "carol: delivered"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			k := newDesk(t)
			k.say("general", "@alice go")
			turn := k.running("alice").ID
			k.call("alice", verb(PostCall{Text: "hi", Wake: tc.wake}))
			if got := k.results(turn); len(got) != 1 || !strings.Contains(got[0], tc.want) {
				t.Errorf("result %q, want it to say %q", got, tc.want)
			}
		})
	}
}

func TestAColleaguesBodyWakesNobody(t *testing.T) {
	t.Parallel()
	k := newDesk(t)
	k.say("general", "@alice go")
	k.call("alice", verb(PostCall{Text: "@bob $member #dev look", Wake: []string{}}))
	if k.running("bob") != nil {
		t.Error("a body written by a colleague woke bob")
	}
}
