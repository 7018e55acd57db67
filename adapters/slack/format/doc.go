// Package format translates between the office's text and Slack's.
//
// Out: [Plan] turns what a colleague wrote into messages of rich_text and table blocks, each with an
// mrkdwn text for notifications and screen readers. In: [Decode] turns the text of an event into plain
// text and the places where it mentions somebody.
//
// Nothing that somebody wrote can ping: all text is escaped before it leaves, and only mentions that the
// office resolved itself, with an id of Slack's form, become "<@U…>" or a user element. There is no way
// to write a broadcast or a user group.
//
// Everything here is a pure function without a client; the numbers are in limits.go.
package format
