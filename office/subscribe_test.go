package office

import (
	"strings"
	"testing"
)

// A direct talk with a person is read in that person's context alone: the owner's
// in the working one, and in nobody else's.
func TestADirectTalkIsReadInItsOwnContextAlone(t *testing.T) {
	t.Parallel()
	k := newDesk(t, withLee)
	for _, who := range []PersonID{DefaultOwner, kim, lee} {
		k.direct(who, "alice", "of "+string(who))
	}
	alice := k.id("alice")
	for context, may := range map[PersonID]PersonID{"": DefaultOwner, kim: kim, lee: lee} {
		for _, who := range []PersonID{DefaultOwner, kim, lee} {
			for _, name := range []string{string(k.s.People[who].Name), "@" + string(who), string(DirectWithPerson(alice, who))} {
				if _, err := k.s.readable(Reader{alice, context}, name); (err == nil) != (who == may) {
					t.Errorf("in the context %q %q is read: %v", context, name, err)
				}
			}
		}
		ids, err := k.s.readable(Reader{alice, context}, "*")
		for _, id := range ids {
			if p := k.s.Channels[id].Person; p != "" && p != may {
				t.Errorf("in the context %q * reads the talk with %s", context, p)
			}
		}
		if err != nil {
			t.Error(err)
		}
	}
}

// Who is in a channel decides who reads it, never who may write there; a mailbox
// and a direct channel are written to through office_dm alone.
func TestAnyoneWritesToAnyChannel(t *testing.T) {
	t.Parallel()
	k := newDesk(t, withKim)
	k.direct(kim, "alice", "between us")
	k.must(ChannelMembersCall{Name: "dev", Set: []string{"alice"}}.amendedBy(k))
	k.say("general", "@bob go")
	k.call("bob", verb(PostCall{Channel: "#DEV", Text: "from outside", Wake: []string{}}))
	if got := k.texts("dev"); len(got) != 1 || got[0] != "bob: from outside" {
		t.Errorf("dev holds %q", got)
	}
	if _, err := k.s.readable(Reader{Colleague: k.id("bob")}, "dev"); err == nil {
		t.Error("bob reads a channel that it is not in")
	}
	for _, name := range []string{"mailbox", "#mailbox-user", "user's mailbox", "mailbox-kim", string(DirectWithPerson(k.id("alice"), kim)), "kim ↔ alice", "alice", "user"} {
		k.call("bob", verb(PostCall{Channel: name, Text: "x", Wake: []string{}}))
		if got := k.lastResult("bob"); !strings.Contains(got, "#dev, #general") || !strings.Contains(got, "office_dm") {
			t.Errorf("a post to %q: %s", name, got)
		}
	}
}

// amendedBy is the commit of an amendment that the file has no part in.
func (p ChannelMembersCall) amendedBy(*desk) amended { return amended{What: p} }

// A post to the turn's own channel goes to the turn's thread unless it says not.
func TestAPostGoesToTheTurnsThreadUnlessItSaysNot(t *testing.T) {
	t.Parallel()
	k := newDesk(t)
	k.link(threadedPortal())
	k.hear(slackDev, "1", "", "@alice look")
	k.restart() // where a turn answers is fixed, and survives
	k.call("alice", verb(PostCall{Text: "in the thread", Wake: []string{}}))
	k.call("alice", verb(PostCall{Text: "at the top", Wake: []string{}, NoRoot: true}))
	k.call("alice", verb(PostCall{Channel: "general", Text: "elsewhere", Wake: []string{}}))
	roots := map[string]int64{}
	for _, m := range k.rec.messages {
		roots[m.Text] = m.Root
	}
	for text, want := range map[string]int64{"in the thread": 1, "at the top": 0, "elsewhere": 0} {
		if got, there := roots[text]; !there || got != want {
			t.Errorf("%q has the root %d, want %d", text, got, want)
		}
	}
}
