package discord

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	sim "bullpen/internal/sim/discord"
	"bullpen/office"
)

// yaml is an office.yaml that keeps what was to be written into it.
type yaml struct {
	setup office.Setup
	edits []string
}

func (w *yaml) Edit(_ context.Context, edits ...office.Edit) (office.Setup, error) {
	w.edits = append(w.edits, fmt.Sprintf("%+v", edits))
	return w.setup, nil
}

func (w *yaml) Read(context.Context) (office.Setup, error) { return w.setup, nil }

// formFor uses a command that lacks something and gives the form that it opens.
func (w *world) formFor(who, path string, options map[string]any) (id string, form *sim.Modal) {
	w.Helper()
	id, err := w.srv.User(who).Slash(dev, path, options)
	if err != nil {
		w.Fatal(err)
	}
	w.Until("a form is open", func() bool { i, _ := w.srv.Interaction(id); return i.Answered })
	i, _ := w.srv.Interaction(id)
	if i.Modal == nil {
		w.Fatalf("no form: %+v\n%s", i, w.Logged)
	}
	return id, i.Modal
}

// submit sends a form and gives what its sender reads.
func (w *world) submit(who, form string, values map[string]string) string {
	w.Helper()
	id, err := w.srv.User(who).Submit(form, values)
	if err != nil {
		w.Fatal(err)
	}
	w.Idle()
	return w.answered(id, who)
}

// Whoever hires or configures without saying what gets a form, which keeps what was
// given and is carried out under the rights of who sends it.
func TestAFormAsksForWhatIsLacking(t *testing.T) {
	file := &yaml{}
	bubble(t, func(w *world) {
		w.connected()
		w.Idle()
		id, form := w.formFor("maria", "agent configure", map[string]any{"colleague": "bob"})
		var names []string
		for _, f := range form.Fields {
			names = append(names, f.CustomID)
			if f.Required || f.CustomID == "role" && !slices.Equal(f.Options, []string{"member", "leader"}) {
				t.Errorf("%+v", f)
			}
		}
		if form.Title != "Agent configure" || !slices.Equal(names, []string{"role", "description", "model", "reports_to", "thinking"}) {
			t.Errorf("%q asks for %q", form.Title, names)
		}
		if got := w.submit("maria", id, map[string]string{"description": "reads & \"checks\" code"}); !strings.Contains(got, "bob") ||
			len(file.edits) != 1 || !strings.Contains(file.edits[0], `reads & "checks" code`) {
			t.Errorf("%q, %q", got, file.edits)
		}
		id, _ = w.formFor("maria", "agent configure", map[string]any{"colleague": "bob"})
		if got := w.submit("maria", id, nil); !strings.Contains(got, "ame what to change") {
			t.Errorf("an empty form: %q", got)
		}
		id, form = w.formFor("kim", "agent hire", map[string]any{"model": "bob"})
		if len(form.Fields) != 5 || form.Fields[0].CustomID != "name" || !form.Fields[0].Required {
			t.Errorf("%+v", form.Fields)
		}
		if got := w.submit("kim", id, map[string]string{"name": "cy"}); !strings.Contains(got, "owner and the admins") {
			t.Errorf("%q", got)
		}
		v, err := w.Office.View(w.Context())
		if err != nil || len(v.Colleagues) != 2 {
			t.Errorf("%v, %v", v.Colleagues, err)
		}
		// What lacks nothing opens none.
		if got := w.slash("kim", dev, "agent hire", map[string]any{"name": "cy"}); !strings.Contains(got, "owner and the admins") {
			t.Errorf("%q", got)
		}
	}, func(w *world) { file.setup, w.Declaration = w.Setup, file })
}

// A form that this office did not make, or that was made by an older one, is told of.
func TestOddForms(t *testing.T) {
	bubble(t, func(w *world) {
		w.connected()
		for _, name := range []string{"form:agent:nothing:", "form:agent", "form:agent:hire:%zz", "other", ""} {
			w.a.lanes.Wait()
			i := &interaction{ID: "1", Token: "x", Type: formSent}
			i.Data.CustomID = name
			w.a.submitted(w.Context(), i)
		}
		w.srv.SendEvent("INTERACTION_CREATE", map[string]any{
			"id": "1100000000000009999", "token": "t", "type": 5, "application_id": w.srv.BotID(), "channel_id": dev, "guild_id": server,
			"data": map[string]any{"custom_id": 5, "components": "odd"}, "member": map[string]any{"user": map[string]any{"id": maria}},
		})
		w.Idle()
		w.says("kim", dev, "@alice hi")
		w.shows(dev, "alice: ok")
	})
}
