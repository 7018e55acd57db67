package slack

import (
	"fmt"
	"slices"
)

// richText checks a rich_text block or a table cell of that type (D: rich text block; L:
// block_rich_text.go for the shape).
func (ck *blockCheck) richText(at string, b map[string]any) {
	els := list(b["elements"])
	if len(els) == 0 {
		ck.fail(at+"/elements", "must provide at least 1 item")
	}
	for i, el := range els {
		here := fmt.Sprintf("%s/elements/%d", at, i)
		e, ok := el.(map[string]any)
		if !ok {
			ck.fail(here, "must be an object")
			continue
		}
		switch t := str(e, "type"); t {
		case "rich_text_section", "rich_text_quote", "rich_text_preformatted":
			ck.richSection(here, e)
		case "rich_text_list":
			ck.richList(here, e)
		default:
			ck.fail(here+"/type", "unsupported type: %s", t)
		}
	}
}

func (ck *blockCheck) richList(at string, e map[string]any) {
	if style := str(e, "style"); style != "bullet" && style != "ordered" {
		ck.fail(at+"/style", "must be a valid enum value")
	}
	items := list(e["elements"])
	if len(items) == 0 {
		ck.fail(at+"/elements", "must provide at least 1 item")
	}
	for i, it := range items {
		here := fmt.Sprintf("%s/elements/%d", at, i)
		item, _ := it.(map[string]any)
		if str(item, "type") != "rich_text_section" {
			ck.fail(here+"/type", "unsupported type: %s", str(item, "type"))
			continue
		}
		ck.richSection(here, item)
	}
}

// richFields names what an element of a section cannot do without.
var richFields = map[string]string{
	"text": "text", "link": "url", "emoji": "name", "user": "user_id", "channel": "channel_id",
	"usergroup": "usergroup_id", "team": "team_id", "broadcast": "range", "color": "value", "date": "format",
}

func (ck *blockCheck) richSection(at string, e map[string]any) {
	pre := str(e, "type") == "rich_text_preformatted"
	for i, el := range list(e["elements"]) {
		here := fmt.Sprintf("%s/elements/%d", at, i)
		item, _ := el.(map[string]any)
		t := str(item, "type")
		field, known := richFields[t]
		switch {
		case !known, pre && t != "text" && t != "link": // preformatted holds text and links only
			ck.fail(here+"/type", "unsupported type: %s", t)
		case str(item, field) == "":
			ck.fail(here+"/"+field, "must be more than 0 characters")
		case t == "broadcast" && !slices.Contains([]string{"here", "channel", "everyone"}, str(item, "range")):
			ck.fail(here+"/range", "must be a valid enum value")
		}
		if style, given := item["style"]; given {
			if _, ok := style.(map[string]any); !ok {
				ck.fail(here+"/style", "must be an object")
			}
		}
	}
}

func (ck *blockCheck) table(at string, b block) {
	rows := list(b["rows"])
	if len(rows) == 0 {
		ck.fail(at+"/rows", "must provide at least 1 item")
	}
	if len(rows) > maxTableRows {
		ck.fail(at+"/rows", "no more than %d items allowed", maxTableRows)
	}
	if len(list(b["column_settings"])) > maxTableColumns {
		ck.fail(at+"/column_settings", "no more than %d items allowed", maxTableColumns)
	}
	for i, r := range rows {
		here := fmt.Sprintf("%s/rows/%d", at, i)
		cells, ok := r.([]any)
		if !ok || len(cells) == 0 {
			ck.fail(here, "must provide at least 1 item")
			continue
		}
		if len(cells) > maxTableColumns {
			ck.fail(here, "no more than %d items allowed", maxTableColumns)
		}
		for j, c := range cells {
			ck.cell(fmt.Sprintf("%s/%d", here, j), c)
		}
	}
}

// cell is one of a table. raw_number is documented too, null is only ever received (L: block_table.go).
func (ck *blockCheck) cell(at string, v any) {
	c, _ := v.(map[string]any)
	switch t := str(c, "type"); t {
	case "raw_text":
		if str(c, "text") == "" {
			ck.fail(at+"/text", "must be more than 0 characters")
		}
		ck.tableText += runes(str(c, "text"))
	case "raw_number":
		if _, ok := c["value"].(float64); !ok {
			ck.fail(at+"/value", "must be a number")
		}
	case "rich_text":
		ck.richText(at, c)
		ck.tableText += runes(richPlain(nil, c))
	default:
		ck.fail(at+"/type", "unsupported type: %s", t)
	}
}
