package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"bullpen/bridge"
	"bullpen/bridge/command"
	"bullpen/office"
	"bullpen/office/files"
	"bullpen/office/store/archive"

	"github.com/spf13/cobra"
)

func storeCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "store", Short: "Look after the office's record"}
	cmd.AddCommand(verifyCommand())
	return cmd
}

func verifyCommand() *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use:   "verify",
		Short: "Look the record through for what must always hold of it",
		Long:  "Look the record through for what must always hold of it, with the files that are owed to platforms and the archive. Best while the office is stopped: of a running one it may name what only just changed.",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			dir, err := officeDir(dir)
			if err != nil {
				return err
			}
			cfg, err := load(dir, cmd.ErrOrStderr())
			if err != nil {
				return err
			}
			store, err := openStore(cmd.Context(), cfg, bridge.New(cfg.Setup.ID, command.NewSet()))
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, store.Close()) }()
			findings, err := verify(cmd.Context(), cfg.Dir, store)
			if err != nil {
				return err
			}
			for _, f := range findings {
				fmt.Fprintln(cmd.OutOrStdout(), f)
			}
			if len(findings) > 0 {
				return fmt.Errorf("%d thing(s) in the record of %s do not hold", len(findings), dir)
			}
			_, err = fmt.Fprintln(cmd.OutOrStdout(), "The record holds all that it must.")
			return err
		},
	}
	dirFlag(cmd, &dir)
	return cmd
}

// verify looks through the record, and what belongs to it in the office's folder.
func verify(ctx context.Context, dir string, store office.Store) (findings []string, err error) {
	if findings, err = office.Verify(ctx, store); err != nil {
		return nil, err
	}
	owed, err := office.VerifyFiles(ctx, store, files.In(filepath.Join(dir, "files")))
	if err != nil {
		return nil, err
	}
	old, err := archive.Folder{Dir: filepath.Join(dir, "archive")}.Check(ctx)
	return slices.Concat(findings, owed, old), err
}
