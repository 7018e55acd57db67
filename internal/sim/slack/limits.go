package slack

import "time"

// The sizes that Slack documents (grade D: docs.slack.dev, chat.postMessage, Block Kit reference,
// Web API rate limits). Text is counted in characters, which is to say in code points.
const (
	maxText          = 40_000 // text beyond this is cut, not refused
	maxMarkdown      = 12_000 // markdown_text, and all markdown blocks of a message together
	maxMessageBlocks = 50
	maxViewBlocks    = 100
	maxSectionText   = 3_000
	maxFields        = 10
	maxFieldText     = 2_000
	maxHeaderText    = 150
	maxContextItems  = 10
	maxActionItems   = 25
	maxButtonText    = 75
	maxButtonValue   = 2_000
	maxURL           = 3_000
	maxID            = 255 // action_id and block_id
	maxAltText       = 2_000
	maxTableRows     = 100
	maxTableColumns  = 20
	maxTableText     = 10_000 // of all cells of all tables of a message
	maxAttachments   = 100

	maxSockets         = 10        // per app (D: using Socket Mode)
	maxAckBytes        = 20 * 1024 // an ack of this size or more is dropped silently (L: socketmode.go)
	maxResponseURLUses = 5         // within responseURLLife (D: handling user interaction)
	maxCommandName     = 32
	maxDMUsers         = 8 // people in a group DM beside the caller (D: conversations.open)

	defaultHistoryLimit = 100
	maxHistoryLimit     = 999
	defaultListLimit    = 100
	maxListLimit        = 1_000
	defaultReplyLimit   = 1_000
)

// The times that Slack documents, and those of this server that stand in for what it keeps to
// itself.
const (
	defaultAckTimeout     = 3 * time.Second      // D: Events API
	responseURLLife       = 30 * time.Minute     // D: handling user interaction
	warningAhead          = 10 * time.Second     // D: a disconnect of reason "warning" comes this much earlier
	defaultConnectionTime = 18_060 * time.Second // K: what hello announces; nothing acts on it
	debugConnectionTime   = 360 * time.Second    // L: slack.Client with debug asks for debug_reconnects
	defaultPingInterval   = 5 * time.Second      // well under the client's 30 s (L: defaultMaxPingInterval)
	maxLogged             = 20_000               // calls and deliveries kept for assertions
	maxBody               = 8 << 20              // bytes of a request that are read
)

// defaultRetryDelays is when an event is delivered again: "nearly immediately", after a minute, after
// five minutes (D: Events API). That the first is about a second was seen by others
// (P: slackapi/bolt-js issue 2487).
var defaultRetryDelays = []time.Duration{time.Second, time.Minute, 5 * time.Minute}

// DefaultScopes are the bot scopes of a server started without Options.Scopes: those that the app
// manifest of a text-first bot asks for. A new slice each time.
func DefaultScopes() []string {
	return []string{
		"app_mentions:read", "assistant:write", "channels:history", "channels:read", "chat:write", "chat:write.customize",
		"commands", "files:read", "files:write", "groups:history", "groups:read", "im:history", "im:read", "im:write",
		"mpim:history", "mpim:read", "mpim:write", "reactions:read", "reactions:write", "users:read",
	}
}
