//go:build cpuprofile

package main

import (
	"os"
	"os/signal"
	"runtime/pprof"
	"syscall"
)

// A build for measurements (bench -profile) writes where its processor time went
// to the file that BULLPEN_CPUPROFILE names, from its start until SIGUSR1.
func init() {
	f, err := os.Create(os.Getenv("BULLPEN_CPUPROFILE"))
	if err != nil {
		return
	}
	if err := pprof.StartCPUProfile(f); err != nil {
		panic(err)
	}
	end := make(chan os.Signal, 1)
	signal.Notify(end, syscall.SIGUSR1)
	go func() {
		<-end
		pprof.StopCPUProfile()
		_ = f.Close()
	}()
}
