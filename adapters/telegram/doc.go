// Package telegram is the office's place on Telegram, through one bot: private chats with people, groups,
// supergroups and their topics, by long polling.
//
// One poller asks for updates. An update is confirmed to Telegram, by asking for the next one, when the
// office has it, and not before; Telegram keeps what is not confirmed for a day, so nothing about where
// we are has to be stored. What was sent cannot be read back on Telegram: a send of unknown end is made
// once more, marked as possibly the second copy.
//
// Facts about Telegram are from core.telegram.org/bots/api; where one decides something, the place that
// relies on it names the page.
package telegram
