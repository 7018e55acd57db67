package discord

import (
	"context"
	"strings"

	"bullpen/adapters/discord/format"
	"bullpen/bridge"
	"bullpen/bridge/command"
	"bullpen/bridge/render"
)

const (
	// decidePrefix begins what a question's button sends; its id follows.
	decidePrefix = "decide:"
)

// The kinds of components that we show (components/reference).
const actionRow, button, secondary = 1, 2, 2

// rowMost is how many buttons stand in a row, rowsMost how many rows a message has
// (components/reference, action row).
const rowMost, rowsMost = 5, 5

// choices are the buttons below a reply.
func choices(all []command.Choice) []any {
	var below []bridge.Button
	for _, c := range all {
		below = append(below, bridge.Button{Label: c.Shown(), Value: c.Value})
	}
	return buttons("", below)
}

// buttons are the answers to a question, or the choices of a reply; prefix begins
// what they send.
func buttons(prefix string, all []bridge.Button) []any {
	var row, rows []any
	for _, b := range all {
		id := prefix + b.Value
		if len(id) > format.MaxCustomID || len(rows) == rowsMost {
			continue
		}
		label := render.Truncate(b.Label, format.MaxLabel, render.UTF16)
		row = append(row, map[string]any{"type": button, "style": secondary, "label": label, "custom_id": id})
		if len(row) == rowMost {
			rows, row = append(rows, map[string]any{"type": actionRow, "components": row}), nil
		}
	}
	if len(row) > 0 && len(rows) < rowsMost {
		rows = append(rows, map[string]any{"type": actionRow, "components": row})
	}
	return rows
}

// pressed decides by a press of a button. What was decided is shown wherever the
// question stands, by the office; why nothing was, to who pressed alone.
func (a *Adapter) pressed(ctx context.Context, i *interaction) {
	id, ours := strings.CutPrefix(i.Data.CustomID, decidePrefix)
	if !ours {
		a.followUp(i, "This button is no longer of use.")
		return
	}
	said, err := a.attached().Press(ctx, bridge.Account{Platform: platform, ID: i.by().ID}, id)
	if err != nil {
		said = "Nothing was decided: " + err.Error() + "."
	}
	a.followUp(i, said)
}
