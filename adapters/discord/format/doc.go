// Package format translates between the office's text and Discord's Markdown.
//
// Out: [Write] turns what a colleague wrote into the dialect that Discord shows: tables become code,
// deep headings bold lines, tasks boxes, and everything that Discord would read as markup and is none is
// escaped. In: [Decode] turns the content of a message into plain text and the places where it mentions
// somebody.
//
// What somebody wrote can form no mention: "<@", "<@&" and "<#" are escaped, and only mentions that the
// office resolved itself become native ones. That nobody pings everyone is not left to the text, but to
// allowed_mentions, which goes with every message.
//
// Everything here is a pure function without a client; the numbers are in limits.go.
package format
