package config

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// bob is a colleague about whom there is nothing to say.
const bob = "agents: {bob: {model: demo}}\n"

// found lists what parsing a text finds, notices marked with a ~.
func found(text string) []string {
	_, problems := parse([]byte(text), "acme", known)
	var lines []string
	for _, p := range problems {
		line := strings.TrimPrefix(p.String(), "office.yaml:")
		if p.Notice {
			line = "~" + line
		}
		lines = append(lines, line)
	}
	return lines
}

// TestEveryMistakeIsToldWithItsPlaceAndMend writes problems without the file's
// name in front.
func TestEveryMistakeIsToldWithItsPlaceAndMend(t *testing.T) {
	t.Parallel()
	const emptyFile = "1:1: the file is empty; run bullpen init in an empty folder for an example"
	const lookAt = "; look at the colons, quotes and indentation of this line and the one before"
	tests := []struct {
		name, text string
		want       []string
	}{
		{"an empty file", "", []string{emptyFile}},
		{"comments only", "\n# x\n", []string{emptyFile}},
		{"an empty document", "---\n", []string{emptyFile}},
		{"a word", "hello", []string{"1:1: the file must be made of keys and values, not a single value; begin with `office:` and `agents:`"}},
		{"a list", "\n- a\n", []string{"2:1: the file must be made of keys and values, not a list; begin with `office:` and `agents:`"}},
		{"a byte order mark", "\uFEFF" + bob, []string{"~1:1: the file begins with a byte order mark; it is skipped; save the file as UTF-8 without one"}},
		{"another encoding", bob + "x: \xff\n", []string{"2:4: the file is not UTF-8; save it as UTF-8"}},
		{"a huge file", strings.Repeat("#", maxFile+1), []string{"1:1: the file is larger than 1 MiB; move long prompts elsewhere"}},
		{"two documents", bob + "---\nx: y\n", []string{"2:1: the file holds more than one document; remove the `---` and what follows it, or merge the two"}},
		{"tabs", "agents:\n  al:\n  \tmodel: demo\n", []string{"3:3: a tab is used to indent; YAML is indented with spaces"}},
		{"an open bracket", "agents:\n  bob: {model: demo\noffice: {}\n", []string{"2:3: this is not YAML: did not find expected ',' or '}'" + lookAt}},
		{"an open quote", "office:\n  name: 'x\n" + bob, []string{"2:3: this is not YAML: found unexpected end of stream" + lookAt}},
		{"wrong indentation", "agents:\n  bob:\n    model: demo\n   role: leader\n", []string{"4:4: this is not YAML: did not find expected key" + lookAt}},
		{"two colons", bob + "a: b: c\n", []string{"2:1: this is not YAML: mapping values are not allowed in this context" + lookAt}},
		{"an alias of nothing", "agents: *x\n", []string{"1:1: this is not YAML: unknown anchor 'x' referenced" + lookAt}},

		{"a misspelt block", "agentz:\n  bob: {model: demo}\n", []string{`1:1: agentz: there is no such key here; did you mean "agents"?`}},
		{"a misspelt key", "agents:\n  bob: {modle: demo}\n", []string{
			"~2:3: agents.bob: bob has no model; it uses demo, which is no language model; add model: provider:model-id",
			`2:9: agents.bob.modle: there is no such key here; did you mean "model"?`,
		}},
		{"an unheard-of key", "sandbox: {zzz: 1}\n" + bob, []string{"1:11: sandbox.zzz: there is no such key here; the keys here are kind, confine"}},
		{"a key twice", "agents:\n  bob: {model: demo}\n  bob: {model: demo}\n", []string{"3:3: agents.bob: this key is there twice, first on line 2; keep one of them"}},
		{"a key twice in a block that is ignored", "mcp: {a: 1, a: 2}\n" + bob, []string{
			"~1:1: mcp: mcp is not built yet; ignored",
			"1:13: mcp.a: this key is there twice, first on line 1; keep one of them",
		}},
		{"a list for a key", "agents: {bob: {model: demo}, ? [a] : b}\n", []string{
			"1:32: agents: a key must be one word, not a list or a block; quote it if it begins with [, {, * or ?",
		}},
		{"wrong types", "office: {name: [a], channels: {dev: {members: bob}, ops: 5}}\n" + bob, []string{
			"1:16: office.name: this must be a single value, not a list; write one value after the colon",
			`1:47: office.channels.dev.members: this must be a list, not a single value; put it in brackets: ["bob"]`,
			"1:58: office.channels.ops: this must be a block of keys, not a single value; write its keys below it, indented",
		}},
		{"a list of colleagues", "agents: [bob]\n", []string{"1:9: agents: this must be a block of keys, not a list; write a name and a colon before each"}},
		{"no colleagues", "office: {}\nagents:\n", []string{"2:1: agents: the office has no colleague; write a name and a colon below agents:, indented"}},
		{"no agents", "office: {}\n", []string{"1:1: agents: the office has no colleague; write a name and a colon below agents:, indented"}},

		{"bad limits", "office: {limits: {steps: -3, queue: 0, message: 1.5, attempts: 010, max_depth: 99999999999, turn_time: -5s, shutdown_grace: 30}}\n" + bob, []string{
			`1:26: office.limits.steps: "-3" is negative; write a whole number from 1`,
			`1:37: office.limits.queue: 0 would let nothing happen; write a whole number from 1, or leave the key out for the default`,
			`1:49: office.limits.message: "1.5" is not a whole number; write digits only`,
			`1:64: office.limits.attempts: "010" begins with 0, which YAML may read as another number; leave the 0 out`,
			`1:80: office.limits.max_depth: "99999999999" is too large; write a smaller number`,
			`1:104: office.limits.turn_time: "-5s" is negative; write a duration above zero, like 30s`,
			`1:125: office.limits.shutdown_grace: "30" is not a duration; write a number and its unit, like 30s, 10m or 1h30m`,
		}},
		{"a bad time zone", "office: {timezone: Mars/Phobos}\n" + bob, []string{`1:20: office.timezone: "Mars/Phobos" is not a time zone; write an IANA name, like Europe/Berlin, or UTC`}},
		{"text that turns round", "office: {name: \"a\u202eb\"}\n" + bob, []string{"1:16: office.name: the text holds the invisible character U+202E; remove it"}},
		{"a long topic", "office: {channels: {dev: {topic: " + strings.Repeat("x", 251) + "}}}\n" + bob, []string{"1:34: office.channels.dev.topic: the text is longer than 250 characters; shorten it"}},

		{"bad names", "agents: {office: {model: demo}, $x: {model: demo}, leader: {model: demo}}\n", []string{
			`1:10: agents.office: the name "office" cannot be used: it is reserved`,
			`1:33: agents."$x": the name "$x" cannot be used: only letters, marks, digits, _, -, . and single inner spaces are allowed`,
			`1:52: agents.leader: the name "leader" cannot be used: it is a level ($leader)`,
		}},
		{"names that clash", "agents:\n  Straße: {model: demo}\n  STRASSE: {model: demo}\n", []string{
			`3:3: agents.STRASSE: the name is that of the colleague on line 2, "Straße"; choose another: capitals make no difference`,
		}},
		{"a person named like a colleague", "people: {kim: {name: Bob}, BOB: {}, ed: {name: system}}\n" + bob, []string{
			`1:22: people.kim.name: the name is that of the colleague "bob"; rename one of them`,
			`1:28: people.BOB: the name is that of the colleague "bob"; rename one of them`,
			`1:48: people.ed.name: the name "system" is kept for the office; choose another`,
		}},
		{"channels that cannot be", "office: {channels: {mailbox: {}, member: {}, dev: {}, Dev: {}}}\n" + bob, []string{
			`1:21: office.channels.mailbox: the channel name "mailbox" cannot be used: mailbox and dm-… are kept for mailboxes and direct channels`,
			`1:34: office.channels.member: the channel name "member" cannot be used: it is a level, written $member`,
			`1:55: office.channels.Dev: the name is that of the channel on line 1, "dev"; choose another: capitals make no difference`,
		}},
		{"columns count characters", "agents: {张三: {model: demo}, 李: {model: demo, role: boss}}\n", []string{
			`1:52: agents.李.role: "boss" is not a choice here; write member or leader`,
		}},

		{"roles that ask nobody", "office: {ask_user_roles: [leader, boss]}\n" + bob, []string{
			`1:35: office.ask_user_roles[1]: "boss" is not a choice here; write member or leader`,
		}},
		{"a boss for nobody", "office: {boss: {people: [kim], model: demo}}\npeople: {maria: }\n" + bob, []string{
			`1:26: office.boss.people[0]: no person is called "kim"; there is maria`,
		}},
		{"unknown people", "office: {owner: kin, front_desk: bobb, channels: {dev: {members: [al, bob]}}}\npeople: {kim: }\n" + bob, []string{
			`1:17: office.owner: no person is called "kin"; did you mean "kim"?`,
			`1:34: office.front_desk: no colleague is called "bobb"; did you mean "bob"?`,
			`1:67: office.channels.dev.members[0]: no colleague is called "al"; there is bob`,
		}},
		{"an unknown manager", "agents: {lead: {model: demo}, al: {model: demo, reports_to: laed}}\n", []string{
			`1:61: agents.al.reports_to: no colleague is called "laed"; did you mean "lead"?`,
		}},
		{"itself as manager", "agents: {al: {model: demo, reports_to: Al}}\n", []string{
			"1:40: agents.al.reports_to: al cannot report to itself; leave reports_to out for who reports to the owner",
		}},
		{"circles", "agents: {a: {reports_to: c, model: demo}, b: {reports_to: c, model: demo}, c: {reports_to: d, model: demo}, d: {reports_to: b, model: demo}}\n", []string{
			"1:59: agents.b.reports_to: nobody leads this circle: b reports to c, who reports to d, who reports to b; leave reports_to out for one of them",
		}},
		{"a colleague with mistakes is still there", "agents: {al: {modle: demo, model: demo}, bob: {model: demo, reports_to: al}}\n", []string{
			`1:15: agents.al.modle: there is no such key here; did you mean "model"?`,
		}},
		{"a misspelt level", "agents: {bob: {model: demo, role: leeder}}\n", []string{`1:35: agents.bob.role: "leeder" is not a choice here; did you mean "leader"?`}},
		{"wakes that reach nobody", "office: {channels: {dev: {default_wake: [bob, \"$leeder\"]}, ops: {default_wake: [\"$leader\", \"@bob\"]}}}\n" + bob, []string{
			`1:42: office.channels.dev.default_wake[0]: "bob" has no sign: write @bob`,
			`1:47: office.channels.dev.default_wake[1]: "$leeder" names nobody; the nearest names are $leader, $member; name a colleague or a person (@name, @user for the owner), a level ($member, $leader) or a channel (#name)`,
			"1:80: office.channels.ops.default_wake: $leader and @bob cannot be combined: write either $leader or @bob",
		}},
		{"a topic twice", "office: {channels: {dev: {topic: a, description: b}}}\n" + bob, []string{
			"1:50: office.channels.dev.description: description is another name for topic, and both are there; keep topic",
		}},

		{"bad models", "agents:\n  bob: {model: gpt-5}\n  al: {model: 'opnai:gpt-5', fallback: ['x:', 'anthropic:c', 'y:z']}\n", []string{
			`2:16: agents.bob.model: "gpt-5" is not a model; write provider:model-id, like openai:gpt-5, or demo`,
			`3:15: agents.al.model: no provider is called "opnai"; did you mean "openai"? Else declare it under providers with its base_url`,
			`3:41: agents.al.fallback[0]: "x:" does not name a model; write provider:model-id without spaces`,
			"~3:47: agents.al.fallback[1]: the provider anthropic is not built yet; this fallback is ignored",
			`3:62: agents.al.fallback[2]: no provider is called "y"; declare it under providers with its base_url`,
		}},
		{"bad providers", "providers: {demo: {}, Groq: {}, x: {}, y: {base_url: 'http://api.example.com', api_key: '${GROQ_API_KEY}', price: {input: -1}}, z: {base_url: 'ftp://x', kind: gemini}}\n" + bob, []string{
			"1:13: providers.demo: demo is built in and cannot be another",
			`1:23: providers.Groq: the provider's name "Groq" must be made of a-z, 0-9, _ and -`,
			"1:33: providers.x: base_url is missing; add the address of its API, like http://127.0.0.1:11434/v1",
			`1:54: providers.y.base_url: "http://api.example.com" would carry a secret unencrypted; write https, or a loopback address`,
			"1:115: providers.y.price: output is missing; give input and output, in US dollars per million tokens",
			`1:123: providers.y.price.input: "-1" is not a price; write US dollars per million tokens, like 1.25`,
			`1:143: providers.z.base_url: "ftp://x" is not the address of an API; write one like https://api.example.com/v1`,
			`1:160: providers.z.kind: "gemini" is not a choice here; write openai`,
		}},
		{"bad money", "office: {limits: {budget_per_day: 5 EUR, colleague_budget_per_day: 0 USD}}\nproviders: {x: {base_url: 'http://127.0.0.1:1', prices: {m: {input: 0.0000001, output: 2}}}}\n" + bob, []string{
			`1:35: office.limits.budget_per_day: "5 EUR" is not an amount of money; write US dollars below a million, like 20 USD`,
			"1:68: office.limits.colleague_budget_per_day: 0 would let nothing happen; write an amount above 0, like 20 USD, or leave the key out for the default",
			`2:69: providers.x.prices.m.input: "0.0000001" has more than six decimals; write US dollars per million tokens, like 1.25`,
		}},
		{"bad tools", "agents: {a: {model: demo, permissions: {tools: {allow: [bash], deny: [ls]}}}, b: {model: demo, permissions: {tools: {deny: [bahs]}}}, c: {model: demo, permissions: {tools: {allow: []}}}}\n", []string{
			"1:70: agents.a.permissions.tools.deny: allow and deny stand side by side; keep one: allow gives only what it lists, deny all but what it lists",
			`1:125: agents.b.permissions.tools.deny[0]: no tool is called "bahs"; did you mean "bash"?`,
			"1:181: agents.c.permissions.tools.allow: allow lists no tool; list at least one, or leave allow out for all that the role holds",
		}},
		{"another sandbox", "sandbox: {kind: docker}\n" + bob, []string{`1:17: sandbox.kind: "docker" is not a choice here; write local`}},
		{"mail on no platform", "people: {kim: {mail: [slack, discord, slak]}}\n" + bob, []string{
			`1:39: people.kim.mail[2]: "slak" is not a choice here; did you mean "slack"?`,
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, found(tt.text)); diff != "" {
				t.Errorf("problems (-want +got):\n%s", diff)
			}
		})
	}
}

