package slack

import (
	"slices"
	"strings"
	"testing"

	sim "bullpen/internal/sim/slack"
)

func slash(w *world, who, text string) {
	w.Helper()
	if _, err := w.srv.User(who).Slash("dev", "/office", text); err != nil {
		w.Fatal(err)
	}
}

// buttonsFor are the buttons of the last answer that somebody alone sees.
func buttonsFor(w *world, id string) (sim.Entry, []string) {
	var last sim.Entry
	var labels []string
	for _, e := range w.srv.Transcript("dev") {
		if e.EphemeralTo == id {
			last = e
		}
	}
	for _, b := range last.Buttons {
		labels = append(labels, b.Label)
	}
	return last, labels
}

// What a command still needs is asked for in a form.
func TestAFormAsksForWhatIsMissing(t *testing.T) {
	t.Parallel()
	w := newWorld(t).connected()
	slash(w, "maria", "hire")
	var m sim.Modal
	w.Until("maria sees a form", func() (ok bool) { m, ok = w.srv.User("maria").Modal(); return ok })
	var names []string
	for _, f := range m.Fields {
		names = append(names, f.BlockID)
	}
	if want := []string{"name", "role", "description", "model", "reports_to", "thinking", "priority", "temporary"}; !slices.Equal(names, want) {
		t.Errorf("the form asks for %v, want %v", names, want)
	}
	w.srv.DuplicateNext(1)
	if _, err := w.srv.User("maria").Submit(map[string]string{"name": "Rita Book", "role": "leader", "temporary": "on", "reports_to": "alice"}); err != nil {
		t.Fatal(err)
	}
	w.Until("maria is told", func() bool { return len(w.whispers("dev", "U0MARIA")) == 1 })
	if said := w.whispers("dev", "U0MARIA")[0]; !strings.Contains(said, "Rita Book is with the office now, as a leader") {
		t.Errorf("maria is told %q", said)
	}
	w.Idle()
	if n := len(w.whispers("dev", "U0MARIA")); n != 1 {
		t.Errorf("a form that was delivered twice was carried out %d times", n)
	}
	slash(w, "kim", "hire")
	w.Until("kim is told", func() bool { return len(w.whispers("dev", "U0KIM")) == 1 })
	if _, open := w.srv.User("kim").Modal(); open || !strings.Contains(w.whispers("dev", "U0KIM")[0], "for the owner and the admins") {
		t.Errorf("kim is told %q", w.whispers("dev", "U0KIM"))
	}
}

// A dangerous command waits for the press of a button, by who gave it.
func TestADangerousCommandWaitsForAButton(t *testing.T) {
	t.Parallel()
	w := newWorld(t).connected()
	slash(w, "maria", "hire tmp temporary=on")
	w.Until("tmp came", func() bool { return len(w.whispers("dev", "U0MARIA")) == 1 })
	slash(w, "maria", "dismiss @tmp")
	var e sim.Entry
	w.Until("maria is asked", func() bool {
		var labels []string
		e, labels = buttonsFor(w, "U0MARIA")
		return slices.Equal(labels, []string{"Do it", "Leave it"})
	})
	if !strings.Contains(e.Shown(), "Dismiss tmp?") {
		t.Errorf("maria is asked %q", e.Shown())
	}
	w.srv.DuplicateNext(1)
	if _, err := w.srv.User("maria").Click("dev", e.TS, e.Buttons[0].ActionID); err != nil {
		t.Fatal(err)
	}
	w.Until("it is done", func() bool {
		e, labels := buttonsFor(w, "U0MARIA")
		return len(labels) == 0 && strings.Contains(e.Shown(), "tmp is dismissed")
	})
	w.Idle()
	if e, _ := buttonsFor(w, "U0MARIA"); !strings.Contains(e.Shown(), "tmp is dismissed") {
		t.Errorf("after a press that came twice it says %q", e.Shown())
	}
}

// The form of configure asks for what can be set, whether or not it was said of whom.
func TestTheFormOfConfigure(t *testing.T) {
	t.Parallel()
	w := newWorld(t).connected()
	slash(w, "maria", "hire tmp temporary=on model=demo")
	w.Until("tmp came", func() bool { return len(w.whispers("dev", "U0MARIA")) == 1 })
	settings := []string{"role", "description", "model", "reports_to", "thinking", "priority", "cwd"}
	for n, x := range []struct {
		line   string
		fields []string
		values map[string]string
	}{
		{"configure", append([]string{"colleague"}, settings...), map[string]string{"colleague": "tmp", "role": "leader"}},
		{"configure tmp", settings, map[string]string{"priority": "high"}},
	} {
		slash(w, "maria", x.line)
		var m sim.Modal
		w.Until("maria sees the form of "+x.line, func() (ok bool) { m, ok = w.srv.User("maria").Modal(); return ok })
		var names []string
		for _, f := range m.Fields {
			names = append(names, f.BlockID)
		}
		if !slices.Equal(names, x.fields) {
			t.Errorf("the form of %s asks for %v, want %v", x.line, names, x.fields)
		}
		if _, err := w.srv.User("maria").Submit(x.values); err != nil {
			t.Fatal(err)
		}
		w.Until("maria is told", func() bool { return len(w.whispers("dev", "U0MARIA")) == n+2 })
		if said := w.whispers("dev", "U0MARIA")[n+1]; !strings.Contains(said, "tmp is configured") {
			t.Errorf("after %s maria is told %q", x.line, said)
		}
	}
}
