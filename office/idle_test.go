package office

import (
	"slices"
	"strings"
	"testing"
	"time"
)

func idleOffice(s *Setup) {
	withKim(s)
	s.IdleNotice = IdleNotice{Enabled: true, Text: "Anything left?"}
}

// notices counts the idle notices in a channel.
func (k *desk) notices(ch ChannelID) int {
	return len(slices.DeleteFunc(k.texts(ch), func(s string) bool { return s != "office: Anything left?" }))
}

func TestTheIdleNoticeAsksOnceForWhatWasWritten(t *testing.T) {
	t.Parallel()
	k := newDesk(t, idleOffice)
	k.say("general", "@alice go")
	k.say("dev", "@bob go")
	k.finish("alice", "done")
	if n := k.notices(General); n != 0 {
		t.Fatalf("%d notices while bob works", n)
	}
	k.finish("bob", "done")
	if n := k.notices(General); n != 1 || k.running("carol") == nil {
		t.Fatalf("%d notices when nobody works", n)
	}
	k.finish("carol", "NO_REPLY")
	k.restart()
	k.wait(time.Hour)
	if n := k.notices(General); n != 1 {
		t.Fatalf("%d notices, and nothing was written since", n)
	}
	k.say("general", "just so") // wakes nobody, so that no turn ends
	if n := k.notices(General); n != 1 {
		t.Fatalf("%d notices without the end of a turn", n)
	}
	k.say("general", "@alice go on")
	k.finish("alice", "NO_REPLY")
	if n := k.notices(General); n != 2 {
		t.Fatalf("%d notices after more was written", n)
	}
}

// Its copy in a mailbox does not count as written, or it would ask for ever.
func TestTheIdleNoticesCopyDoesNotArmIt(t *testing.T) {
	t.Parallel()
	k := newDesk(t, idleOffice, func(s *Setup) { s.IdleNotice.Wake = []string{"@carol", "@user"} })
	k.say("general", "@alice go")
	k.finish("alice", "done")
	for range 3 {
		if k.running("carol") != nil {
			k.finish("carol", "NO_REPLY")
		}
	}
	if n, mail := k.notices(General), len(k.mail()); n != 1 || mail != 1 {
		t.Errorf("%d notices, %d copies", n, mail)
	}
}

// Rule 24: the last running turn has ended means that nothing is ready, too.
func TestRule24TheIdleNoticeWaitsForWhatIsReady(t *testing.T) {
	t.Parallel()
	k := newDesk(t, idleOffice, func(s *Setup) { s.Limits.ConcurrentTurns = 1 })
	k.say("general", "@alice go")
	k.say("dev", "@bob go")
	k.finish("alice", "done")
	if k.running("bob") == nil || k.notices(General) != 0 {
		t.Error("it asks though bob was ready")
	}
}

func TestTheIdleNoticeIsSilentWhileThePaused(t *testing.T) {
	t.Parallel()
	k := newDesk(t, idleOffice)
	k.say("general", "@alice go")
	k.must(pause{On: true, By: DefaultOwner})
	k.finish("alice", "done")
	if n := k.notices(General); n != 0 {
		t.Errorf("%d notices in a paused office", n)
	}
}

func TestAnIdleNoticeThatCannotBeAskedIsReportedAndTriedAgain(t *testing.T) {
	t.Parallel()
	k := newDesk(t, idleOffice, func(s *Setup) { s.IdleNotice.Channel = "finance" })
	work := func() {
		k.say("general", "@alice go")
		k.finish("alice", "done")
	}
	work()
	work()
	if mail := k.mail(); len(mail) != 1 || !strings.Contains(mail[0], `no channel "finance"`) {
		t.Fatalf("mail: %q", mail)
	}
	mended := k.s.Setup
	mended.IdleNotice.Channel = "dev"
	mended.IdleNotice.Wake = []string{"#dev"}
	k.must(configure{mended})
	work()
	if n := k.notices("dev"); n != 1 {
		t.Errorf("%d notices after it was mended", n)
	}
}

func TestAnIdleNoticeThatCouldReachNobodyIsRefused(t *testing.T) {
	t.Parallel()
	for want, n := range map[string]IdleNotice{
		"":                {Enabled: true},
		"no channel":      {Enabled: true, Channel: "finance"},
		"reaches no":      {Enabled: true, Channel: "dev"}, // whose members are no leaders
		"nobody is named": {Enabled: true, Wake: []string{"@nobody here"}},
	} {
		s := testSetup()
		s.IdleNotice = n
		err := CheckIdleNotice(s)
		if want == "" && err != nil || want != "" && err == nil {
			t.Errorf("%+v: %v", n, err)
		}
		n.Enabled = false
		s.IdleNotice = n
		if err := CheckIdleNotice(s); err != nil {
			t.Errorf("switched off: %v", err)
		}
	}
}
