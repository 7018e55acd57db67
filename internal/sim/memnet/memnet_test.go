package memnet_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"bullpen/internal/sim/memnet"
)

func TestHTTPInABubbleTakesNoRealTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := memnet.Listen("anything.sim")
		srv := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			time.Sleep(time.Hour)
			fmt.Fprint(w, r.Host)
		})}
		go func() { _ = srv.Serve(l) }()
		transport := &http.Transport{DialContext: l.Dial}
		defer transport.CloseIdleConnections()
		defer func() { _ = srv.Close() }()
		resp, err := (&http.Client{Transport: transport}).Get("http://" + l.Addr().String() + "/")
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = resp.Body.Close() }()
		if got, err := io.ReadAll(resp.Body); err != nil || string(got) != "anything.sim" {
			t.Errorf("got %q, %v", got, err)
		}
	})
}

func TestDialEnds(t *testing.T) {
	t.Parallel()
	l := memnet.Listen("x.sim")
	ctx, cancel := context.WithCancelCause(t.Context())
	reason := errors.New("no patience")
	cancel(reason)
	if _, err := l.Dial(ctx, "tcp", "x.sim:1"); !errors.Is(err, reason) {
		t.Errorf("nobody accepts: %v", err)
	}
	if err := errors.Join(l.Close(), l.Close()); err != nil {
		t.Error(err)
	}
	if _, err := l.Dial(t.Context(), "tcp", "x.sim:1"); !errors.Is(err, net.ErrClosed) {
		t.Errorf("dial after close: %v", err)
	}
	if _, err := l.Accept(); !errors.Is(err, net.ErrClosed) {
		t.Errorf("accept after close: %v", err)
	}
}
