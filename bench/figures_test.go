//go:build linux

package main

import (
	"strings"
	"testing"
	"time"
)

func TestQuantile(t *testing.T) {
	t.Parallel()
	sample := []int{5, 1, 4, 2, 3}
	for share, want := range map[float64]int{0: 1, 0.5: 3, 0.99: 5, 1: 5} {
		if got := quantile(sample, share); got != want {
			t.Errorf("quantile %v is %d, want %d", share, got, want)
		}
	}
	if sample[0] != 5 {
		t.Error("the sample was sorted in place")
	}
}

func TestInOrder(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][2]bool{
		"m-2-0. m-2-1. m-2-2.":        {true, true},
		"m-2-1. m-2-0. m-2-2.":        {false, true},
		"m-2-0. m-2-1. m-2-2. m-2-1.": {true, false},
		"m-2-0. m-2-2.":               {false, false},
	} {
		if order, once := inOrder(text, 3); order != want[0] || once != want[1] {
			t.Errorf("%q: in order %t, once %t, want %v", text, order, once, want)
		}
	}
}

func TestLinesAreCountedWhenTheyAreWhole(t *testing.T) {
	t.Parallel()
	l := newLines()
	next := l.changed()
	_, _ = l.Write([]byte("alice: one\nalice: t"))
	<-next
	if n := l.count("alice"); n != 1 {
		t.Errorf("%d lines, want 1", n)
	}
	_, _ = l.Write([]byte("wo\n"))
	if n := l.count("alice"); n != 2 {
		t.Errorf("%d lines, want 2", n)
	}
}

func TestFdatasync(t *testing.T) {
	t.Parallel()
	growing, inside, err := fdatasync(t.TempDir(), 3)
	if err != nil || growing <= 0 || inside <= 0 {
		t.Errorf("fdatasync took %s and %s: %v", growing, inside, err)
	}
}

func TestSpread(t *testing.T) {
	t.Parallel()
	if got := spread("%.1f", []float64{3, 1, 2}); got != "2.0 (1.0–3.0)" {
		t.Error(got)
	}
	if got := ms(1500 * time.Microsecond); !strings.HasPrefix(got, "1.50") {
		t.Error(got)
	}
}
