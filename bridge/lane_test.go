package bridge_test

import (
	"bytes"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"bullpen/bridge"
)

func TestAPanicEndsOneEventAlone(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	l := bridge.NewLanes(slog.New(slog.NewTextHandler(&out, nil)))
	var got []string // one lane alone writes it
	boom := func() { panic("boom") }
	l.Add("a", bridge.Job{What: "odd", Run: boom, Failed: func() { got = append(got, "failed") }})
	l.Add("a", bridge.Job{What: "odder", Run: boom, Failed: boom})
	l.Add("a", bridge.Job{Run: func() { got = append(got, "next") }})
	l.Wait()
	if !slices.Equal(got, []string{"failed", "next"}) {
		t.Errorf("got %q", got)
	}
	for _, want := range []string{"event=odd ", "event=odder", "panic=boom", "lane_test.go"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the log lacks %q:\n%s", want, &out)
		}
	}
}

func TestALaneHoldsUpNoOther(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		l := bridge.NewLanes(slog.New(slog.NewTextHandler(&out, nil)))
		var mu sync.Mutex
		got := map[string][]int{}
		note := func(lane string, n int) { mu.Lock(); defer mu.Unlock(); got[lane] = append(got[lane], n) }
		stuck := make(chan struct{})
		l.Add("stuck", bridge.Job{What: "slow one", Run: func() { <-stuck }})
		for n := range 50 {
			for _, lane := range []string{"stuck", "a", "b"} {
				l.Add(lane, bridge.Job{Run: func() { time.Sleep(time.Millisecond); note(lane, n) }})
			}
		}
		time.Sleep(time.Second)
		mu.Lock()
		for lane, want := range map[string]int{"stuck": 0, "a": 50, "b": 50} {
			if len(got[lane]) != want || !slices.IsSorted(got[lane]) {
				t.Errorf("lane %s carried out %v", lane, got[lane])
			}
		}
		mu.Unlock()
		time.Sleep(time.Minute)
		synctest.Wait()
		if !strings.Contains(out.String(), "slow one") {
			t.Errorf("nothing is said of the slow one: %s", &out)
		}
		close(stuck)
		l.Wait()
		if len(got["stuck"]) != 50 || !slices.IsSorted(got["stuck"]) {
			t.Errorf("the lane that stood carried out %v", got["stuck"])
		}
	})
}

func TestLanesAreFull(t *testing.T) {
	t.Parallel()
	l := bridge.NewLanes(slog.New(slog.DiscardHandler))
	stuck, began := make(chan struct{}), make(chan struct{})
	l.Add("a", bridge.Job{Run: func() { close(began); <-stuck }})
	<-began
	for n := range bridge.LaneRoom {
		if !l.Add("a", bridge.Job{Run: func() {}}) {
			t.Fatalf("there is no room for %d", n)
		}
	}
	if l.Add("a", bridge.Job{Run: func() {}}) {
		t.Error("there is room for more than LaneRoom")
	}
	close(stuck)
	l.Wait()
	if !l.Add("a", bridge.Job{Run: func() {}}) {
		t.Error("lanes that were carried out have no room")
	}
	l.Wait()
}
