package format

// Slack's limits for a message, from the pages of docs.slack.dev named with each.
const (
	// MaxText is the length of one message's text in characters. Slack advises it; what is longer than
	// 40,000 is cut without an error (reference/methods/chat.postMessage). Counted here in UTF-16 units,
	// the larger of the ways to count.
	MaxText = 4000
	// MaxBlocks is the number of blocks in a message (reference/block-kit/blocks).
	MaxBlocks = 50
	// MaxTableRows counts the header (reference/block-kit/blocks/table-block).
	MaxTableRows = 100
	// MaxTableColumns is the number of cells of a row (reference/block-kit/blocks/table-block).
	MaxTableColumns = 20
	// MaxTableText is the characters of all cells together (reference/block-kit/blocks/table-block).
	MaxTableText = 10_000
	// MaxTables is the number of table blocks in a message. Several projects report that Slack refuses a
	// second one with only_one_table_allowed (vercel/chat pull request 194, for one).
	MaxTables = 1
	// MaxIndent is how deep a rich_text_list may be indented; Slack's own composer goes no deeper.
	MaxIndent = 8
)
