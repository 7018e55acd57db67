package command_test

import (
	"regexp"
	"slices"
	"testing"
	"unicode/utf8"

	"bullpen/bridge/command"
)

// platforms are those that show the commands in a form of their own.
var platforms = []string{command.Console, command.Shell, "slack", "discord", "telegram"}

var name = regexp.MustCompile(`^[a-z0-9_]{1,32}$`)

// within says whether a text has 1 to 100 characters, as Discord wants of every line.
func within(text string) bool {
	n := utf8.RuneCountInString(text)
	return n > 0 && n <= 100
}

func TestNamesAndHelpsFitEveryPlatform(t *testing.T) {
	t.Parallel()
	for _, platform := range platforms {
		seen := map[string]bool{}
		for _, c := range command.NewSet().On(platform) {
			if !name.MatchString(c.Name) || !name.MatchString(string(c.Root)) || seen[c.Path()] {
				t.Errorf("%s: the name %q does not fit or is there twice", platform, c.Path())
			}
			seen[c.Path()] = true
			if !within(c.Help) {
				t.Errorf("%s: the help %q", c.Path(), c.Help)
			}
			args := map[string]bool{}
			for _, a := range c.Args {
				if !name.MatchString(a.Name) || args[a.Name] || !within(a.Help) {
					t.Errorf("%s: the argument %q with the help %q", c.Path(), a.Name, a.Help)
				}
				args[a.Name] = true
				if len(a.Choices) > command.ChoiceMost || a.Kind == command.ChoiceKind && len(a.Choices) == 0 {
					t.Errorf("%s: %s has %d choices", c.Path(), a.Name, len(a.Choices))
				}
				for _, x := range a.Choices {
					if !within(x.Shown()) || !within(x.Value) {
						t.Errorf("%s: %s may be %q", c.Path(), a.Name, x)
					}
				}
				if a.Kind == command.NumberKind && a.Max <= a.Min {
					t.Errorf("%s: %s is from %d to %d", c.Path(), a.Name, a.Min, a.Max)
				}
			}
			if len(c.Args) > command.ChoiceMost {
				t.Errorf("%s has %d arguments", c.Path(), len(c.Args))
			}
		}
	}
}

// A text takes all that follows, so that nothing but options can come after it.
func TestATextIsTheLastArgument(t *testing.T) {
	t.Parallel()
	for _, c := range command.NewSet().On(command.Console) {
		text := ""
		for _, a := range c.Args {
			if text != "" && !a.Option {
				t.Errorf("%s: %s stands behind %s", c.Path(), a.Name, text)
			}
			if a.Kind == command.TextKind && !a.Option {
				text = a.Name
			}
		}
	}
}

// Discord: at most 25 subcommands of a command, and 8,000 characters in all its
// names, descriptions and choices (docs.discord.com, application commands).
func TestTheRootsFitDiscord(t *testing.T) {
	t.Parallel()
	for _, tree := range command.NewSet().Trees("discord") {
		bundles := map[string]int{}
		for _, c := range tree.Commands {
			bundles[c.Bundle]++
			if bundles[c.Bundle] > 25 {
				t.Errorf("/%s %s has too many subcommands", tree.Root, c.Bundle)
			}
			if c.Bundle != "" && (!name.MatchString(c.Bundle) || c.Root != command.OfficeRoot) {
				t.Errorf("/%s cannot stand in the bundle %q", c.Path(), c.Bundle)
			}
			if _, taken := command.NewSet().Command("discord", tree.Root, c.Bundle); taken {
				t.Errorf("/%s is a command and a bundle", c.Bundle)
			}
		}
		if n := bundles[""] + len(bundles) - 1; n > 25 {
			t.Errorf("/%s has %d subcommands and groups", tree.Root, n)
		}
		if !within(tree.Help) {
			t.Errorf("/%s: the help %q", tree.Root, tree.Help)
		}
		size := len(tree.Root) + utf8.RuneCountInString(tree.Help)
		for bundle := range bundles {
			size += len(bundle) + len(command.BundleHelp)
		}
		for _, c := range tree.Commands {
			size += len(c.Name) + utf8.RuneCountInString(c.Help)
			for _, a := range c.Args {
				size += len(a.Name) + utf8.RuneCountInString(a.Help)
				for _, x := range a.Choices {
					size += utf8.RuneCountInString(x.Shown()) + utf8.RuneCountInString(x.Value)
				}
			}
		}
		if size > 8000 {
			t.Errorf("/%s has %d characters", tree.Root, size)
		}
	}
}

func TestSomeCommandsAreOfOnePlace(t *testing.T) {
	t.Parallel()
	s := newSeat(t)
	if _, ok := s.set.Command("slack", command.OfficeRoot, "quit"); ok {
		t.Error("Slack has /quit")
	}
	if s.set.Knows("telegram", "in #dev") || !s.set.Knows(command.Console, "in #dev") {
		t.Error("/in is of the console alone")
	}
}

// On the command line an option is a flag beside those that each command has there.
func TestNoOptionHasTheNameOfAFlag(t *testing.T) {
	t.Parallel()
	flags := []string{"office", "dir", "json", "yes", "help"}
	for _, platform := range []string{command.Shell, command.Console} {
		for _, tree := range command.NewSet().Trees(platform) {
			for _, c := range tree.Commands {
				for _, a := range c.Args {
					if a.Option && slices.Contains(flags, a.Name) {
						t.Errorf("%s: the command line has a flag --%s of its own", c.Path(), a.Name)
					}
				}
			}
		}
	}
}
