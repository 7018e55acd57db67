package slack_test

import (
	"slices"
	"testing"

	api "github.com/slack-go/slack"
)

func TestReactionsComeAndGo(t *testing.T) {
	t.Parallel()
	srv := start(t)
	c := client(srv)
	a := connect(t, srv)
	ts := must(srv.User("kim").Post("general", "x"))
	ref := api.NewRefToMessage("C0GEN", ts)
	if err := c.AddReaction("eyes", ref); err != nil {
		t.Fatal(err)
	}
	if err := srv.User("lee").React("general", ts, "eyes"); err != nil {
		t.Fatal(err)
	}
	h, err := c.GetConversationHistory(&api.GetConversationHistoryParameters{ChannelID: "C0GEN"})
	if err != nil || h.Messages[0].Reactions[0].Count != 2 {
		t.Fatalf("history %+v %v", h, err)
	}
	if err := c.RemoveReaction("eyes", ref); err != nil {
		t.Fatal(err)
	}
	if got := srv.Transcript("general")[0].Reactions["eyes"]; !slices.Equal(got, []string{"U0LEE"}) {
		t.Errorf("left %v", got)
	}
	if err := srv.User("lee").Unreact("general", ts, "eyes"); err != nil {
		t.Fatal(err)
	}
	if err := c.AddReaction("wave::skin-tone-3", ref); err != nil {
		t.Errorf("a skin tone: %v", err)
	}
	settled(t, srv)
	want := []string{"message", "reaction_added", "reaction_added", "reaction_removed", "reaction_removed", "reaction_added"}
	if !slices.Equal(a.kinds(), want) {
		t.Errorf("got %v", a.kinds())
	}
}

func TestAnEphemeralQuestionIsTakenAwayByItsButton(t *testing.T) {
	t.Parallel()
	srv := start(t)
	c := client(srv)
	a := connect(t, srv)
	ts, err := c.PostEphemeral("C0SEC", "U0MARIA", api.MsgOptionBlocks(
		api.NewContextBlock("", api.NewTextBlockObject("mrkdwn", "sure, <@U0KIM>?", false, false)),
		api.NewActionBlock("", api.NewButtonBlockElement("yes", "1", plainText("Yes")))))
	if err != nil {
		t.Fatal(err)
	}
	if e := srv.Transcript("secret")[0]; e.Shown() != "sure, @kim?\n[Yes]" {
		t.Errorf("maria sees %q", e.Shown())
	}
	if _, err := srv.User("kim").Click("general", ts, "yes"); err == nil {
		t.Error("kim pressed what only maria sees")
	}
	must(srv.User("maria").Click("secret", ts, "yes"))
	settled(t, srv)
	cb := a.seen()[0].data.(api.InteractionCallback)
	if !cb.Container.IsEphemeral || cb.Message.Timestamp != "" || cb.Channel.Name != "privategroup" {
		t.Errorf("click %+v", cb)
	}
	if _, _, err := c.PostMessage("", api.MsgOptionDeleteOriginal(cb.ResponseURL)); err != nil {
		t.Fatal(err)
	}
	if left := srv.Transcript("secret"); len(left) != 0 {
		t.Errorf("left %v", left)
	}
}

func TestAModalIsUpdated(t *testing.T) {
	t.Parallel()
	srv := start(t)
	connect(t, srv)
	trigger := must(srv.User("kim").Slash("general", "/office", "hire"))
	c := client(srv)
	v, err := c.OpenView(trigger, hireForm())
	if err != nil {
		t.Fatal(err)
	}
	next := hireForm()
	next.Title = plainText("Hire again")
	if _, err := c.UpdateView(next, "", "stale", v.ID); code(err) != "hash_conflict" {
		t.Errorf("got %v", err)
	}
	if _, err := c.UpdateView(next, "", v.Hash, "V0NONE"); code(err) != "not_found" {
		t.Errorf("got %v", err)
	}
	if _, err := c.UpdateView(next, "", v.Hash, v.ID); err != nil {
		t.Fatal(err)
	}
	if m, ok := srv.User("kim").Modal(); !ok || m.Title != "Hire again" {
		t.Errorf("kim sees %+v", m)
	}
}

func TestLookingAround(t *testing.T) {
	t.Parallel()
	srv := start(t)
	root := must(srv.User("kim").Post("general", "root"))
	must(srv.User("kim").Post("general", "elsewhere"))
	reply := must(srv.User("lee").Reply("general", root, "reply"))
	gone := must(srv.User("lee").Reply("general", reply, "a reply to a reply is in its thread"))
	if n := len(srv.Thread("general", root)); n != 3 {
		t.Errorf("%d in the thread", n)
	}
	if err := srv.User("lee").Delete("general", gone); err != nil {
		t.Fatal(err)
	}
	if srv.Count("general") != 3 || srv.Count("nowhere") != 0 {
		t.Errorf("count %d", srv.Count("general"))
	}
	dm := must(srv.User("kim").DMChannel())
	if srv.ChannelName("C0DEV") != "#dev" || srv.ChannelName(dm) != "@kim" || srv.ChannelName("C0NONE") != "C0NONE" {
		t.Error("wrong names")
	}
	if id, ok := srv.ChannelID("#dev"); !ok || id != "C0DEV" {
		t.Errorf("dev is %q", id)
	}
	if !slices.Equal(srv.Members("secret"), []string{"U0BOT", "U0MARIA"}) || len(srv.People()) != 8 {
		t.Errorf("members %v, people %v", srv.Members("secret"), srv.People())
	}
	srv.RemoveScope("chat:write")
	srv.AddScope("chat:write")
	if _, _, err := client(srv).PostMessage("C0GEN", text("x")); err != nil {
		t.Error(err)
	}
}

func TestATombstoneHoldsItsThread(t *testing.T) {
	t.Parallel()
	srv := start(t)
	root := must(srv.User("kim").Post("general", "root"))
	must(srv.User("lee").Reply("general", root, "reply"))
	if err := srv.User("kim").Delete("general", root); err != nil {
		t.Fatal(err)
	}
	c := client(srv)
	h, err := c.GetConversationHistory(&api.GetConversationHistoryParameters{ChannelID: "C0GEN"})
	if err != nil || len(h.Messages) != 1 || h.Messages[0].SubType != "tombstone" {
		t.Errorf("history %+v %v", h, err)
	}
	if _, _, err := c.PostMessage("C0GEN", text("late"), api.MsgOptionTS(root)); err != nil {
		t.Fatal(err)
	}
	all := srv.Transcript("general")
	if late := all[len(all)-1]; late.ThreadTS != "" {
		t.Errorf("a reply to a deleted message went into its thread: %+v", late)
	}
}
