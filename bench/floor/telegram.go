package main

import (
	"fmt"
	"strconv"
	"strings"
)

// pollTime is how many seconds Telegram is asked to wait for updates.
const pollTime = 50

// telegramUpdate is what Telegram tells of a message.
type telegramUpdate struct {
	ID      int64 `json:"update_id"`
	Message struct {
		ID   int64 `json:"message_id"`
		Text string
		From struct{ ID int64 }
		Chat struct{ ID int64 }
	}
}

// poll asks for updates, keeps all that come at once in one transaction, confirms
// them with the next call and hands them on.
func (f *floor) poll() error {
	for offset := int64(0); ; {
		var got struct{ Result []telegramUpdate }
		if err := f.call(f.telegram+"/getUpdates", "", map[string]int64{"offset": offset, "timeout": pollTime}, &got); err != nil {
			return err
		}
		var all []said
		for _, u := range got.Result {
			offset = u.ID + 1
			if m := u.Message; m.Text != "" {
				chat := strconv.FormatInt(m.Chat.ID, 10)
				all = append(all, said{
					Type: "message", Channel: chat, User: strconv.FormatInt(m.From.ID, 10), Text: m.Text, TS: fmt.Sprintf("%s/%d", chat, m.ID),
				})
			}
		}
		fresh, err := f.keep(all...)
		if err != nil {
			return err
		}
		for _, m := range fresh {
			f.channel(m.Channel) <- m
		}
	}
}

// post shows an answer where the message stands.
func (f *floor) post(m said, text string) error {
	switch {
	case f.telegram != "":
		chat, err := strconv.ParseInt(m.Channel, 10, 64)
		if err != nil {
			return err
		}
		return f.call(f.telegram+"/sendMessage", "", map[string]any{"chat_id": chat, "text": text}, nil)
	case f.discord != "":
		return f.call(strings.Join([]string{f.discord, "v10/channels", m.Channel, "messages"}, "/"), "Bot "+f.bot, map[string]string{"content": text}, nil)
	default:
		return f.call(f.api+"chat.postMessage", "Bearer "+f.bot, map[string]string{"channel": m.Channel, "text": text, "thread_ts": m.TS}, nil)
	}
}
