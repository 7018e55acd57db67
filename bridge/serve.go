package bridge

import (
	"context"
	"log/slog"
	"sync"
	"time"
)

// lastMoment is how long what was begun for an event may take when everything ends.
const lastMoment = 5 * time.Second

// Service is an adapter at work: its connection, and what runs beside it.
type Service struct {
	Adapter Adapter
	Later   *Background
	Log     *slog.Logger
	// Connect serves connections until ctx ends; an error says what waiting cannot
	// mend. What it begins for an event runs under work: it does not end with the
	// connection that brought it, and has a moment when everything ends.
	Connect func(ctx, work context.Context) error
	// Beside, if it is not nil, runs until ctx ends.
	Beside func(ctx context.Context)
	// Finish waits for what Connect has begun and got err.
	Finish func(work context.Context, err error)
}

// Serve has an adapter at work until ctx ends. The error is Connect's, and reported.
func (b *Bridge) Serve(ctx context.Context, s Service) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	work, abort := context.WithCancel(context.WithoutCancel(ctx))
	defer abort()
	var beside sync.WaitGroup
	beside.Go(func() { s.Later.Serve(ctx, work) })
	beside.Go(func() { b.Present(ctx, s.Adapter, s.Log) })
	if s.Beside != nil {
		beside.Go(func() { s.Beside(ctx) })
	}
	err := s.Connect(ctx, work)
	cancel()
	late := time.AfterFunc(lastMoment, abort)
	defer late.Stop()
	s.Finish(work, err)
	beside.Wait()
	if err != nil {
		b.Report(s.Adapter.Platform(), Stopped, err.Error())
	}
	return err
}
