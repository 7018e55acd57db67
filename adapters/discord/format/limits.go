package format

// Discord's limits for a message (docs.discord.com/developers, the pages named with each).
const (
	// MaxText is the length of a message's content in characters (resources/message, create message).
	// Counted here in UTF-16 units, the larger of the ways to count.
	MaxText = 2000
	// MaxName is the length of a webhook's name in characters (resources/webhook, create webhook).
	MaxName = 80
	// MaxThreadName is the length of a thread's name in characters (resources/channel, channel object).
	MaxThreadName = 100
	// MaxLabel is the length of a button's label, MaxCustomID that of what it sends
	// (components/reference, button).
	MaxLabel, MaxCustomID = 80, 100
	// MaxMentions is how many ids one list of allowed_mentions may have (resources/message, allowed mentions).
	MaxMentions = 100
)

// maxHeading is the deepest heading that Discord shows as one.
const maxHeading = 3
