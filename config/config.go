package config

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"bullpen/office"
)

// The files of an office's folder that this package reads.
const (
	FileName = "office.yaml"
	EnvName  = ".env"
)

// maxFile bounds either file, in bytes.
const maxFile = 1 << 20

// Defaults of what office.yaml leaves out and the office's own types do not
// fill in by themselves.
const (
	DefaultShutdownGrace          = 30 * time.Second
	defaultOpenAIURL              = "https://api.openai.com/v1"
	demoModel                     = "demo"
	openAIProvider, openAIKeyName = "openai", "OPENAI_API_KEY"
)

// Config is an office as its folder describes it. It is not changed after Load
// and may be read from any goroutine.
type Config struct {
	// Dir is the office's folder, absolute.
	Dir string
	// Setup is the office itself. Exactly one person is its owner, and an admin:
	// the one that `owner` names, else the first of `people`, else one with the id
	// office.DefaultOwner.
	// FrontDesk and every Role are filled in; every Model and Fallback names
	// demo or a provider in Providers. Limits that the file leaves out are zero.
	Setup office.Setup
	// Accounts are the people's accounts on platforms, one for each of Setup.People
	// that the file lists, in its order.
	Accounts []Account
	// Channels are the settings of channels, by name, general among them. A
	// channel that the file does not mention has the zero Channel's meaning.
	Channels map[string]Channel
	// Slack is nil where the office is in no Slack workspace.
	Slack *Slack
	// Telegram is nil where the office is not on Telegram.
	Telegram *Telegram
	// Discord is nil where the office is on no Discord server.
	Discord *Discord
	// Providers are the makers of models, by the name before the colon of
	// provider:model-id; openai is among them if its key is there. demo is built
	// in and not listed.
	Providers map[string]Provider
	// Redis is the address of the Redis that keeps the office's record, with its
	// password; empty where the record is the embedded file.
	Redis Secret
	// Sandbox says where tools run.
	Sandbox Sandbox
	// ShutdownGrace is how long running turns may go on when the process stops.
	ShutdownGrace time.Duration
	// env are the values of variables: the office's (""), and by colleague.
	env map[string]map[string]string
	// folders are those that colleagues work in, where they are written.
	folders []writtenFolder
	// Notices are worth telling whoever started the office; nothing is wrong.
	Notices Problems
}

// Account is where one person is reached.
type Account struct {
	Person office.PersonID
	// Slack is a member id, U… or W…; empty if none is known.
	Slack string
	// Telegram is a user id; empty if none is known.
	Telegram string
	// Discord is a user id; empty if none is known.
	Discord string
	// Mail lists the platforms for the person's mail, in order of preference.
	Mail []string
}

// Channel is what office.yaml says of a channel beside what the office keeps.
// An empty field leaves the choice to whoever asks.
type Channel struct {
	Reply     string // thread or channel: where an answer goes
	Threads   string // follow or strict: whether a reply in a thread addresses its last speaker
	FinalText string // reply or private: overrides where a turn's final text goes
}

// Sandbox says where the tools of colleagues run.
type Sandbox struct {
	Kind string // local
	// Confine keeps a shell inside the workspace, or off where that cannot be
	// had. Only `confine: off` in the file makes it false.
	Confine bool
}

// SplitModel takes provider:model-id apart. demo is a provider without ids.
func SplitModel(model string) (provider, id string) {
	provider, id, _ = strings.Cut(model, ":")
	return provider, id
}

// Secrets returns every secret that the configuration holds, for a log that
// must not show them.
func (c *Config) Secrets() []Secret {
	var all []Secret
	if c.Slack != nil {
		all = append(all, c.Slack.AppToken, c.Slack.BotToken)
	}
	if !c.Redis.Empty() {
		all = append(all, c.Redis)
	}
	if c.Telegram != nil {
		all = append(all, c.Telegram.Token)
	}
	if c.Discord != nil {
		all = append(all, c.Discord.Token)
	}
	for _, p := range c.Providers {
		if !p.APIKey.Empty() {
			all = append(all, p.APIKey)
		}
	}
	return all
}

// Load reads office.yaml and .env in dir. A ${VAR} in office.yaml is looked up
// in .env, then in env, the process's environment (nil: there is none).
//
// What is wrong in the files is a *Problems, with every problem at once. A
// folder without office.yaml is an error that wraps fs.ErrNotExist; a file that
// cannot be read is any other error.
func Load(dir string, env func(string) (string, bool)) (*Config, error) {
	cfg, _, err := load(dir, env)
	return cfg, err
}

// source is office.yaml and what its variables are looked up in.
type source struct {
	dir  string // absolute
	text []byte
	env  func(string) (string, bool)
	// problems are those of .env.
	problems Problems
}

// load reads both files; the source is there as soon as they could be read.
func load(dir string, env func(string) (string, bool)) (*Config, *source, error) {
	folder, err := filepath.Abs(dir)
	if err != nil {
		return nil, nil, fmt.Errorf("find the office's folder %s: %w", dir, err)
	}
	text, err := readBounded(filepath.Join(folder, FileName))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, fmt.Errorf("%s has no %s; run bullpen init to get one: %w", folder, FileName, fs.ErrNotExist)
	}
	if err != nil {
		return nil, nil, err
	}
	vars, problems, err := loadEnv(filepath.Join(folder, EnvName))
	if err != nil {
		return nil, nil, err
	}
	s := &source{folder, text, lookup(vars, env), problems}
	cfg, err := s.config(text)
	return cfg, s, err
}

// config reads a text as the office.yaml of this folder.
func (s *source) config(text []byte) (*Config, error) {
	cfg, found := parse(text, officeID(s.dir), s.env)
	problems := append(slices.Clone(s.problems), found...)
	problems = append(problems, s.missingFolders(cfg)...)
	problems.sort()
	if problems.fatal() {
		return nil, &problems
	}
	cfg.Dir, cfg.Notices = s.dir, problems
	return cfg, nil
}

// lookup finds a variable in .env, then in the environment.
func lookup(vars map[string]string, env func(string) (string, bool)) func(string) (string, bool) {
	return func(name string) (string, bool) {
		if v, ok := vars[name]; ok {
			return v, true
		}
		if env == nil {
			return "", false
		}
		return env(name)
	}
}

// parse makes a Config of the text of office.yaml. It is a pure function; the
// Config is of use only if no problem is fatal.
func parse(text []byte, id string, env func(string) (string, bool)) (*Config, Problems) {
	c := &checker{env: env}
	root := c.read(text)
	if root == nil {
		return nil, c.problems
	}
	c.check(root, &schema)
	cfg := c.config(root, id)
	c.problems.sort()
	return cfg, c.problems
}

// readBounded reads a file of at most maxFile bytes; one byte more tells the
// reader of the text that it is longer.
func readBounded(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("open the configuration: %w", err)
	}
	defer f.Close() //nolint:errcheck // nothing was written
	text, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return nil, fmt.Errorf("read the configuration: %w", err)
	}
	return text, nil
}

// officeID is the storage key of the office in dir: the folder's name, made of
// a-z, 0-9, _ and -, whatever the folder is called.
func officeID(dir string) string {
	id := strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z', '0' <= r && r <= '9', r == '_', r == '-':
			return r
		case 'A' <= r && r <= 'Z':
			return r + 'a' - 'A'
		}
		return '-'
	}, filepath.Base(dir))
	if id = strings.Trim(id, "-_"); id == "" {
		return "office"
	}
	return id
}
