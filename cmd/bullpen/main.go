// Command bullpen runs offices of AI colleagues. Each verb has a file of its
// own; here they are put together, and nowhere else do the rooms of the
// program meet.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"
)

// Exit statuses.
const (
	exitFailed = 1 // something went wrong
	exitConfig = 2 // office.yaml, .env or the command line is not in order
	// of commands of a running office:
	exitRefused    = 3 // it is not allowed
	exitNotRunning = 4 // there is none
)

func main() {
	os.Exit(run(context.Background(), os.Args[1:]))
}

// run executes one command line and gives the exit status.
func run(ctx context.Context, args []string) int {
	root := &cobra.Command{
		Use:           "bullpen",
		Short:         "An office of AI colleagues inside your chat",
		SilenceUsage:  true,
		SilenceErrors: true,
		Version:       version(),
	}
	root.SetVersionTemplate("{{.Version}}\n")
	root.AddCommand(initCommand(), upCommand(), officeCommand(), validateCommand(), doctorCommand(), storeCommand(), versionCommand())
	addVerbs(root)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return wrongFlag(cmd, args, err)
	})
	root.Args = onlyVerbs
	root.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	var status *exitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &status):
		fmt.Fprintln(os.Stderr, "bullpen:", err)
		return status.code
	default:
		fmt.Fprintln(os.Stderr, "bullpen:", err)
		return exitFailed
	}
}

// exitError carries an exit status of its own.
type exitError struct {
	code int
	err  error
}

func (e *exitError) Error() string { return e.err.Error() }
func (e *exitError) Unwrap() error { return e.err }
