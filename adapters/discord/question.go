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
	// ephemeral is the flag of an answer that one person alone sees.
	ephemeral = 1 << 6
)

// The kinds of components (components/reference) and of answers to an interaction
// (interactions/receiving-and-responding).
const (
	actionRow, button, secondary = 1, 2, 2
	updateLater                  = 6
)

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

// interacted takes in the use of a button: it is answered at once, since its user
// waits no more than three seconds, and carried out then.
func (a *Adapter) interacted(work context.Context, i *interaction) {
	if i.Type != buttonPressed {
		return
	}
	answered := make(chan bool, 1)
	a.lanes.add("answer "+i.ID, job{what: "answer", run: func() { answered <- a.answerFirst(work, i, map[string]any{"type": updateLater}) }})
	a.lanes.add("press "+i.by().ID, job{what: "button", run: func() {
		<-answered
		a.pressed(work, i)
	}})
}

// answerFirst tells Discord that an interaction has arrived.
func (a *Adapter) answerFirst(ctx context.Context, i *interaction, body any) bool {
	ctx, cancel := context.WithTimeout(ctx, callTime)
	defer cancel()
	err := a.call(ctx, http.MethodPost, "interactions/"+i.ID+"/"+i.Token+"/callback", body, nil)
	if err != nil && err.code != alreadyAnswered {
		a.log.Info("an interaction could not be answered in time", "err", err)
		return false
	}
	return true
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

// followUp says something to who used a command or a button, alone.
func (a *Adapter) followUp(i *interaction, text string) {
	a.later.Do(func(ctx context.Context) {
		for _, part := range render.Split(render.Literal(text, render.Options{}), format.MaxText, format.Length) {
			p := payload{Content: format.Write(part), Allowed: nobody(), Flags: ephemeral | hidePreviews}
			if err := a.ask(ctx, http.MethodPost, "webhooks/"+i.App+"/"+i.Token, p, nil); err != nil {
				a.log.Info("an answer could not be shown", "err", err)
				return
			}
		}
	})
}