func TestEverySlackMistakeIsToldWithItsPlaceAndMend(t *testing.T) {
	t.Parallel()
	const tokens = `app_token: "${SLACK_APP_TOKEN}", bot_token: "${SLACK_BOT_TOKEN}"`
	tests := []struct {
		name, text string
		want       []string
	}{
		{"no tokens", "adapters:\n  slack:\n" + bob, []string{
			`2:3: adapters.slack: app_token is missing; add app_token: "${SLACK_APP_TOKEN}"`,
			`2:3: adapters.slack: bot_token is missing; add bot_token: "${SLACK_BOT_TOKEN}"`,
		}},
		{"tokens that changed places", "adapters:\n  slack:\n    app_token: ${SLACK_BOT_TOKEN}\n    bot_token: ${SLACK_APP_TOKEN}\n" + bob, []string{
			"3:16: adapters.slack.app_token: ${SLACK_BOT_TOKEN} is a bot token (xoxb-…), and this must be an app token (xapp-…); take it from the app's page: Basic Information, App-Level Tokens, with the scope connections:write",
			"4:16: adapters.slack.bot_token: ${SLACK_APP_TOKEN} is an app token (xapp-…), and this must be a bot token (xoxb-…); take it from the app's page: OAuth & Permissions, Bot User OAuth Token",
		}},
		{"something else", "adapters: {slack: {app_token: \"${GROQ_API_KEY}\", bot_token: \"${EMPTY}\"}}\n" + bob, []string{
			"1:31: adapters.slack.app_token: ${GROQ_API_KEY} is no Slack token, and this must be an app token (xapp-…); take it from the app's page: Basic Information, App-Level Tokens, with the scope connections:write",
			"1:61: adapters.slack.bot_token: ${EMPTY} is empty; give EMPTY a value in the file .env beside this one, or in the environment",
		}},
		{"literal and missing", "adapters: {slack: {app_token: xapp-123, bot_token: \"${NOPE}\"}}\n" + bob, []string{
			`1:31: adapters.slack.app_token: a secret may not stand in this file (what is here is not shown); put SLACK_APP_TOKEN=… into the file .env beside this one and write "${SLACK_APP_TOKEN}" here`,
			"1:52: adapters.slack.bot_token: ${NOPE} is not set; put NOPE=… into the file .env beside this one, or into the environment",
		}},
		{"channels", "office: {channels: {dev: {}, ops: {}}}\nadapters:\n  slack: {" + tokens + ", channels: {dve: C012ABC, dev: dev, general: C0AAA, ops: C0AAA, Ops: }}\n" + bob, []string{
			`3:88: adapters.slack.channels.dve: no channel of the office has this name; did you mean "dev"?`,
			`3:107: adapters.slack.channels.dev: "dev" is not a Slack channel; write its id, like C012ABC, or its name in quotes, like "#dev"`,
			"3:133: adapters.slack.channels.ops: this Slack channel is linked to general already; link each channel once",
			`3:140: adapters.slack.channels.Ops: the Slack channel is missing; write its id, like C012ABC, or its name in quotes, like "#dev"`,
		}},
		{"an address that is not safe", "adapters:\n  slack: {" + tokens + ", api_url: \"http://slack.example/api/\"}\n" + bob, []string{
			`2:86: adapters.slack.api_url: "http://slack.example/api/" would carry a secret unencrypted; write https, or a loopback address`,
		}},
		{"no pace where others have to keep one", "adapters:\n  slack: {" + tokens + ", pace: none}\n" + bob, []string{
			`2:83: adapters.slack.pace: pace: none is for a server of your own on this machine; name its api_url, or write pace: documented`,
		}},
		{"words", "adapters:\n  slack: {" + tokens + ", dm: paring, auto_link: yes}\n" + bob, []string{
			`2:81: adapters.slack.dm: "paring" is not a choice here; did you mean "pairing"?`,
			`2:100: adapters.slack.auto_link: "yes" is neither true nor false; write true or false`,
		}},
		{"one account, two people", "people: {kim: {slack: U012ABC}, ed: {slack: U012ABC}}\n" + bob, []string{
			"1:45: people.ed.slack: this Slack account is kim's already; one account belongs to one person",
		}},
		{"Telegram without a token", "adapters:\n  telegram:\n" + bob, []string{`2:3: adapters.telegram: token is missing; add token: "${TELEGRAM_TOKEN}"`}},
		{"Telegram's mistakes", "adapters: {telegram: {token: \"${GROQ_API_KEY}\", channels: {general: \"#general\", nope: -1}}}\npeople: {al: {telegram: 5}, ed: {telegram: 5}}\n" + bob, []string{
			"1:30: adapters.telegram.token: ${GROQ_API_KEY} is no token of a Telegram bot; take it from BotFather: /mybots, the bot, API Token",
			`1:69: adapters.telegram.channels.general: "#general" is not a chat of Telegram's; write its id, like -1001234567890, or a topic's, like -1001234567890/7; the bot tells it where it is mentioned`,
			`1:81: adapters.telegram.channels.nope: no channel of the office has this name; there is general`,
			"2:44: people.ed.telegram: this Telegram account is al's already; one account belongs to one person",
		}},
		{"Discord without a token", "adapters:\n  discord:\n" + bob, []string{`2:3: adapters.discord: token is missing; add token: "${DISCORD_TOKEN}"`}},
		{"Discord's mistakes", "adapters: {discord: {token: \"${GROQ_API_KEY}\", channels: {general: general, nope: \"#a\"}}}\npeople: {al: {discord: 203948571029384756}, ed: {discord: 203948571029384756}}\n" + bob, []string{
			"1:29: adapters.discord.token: ${GROQ_API_KEY} is no token of a Discord bot; take it from the application's page: Bot, Reset Token",
			`1:68: adapters.discord.channels.general: "general" is not a channel of Discord's; write its id, in quotes, or its name, like "#dev"`,
			`1:77: adapters.discord.channels.nope: no channel of the office has this name; there is general`,
			"2:59: people.ed.discord: this Discord account is al's already; one account belongs to one person",
		}},
		{"a shell for everybody", "sandbox: {confine: off}\nadapters:\n  slack: {" + tokens + "}\n" + bob, []string{
			"1:20: sandbox.confine: confine: off lets whoever talks to the office run commands on this machine, and adapters.slack.talk is members; write confine: on, or let nobody but the owner in",
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, found(tt.text)); diff != "" {
				t.Errorf("problems (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAFileWithFiveMistakesReportsFive(t *testing.T) {
	t.Parallel()
	dir := folder(t, map[string]string{FileName: `office:
  timezone: Berlin
  limits: {steps: many}
agents:
  coder: {model: demo, reports_to: laed}
  lead: {model: demo, thinking: hard}
  lead: {model: demo}
`})
	_, err := Load(dir, known)
	var problems *Problems
	if !errors.As(err, &problems) {
		t.Fatalf("err = %v, want *Problems", err)
	}
	want := `office.yaml:2:13: office.timezone: "Berlin" is not a time zone; write an IANA name, like Europe/Berlin, or UTC
office.yaml:3:19: office.limits.steps: "many" is not a whole number; write digits only
office.yaml:5:36: agents.coder.reports_to: no colleague is called "laed"; did you mean "lead"?
office.yaml:6:33: agents.lead.thinking: "hard" is not a choice here; write off, minimal, low, medium, high or xhigh
office.yaml:7:3: agents.lead: this key is there twice, first on line 6; keep one of them`
	if diff := cmp.Diff(want, err.Error()); diff != "" {
		t.Errorf("error (-want +got):\n%s", diff)
	}
	if len(*problems) != 5 {
		t.Errorf("%d problems, want 5", len(*problems))
	}
}

func TestAliasesCannotExplode(t *testing.T) {
	t.Parallel()
	var bomb strings.Builder
	bomb.WriteString("a0: &a0 [x, x, x, x, x, x, x, x, x]\n")
	for i := 1; i < 10; i++ {
		fmt.Fprintf(&bomb, "a%d: &a%d [%s*a%d]\n", i, i, strings.Repeat(fmt.Sprintf("*a%d, ", i-1), 8), i-1)
	}
	tests := []struct{ name, text, want string }{
		{"many", bomb.String(), "the file holds too many values once its aliases are followed; write them out, or use fewer"},
		{"itself", "agents: &a {bob: *a}\n", "the alias *a stands inside what it stands for; write it out"},
		{"deep", "mcp: " + strings.Repeat("[", 500) + strings.Repeat("]", 500) + "\n", "this is nested too deeply; an office needs a few levels only"},
		{"a merge of nothing", "agents: {bob: {<<: 5, model: demo}}\n", "<< merges blocks of keys, and this is a single value; give it an alias of a block"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := strings.Join(found(tt.text), "\n"); !strings.Contains(got, tt.want) {
				t.Errorf("problems:\n%s\nwant one with %q", got, tt.want)
			}
		})
	}
}

func TestAnErrorOfManyProblemsIsBounded(t *testing.T) {
	t.Parallel()
	_, err := Load(folder(t, map[string]string{FileName: bob + strings.Repeat("x: 1\n", 150)}), nil)
	lines := strings.Split(err.Error(), "\n")
	if len(lines) != 101 || lines[100] != "and 50 more" {
		t.Errorf("%d lines, the last is %q", len(lines), lines[len(lines)-1])
	}
}
