// Package telegram is a stand-in for Telegram's Bot API, for tests and demonstrations: a server to which
// a bot's real client code talks over HTTP, that refuses what Telegram refuses, and that misbehaves the
// way Telegram and networks do when it is asked to.
//
// A test starts a [Server] with people and groups, points its client at [Server.APIURL], acts as the
// people through [Server.User], and then looks at what a person would see ([Server.Transcript]) or at
// what the client did ([Server.Calls]). It waits for a condition with [Server.WaitFor], never with a
// sleep. Everything that waits uses package time and the server runs on any [net.Listener], so that it
// works in a testing/synctest bubble over a [memnet.Listener] as well as over loopback.
//
// # Where the facts come from
//
// Every refusal says where it is known from: D is Telegram's documentation
// (core.telegram.org/bots/api and /bots/faq), P is what other projects report, K is general knowledge
// that nobody looked up; what is of grade K is wording, or is stricter here than there.
//
// # Concurrency
//
// Every method may be called from any goroutine. One mutex guards the whole world; it is never held
// during network I/O.
package telegram
