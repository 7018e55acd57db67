// Command bullpen-sim runs stand-ins for chat platforms, so that an office can be tried on a machine
// without an account anywhere: it serves the platform's real protocol on loopback and is, at its
// prompt, the people of a small example workspace.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := command().ExecuteContext(ctx)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "bullpen-sim:", err)
		os.Exit(1)
	}
}

func command() *cobra.Command {
	root := &cobra.Command{
		Use:           "bullpen-sim",
		Short:         "Stand-ins for chat platforms, to try an office without an account",
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.AddCommand(slackCommand(), telegramCommand(), discordCommand())
	return root
}
