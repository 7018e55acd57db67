package config

import (
	"slices"

	"bullpen/office"
)

// is says what a key's value must be.
type is int

const (
	anything  is = iota
	aLine        // text on one line
	aText        // text
	aCount       // a whole number from 1
	aPrice       // a decimal number from 0
	aMoney       // an amount of US dollars above 0
	aFlag        // true or false
	aDuration    // 30s, 1h30m
	aChoice      // one of field.choices
	aZone        // an IANA time zone
	aFolder      // of the machine; [source.config] looks whether it is there
	slackMember
	slackChannel
	appToken
	botToken
	telegramUser
	telegramChat
	telegramToken
	discordID
	discordChannel
	discordToken
	aSecret
	anAddress   // of an API
	safeAddress // the same, https or on this machine
	aList       // of field.each
	aBlock      // of field.fields
	aMap        // from names to field.each
)

// field is what the table says of one key.
type field struct {
	key     string
	is      is
	def     string   // what holds where the key is left out, as it would be written
	max     int      // of a text, in characters, or the largest count; 0 is the kind's own
	choices []string // of a choice
	later   []string // choices that are accepted, but mean nothing yet
	fields  []field  // of a block
	each    *field   // of a list or a map
	// ignored is why the value is not used; a notice says it.
	ignored string
	// names says what a value, or an item of a list, names; keys the same of the
	// keys of a map. A rename follows them.
	names, keys ref
	// alias is the key of the same block that this one is another name for.
	alias string
}

// ref says what a name in the file refers to.
type ref int

const (
	toNothing ref = iota
	toColleague
	toPerson
	toChannel
	toAudience // an entry of a wake list: @colleague, #channel, $level
)

// maxTokens bounds a day's tokens: what nobody reaches, yet counts exactly.
const maxTokens = 1_000_000_000_000

const notBuilt = "is not built yet; ignored"

// notYet is a key that has its meaning later.
func notYet(key string) field { return field{key: key, ignored: notBuilt} }

// schema is the table of every key of office.yaml. office.example.yaml shows the
// same keys, and a test compares the two.
var schema = field{is: aBlock, fields: []field{
	{key: "office", is: aBlock, fields: officeFields},
	{key: "people", is: aMap, keys: toPerson, each: &field{is: aBlock, fields: personFields}},
	{key: "adapters", is: aBlock, fields: []field{
		{key: "slack", is: aBlock, fields: slackFields},
		{key: "telegram", is: aBlock, fields: telegramFields},
		{key: "discord", is: aBlock, fields: discordFields},
	}},
	{key: "providers", is: aMap, each: &field{is: aBlock, fields: providerFields}},
	{key: "sandbox", is: aBlock, fields: []field{
		{key: "kind", is: aChoice, def: "local", choices: []string{"local"}},
		{key: "confine", is: aChoice, def: "on", choices: []string{"on", "off"}},
	}},
	{key: "agents", is: aMap, keys: toColleague, each: &field{is: aBlock, fields: agentFields}},
	{key: "store", is: aBlock, fields: []field{{key: "redis", is: aSecret}}},
	notYet("mcp"),
}}

var officeFields = []field{
	{key: "name", is: aLine, max: 80},
	{key: "description", is: aLine, max: 1024},
	{key: "timezone", is: aZone, def: "UTC"},
	{key: "owner", is: aLine, names: toPerson},
	{key: "front_desk", is: aLine, names: toColleague},
	{key: "channels", is: aMap, keys: toChannel, each: &field{is: aBlock, fields: channelFields}},
	{key: "limits", is: aBlock, fields: limitFields},
	{key: "boss", is: aBlock, fields: []field{
		{key: "model", is: aLine, def: demoModel},
		{key: "fallback", is: aList, each: &field{is: aLine}},
		{key: "people", is: aList, each: &field{is: aLine, names: toPerson}},
	}},
	envField, notYet("secrets"), notYet("cron"),
	{key: "idle_notice", is: aBlock, fields: []field{
		{key: "enabled", is: aFlag, def: "false"},
		{key: "channel", is: aLine, def: "general"},
		{key: "wake", is: aList, each: &field{is: aLine, names: toAudience}},
		{key: "text", is: aText, max: 2000},
	}},
	{key: "merge", is: aChoice, def: "conversation", choices: []string{"conversation", "all"}},
	{key: "dm_context", is: aChoice, def: "private", choices: []string{"private", "shared"}},
	{key: "role_permissions", is: aBlock, fields: []field{
		{key: "member", is: aChoice, def: "full", choices: presets},
		{key: "leader", is: aChoice, def: "full", choices: presets},
	}},
	{key: "ask_user_roles", is: aList, each: &field{is: aChoice, choices: []string{"member", "leader"}}},
}

// presets are the values of role_permissions.
var presets = []string{string(office.ReadOnly), string(office.AskBeforeChange), string(office.Full)}

