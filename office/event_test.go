package office_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"bullpen/office"
)

// watching follows an office until the test ends.
func watching(t *testing.T, o *office.Office) *office.Watch {
	t.Helper()
	w, err := o.Watch(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.Close)
	return w
}

// until gives the events up to the first that has a text, each as
// "kind colleague: text".
func until(t *testing.T, w *office.Watch, text string) []string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var all []string
	for last := int64(0); ; {
		news, err := w.Next(ctx)
		if err != nil {
			t.Fatalf("nothing says %q: %v; there were\n%s", text, err, strings.Join(all, "\n"))
		}
		for _, e := range news {
			if e.N != 0 && e.N <= last || e.At.IsZero() || e.Text == "" || e.Source == "" || !slices.Contains(office.EventKinds, e.Kind) {
				t.Errorf("after %d came %+v", last, e)
			}
			last = e.N
			all = append(all, strings.TrimSpace(string(e.Kind)+" "+e.Colleague)+": "+e.Text)
		}
		if slices.ContainsFunc(all, func(s string) bool { return strings.Contains(s, text) }) {
			return all
		}
	}
}

// wantOrder checks that events with these beginnings are there, in this order.
func wantOrder(t *testing.T, all []string, want ...string) {
	t.Helper()
	rest := all
	for _, w := range want {
		i := slices.IndexFunc(rest, func(s string) bool { return strings.HasPrefix(s, w) })
		if i < 0 {
			t.Fatalf("%q is missing, or not in its place, in\n%s", w, strings.Join(all, "\n"))
		}
		rest = rest[i+1:]
	}
}

// Every change is an event: of messages and deliveries, of turns with their
// steps and calls, of the roster, of holds, the pause and usage.
func TestEveryChangeIsAnEventForThoseWhoWatch(t *testing.T) {
	t.Parallel()
	s := newSite(t, func(ctx context.Context, o *office.Office, start office.TurnStart) {
		ref := start.Turn.Ref()
		if start.Turn.Onboarding {
			_, _ = o.RecordReply(ctx, office.Reply{Ref: ref, Text: "NO_REPLY"})
			return
		}
		p, err := o.RecordReply(ctx, office.Reply{Ref: ref, Usage: []office.Usage{{Model: "none", Input: 7, Output: 3}}, Calls: []office.PreparedCall{
			{ToolCall: office.ToolCall{ID: "1", Name: "office_channels"}, Class: office.OfficeCall, Verb: office.ChannelsCall{}},
			{ToolCall: office.ToolCall{ID: "2", Name: "git.createIssue"}, Class: office.EffectCall},
		}})
		if err != nil {
			return
		}
		if _, err = o.RecordResult(ctx, ref, p.Open[0], office.Result{Text: "no", Failed: true}, nil); err == nil {
			_, _ = o.RecordReply(ctx, office.Reply{Ref: ref, Text: "It is done."})
		}
	})
	w := watching(t, s.o)
	s.mustPost("@alice go")
	wantOrder(t, until(t, w, "alice: is done"),
		"message: general-1 by user in #general, wake @alice: @alice go",
		"delivery alice: general-1 for alice: delivered",
		"assigned alice: begins with general-1",
		"running alice: runs",
		"progress alice: step 1: it calls 2 tool(s)",
		"usage alice: 7 tokens read, 3 written none",
		"tool-started alice: an office call, office channels",
		"tool-ended alice: an office call, office channels, has ended",
		"tool-started alice: a change, git, create issue",
		"tool-ended alice: a change, git, create issue, has failed",
		"progress alice: step 2: it has answered",
		"message alice: general-2 by alice in #general, wake nobody: It is done.",
		"done alice: is done",
	)
	ctx := t.Context()
	if _, err := s.o.Pause(ctx, true, "lunch", office.DefaultOwner, ""); err != nil {
		t.Fatal(err)
	}
	s.mustPost("@bob wait")
	if _, err := s.o.Pause(ctx, false, "", office.DefaultOwner, ""); err != nil {
		t.Fatal(err)
	}
	wantOrder(t, until(t, w, "bob: is done"),
		"pause: the office is paused since",
		"hold bob: general-3 is held for bob: paused",
		"pause: the office goes on, says user",
		"hold bob: general-3 is held no more",
		"done bob",
	)
	if _, err := s.o.Hire(ctx, office.Hire{Setup: office.ColleagueSetup{Name: "carol"}, Ephemeral: true, By: office.DefaultOwner}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.o.Configure(ctx, "carol", map[string]any{"role": "leader"}, office.DefaultOwner, ""); err != nil {
		t.Fatal(err)
	}
	if _, err := s.o.Dismiss(ctx, "carol", office.DefaultOwner, ""); err != nil {
		t.Fatal(err)
	}
	wantOrder(t, until(t, w, "has left"), "spawned carol: is with the office now, as a member, hired by user", "running carol: runs for the first time", "changed carol: is a leader now", "closed carol: has left the office")
}

// Who begins to watch learns how things stand, and who does not watch costs nothing.
func TestAWatchBeginsWithHowThingsAre(t *testing.T) {
	t.Parallel()
	s := newSite(t, stuck)
	s.mustPost("@alice go")
	if _, err := s.o.Pause(t.Context(), true, "", office.DefaultOwner, ""); err != nil {
		t.Fatal(err)
	}
	w := watching(t, s.o)
	wantOrder(t, until(t, w, "running") /* by its kind */, "pause: the office is paused since", "running alice: runs")
	s.mustPost("nobody in particular")
	if all := until(t, w, "in particular"); len(all) != 1 {
		t.Errorf("afterwards came\n%s", strings.Join(all, "\n"))
	}
}
