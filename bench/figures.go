//go:build linux

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"syscall"
	"time"
)

// quantile is the value below which a share of the sample lies.
func quantile[T int | float64 | time.Duration](sample []T, share float64) T {
	s := slices.Sorted(slices.Values(sample))
	return s[min(int(share*float64(len(s))), len(s)-1)]
}

func median[T int | float64 | time.Duration](sample []T) T { return quantile(sample, 0.5) }

func ms(d time.Duration) string { return fmt.Sprintf("%.2f ms", float64(d)/1e6) }

// spread is a median with its extremes.
func spread(format string, sample []float64) string {
	return fmt.Sprintf(format+" ("+format+"–"+format+")", median(sample), slices.Min(sample), slices.Max(sample))
}

// fdatasync is how long the disk of a folder takes to keep a page at the end of a
// file that grows, and then one in its middle: a log of SQLite's is both in turn.
func fdatasync(dir string, n int) (growing, inside time.Duration, err error) {
	f, err := os.Create(filepath.Join(dir, "raw"))
	if err != nil {
		return 0, 0, err
	}
	defer func() {
		_ = f.Close()
		_ = os.Remove(f.Name())
	}()
	var rounds [2][]time.Duration
	page := make([]byte, 4096)
	for round := range rounds {
		for i := range n {
			began := time.Now()
			if _, err := f.WriteAt(page, int64(i*len(page))); err != nil {
				return 0, 0, err
			}
			if err := syscall.Fdatasync(int(f.Fd())); err != nil {
				return 0, 0, fmt.Errorf("fdatasync in %s: %w", dir, err)
			}
			rounds[round] = append(rounds[round], time.Since(began))
		}
	}
	return median(rounds[0]), median(rounds[1]), nil
}
