// Package redis keeps an office's record in Redis: 6.2 or later, Valkey, one
// server, behind Sentinel, or a Cluster. It is the store of offices that several
// machines stand by for.
//
// # A commit
//
// A commit is one script. It compares the fence, the nonce and the batch's
// number with the record's, for equality, and then runs the commands that the
// batch was turned into. It knows no rule of the office; which commands they
// are is decided here, before anything is sent. What a command could stumble
// over (a key of another kind, a number that is taken) is looked at before the
// first one writes, so that a batch is in the record whole or not at all.
//
// When the connection breaks before the answer, the commit may be done, not
// done, or still on its way. Before it says which, the store voids it: every
// commit carries the number of its attempt, and raising that number in the
// record makes one that comes late a stranger. Only then is it sent again, or
// told about by Head.
//
// # The keys
//
// All keys of an office begin with bullpen:{office}: and so share one slot of a
// Cluster. In names and ids within a key the signs that have a meaning there
// are written as %3A and so on.
//
//	head                    hash    fence, nonce, n and id of the last batch, meta (the counters), holder
//	lease                   string  the holder's nonce, for as long as the lease lasts
//	colleagues, people, channels, portals, sends, parked, questions, pairings
//	                        hash    id -> JSON
//	cursors                 hash    viewer -> the number of the last message shown
//	items                   hash    id -> JSON, of all that waits or is held by a turn
//	queue:<colleague>       zset    ids of the items that wait, oldest first
//	turn:<id>:items         zset    ids of the items that a turn holds
//	turns, closed-turns     hash    id -> JSON
//	messages                hash    anchor -> JSON, a line break, the text as it was said
//	log                     zset    what stands in messages, by number in the office
//	channel:<channel>       zset    the same of one channel, by number in the channel
//	thread:<channel>:<root> zset    the same of one thread, its first message left out
//	transcript:<colleague>, transcript:<colleague>:<person>
//	                        zset    JSON, a line break, the text; by number
//	seen                    hash    event -> where it was taken in
//	natives                 hash    portal and the platform's id -> JSON
//	places:<anchor>         set     fields of natives that were a message's
//	revisions:<portal>:<id> list    JSON, a line break, the text; oldest first
//	early:<portal>:<id>     list    the same of changes that came before their message
//	early                   hash    fields of natives with such changes -> the newest
//	usage, audit            stream  JSON in the field v
//
// The lines of log, channel and thread are the quoted channel, the number
// there, the number in the office, the thread (0: none) and the quoted id of
// the author: "general" 12 120 0 "ann".
//
// # Looking at it
//
//	redis-cli hgetall 'bullpen:{acme}:head'                   who holds the office, and at which batch it is
//	redis-cli pttl 'bullpen:{acme}:lease'                     for how many ms more, unless renewed
//	redis-cli zrange 'bullpen:{acme}:queue:c1' 0 -1           what waits for a colleague
//	redis-cli hget 'bullpen:{acme}:items' 42                  one of those
//	redis-cli zrange 'bullpen:{acme}:turn:7:items' 0 -1       what a turn holds
//	redis-cli hget 'bullpen:{acme}:messages' general-12       a message by its anchor
//	redis-cli zrange 'bullpen:{acme}:channel:general' -5 -1   the newest five of a channel
//	redis-cli zrange 'bullpen:{acme}:transcript:c1' -5 -1     the end of a colleague's transcript
//	redis-cli xrevrange 'bullpen:{acme}:audit' + - count 10   who had the office do what
//
// Only read. What is changed behind the office's back it does not notice before
// it loads its state again.
package redis
