// Package discord is the office's place on a Discord server: it takes in what
// people write in linked channels, their threads and posts, and in direct
// messages, and shows what colleagues say there under their own names.
//
// The gateway redelivers nothing to us: each connection is a new session, and
// what was said while none was open is read back from the channels' histories
// before anything newer is taken in. While the office cannot keep anything the
// connection is closed. A colleague speaks through one webhook per channel, or,
// where that cannot be had, through the bot with its name in front. What the bot
// itself posts carries a nonce, what a webhook posts is looked up by its author,
// text and time, so that a post whose answer was lost is not repeated.
//
// A thread of Discord's is a thread of its channel here: its id is that of the
// message it began with, or, for a post in a forum, of the post's first message.
//
// Facts about Discord are from discord/discord-api-docs; where one decides
// something, the place that relies on it names the page.
package discord
