package slack

import (
	"fmt"
	"slices"
	"unicode/utf8"
)

// blockCheck collects what is wrong with blocks, in Slack's words, each with a JSON pointer (P: as
// seen in response_metadata.messages). All rules are D: Block Kit reference, unless noted.
type blockCheck struct {
	errs      []string
	markdown  int // characters in all markdown blocks
	tableText int
	blockIDs  map[string]bool
}

// checkBlocks returns invalid_blocks, msg_blocks_too_long or nil.
func checkBlocks(blocks []block, most int) *refusal {
	ck := &blockCheck{blockIDs: map[string]bool{}}
	if len(blocks) > most {
		ck.fail("/blocks", "no more than %d items allowed", most)
	}
	for i, b := range blocks {
		ck.block(fmt.Sprintf("/blocks/%d", i), b)
	}
	if ck.tableText > maxTableText {
		ck.fail("/blocks", "all tables together have more than %d characters", maxTableText)
	}
	if ck.errs != nil {
		return refuse("invalid_blocks", ck.errs...)
	}
	if ck.markdown > maxMarkdown {
		return refuse("msg_blocks_too_long")
	}
	return nil
}

func (ck *blockCheck) fail(at, format string, a ...any) {
	ck.errs = append(ck.errs, fmt.Sprintf(format, a...)+" [json-pointer:"+at+"]")
}

func (ck *blockCheck) block(at string, b block) {
	if id := str(b, "block_id"); id != "" {
		if ck.blockIDs[id] {
			ck.fail(at+"/block_id", "block_id already exists: %s", id)
		}
		ck.blockIDs[id] = true
		ck.atMost(at+"/block_id", id, maxID)
	}
	switch t := str(b, "type"); t {
	case "section":
		ck.section(at, b)
	case "header":
		ck.text(at+"/text", b["text"], maxHeaderText, "plain_text")
	case "context":
		ck.context(at, b)
	case "actions":
		ck.elements(at, b, maxActionItems, ck.interactive)
	case "divider":
	case "image":
		ck.image(at, b)
	case "markdown":
		if str(b, "text") == "" {
			ck.fail(at, "missing required field: text")
		}
		ck.markdown += runes(str(b, "text"))
	case "rich_text":
		ck.richText(at, b)
	case "table":
		ck.table(at, b)
	case "input", "video", "file", "context_actions", "data_visualization", "data_table", "card", "carousel",
		"task_card", "plan", "alert", "container":
		// Known to the library (L: block.go), not used by a text-first bot, not looked into.
	default:
		ck.fail(at+"/type", "unsupported type: %s", t)
	}
}

func (ck *blockCheck) section(at string, b block) {
	fields, hasFields := b["fields"]
	if b["text"] == nil && !hasFields {
		ck.fail(at, "must provide text or fields")
	}
	if b["text"] != nil {
		ck.text(at+"/text", b["text"], maxSectionText)
	}
	if len(list(fields)) > maxFields {
		ck.fail(at+"/fields", "no more than %d items allowed", maxFields)
	}
	for i, f := range list(fields) {
		ck.text(fmt.Sprintf("%s/fields/%d", at, i), f, maxFieldText)
	}
	if acc, ok := b["accessory"].(map[string]any); ok && str(acc, "type") != "image" {
		ck.interactive(at+"/accessory", acc)
	}
}

func (ck *blockCheck) context(at string, b block) {
	ck.elements(at, b, maxContextItems, func(at string, e map[string]any) {
		if str(e, "type") == "image" {
			ck.image(at, e)
			return
		}
		ck.text(at, e, maxSectionText)
	})
}

// elements checks the list and each of it, and that no two share an action_id.
func (ck *blockCheck) elements(at string, b block, most int, each func(at string, e map[string]any)) {
	els := list(b["elements"])
	if len(els) == 0 {
		ck.fail(at+"/elements", "must provide at least 1 item")
	}
	if len(els) > most {
		ck.fail(at+"/elements", "no more than %d items allowed", most)
	}
	ids := map[string]bool{}
	for i, el := range els {
		e, ok := el.(map[string]any)
		here := fmt.Sprintf("%s/elements/%d", at, i)
		if !ok {
			ck.fail(here, "must be an object")
			continue
		}
		if id := str(e, "action_id"); id != "" {
			if ids[id] {
				ck.fail(here+"/action_id", "action_id already exists for this block: %s", id)
			}
			ids[id] = true
		}
		each(here, e)
	}
}

func (ck *blockCheck) interactive(at string, e map[string]any) {
	ck.atMost(at+"/action_id", str(e, "action_id"), maxID)
	if str(e, "type") != "button" {
		if !interactive(e) {
			ck.fail(at+"/type", "unsupported type: %s", str(e, "type"))
		}
		return
	}
	ck.text(at+"/text", e["text"], maxButtonText, "plain_text")
	ck.atMost(at+"/value", str(e, "value"), maxButtonValue)
	ck.atMost(at+"/url", str(e, "url"), maxURL)
	if style := str(e, "style"); style != "" && style != "primary" && style != "danger" {
		ck.fail(at+"/style", "must be a valid enum value")
	}
}

func (ck *blockCheck) image(at string, e map[string]any) {
	if str(e, "image_url") == "" && e["slack_file"] == nil {
		ck.fail(at, "missing required field: image_url")
	}
	if str(e, "alt_text") == "" {
		ck.fail(at, "missing required field: alt_text")
	}
	ck.atMost(at+"/image_url", str(e, "image_url"), maxURL)
	ck.atMost(at+"/alt_text", str(e, "alt_text"), maxAltText)
}

// text checks a text object of one of the types, both if none is named.
func (ck *blockCheck) text(at string, v any, most int, types ...string) {
	o, ok := v.(map[string]any)
	if !ok {
		ck.fail(at, "missing required field: text")
		return
	}
	if len(types) == 0 {
		types = []string{"plain_text", "mrkdwn"}
	}
	if !slices.Contains(types, str(o, "type")) {
		ck.fail(at+"/type", "unsupported type: %s", str(o, "type"))
	}
	if str(o, "text") == "" {
		ck.fail(at+"/text", "must be more than 0 characters")
	}
	ck.atMost(at+"/text", str(o, "text"), most)
}

func (ck *blockCheck) atMost(at, text string, most int) {
	if runes(text) > most {
		ck.fail(at, "must be less than %d characters", most+1)
	}
}

func runes(s string) int { return utf8.RuneCountInString(s) }
