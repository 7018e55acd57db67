package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"

	"bullpen/config"

	"github.com/spf13/cobra"
)

func officeListCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "Show which offices there are and who runs them",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ids, err := officeIDs()
			if err != nil {
				return err
			}
			all, err := officesDir()
			if err != nil {
				return err
			}
			if len(ids) == 0 {
				_, err := fmt.Fprintf(cmd.OutOrStdout(), "There is no office in %s yet; bullpen office create ID makes one.\n", all)
				return err
			}
			w := tabwriter.NewWriter(cmd.OutOrStdout(), 0, 0, 2, ' ', 0)
			fmt.Fprintln(w, "ID\tNAME\tCOLLEAGUES\tSTORE\tRUNNING\tFOLDER")
			for _, id := range ids {
				fmt.Fprintln(w, officeRow(cmd.Context(), id, filepath.Join(all, id)))
			}
			return w.Flush()
		},
	}
}

// storeAnswer is how long a list waits for an office's store.
const storeAnswer = 3 * time.Second

// officeRow is an office in the list. One that is not in order has its row as well.
func officeRow(ctx context.Context, id, dir string) string {
	cfg, err := load(dir, io.Discard)
	if err != nil {
		reason := "its office.yaml is not in order; bullpen validate --office " + id + " says why"
		if problems := (*config.Problems)(nil); !errors.As(err, &problems) {
			reason = firstLine(err.Error())
		}
		return strings.Join([]string{id, "?", "?", "?", reason, dir}, "\t")
	}
	store := "file"
	if !cfg.Redis.Empty() {
		store = "Redis"
	}
	return strings.Join([]string{id, cfg.Setup.Name, fmt.Sprint(len(cfg.Setup.Colleagues)), store, runsWhere(ctx, cfg), dir}, "\t")
}

// runsWhere says in words who runs an office.
func runsWhere(ctx context.Context, cfg *config.Config) string {
	ctx, cancel := context.WithTimeout(ctx, storeAnswer)
	defer cancel()
	who, held, err := holder(ctx, cfg)
	switch {
	case err != nil:
		return "unknown: " + firstLine(err.Error())
	case !held:
		return "no"
	case who.PID == 0:
		return "yes"
	}
	return fmt.Sprintf("%s, process %d on %s since %s", who.Program, who.PID, who.Host, who.Since.Format(time.DateTime))
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}
