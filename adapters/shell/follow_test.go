package shell

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"bullpen/office"
)

// followed is what a caller gets of the events, each as "source kind colleague",
// until enough says so of one, or the office closes.
func followed(t *testing.T, dir string, f Follow, began chan<- struct{}, enough func(office.Event) bool) (all []string, err error) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	stop := errors.New("seen enough")
	a, err := Watch(ctx, dir, f, func(line json.RawMessage) error {
		var e office.Event
		if err := json.Unmarshal(line, &e); err != nil {
			return err
		}
		if began != nil {
			close(began)
			began = nil
		}
		all = append(all, e.Source+" "+string(e.Kind)+" "+e.Colleague)
		if enough(e) {
			return stop
		}
		return nil
	})
	if errors.Is(err, stop) {
		err = nil
	}
	if a.Error != "" {
		err = errors.New(a.Error)
	}
	return all, err
}

func TestEventsAreFollowedAndChosen(t *testing.T) {
	dir := runtimeFolder(t)
	b, stop := run(t, dir)
	if _, err := b.Office().Pause(t.Context(), true, "", "olga", ""); err != nil { // the first that a follower is told
		t.Fatal(err)
	}
	type heard struct {
		all []string
		err error
	}
	follow := func(f Follow, last string) chan heard {
		t.Helper()
		began, done := make(chan struct{}), make(chan heard, 1)
		f.Kinds = append(f.Kinds, "pause")
		go func() {
			all, err := followed(t, dir, f, began, func(e office.Event) bool { return strings.Contains(e.Text, last) })
			done <- heard{all, err}
		}()
		<-began
		return done
	}
	kinds := follow(Follow{Kinds: []string{"delivery"}}, "Ann Lee: paused")
	sources := follow(Follow{Sources: []string{"console", "office"}, Kinds: []string{"message"}}, "@ann lee and you")
	closes := follow(Follow{}, "never said")
	ask(t, dir, "post", "general", "@alice and you")
	ask(t, dir, "post", "general", "@ann lee and you")
	for what, c := range map[string]struct {
		from chan heard
		want string
	}{
		"by kind":   {kinds, "office pause |office delivery alice|office delivery Ann Lee"},
		"by source": {sources, "office pause |console message |console message "},
	} {
		if h := <-c.from; h.err != nil || strings.Join(h.all, "|") != c.want {
			t.Errorf("%s: %q %v, want %q", what, h.all, h.err, c.want)
		}
	}
	for _, f := range []Follow{{Kinds: []string{"delivered"}}, {Sources: []string{"slak"}}, {Colleagues: []string{"bob"}}} {
		if _, err := followed(t, dir, f, nil, func(office.Event) bool { return true }); err == nil || !strings.Contains(err.Error(), "there are ") {
			t.Errorf("%+v: %v", f, err)
		}
	}
	stop()
	if h := <-closes; h.err != nil {
		t.Errorf("the office closed, and its follower is told %v", h.err)
	}
	if _, err := followed(t, dir, Follow{}, nil, nil); !errors.Is(err, ErrNotRunning) {
		t.Errorf("a closed office says %v", err)
	}
}

// Followers are bounded, so that others find room, and one that hangs up makes room.
func TestFollowersAreBounded(t *testing.T) {
	dir := runtimeFolder(t)
	b, _ := run(t, dir)
	if _, err := b.Office().Pause(t.Context(), true, "", "olga", ""); err != nil {
		t.Fatal(err)
	}
	release := make(chan struct{})
	ended := make(chan error, followersMost)
	for range followersMost {
		began := make(chan struct{})
		go func() {
			_, err := followed(t, dir, Follow{}, began, func(office.Event) bool { <-release; return true })
			ended <- err
		}()
		<-began
	}
	if _, err := followed(t, dir, Follow{}, nil, func(office.Event) bool { return true }); err == nil || !strings.Contains(err.Error(), "follow the events already") {
		t.Errorf("one more: %v", err)
	}
	if a := ask(t, dir, "status"); a.Error != "" {
		t.Errorf("another caller: %+v", a)
	}
	close(release)
	for range followersMost {
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
	for { // the server notices that they hung up
		if _, err := followed(t, dir, Follow{}, nil, func(office.Event) bool { return true }); err == nil {
			return
		} else if t.Context().Err() != nil {
			t.Fatal(err)
		}
	}
}

func TestEventsHoldNoSecret(t *testing.T) {
	t.Parallel()
	s := &Server{Hide: func(text string) string { return strings.ReplaceAll(text, "oak", "[secret]") }}
	line, err := s.line(&office.Event{Text: "the key is oak"})
	var e office.Event
	if err := errors.Join(err, json.Unmarshal(line, &e)); err != nil || e.Text != "the key is [secret]" {
		t.Errorf("%+v %v", e, err)
	}
}
