package config

// toolNames are the tools that a colleague can be given or denied. A tool that
// is not built yet may be named already: a denial then holds from its first day.
var toolNames = []string{
	"office_post", "office_dm", "office_read", "office_read_notifications", "office_colleagues", "office_channels",
	"office_do_not_disturb", "office_pause", "office_interrupt", "office_compact", "office_configure",
	"office_channel_create", "office_channel_delete", "office_channel_members",
	"office_hire", "office_adopt", "office_dismiss", "office_rename", "office_roster", "office_list",
	"ask_user", "send_file",
	"read", "write", "edit", "ls", "find", "grep", "bash", "read_agent_file",
	"task_create", "task_update", "task_list", "task_get", "task_delete", "task_complete", "task_reopen",
	"cron_add", "cron_remove", "cron_list",
	"read_skill", "skill_search", "skill_install", "skill_remove", "skill_create",
	"authenticated_fetch", "web_fetch",
	"agent_start", "agent_input", "agent_list", "agent_stop",
}

// upstreamTools gives our name for each tool of Agent Office that has another.
var upstreamTools = map[string]string{
	"message_agent": "office_dm",
	"message_user":  "office_dm",
	"post_channel":  "office_post",
	"list_agents":   "office_colleagues",
	"list_channels": "office_channels",
	"read_channel":  "office_read",
	"read_file":     "read",
	"write_file":    "write",
	"edit_file":     "edit",
}
