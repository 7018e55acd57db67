// Package slack is a stand-in for Slack, for tests, benchmarks and demonstrations: a server that
// speaks Slack's Web API over HTTP and its Socket Mode over a WebSocket well enough that the real
// client library (github.com/slack-go/slack) cannot tell the difference, that refuses what Slack
// refuses, and that misbehaves the way Slack and networks do when it is asked to.
//
// A test starts a [Server] with a [Workspace], points its client at [Server.APIURL], acts as the
// people of that workspace through [Server.User], and then looks at what a person would see
// ([Server.Transcript], [Server.Home]) or at what the client did ([Server.Calls],
// [Server.Deliveries]). It waits for a condition with [Server.WaitFor], never with a sleep.
//
// # Time and networks
//
// Everything that waits uses package time, and the server runs on any [net.Listener], so the whole
// of it works inside a testing/synctest bubble over a [memnet.Listener], where the minutes between two
// redeliveries cost nothing, as well as over loopback.
//
// # Where the facts come from
//
// Every refusal says in a comment where it is known from, in the grades of this project:
// D is Slack's own documentation (docs.slack.dev), L was read in the source of slack-go v0.35.0,
// P is what other projects report, K is general knowledge that nobody looked up. No fact of grade K
// decides anything unless a field of [Quirks] or [Options] switches it; what remains of grade K is
// wording and detail that a client does not branch on, and is marked where it stands.
//
// # Concurrency
//
// Every method may be called from any goroutine. One mutex guards the whole world; it is never held
// during network I/O. Each socket has a goroutine that reads, one that writes and one that pings;
// [Server.Close] ends and awaits all of them.
package slack
