package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"bullpen/bridge"
	"bullpen/bridge/command"
	"bullpen/config"
	"bullpen/office"

	"github.com/spf13/cobra"
)

func officeDeleteCommand() *cobra.Command {
	var yes, purge bool
	cmd := &cobra.Command{
		Use:   "delete ID",
		Short: "Move an office's folder to the trash and delete what Redis holds of it",
		Args:  exactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			d := deletion{id: args[0], purge: purge, yes: yes, in: cmd.InOrStdin(), out: cmd.OutOrStdout(), notices: cmd.ErrOrStderr()}
			return d.run(cmd.Context())
		},
	}
	cmd.Flags().BoolVar(&yes, "yes", false, "do not ask")
	cmd.Flags().BoolVar(&purge, "purge", false, "delete the folder for good instead of moving it to the trash")
	return cmd
}

// deletion is the end of one office.
type deletion struct {
	id         string
	purge, yes bool
	in         io.Reader
	out        io.Writer
	notices    io.Writer

	dir   string
	store office.Store
	lease office.Lease
	redis bool
	gone  bool // the folder is not there any more
}

// eraser is a store whose record is not in the office's folder.
type eraser interface {
	Erase(ctx context.Context, lease office.Lease) (keys int, err error)
}

// run deletes the office. It holds the office's lease from before it asks, so that
// nobody opens it meanwhile.
func (d *deletion) run(ctx context.Context) (err error) {
	if d.dir, err = officeNamed(d.id); err != nil {
		return err
	}
	cfg, broken := load(d.dir, io.Discard)
	if broken == nil {
		if err := d.take(ctx, cfg); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, d.leave(ctx)) }()
	}
	if err := d.tell(ctx, cfg); err != nil {
		return err
	}
	if ok, err := d.agreed(); err != nil || !ok {
		return err
	}
	if e, ok := d.store.(eraser); ok {
		// Redis first: if this is cut short the folder is there to say it again.
		keys, err := e.Erase(ctx, d.lease)
		if err != nil {
			return err
		}
		fmt.Fprintf(d.out, "%d keys of %s are gone from Redis.\n", keys, d.id)
	}
	return d.remove()
}

// take makes this process the owner of the office.
func (d *deletion) take(ctx context.Context, cfg *config.Config) (err error) {
	if d.store, err = openStore(ctx, cfg, bridge.New(cfg.Setup.ID, command.NewSet())); err != nil {
		return err
	}
	d.redis = !cfg.Redis.Empty()
	host, err := os.Hostname()
	if err != nil {
		host = "this machine"
	}
	d.lease, err = d.store.Acquire(ctx, office.Holder{Host: host, PID: os.Getpid(), Since: time.Now(), Program: "bullpen office delete"})
	if err != nil {
		return errors.Join(err, d.store.Close())
	}
	return nil
}

// leave gives the lease up. What is gone already cannot note that, and need not.
func (d *deletion) leave(ctx context.Context) error {
	err := errors.Join(d.store.Release(context.WithoutCancel(ctx), d.lease), d.store.Close())
	if d.gone {
		return nil
	}
	return err
}

// tell says what will be gone.
func (d *deletion) tell(ctx context.Context, cfg *config.Config) error {
	size, files := weight(d.dir)
	fmt.Fprintf(d.out, "This deletes the office %s:\n", d.id)
	end := "to the trash"
	if d.purge {
		end = "for good"
	}
	fmt.Fprintf(d.out, "  %s, %s: %d files, %.1f MB, with the workspaces of its colleagues\n", d.dir, end, files, float64(size)/(1<<20))
	if cfg == nil {
		fmt.Fprintln(d.out, "  its office.yaml is not in order, so what Redis may hold of it stays there")
		return nil
	}
	snap, err := d.store.Load(ctx)
	if err != nil {
		return err
	}
	where := "in that folder"
	if d.redis {
		where = "in Redis, for good"
	}
	fmt.Fprintf(d.out, "  its record %s: %d messages, %d colleagues, %d deliveries that still wait\n", where, snap.Meta.Message, len(snap.Colleagues), len(snap.Items))
	return nil
}

// agreed asks, unless it was told not to.
func (d *deletion) agreed() (bool, error) {
	if d.yes {
		return true, nil
	}
	fmt.Fprintf(d.out, "Type %s to delete it: ", d.id)
	line, err := bufio.NewReader(d.in).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return false, fmt.Errorf("the answer cannot be read: %w", err)
	}
	if strings.TrimSpace(line) == d.id {
		return true, nil
	}
	_, err = fmt.Fprintln(d.out, "Nothing was deleted.")
	return false, err
}

// remove puts the folder aside, or deletes it.
func (d *deletion) remove() error {
	if d.purge {
		if err := os.RemoveAll(d.dir); err != nil {
			return fmt.Errorf("the office's folder cannot be deleted: %w", err)
		}
		d.gone = true
		_, err := fmt.Fprintf(d.out, "%s is deleted.\n", d.dir)
		return err
	}
	h, err := home()
	if err != nil {
		return err
	}
	trash := filepath.Join(h, "trash")
	if err := os.MkdirAll(trash, 0o700); err != nil {
		return fmt.Errorf("the trash cannot be made: %w", err)
	}
	to := filepath.Join(trash, d.id+"-"+time.Now().UTC().Format("20060102-150405.000"))
	if err := os.Rename(d.dir, to); err != nil {
		return fmt.Errorf("the office's folder cannot be moved to the trash: %w; --purge deletes it instead", err)
	}
	d.gone = true
	_, err = fmt.Fprintf(d.out, "%s is in the trash: %s\n", d.id, to)
	return err
}

// weight is how much a folder holds, as far as it can be read.
func weight(dir string) (size int64, files int) {
	_ = filepath.WalkDir(dir, func(_ string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return nil //nolint:nilerr // what cannot be looked at is not counted
		}
		if info, err := e.Info(); err == nil {
			size, files = size+info.Size(), files+1
		}
		return nil
	})
	return size, files
}
