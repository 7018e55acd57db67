// Package discord is a stand-in for Discord, for tests and demonstrations: a server that speaks Discord's
// REST API (v9 and v10) over HTTP and its gateway over a WebSocket well enough that a real client library
// cannot tell the difference, that refuses what Discord refuses, and that misbehaves the way Discord and
// networks do when it is asked to.
//
// A test starts a [Server] with users and guilds, points its client at [Server.APIURL], acts as the people
// through [Server.User], and then looks at what a person would see ([Server.Transcript]) or at what the
// client did ([Server.Calls], [Server.Sessions]). It waits for a condition with [Server.WaitFor], never
// with a sleep. Everything that waits uses package time and the server runs on any [net.Listener], so that
// it works in a testing/synctest bubble over a memnet listener as well as over loopback.
//
// In a bubble discordgo's Session.Close must not be called while its reader lives: it sleeps for a second
// with a lock held that the reader then waits for, and a bubble's clock stands while somebody waits for a
// mutex. Cut the connection (below it, or by [Server.DropGateway]), and the reader closes by itself.
//
// Ids are snowflakes of the server's clock. Before 2015, as in a bubble, that clock is moved so that the
// server starts a day after Discord's epoch; timestamps are the true ones.
//
// # Where the facts come from
//
// Every refusal says where it is known from: D is Discord's documentation, with its path below
// developers/ in the repository discord/discord-api-docs (where "opcodes" stands for
// topics/opcodes-and-status-codes, which lists every error code and close code); L was read in the source
// of discordgo v0.29.0; K is general knowledge that nobody looked up, which is mostly the HTTP status that
// goes with an error code, and wording.
//
// Not built: voice, polls, stickers, pins, crossposts, bulk deletion, automatic moderation, user and message
// commands at the person's side, selects of users, roles and channels there, the request for guild members
// at the gateway, and more than one shard.
//
// # Concurrency
//
// Every method may be called from any goroutine. One mutex guards the whole world; it is never held
// during network I/O.
package discord
