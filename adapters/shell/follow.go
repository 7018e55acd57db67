package shell

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"time"

	"bullpen/bridge"
	"bullpen/office"
	"bullpen/office/wake"
)

// followersMost bounds how many follow the events at once, so that room for
// other callers is left.
const followersMost = callersMost / 2

// follow tells a caller the office's events until ctx or the office ends, or the
// caller hangs up.
func (s *Server) follow(ctx context.Context, b *bridge.Bridge, c *net.UnixConn, f Follow) {
	if s.followers.Add(1) > followersMost {
		s.followers.Add(-1)
		s.write(c, Answer{Error: fmt.Sprintf("%d follow the events already; end one of them first", followersMost), Kind: Failed})
		return
	}
	defer s.followers.Add(-1)
	fits, err := f.filter(ctx, b)
	if err != nil {
		s.write(c, Answer{Error: err.Error(), Kind: Usage})
		return
	}
	w, err := b.Office().Watch(ctx)
	if err != nil {
		s.write(c, Answer{Error: err.Error(), Kind: Failed})
		return
	}
	defer w.Close()
	ctx, cancel := context.WithCancel(ctx)
	hungUp := make(chan struct{})
	go func() {
		defer close(hungUp)
		defer cancel()
		_, _ = io.Copy(io.Discard, c) // a caller says nothing more; it ends when it hangs up
	}()
	defer func() { <-hungUp }()
	defer cancel()
	defer func() { _ = c.SetReadDeadline(time.Unix(1, 0)) }()
	_ = c.SetReadDeadline(time.Time{})
	s.write(c, Answer{})
	for {
		news, err := w.Next(ctx)
		if err != nil {
			return // the office or the caller has ended
		}
		for i := range news {
			if fits(&news[i]) && s.tell(c, &news[i]) != nil {
				return
			}
		}
	}
}

// tell writes an event. A caller that does not read it in time is given up.
func (s *Server) tell(c *net.UnixConn, e *office.Event) error {
	line, err := s.line(e)
	if err != nil {
		return err
	}
	_ = c.SetWriteDeadline(time.Now().Add(requestTime))
	_, err = c.Write(line)
	return err
}

// line is an event as it goes over the wire, without secrets.
func (s *Server) line(e *office.Event) ([]byte, error) {
	line, err := json.Marshal(e)
	if err == nil && s.Hide != nil {
		line = []byte(s.Hide(string(line)))
	}
	return append(line, '\n'), err
}

// filter makes a function of the lists. What cannot be meant is refused, with
// what could be.
func (f Follow) filter(ctx context.Context, b *bridge.Bridge) (fits func(*office.Event) bool, err error) {
	for _, k := range f.Kinds {
		if !slices.Contains(office.EventKinds, office.EventKind(k)) {
			return nil, fmt.Errorf("there is no kind of event %q; there are %s", k, joined(office.EventKinds))
		}
	}
	v, err := b.Office().View(ctx)
	if err != nil {
		return nil, err
	}
	names := map[string]bool{}
	for _, name := range f.Colleagues {
		key := wake.Fold(strings.TrimPrefix(strings.TrimSpace(name), "@"))
		if !slices.ContainsFunc(v.Colleagues, func(c office.ColleagueView) bool { return wake.Fold(c.Name) == key }) {
			return nil, fmt.Errorf("no colleague is called %q; there are %s", name, rosterOf(v))
		}
		names[key] = true
	}
	sources := append([]string{office.FromOffice, office.FromColleague, office.FromTerminal}, b.Platforms()...)
	for _, src := range f.Sources {
		if !slices.Contains(sources, src) {
			return nil, fmt.Errorf("there is no source %q; there are %s", src, strings.Join(sources, ", "))
		}
	}
	return func(e *office.Event) bool {
		return e.Kind == office.EventMissed || (len(f.Sources) == 0 || slices.Contains(f.Sources, e.Source)) &&
			(len(f.Kinds) == 0 || slices.Contains(f.Kinds, string(e.Kind))) &&
			(len(names) == 0 || names[wake.Fold(e.Colleague)])
	}, nil
}

func joined(kinds []office.EventKind) string {
	var all []string
	for _, k := range kinds {
		all = append(all, string(k))
	}
	return strings.Join(all, ", ")
}

func rosterOf(v office.View) string {
	var all []string
	for i := range v.Colleagues {
		all = append(all, v.Colleagues[i].Name)
	}
	return strings.Join(all, ", ")
}
