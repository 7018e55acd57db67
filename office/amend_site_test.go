package office_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"bullpen/office"
)

func TestSomebodyHiredIsInTheFileAndIsOnboardedOnce(t *testing.T) {
	t.Parallel()
	b := newBureau(t)
	if _, err := b.o.Pause(context.Background(), true, "", office.DefaultOwner, ""); err != nil {
		t.Fatal(err)
	}
	before := b.view()
	b.hire("dave", false)
	b.rest()
	if got := b.file.names(); got != "lead alice bob dave" {
		t.Errorf("the file lists %s", got)
	}
	if n := b.onboarded(); n != 1 {
		t.Errorf("%d onboarding turns began in a paused office, want one", n)
	}
	if d := b.colleague("dave"); d.Role != office.Member || d.Model != "none" || d.HiredBy != "user" {
		t.Errorf("hired: %+v", d)
	}
	for i, ch := range b.view().Channels {
		if ch.Last != before.Channels[i].Last {
			t.Errorf("hiring wrote to %s", ch.Name)
		}
	}
	b.die()
	b.open()
	b.rest()
	if n := b.onboarded(); n != 1 {
		t.Errorf("%d onboarding turns after a restart", n)
	}
}

func TestAnEphemeralColleagueStaysUntilDismissedAndIsNotInTheFile(t *testing.T) {
	t.Parallel()
	b := newBureau(t)
	h := b.hire("eve", true)
	b.rest()
	ctx := context.Background()
	if _, err := b.o.SetMembers(ctx, "dev", []string{"alice", "eve"}, office.DefaultOwner, ""); err != nil {
		t.Fatal(err)
	}
	if got := b.file.setup.Channels[0].Members; !slices.Equal(got, []string{"alice"}) {
		t.Errorf("the file's members of dev: %v", got)
	}
	b.die()
	b.open()
	if c := b.colleague("eve"); c.ID != h.ID || !c.Ephemeral {
		t.Errorf("after a restart: %+v", c)
	}
	i := slices.IndexFunc(b.view().Channels, func(c office.Channel) bool { return c.ID == "dev" })
	if !slices.Contains(b.view().Channels[i].Members, h.ID) {
		t.Error("it lost its subscription at a restart")
	}
	if b.file.names() != "lead alice bob" {
		t.Errorf("the file lists %s", b.file.names())
	}
	if _, err := b.o.Dismiss(ctx, "eve", office.DefaultOwner, ""); err != nil {
		t.Fatal(err)
	}
	b.die()
	b.open()
	if n := len(b.view().Colleagues); n != 3 {
		t.Errorf("%d colleagues after its dismissal", n)
	}
}

// TestAKillBetweenTheFileAndTheCommitIsMended kills the owner when the file has
// a change and the record has not: the next one knows what it meant.
func TestAKillBetweenTheFileAndTheCommitIsMended(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	for _, tc := range []struct {
		name  string
		do    func(b *bureau) error
		check func(b *bureau, before office.View)
	}{
		{"hire", func(b *bureau) error {
			_, err := b.o.Hire(ctx, office.Hire{Setup: office.ColleagueSetup{Name: "dave"}, By: office.DefaultOwner})
			return err
		}, func(b *bureau, _ office.View) {
			b.rest()
			if b.onboarded() != 1 || b.colleague("dave").HiredBy != "user" {
				b.Errorf("%d onboarding turns of %+v", b.onboarded(), b.colleague("dave"))
			}
		}},
		{"rename", func(b *bureau) error {
			_, err := b.o.RenameColleague(ctx, "alice", "alicia", office.DefaultOwner, "")
			return err
		}, func(b *bureau, before office.View) {
			if got, want := b.colleague("alicia").ID, before.Colleagues[1].ID; got != want {
				b.Errorf("the renamed one has the storage id %s, want %s", got, want)
			}
		}},
		{"dismiss", func(b *bureau) error {
			_, err := b.o.Dismiss(ctx, "bob", office.DefaultOwner, "")
			return err
		}, func(b *bureau, _ office.View) {
			if len(b.view().Colleagues) != 2 {
				b.Errorf("%d colleagues", len(b.view().Colleagues))
			}
		}},
		{"create a channel", func(b *bureau) error {
			_, err := b.o.CreateChannel(ctx, office.ChannelSetup{Name: "ops", Members: []string{"bob"}}, office.DefaultOwner, "")
			return err
		}, func(b *bureau, _ office.View) {
			if _, err := b.o.CreateChannel(ctx, office.ChannelSetup{Name: "ops", Members: []string{"bob"}}, office.DefaultOwner, ""); err != nil {
				b.Errorf("the call run again: %v", err)
			}
		}},
		{"configure", func(b *bureau) error {
			_, err := b.o.Configure(ctx, "bob", map[string]any{"role": "leader"}, office.DefaultOwner, "")
			return err
		}, func(b *bureau, _ office.View) {
			if b.colleague("bob").Role != office.Leader {
				b.Errorf("bob is a %s", b.colleague("bob").Role)
			}
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			b := newBureau(t)
			before := b.view()
			b.file.written = func() {
				b.store.onCommit(func(office.Batch, func() error) error { return office.ErrFenced })
			}
			if err := tc.do(b); err == nil {
				t.Fatal("it was said to be done")
			}
			b.file.written = nil
			b.die()
			b.open()
			tc.check(b, before)
		})
	}
}

