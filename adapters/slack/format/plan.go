package format

import (
	"github.com/slack-go/slack"

	"bullpen/bridge/render"
)

// Part is what one message carries. Slack wants both on every post and every update: an update without
// blocks drops them.
type Part struct {
	// Text is mrkdwn of at most MaxText characters, for notifications and screen readers. It is complete:
	// a reader of it alone misses nothing. It is escaped; send it as it is, without link_names and with
	// no parse mode, which would make mentions of plain words.
	Text string
	// Blocks are what people see, at most MaxBlocks.
	Blocks []slack.Block
}

// Plan writes a colleague's text as the messages to send, in order. It has no parts if there is nothing
// to see in the text.
func Plan(markdown string, mentions render.Resolver) []Part {
	docs := render.Split(render.Parse(markdown, render.Options{Mentions: mentions}), MaxText, Length)
	parts := make([]Part, 0, len(docs))
	for _, doc := range docs {
		parts = append(parts, Part{Text: Mrkdwn(doc), Blocks: Blocks(doc)})
	}
	return parts
}

// Length is the measure of a message for render.Split, against MaxText: the length of its text, or, if
// that is more, the share of MaxBlocks that it takes.
func Length(doc *render.Document) int {
	text := render.UTF16(Mrkdwn(doc))
	if len(doc.Blocks) <= 1 {
		return text
	}
	blocks := (countBlocks(doc)*MaxText + MaxBlocks - 1) / MaxBlocks
	return max(text, blocks)
}

// countBlocks is at least the number of blocks that Blocks writes.
func countBlocks(doc *render.Document) int {
	return countOwn(doc.Blocks)*2 + 1
}

// countOwn counts what may be a block of its own and so end the text before it.
func countOwn(blocks []render.Block) int {
	n := 0
	for _, block := range blocks {
		switch block := block.(type) {
		case *render.Rule:
			n++
		case *render.Table:
			n++
		case *render.List:
			for _, item := range block.Items {
				n += countOwn(item.Blocks)
			}
		}
	}
	return n
}
