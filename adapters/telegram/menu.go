package telegram

import (
	"context"
	"slices"
	"strings"

	tg "github.com/go-telegram-bot-api/telegram-bot-api/v5"

	"bullpen/adapters/telegram/format"
	"bullpen/bridge/command"
	"bullpen/office"
)

const (
	// menuMost and describeMost are the length of a menu and of a line in it
	// (core.telegram.org/bots/api#setmycommands, #botcommand).
	menuMost, describeMost = 100, 256
	// menusMost bounds the chats that have a menu of their own.
	menusMost = 50
)

// menuEntry is one command as Telegram's menu shows it.
type menuEntry struct {
	Command     string `json:"command"`
	Description string `json:"description"`
}

// menu lists the everyday commands that a sender may use; the others are typed
// behind /office.
func menu(all []*command.Command, sender command.Sender) []menuEntry {
	var out []menuEntry
	for _, c := range all {
		everyday := c.Root == command.OfficeRoot || c.Direct
		if everyday && command.Allowed(command.BySlash, sender, c.Right) && len(out) < menuMost {
			out = append(out, menuEntry{c.Name, format.Clip(c.Help, describeMost)})
		}
	}
	return out
}

// setMenu gives the bot its menus of commands, where it has others: one for
// everybody, and one in the private chats of the owner and the admins.
func (a *Adapter) setMenu(ctx context.Context) {
	all := a.attached().Commands().On(platform)
	a.setMenuOf(ctx, "", menu(all, command.PersonSender))
	v, err := a.attached().Office().View(ctx)
	if err != nil {
		a.log.Info("the admins' menus of commands could not be set", "err", err)
		return
	}
	more := menu(all, command.OwnerSender)
	for i, chat := range adminChats(v.People) {
		if i < menusMost {
			a.setMenuOf(ctx, chat, more)
		}
	}
}

// adminChats are the private chats, which have the ids of the accounts, of those
// who may do more than others.
func adminChats(people []office.Person) []string {
	var out []string
	for _, p := range people {
		if !p.Owner && !p.Admin {
			continue
		}
		for _, acc := range slices.Concat(p.Accounts, p.Paired) {
			if acc.Platform == platform {
				out = append(out, acc.ID)
			}
		}
	}
	return out
}

// setMenuOf sets the menu of a chat, or everybody's, if it is another one.
func (a *Adapter) setMenuOf(ctx context.Context, chat string, want []menuEntry) {
	get, set := tg.Params{}, tg.Params{"commands": object(want)}
	if chat != "" {
		scope := `{"type":"chat","chat_id":` + chat + `}`
		get["scope"], set["scope"] = scope, scope
	}
	var have []menuEntry
	err := a.ask(ctx, "getMyCommands", get, &have)
	if err == nil && !slices.Equal(have, want) {
		err = a.ask(ctx, "setMyCommands", set, nil)
	}
	// Who has never written to the bot has no chat yet, and gets the menu of all.
	if err != nil && !strings.Contains(err.Error(), "chat not found") {
		a.log.Info("a menu of commands could not be set", "chat", chat, "err", err)
	}
}
