// Package office is the domain of Bullpen: one team of colleagues, its channels
// and mailboxes, who is woken by what, and what became of it.
//
// One process runs an office (see Store and its lease) and one goroutine of
// that process, the loop, decides everything in one order:
//
//	decide(state, request, now) -> outcome, changes    pure; the rules of the office live here and nowhere else
//	store.Commit(lease, batch)                         atomic and durable, or nothing
//	effects leave                                      answers, turns that start, watchers that wake
//
// A verb (Post, RecordReply, ...) hands a request to the loop and waits for its
// outcome. The loop takes all requests that wait, decides them one after
// another on the state that the one before left, and commits them as one
// batch, so that many writers share one fsync. Nothing leaves the process
// before the commit. Every method of Office may be called concurrently.
//
// The package knows no platform, no language model and no driver: a platform
// is reached through the messages that watchers see, a model through a Runner,
// a disk through a Store.
package office
