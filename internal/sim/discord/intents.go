package discord

// Intent is a set of gateway intents (D: events/gateway, list of intents).
type Intent int

// The intents that decide something here.
const (
	IntentGuilds         Intent = 1 << 0
	IntentGuildMembers   Intent = 1 << 1 // privileged
	IntentGuildWebhooks  Intent = 1 << 5
	IntentPresences      Intent = 1 << 8 // privileged
	IntentGuildMessages  Intent = 1 << 9
	IntentGuildReactions Intent = 1 << 10
	IntentGuildTyping    Intent = 1 << 11
	IntentDMs            Intent = 1 << 12
	IntentDMReactions    Intent = 1 << 13
	IntentDMTyping       Intent = 1 << 14
	IntentMessageContent Intent = 1 << 15 // privileged
)

// privileged intents must be switched on in the developer portal (D: events/gateway, privileged intents).
const privileged = IntentGuildMembers | IntentPresences | IntentMessageContent

// knownIntents are the bits that exist; another is 4013 (D: events/gateway, list of intents).
const knownIntents Intent = 1<<17 - 1 | 1<<20 | 1<<21 | 1<<24 | 1<<25
