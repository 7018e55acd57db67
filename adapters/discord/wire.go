package discord

import (
	"encoding/json"
	"errors"
	"time"
)

// The types of what comes in are our own: the library's fail as a whole on the
// first component that they do not know, and know nothing newer than 2025.

// user is an account (resources/user).
type user struct {
	ID       string `json:"id"`
	Username string `json:"username"`
	Global   string `json:"global_name"`
	Bot      bool   `json:"bot"`
	System   bool   `json:"system"`
	// Member comes with those whom a message mentions.
	Member *member `json:"member"`
}

// member is an account on a server (resources/guild).
type member struct {
	User    *user  `json:"user"`
	Nick    string `json:"nick"`
	Pending bool   `json:"pending"` // has not agreed to the server's rules yet
}

// message is one of a channel (resources/message).
type message struct {
	ID         string       `json:"id"`
	Channel    string       `json:"channel_id"`
	Guild      string       `json:"guild_id"`
	Author     *user        `json:"author"`
	Member     *member      `json:"member"`
	Content    *string      `json:"content"`
	Timestamp  string       `json:"timestamp"`
	Edited     string       `json:"edited_timestamp"`
	Type       int          `json:"type"`
	Webhook    string       `json:"webhook_id"`
	App        string       `json:"application_id"`
	Mentions   []user       `json:"mentions"`
	Everyone   bool         `json:"mention_everyone"`
	Files      []attachment `json:"attachments"`
	Stickers   []namedThing `json:"sticker_items"`
	Reference  *reference   `json:"message_reference"`
	Referenced *message     `json:"referenced_message"`
	Snapshots  []snapshot   `json:"message_snapshots"`
	Thread     *channel     `json:"thread"`
	Poll       *poll        `json:"poll"`
}

type namedThing struct {
	Name string `json:"name"`
}

type reference struct {
	Type    int    `json:"type"` // 0: a reply, 1: forwarded
	Message string `json:"message_id"`
	Channel string `json:"channel_id"`
}

type snapshot struct {
	Message message `json:"message"`
}

type poll struct {
	Question struct {
		Text string `json:"text"`
	} `json:"question"`
}

// The types of messages that somebody said; the others are lines of Discord's own
// (resources/message, message types).
const (
	plainMessage = 0
	replyMessage = 19
	// replied and forwarded are the types of references to another message.
	replied, forwarded = 0, 1
)

// channel is a channel or a thread (resources/channel).
type channel struct {
	ID     string `json:"id"`
	Type   int    `json:"type"`
	Guild  string `json:"guild_id"`
	Name   string `json:"name"`
	Topic  string `json:"topic"`
	Parent string `json:"parent_id"`
	Last   string `json:"last_message_id"`
	Meta   *struct {
		Archived bool   `json:"archived"`
		Locked   bool   `json:"locked"`
		At       string `json:"archive_timestamp"`
	} `json:"thread_metadata"`
	// Message comes with a post that was made.
	Message *message `json:"message"`
}

// The types of channels (resources/channel, channel types).
const (
	guildText          = 0
	directMessage      = 1
	guildVoice         = 2
	guildCategory      = 4
	guildAnnouncement  = 5
	announcementThread = 10
	publicThread       = 11
	privateThread      = 12
	guildForum         = 15
	guildMedia         = 16
)

func (c *channel) thread() bool { return c.Type >= announcementThread && c.Type <= privateThread }

// posts says whether a channel holds nothing but threads.
func (c *channel) posts() bool { return c.Type == guildForum || c.Type == guildMedia }

type role struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Tags *struct {
		Bot string `json:"bot_id"`
	} `json:"tags"`
}

// guild is a server as GUILD_CREATE brings it.
type guild struct {
	ID          string    `json:"id"`
	Name        string    `json:"name"`
	Unavailable bool      `json:"unavailable"`
	Channels    []channel `json:"channels"`
	Threads     []channel `json:"threads"`
	Roles       []role    `json:"roles"`
}

// ready is the greeting (events/gateway-events).
type ready struct {
	User   user    `json:"user"`
	Guilds []guild `json:"guilds"`
	App    struct {
		ID string `json:"id"`
	} `json:"application"`
}

// decode reads an object; a field of an unexpected type is as good as absent, so
// that one odd field does not cost the whole.
func decode(raw json.RawMessage, into any) error {
	err := json.Unmarshal(raw, into)
	var odd *json.UnmarshalTypeError
	if errors.As(err, &odd) && odd.Field != "" {
		return nil
	}
	return err
}

// text is a message's content, empty if it has none.
func (m *message) text() string {
	if m.Content == nil {
		return ""
	}
	return *m.Content
}

// versionForm writes times so that they compare as text.
const versionForm = "2006-01-02T15:04:05.000000Z"

// version makes a version of the stamp of an edit; empty for none.
func version(edited string) string {
	t, err := time.Parse(time.RFC3339Nano, edited)
	if err != nil {
		return ""
	}
	return t.UTC().Format(versionForm)
}