func TestADismissedColleagueComesBackAsItWas(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	b := newBureau(t)
	id := b.colleague("bob").ID
	loss, err := b.o.Loss(ctx, "bob")
	if err != nil || !slices.Equal(loss.Channels, []string{"#dev"}) {
		t.Fatalf("loss %+v, %v", loss, err)
	}
	if _, err := b.o.Dismiss(ctx, "bob", office.DefaultOwner, ""); err != nil {
		t.Fatal(err)
	}
	if h := b.hire("bob", false); h.ID == id {
		t.Error("somebody new has the storage id of the dismissed one")
	}
	if _, err := b.o.Adopt(ctx, "bob", false, office.DefaultOwner, ""); err == nil {
		t.Error("two are called bob")
	}
	if _, err := b.o.RenameColleague(ctx, "bob", "robert", office.DefaultOwner, ""); err != nil {
		t.Fatal(err)
	}
	n := b.onboarded()
	h, err := b.o.Adopt(ctx, "Bob", false, office.DefaultOwner, "")
	if err != nil || h.ID != id {
		t.Errorf("adopted %+v, %v; want the storage id %s", h, err, id)
	}
	b.rest()
	if b.onboarded() != max(n, 1) {
		t.Errorf("an adoption onboards: %d turns", b.onboarded())
	}
}

func TestWhatCannotBeIsRefusedAndWritesNothing(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	b := newBureau(t)
	owner := office.DefaultOwner
	for _, tc := range []struct {
		name string
		do   func() error
		want string
	}{
		{"a taken name", func() error {
			_, err := b.o.Hire(ctx, office.Hire{Setup: office.ColleagueSetup{Name: "ALICE"}, By: owner})
			return err
		}, "that of the colleague alice"},
		{"an unknown manager", func() error {
			_, err := b.o.Hire(ctx, office.Hire{Setup: office.ColleagueSetup{Name: "x", ReportsTo: "nobody"}, By: owner})
			return err
		}, "there are lead, alice, bob"},
		{"a circle", func() error {
			_, err := b.o.Configure(ctx, "lead", map[string]any{"reports_to": "alice"}, owner, "")
			return err
		}, "lead reports to alice reports to lead"},
		{"itself as manager", func() error {
			_, err := b.o.Configure(ctx, "bob", map[string]any{"reports_to": "bob"}, owner, "")
			return err
		}, "cannot report to itself"},
		{"a role that there is not", func() error {
			_, err := b.o.Configure(ctx, "bob", map[string]any{"role": "king"}, owner, "")
			return err
		}, "member and leader"},
		{"a manager's dismissal", func() error { _, err := b.o.Dismiss(ctx, "lead", owner, ""); return err }, "alice report to lead"},
		{"a level's name for a channel", func() error {
			_, err := b.o.CreateChannel(ctx, office.ChannelSetup{Name: "leader"}, owner, "")
			return err
		}, "level"},
		{"general's end", func() error { _, err := b.o.DeleteChannel(ctx, "general", owner, ""); return err }, "cannot be deleted"},
		{"no right", func() error { _, err := b.o.Dismiss(ctx, "bob", "nobody", ""); return err }, "only the owner and the admins"},
	} {
		if err := tc.do(); err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: %v, want %q in it", tc.name, err, tc.want)
		}
	}
	if b.file.writes != 0 {
		t.Errorf("the file was written %d times", b.file.writes)
	}
	b.file.refuse = errors.New("line 3 is no yaml")
	if _, err := b.o.Dismiss(ctx, "bob", owner, ""); err == nil || !strings.Contains(err.Error(), "line 3") {
		t.Errorf("an invalid file: %v", err)
	}
	b.file.refuse = nil
	if _, err := b.o.Dismiss(ctx, "bob", owner, ""); err != nil {
		t.Errorf("when the file is valid again: %v", err)
	}
}

