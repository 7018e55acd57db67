package telegram

import (
	"encoding/json"

	"bullpen/adapters/telegram/format"
)

// The types of what comes in are our own: those of the library know no topics, no
// quotes and nothing newer (core.telegram.org/bots/api#update).

// update is one that getUpdates gave; Raw is all of it.
type update struct {
	ID       int64           `json:"update_id"`
	Message  json.RawMessage `json:"message"`
	Edited   json.RawMessage `json:"edited_message"`
	Callback json.RawMessage `json:"callback_query"`
	Member   json.RawMessage `json:"my_chat_member"`
}

// allowed are the updates that we ask for; the list is always given in full, since
// Telegram remembers the last one.
var allowed = []string{"message", "edited_message", "callback_query", "my_chat_member"}

type user struct {
	ID       int64  `json:"id"`
	IsBot    bool   `json:"is_bot"`
	First    given  `json:"first_name"`
	Last     string `json:"last_name"`
	Username string `json:"username"`
	ReadsAll bool   `json:"can_read_all_group_messages"`
}

// given is a first name; empty says that one was told, and that it is empty.
type given struct {
	text  string
	empty bool
}

// UnmarshalJSON implements json.Unmarshaler; what is no text is no name.
func (g *given) UnmarshalJSON(raw []byte) error {
	*g = given{}
	if json.Unmarshal(raw, &g.text) == nil {
		g.empty = string(raw) == `""`
	}
	return nil
}

// gone says that the account was deleted: Telegram tells nothing of it any more but
// its id (core.telegram.org/tdlib, userTypeDeleted), not even the first name that
// everybody has.
func (u *user) gone() bool { return u.First.empty && !u.IsBot }

type chat struct {
	ID    int64  `json:"id"`
	Type  string `json:"type"` // private, group, supergroup, channel
	Title string `json:"title"`
	Forum bool   `json:"is_forum"`
}

func (c chat) private() bool { return c.Type == "private" }

type message struct {
	ID              int64           `json:"message_id"`
	Thread          int64           `json:"message_thread_id"`
	IsTopic         bool            `json:"is_topic_message"`
	From            *user           `json:"from"`
	SenderChat      *chat           `json:"sender_chat"`
	Date            int64           `json:"date"`
	EditDate        int64           `json:"edit_date"`
	Chat            chat            `json:"chat"`
	ReplyTo         *message        `json:"reply_to_message"`
	Text            string          `json:"text"`
	Entities        []format.Entity `json:"entities"`
	Caption         string          `json:"caption"`
	CaptionEntities []format.Entity `json:"caption_entities"`
	MigrateTo       int64           `json:"migrate_to_chat_id"`
	MigrateFrom     int64           `json:"migrate_from_chat_id"`
	Album           string          `json:"media_group_id"`
	Photo           []media         `json:"photo"` // the same in several sizes, the biggest last
	Voice           *media          `json:"voice"`
	Audio           *media          `json:"audio"`
	Video           *media          `json:"video"`
	VideoNote       *media          `json:"video_note"`
	Animation       *media          `json:"animation"`
	Document        *media          `json:"document"`
	Location        json.RawMessage `json:"location"`
	Sticker         *struct {
		Emoji string `json:"emoji"`
	} `json:"sticker"`
	Quote *struct {
		Text string `json:"text"`
	} `json:"quote"`
	ForwardOrigin json.RawMessage `json:"forward_origin"`
}

// media is a file of a message, in whatever form.
type media struct {
	ID   string `json:"file_id"`
	Name string `json:"file_name"`
	Type string `json:"mime_type"`
	Size int64  `json:"file_size"`
}

type callback struct {
	ID      string   `json:"id"`
	From    user     `json:"from"`
	Message *message `json:"message"`
	Data    string   `json:"data"`
}

type membership struct {
	Chat chat `json:"chat"`
	From user `json:"from"`
	New  struct {
		Status string `json:"status"`
	} `json:"new_chat_member"`
}
