package discord

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"bullpen/adapters/discord/format"
	"bullpen/bridge"
	"bullpen/bridge/render"
)

const (
	// decidePrefix begins what a question's button sends; its id follows.
	decidePrefix = "decide:"
	// questionsMost bounds the questions whose copies are remembered.
	questionsMost = 200
)

// The kinds of components that we show (components/reference).
const actionRow, button, secondary = 1, 2, 2

// rowMost is how many buttons stand in a row, rowsMost how many rows a message has
// (components/reference, action row).
const rowMost, rowsMost = 5, 5

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

// questioned is one place where a question stands with its button.
type questioned struct {
	channel, message string
	hook             hook // through which it was posted, if it was
	content          string
}

// asked remembers where a question stands.
func (a *Adapter) asked(id string, q questioned) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.copies) >= questionsMost {
		clear(a.copies)
	}
	a.copies[id] = append(a.copies[id], q)
}

// pressed decides by a press of a button, and says what was decided wherever the
// question stands, or why nothing was to who pressed alone.
func (a *Adapter) pressed(ctx context.Context, i *interaction) {
	id, ours := strings.CutPrefix(i.Data.CustomID, decidePrefix)
	if !ours {
		a.followUp(i, "This button is no longer of use.")
		return
	}
	said, err := a.attached().Press(ctx, bridge.Account{Platform: platform, ID: i.by().ID}, id)
	id, _, _ = strings.Cut(id, ":")
	if err != nil {
		a.followUp(i, "Nothing was decided: "+err.Error()+".")
		return
	}
	a.decided(i, id, said)
}

// decided takes the button off a question, wherever it stands, and says there who
// decided.
func (a *Adapter) decided(i *interaction, id, said string) {
	a.mu.Lock()
	copies := a.copies[id]
	delete(a.copies, id)
	a.mu.Unlock()
	here := slices.IndexFunc(copies, func(q questioned) bool { return i.Message != nil && q.message == i.Message.ID })
	content := ""
	if here >= 0 {
		content = copies[here].content
		copies = slices.Delete(slices.Clone(copies), here, here+1)
	} else if i.Message != nil {
		content = i.Message.text()
	}
	a.later.Do(func(ctx context.Context) {
		a.close(ctx, "webhooks/"+i.App+"/"+i.Token+"/messages/@original", content, said)
	})
	for _, q := range copies {
		path := "channels/" + q.channel + "/messages/" + q.message
		if q.hook.ID != "" {
			path = "webhooks/" + q.hook.ID + "/" + q.hook.Token + "/messages/" + q.message
			if c, ok := a.room(q.channel); ok && c.thread() {
				path += "?thread_id=" + q.channel
			}
		}
		a.later.Do(func(ctx context.Context) { a.close(ctx, path, q.content, said) })
	}
}

// close writes under a question what was decided.
func (a *Adapter) close(ctx context.Context, path, content, said string) {
	text := content + "\n-# " + format.Escape(oneLine(said))
	body := map[string]any{"content": render.Truncate(text, format.MaxText, render.UTF16), "components": []any{}, "allowed_mentions": nobody()}
	if err := a.ask(ctx, http.MethodPatch, path, body, nil); err != nil {
		a.log.Info("a question keeps its button", "err", err)
	}
}