var channelFields = []field{
	{key: "topic", is: aLine, max: 250},
	{key: "description", is: aLine, max: 250, alias: "topic"},
	{key: "members", is: aList, each: &field{is: aLine, names: toColleague}},
	{key: "reply", is: aChoice, choices: []string{"thread", "channel"}},
	{key: "threads", is: aChoice, def: "follow", choices: []string{"follow", "strict"}},
	{key: "default_wake", is: aList, each: &field{is: aLine, names: toAudience}},
	{key: "final_text", is: aChoice, choices: []string{"reply", "private"}},
}

var limitFields = []field{
	{key: "message", is: aCount, def: "16384"},
	{key: "max_concurrent_turns", is: aCount, def: "8"},
	{key: "max_depth", is: aCount, def: "8"},
	{key: "queue", is: aCount, def: "1000"},
	{key: "steps", is: aCount, def: "50"},
	{key: "attempts", is: aCount, def: "5"},
	{key: "turn_time", is: aDuration, def: "1h"},
	{key: "retention", is: aDuration, def: "2160h"},
	{key: "file_mb", is: aCount, def: "20", max: 2000},
	{key: "stuck_after", is: aDuration, def: "2m"},
	{key: "budget_per_day", is: aMoney, def: "20 USD"},
	{key: "colleague_budget_per_day", is: aMoney, def: "5 USD"},
	{key: "tokens_per_day", is: aCount, max: maxTokens},
	{key: "colleague_tokens_per_day", is: aCount, max: maxTokens},
	{key: "do_not_disturb_max", is: aDuration, def: "4h"},
	{key: "shutdown_grace", is: aDuration, def: "30s"},
}

var personFields = []field{
	{key: "name", is: aLine, max: 64},
	{key: "slack", is: slackMember},
	{key: "telegram", is: telegramUser},
	{key: "discord", is: discordID},
	{key: "admin", is: aFlag, def: "false"},
	{key: "mail", is: aList, each: &field{is: aChoice, choices: []string{"slack", "telegram", "discord"}}},
}

var slackFields = []field{
	{key: "app_token", is: appToken},
	{key: "bot_token", is: botToken},
	{key: "dm", is: aChoice, def: "pairing", choices: []string{"pairing", "allowlist", "open", "off"}},
	{key: "talk", is: aChoice, def: "members", choices: []string{"members", "allowlist"}},
	{key: "channels", is: aMap, keys: toChannel, each: &field{is: slackChannel}},
	{key: "auto_link", is: aFlag, def: "false"},
	{key: "stream", is: aFlag, def: "true"},
	{key: "api_url", is: safeAddress},
	{key: "pace", is: aChoice, def: "documented", choices: []string{"documented", "none"}},
}

var providerFields = []field{
	{key: "kind", is: aChoice, def: "openai", choices: []string{"openai"}},
	{key: "base_url", is: anAddress},
	{key: "api_key", is: aSecret},
	{key: "window", is: aCount},
	{key: "price", is: aBlock, fields: priceFields},
	{key: "prices", is: aMap, each: &field{is: aBlock, fields: slices.Clone(priceFields)}},
}

var priceFields = []field{
	{key: "input", is: aPrice},
	{key: "output", is: aPrice},
	{key: "cache_read", is: aPrice},
	{key: "cache_write", is: aPrice},
}

var agentFields = []field{
	{key: "description", is: aLine, max: 1024},
	{key: "role", is: aChoice, choices: []string{"member", "leader"}},
	{key: "model", is: aLine, def: demoModel},
	{key: "fallback", is: aList, each: &field{is: aLine}},
	{key: "thinking", is: aChoice, def: "off", choices: []string{"off", "minimal", "low", "medium", "high", "xhigh"}},
	{key: "priority", is: aChoice, def: "normal", choices: []string{
		"idle", "low", "normal", "high", "critical", "0", "1", "2", "3", "4",
	}},
	{key: "reports_to", is: aLine, names: toColleague},
	{key: "prompt_inline", is: aText, max: 100_000},
	{key: "permissions", is: aBlock, fields: []field{
		{key: "tools", is: aBlock, fields: []field{
			{key: "allow", is: aList, each: &field{is: aLine}},
			{key: "deny", is: aList, each: &field{is: aLine}},
		}},
		notYet("office_cron"),
	}},
	{key: "auth", ignored: "logging in to a provider is Agent Office's; ignored, a key comes from the provider's ${VAR}"},
	notYet("api_key_ref"), notYet("skills"), notYet("on_demand_skills"), notYet("secrets"),
	notYet("disclose_secrets"), notYet("cron"), notYet("heartbeat"), notYet("prompt_mode"),
	envField,
	{key: "cwd", is: aFolder, max: 4096},
	{key: "approve", is: aList, each: &field{is: aLine}},
	{key: "dm_context", is: aChoice, choices: []string{"private", "shared"}},
}

// fieldOf finds a key in a block of the table; nil if it has no such key.
func fieldOf(fields []field, key string) *field {
	for i := range fields {
		if fields[i].key == key {
			return &fields[i]
		}
	}
	return nil
}
