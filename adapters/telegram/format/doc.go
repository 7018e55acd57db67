// Package format translates between the office's text and Telegram's.
//
// Out: [Write] turns a document into a text and its entities. There is no markup in it, so nothing that
// somebody wrote can be taken for some, and Telegram has nothing to refuse. In: [Decode] turns the text
// and the entities of a message into plain text and the places where it mentions somebody.
//
// Telegram counts in UTF-16 code units, in lengths as in the positions of entities
// (core.telegram.org/bots/api#messageentity). Everything here is a pure function without a client.
package format
