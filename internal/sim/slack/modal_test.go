package slack_test

import (
	"testing"
	"testing/synctest"
	"time"

	api "github.com/slack-go/slack"

	"bullpen/internal/sim/memnet"
	sim "bullpen/internal/sim/slack"
)

func plainText(s string) *api.TextBlockObject {
	return api.NewTextBlockObject("plain_text", s, false, false)
}

func hireForm() api.ModalViewRequest {
	name := api.NewInputBlock("name", plainText("Name"), nil, api.NewPlainTextInputBlockElement(nil, "value"))
	role := api.NewInputBlock("role", plainText("Role"), nil, api.NewPlainTextInputBlockElement(nil, "value"))
	role.Optional = true
	return api.ModalViewRequest{
		Type: api.VTModal, Title: plainText("Hire"), Submit: plainText("Hire"), CallbackID: "hire",
		Blocks: api.Blocks{BlockSet: []api.Block{name, role}},
	}
}

func TestAModalIsOpenedFilledInAndCorrected(t *testing.T) {
	t.Parallel()
	srv := start(t)
	a := connect(t, srv)
	kim := srv.User("kim")
	trigger := must(kim.Slash("general", "/office", "hire"))
	settled(t, srv)
	if _, err := client(srv).OpenView(trigger, hireForm()); err != nil {
		t.Fatal(err)
	}
	if _, err := client(srv).OpenView(trigger, hireForm()); code(err) != "exchanged_trigger_id" {
		t.Errorf("a trigger opened two modals: %v", err)
	}
	if m, ok := kim.Modal(); !ok || m.Title != "Hire" || len(m.Fields) != 2 || !m.Fields[1].Optional {
		t.Fatalf("kim sees %+v", m)
	}
	if _, err := kim.Submit(map[string]string{"role": "tester"}); err == nil {
		t.Error("submitted without what must be filled in")
	}
	// The first answer finds fault, the second takes it.
	a.mu.Lock()
	a.answer = api.NewErrorsViewSubmissionResponse(map[string]string{"name": "taken"})
	a.mu.Unlock()
	must(kim.Submit(map[string]string{"name": "ada"}))
	settled(t, srv)
	if m, ok := kim.Modal(); !ok || m.Errors["name"] != "taken" {
		t.Errorf("kim sees %+v, %t", m, ok)
	}
	a.mu.Lock()
	a.answer = nil
	a.mu.Unlock()
	must(kim.Submit(map[string]string{"name": "bob"}))
	settled(t, srv)
	if _, ok := kim.Modal(); ok {
		t.Error("the modal is still there")
	}
	seen := a.seen()
	cb := seen[len(seen)-1].data.(api.InteractionCallback)
	if cb.Type != api.InteractionTypeViewSubmission || cb.View.CallbackID != "hire" || cb.View.State.Values["name"]["value"].Value != "bob" {
		t.Errorf("submission %+v", cb)
	}
}

func TestATriggerLapses(t *testing.T) {
	t.Parallel()
	bubble(t, nil, func(t *testing.T, srv *sim.Server, l *memnet.Listener) {
		trigger := must(srv.User("kim").Slash("general", "/office", "hire"))
		time.Sleep(4 * time.Second)
		if _, err := webOver(srv, l).OpenView(trigger, hireForm()); code(err) != "expired_trigger_id" {
			t.Errorf("got %v", err)
		}
		if _, err := webOver(srv, l).OpenView("1.2.3", hireForm()); code(err) != "invalid_trigger_id" {
			t.Errorf("got %v", err)
		}
	})
}

func TestAButtonOnTheHomePage(t *testing.T) {
	t.Parallel()
	srv := start(t)
	a := connect(t, srv)
	if _, err := srv.User("kim").ClickHome("go"); err == nil {
		t.Error("a button of an empty page was pressed")
	}
	view := api.HomeTabViewRequest{Type: api.VTHomeTab, Blocks: api.Blocks{BlockSet: []api.Block{
		api.NewActionBlock("", api.NewButtonBlockElement("go", "7", plainText("Go"))),
	}}}
	if _, err := client(srv).PublishView("U0KIM", view, ""); err != nil {
		t.Fatal(err)
	}
	must(srv.User("kim").ClickHome("go"))
	settled(t, srv)
	cb := a.seen()[0].data.(api.InteractionCallback)
	if cb.Container.Type != "view" || cb.ActionCallback.BlockActions[0].Value != "7" || cb.View.Type != api.VTHomeTab {
		t.Errorf("click %+v", cb)
	}
	if b := srv.HomeButtons("U0KIM"); len(b) != 1 || b[0].Label != "Go" {
		t.Errorf("buttons %+v", b)
	}
}

func TestAStatusEndsWithTheAnswerOrByItself(t *testing.T) {
	t.Parallel()
	bubble(t, nil, func(t *testing.T, srv *sim.Server, l *memnet.Listener) {
		c := webOver(srv, l)
		root := must(srv.User("kim").Post("general", "hello"))
		busy := func() {
			t.Helper()
			p := api.AssistantThreadsSetStatusParameters{ChannelID: "C0GEN", ThreadTS: root, Status: "is reading", Username: "Ada"}
			if err := c.SetAssistantThreadsStatus(p); err != nil {
				t.Fatal(err)
			}
			if got := srv.Status("general", root); got != "Ada is reading" {
				t.Errorf("status %q", got)
			}
		}
		busy()
		if _, _, err := c.PostMessage("C0GEN", text("hi"), api.MsgOptionTS(root)); err != nil {
			t.Fatal(err)
		}
		if got := srv.Status("general", root); got != "" {
			t.Errorf("after the answer: %q", got)
		}
		busy()
		time.Sleep(2*time.Minute + time.Second)
		if got := srv.Status("general", root); got != "" {
			t.Errorf("after two minutes: %q", got)
		}
		synctest.Wait()
	})
}

func TestTheBotsOwnChannels(t *testing.T) {
	t.Parallel()
	srv := start(t)
	chans, _, err := client(srv).GetConversationsForUser(&api.GetConversationsForUserParameters{ExcludeArchived: true})
	if err != nil || len(chans) != 2 {
		t.Errorf("%v %v", chans, err)
	}
}
