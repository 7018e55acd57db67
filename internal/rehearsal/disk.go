package rehearsal

import (
	"context"
	"errors"
	"sync/atomic"

	"bullpen/office"
)

// FullDisk makes a record take nothing while full says so; it goes into Troupe.Store.
func FullDisk(full *atomic.Bool) func(office.Store) office.Store {
	return func(s office.Store) office.Store { return &disk{s, full} }
}

// disk is a store whose disk is full for a while.
type disk struct {
	office.Store
	full *atomic.Bool
}

// Commit refuses the batch while the disk is full.
func (d *disk) Commit(ctx context.Context, l office.Lease, b office.Batch) error {
	if d.full.Load() {
		return errors.New("the disk is full")
	}
	return d.Store.Commit(ctx, l, b)
}
