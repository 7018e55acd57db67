package slack_test

// scopes are the rights of the bot that adapters/slack uses, and for what. The
// rights that a method or an event wants are on its page in docs.slack.dev.
var scopes = map[string]string{
	"app_mentions:read":    "the event app_mention",
	"assistant:write":      "being an agent, whose work people can stop by a button",
	"channels:history":     "messages of public channels, and reading them back after a gap",
	"channels:read":        "which public channels the bot is in, and what becomes of them",
	"chat:write":           "chat.postMessage, chat.postEphemeral and chat.update",
	"chat:write.customize": "posting under a colleague's name",
	"commands":             "/office",
	"files:read":           "files.info, and reading what people send",
	"files:write":          "what colleagues send",
	"groups:history":       "messages of private channels, and reading them back after a gap",
	"groups:read":          "which private channels the bot is in, and what becomes of them",
	"im:history":           "direct messages to the bot, and reading them back after a gap",
	"im:write":             "conversations.open, so that mail can reach a person",
	"mpim:history":         "direct talks of several people, and reading them back after a gap",
	"mpim:read":            "which of them the bot is in",
	"reactions:write":      "the eyes on a message that somebody reads",
	"users:read":           "users.info: names, and who is a guest",
}

// events are those that adapters/slack acts on, each with the rights that Slack
// wants for it.
var events = map[string][]string{
	"agent_session_stopped": {},
	"app_home_opened":       {},
	"app_mention":           {"app_mentions:read"},
	"channel_archive":       {"channels:read"},
	"channel_deleted":       {"channels:read"},
	"channel_left":          {"channels:read"},
	"channel_rename":        {"channels:read"},
	"channel_unarchive":     {"channels:read"},
	"group_archive":         {"groups:read"},
	"group_deleted":         {"groups:read"},
	"group_left":            {"groups:read"},
	"group_rename":          {"groups:read"},
	"group_unarchive":       {"groups:read"},
	"member_joined_channel": {"channels:read", "groups:read"},
	"message.channels":      {"channels:history"},
	"message.groups":        {"groups:history"},
	"message.im":            {"im:history"},
	"message.mpim":          {"mpim:history"},
}

// settings are the other values that decide whether the office works at all.
var settings = map[string]string{
	"features.app_home.messages_tab_enabled":           "true",
	"features.app_home.messages_tab_read_only_enabled": "false",
	"features.slash_commands.command":                  "/office",
	"features.slash_commands.should_escape":            "true",
	"settings.interactivity.is_enabled":                "true",
	"settings.org_deploy_enabled":                      "false",
	"settings.socket_mode_enabled":                     "true",
	"settings.token_rotation_enabled":                  "false",
}

// longest are Slack's limits for texts of the manifest, in characters
// (docs.slack.dev, reference/app-manifest).
var longest = map[string]int{
	"display_information.name":              35,
	"features.agent_view.agent_description": 300,
	"display_information.description":       140,
	"features.bot_user.display_name":        80,
	"features.slash_commands.command":       32,
	"features.slash_commands.description":   2000,
	"features.slash_commands.usage_hint":    1000,
}
