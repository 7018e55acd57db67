package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"bullpen/adapters/console"
	"bullpen/bridge"
	"bullpen/config"
	slackapp "bullpen/deploy/slack"
	"bullpen/office"

	"github.com/spf13/cobra"
)

// initFlags are what `bullpen init` was told beforehand.
type initFlags struct {
	dir, name, model, apiURL string
	colleague, description   string // of the first colleague
	manifest, yes            bool
}

func initCommand() *cobra.Command {
	var f initFlags
	cmd := &cobra.Command{
		Use:   "init [slack|telegram|discord]",
		Short: "Make an office, and bring it to a platform step by step",
		Long: "Make an office, and bring it to a platform step by step: it says where tokens come from, asks for them without " +
			"showing them, tries them, and writes them into .env and what the office needs into office.yaml. " +
			"Whatever is there already stays.\n\nWithout a terminal, or with --yes, nothing is asked: tokens come from the " +
			"environment or .env (SLACK_APP_TOKEN, SLACK_BOT_TOKEN, TELEGRAM_TOKEN, DISCORD_TOKEN, OPENAI_API_KEY).",
		ValidArgs: []string{"slack", "telegram", "discord"},
		Args: func(cmd *cobra.Command, args []string) error {
			if err := cobra.MatchAll(cobra.MaximumNArgs(1), cobra.OnlyValidArgs)(cmd, args); err != nil {
				return &exitError{exitConfig, fmt.Errorf("%w; see %s --help", err, cmd.CommandPath())}
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			out := cmd.OutOrStdout()
			if f.manifest {
				_, err := io.WriteString(out, slackapp.Manifest)
				return err
			}
			dir, err := officeDir(f.dir)
			if err != nil {
				return err
			}
			g := &guide{initFlags: f, dir: dir, out: out, ask: console.NewAsker(os.Stdin, out)}
			g.yes = g.yes || !console.OnTerminal(os.Stdin)
			return g.run(cmd.Context(), strings.Join(args, ""))
		},
	}
	dirFlag(cmd, &f.dir)
	cmd.Flags().StringVar(&f.name, "name", "", "what people call the office")
	cmd.Flags().StringVar(&f.colleague, "colleague", "", "what the first colleague of a new office is called")
	cmd.Flags().StringVar(&f.description, "description", "", "what the first colleague of a new office is there for")
	cmd.Flags().StringVar(&f.model, "model", "", "the model of the colleagues, as provider:model-id")
	cmd.Flags().StringVar(&f.apiURL, "api-url", "", "the platform's address, for a test server")
	cmd.Flags().BoolVar(&f.manifest, "manifest", false, "print the manifest of the Slack app and do nothing else")
	cmd.Flags().BoolVar(&f.yes, "yes", false, "ask nothing")
	return cmd
}

// guide leads somebody to a first office.
type guide struct {
	initFlags
	dir string
	out io.Writer
	ask *console.Asker
}

func (g *guide) say(format string, args ...any) { fmt.Fprintf(g.out, format+"\n", args...) }

func (g *guide) run(ctx context.Context, platform string) error {
	if err := g.checkColleague(); err != nil {
		return &exitError{exitConfig, err}
	}
	fresh := !isOffice(g.dir)
	if err := config.Scaffold(g.dir); err != nil {
		return err
	}
	cfg, err := load(g.dir, g.out)
	if err != nil {
		return err
	}
	if fresh {
		g.say("The office is in %s.", g.dir)
	} else {
		g.say("There is an office in %s; what is there stays.", g.dir)
	}
	if err := g.settle(ctx, cfg, fresh); err != nil {
		return err
	}
	if platform, err = g.choose(platform, cfg); err != nil {
		return err
	}
	if platform != "" {
		if err := g.connect(ctx, platforms[platform]); err != nil {
			return err
		}
	}
	return g.farewell(platform)
}

// settle gives the office its name, its first colleague and the model of all.
func (g *guide) settle(ctx context.Context, cfg *config.Config, fresh bool) (err error) {
	name := g.name
	if fresh && !g.yes && name == "" {
		if name, err = g.ask.Ask("What is the office called", cfg.Setup.Name); err != nil {
			return ended(err)
		}
	}
	if name != "" {
		if _, err := g.file().Edit(ctx, office.SetOffice{Fields: map[string]any{"name": name}}); err != nil {
			return err
		}
	}
	if err := g.firstColleague(ctx, cfg, fresh); err != nil {
		return err
	}
	return g.modelOfAll(ctx, fresh)
}

func (g *guide) file() *config.File { return config.OpenFile(g.dir, os.LookupEnv, setup) }

// ended says that somebody left in the middle.
func ended(err error) error {
	if errors.Is(err, io.EOF) {
		return errors.New("the input ended before all was asked; what is done so far stays, and bullpen init goes on from there")
	}
	return err
}

// choose finds out which platform is meant; empty for none.
func (g *guide) choose(platform string, cfg *config.Config) (string, error) {
	if platform != "" || g.yes || cfg.Slack != nil || cfg.Telegram != nil || cfg.Discord != nil {
		return platform, nil
	}
	for {
		answer, err := g.ask.Ask("Which platform: slack, telegram, discord, or none for this terminal alone", "none")
		if err != nil {
			return "", ended(err)
		}
		if answer = strings.ToLower(answer); answer == "none" {
			return "", nil
		}
		if _, ok := platforms[answer]; ok {
			return answer, nil
		}
	}
}

// secrets gets what is not set yet into .env. again are those to be asked for
// although they are set.
func (g *guide) secrets(wanted map[string]string, again []string) error {
	missing := map[string]string{}
	for name, question := range wanted {
		if _, set := os.LookupEnv(name); set || g.inEnvFile(name) {
			if !slices.Contains(again, name) {
				continue
			}
		}
		missing[name] = question
	}
	if len(missing) == 0 {
		return nil
	}
	names := sortedKeys(missing)
	if g.yes {
		return &exitError{exitConfig, fmt.Errorf("%s must be set, in the environment or in %s/.env", strings.Join(names, " and "), g.dir)}
	}
	got := map[string]string{}
	for _, name := range names {
		for got[name] == "" {
			value, err := g.ask.Secret(missing[name])
			if err != nil {
				return ended(err)
			}
			got[name] = value
		}
	}
	return config.SetEnv(g.dir, got)
}

func (g *guide) inEnvFile(name string) bool {
	vars, err := config.Env(g.dir)
	return err == nil && vars[name] != ""
}

// connect brings the office to a platform: its tokens, tried, and its keys.
func (g *guide) connect(ctx context.Context, p platformGuide) error {
	if !g.yes {
		g.say("\n%s\n", p.steps)
	}
	var again []string
	for {
		if err := g.secrets(p.secrets, again); err != nil {
			return err
		}
		fields := map[string]any{}
		for key, name := range p.keys {
			fields[key] = "${" + name + "}"
		}
		if g.apiURL != "" {
			fields["api_url"] = g.apiURL
		}
		if _, err := g.file().Connect(ctx, p.name, fields); err != nil && g.yes {
			return &exitError{exitConfig, err}
		} else if err != nil {
			g.say("%v", err)
			again = sortedKeys(p.secrets)
			continue
		}
		bad, err := g.try(ctx, p.name)
		switch {
		case err != nil:
			return err
		case !bad:
			return nil
		case g.yes:
			return &exitError{exitConfig, errors.New("the office is configured, and the platform does not take it yet; bullpen doctor tells the same again")}
		}
		answer, err := g.ask.Ask("Once more, with other tokens (t), the same (s), or later (l)", "t")
		if err != nil {
			return ended(err)
		}
		switch answer {
		case "l":
			return nil
		case "s":
			again = nil
		default:
			again = sortedKeys(p.secrets)
		}
	}
}

// try looks at a platform with the tokens that there are now.
func (g *guide) try(ctx context.Context, platform string) (bad bool, err error) {
	cfg, err := load(g.dir, io.Discard)
	if err != nil {
		return false, err
	}
	for _, f := range examinePlatforms(ctx, cfg) {
		if !strings.HasPrefix(f.Part, platform) {
			continue
		}
		bad = bad || f.Grade == bridge.Problem
		g.say("%s", findingLine(f))
	}
	return bad, nil
}

// farewell says what comes next, down to the words of the first message.
func (g *guide) farewell(platform string) error {
	cfg, err := load(g.dir, io.Discard)
	if err != nil {
		return err
	}
	g.say("\nNow start the office:\n\n    bullpen up --dir %s\n", g.dir)
	where := "Then type into that terminal:"
	if platform != "" {
		g.say("%s", platforms[platform].next)
		where = "Your first message, " + platforms[platform].place + ":"
	}
	g.say("%s\n\n    @%s hello\n", where, cfg.Setup.FrontDesk)
	g.say("What could be wrong is told by: bullpen doctor --dir %s", g.dir)
	return nil
}