func TestAChannelsEndLeavesItsMessages(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	b := newBureau(t)
	say := func(channel office.ChannelID) error {
		_, err := b.o.Post(ctx, office.Post{Person: office.DefaultOwner, Channel: channel, Text: "hello"})
		return err
	}
	if err := say("dev"); err != nil {
		t.Fatal(err)
	}
	if _, err := b.o.DeleteChannel(ctx, "#dev", office.DefaultOwner, ""); err != nil {
		t.Fatal(err)
	}
	if err := say("dev"); err == nil {
		t.Error("somebody wrote to a deleted channel")
	}
	if said, err := b.o.DeleteChannel(ctx, "dev", office.DefaultOwner, ""); err != nil || !strings.Contains(said, "already") {
		t.Errorf("deleted again: %q, %v", said, err)
	}
	if m, err := b.o.Message(ctx, office.Anchor{Channel: "dev", Seq: 1}); err != nil || m.Text != "hello" {
		t.Errorf("its message: %v, %v", m, err)
	}
	if _, err := b.o.CreateChannel(ctx, office.ChannelSetup{Name: "Dev"}, office.DefaultOwner, ""); err != nil {
		t.Fatal(err)
	}
	r, err := b.o.Post(ctx, office.Post{Person: office.DefaultOwner, Channel: "dev", Text: "again"})
	if err != nil || r.Anchor.Seq != 2 {
		t.Errorf("in the channel made anew: %+v, %v; numbers are never used again", r, err)
	}
	said, err := b.o.SetMembers(ctx, "general", []string{"bob"}, office.DefaultOwner, "")
	if err != nil || !strings.Contains(said, "ignored") {
		t.Errorf("members of general: %q, %v", said, err)
	}
}

func TestReloadSaysWhatItDoes(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	b := newBureau(t)
	b.file.setup.Colleagues = append(slices.Clone(b.file.setup.Colleagues[:2]), office.ColleagueSetup{Name: "zoe", Role: office.Member, Model: "none"})
	b.file.setup.Colleagues[1].Description = "Tests everything"
	b.file.setup.Channels = []office.ChannelSetup{{Name: "dev", Members: []string{"alice"}}, {Name: "ops"}}
	dry, err := b.o.Reload(ctx, true, office.DefaultOwner, "")
	if err != nil {
		t.Fatal(err)
	}
	if b.colleague("alice").Description != "" {
		t.Error("a dry run changed the office")
	}
	wet, err := b.o.Reload(ctx, false, office.DefaultOwner, "")
	if err != nil || !slices.Equal(dry.Lines, wet.Lines) {
		t.Errorf("did %q, and would have done %q: %v", wet.Lines, dry.Lines, err)
	}
	for _, want := range []string{"zoe comes to the office", "alice goes on with other settings: description", "bob leaves", "In #dev: alice", "#ops is made"} {
		if !strings.Contains(wet.String(), want) {
			t.Errorf("the report %q says nothing of %q", wet, want)
		}
	}
	if again, err := b.o.Reload(ctx, false, office.DefaultOwner, ""); err != nil || len(again.Lines) != 0 {
		t.Errorf("again: %q, %v", again.Lines, err)
	}
	b.rest()
	if n := b.onboarded(); n != 0 {
		t.Errorf("%d were onboarded though nobody was hired", n)
	}
}
