package telegram

import (
	"bytes"
	"encoding/json"
	"maps"
	"regexp"
	"strconv"
	"strings"
)

// Sizes (D: the pages of the methods and types named).
const (
	maxCallbackData = 64  // bytes; InlineKeyboardButton
	maxAnswer       = 200 // answerCallbackQuery
	maxCommands     = 100 // setMyCommands
	maxDescription  = 256 // BotCommand
)

func getMe(s *Server, _ params) (any, *refusal) {
	o := userObject(s.users[botID])
	o["can_join_groups"], o["can_read_all_group_messages"], o["supports_inline_queries"] = true, s.opts.ReadsAll, false
	return o, nil
}

func sendMessage(s *Server, p params) (any, *refusal) {
	c, thread, no := s.sendTo(p)
	if no != nil {
		return nil, no
	}
	text, entities, no := content(p)
	if no != nil {
		return nil, no
	}
	m := &message{from: botID, text: strings.TrimSpace(text), entities: entities, thread: thread, silent: p.flag("disable_notification")}
	if no := c.reply(m, p); no != nil {
		return nil, no
	}
	if no := m.keyboard(p["reply_markup"]); no != nil {
		return nil, no
	}
	if no := s.limited(c.id); no != nil {
		return nil, no
	}
	return s.messageObject(c, c.add(m), true), nil
}

// reply reads reply_parameters (D: ReplyParameters).
func (c *chat) reply(m *message, p params) *refusal {
	if p["reply_parameters"] == "" {
		return nil
	}
	var to struct {
		ID      int64 `json:"message_id"`
		Without bool  `json:"allow_sending_without_reply"`
	}
	if json.Unmarshal([]byte(p["reply_parameters"]), &to) != nil {
		return bad("can't parse reply parameters JSON object") // K
	}
	old := c.byID[to.ID]
	switch {
	case old != nil && !old.deleted:
		m.replyTo = to.ID
	case !to.Without:
		return bad("message to be replied not found") // K
	}
	return nil
}

func (m *message) keyboard(raw string) *refusal {
	m.buttons, m.markup = nil, nil
	if raw == "" {
		return nil
	}
	var k struct {
		Rows [][]button `json:"inline_keyboard"`
	}
	if json.Unmarshal([]byte(raw), &k) != nil {
		return bad("can't parse reply keyboard markup JSON object") // K
	}
	for _, row := range k.Rows {
		for _, b := range row {
			if b.Text == "" || len(b.Data) > maxCallbackData || b.Data == "" && b.URL == "" {
				return bad("BUTTON_DATA_INVALID") // D: InlineKeyboardButton; the wording is K
			}
		}
	}
	m.buttons, m.markup = k.Rows, json.RawMessage(raw)
	return nil
}

// target is the message that a call means, nil if there is none, and its chat. The bot must be able to send
// there.
func (s *Server) target(p params) (*chat, *message, *refusal) {
	c, _, no := s.sendTo(p)
	if no != nil {
		return nil, nil, no
	}
	id, _ := p.number("message_id")
	m := c.byID[id]
	if m != nil && m.deleted {
		m = nil
	}
	return c, m, nil
}

func editMessageText(s *Server, p params) (any, *refusal) {
	c, m, no := s.target(p)
	switch {
	case no != nil:
		return nil, no
	case m == nil:
		return nil, bad("message to edit not found") // K
	case m.from != botID:
		return nil, bad("message can't be edited") // K
	}
	text, entities, no := content(p)
	if no != nil {
		return nil, no
	}
	next := *m
	next.text, next.entities, next.edited = strings.TrimSpace(text), entities, now()
	if no := next.keyboard(p["reply_markup"]); no != nil {
		return nil, no
	}
	if next.text == m.text && bytes.Equal(next.entities, m.entities) && bytes.Equal(next.markup, m.markup) {
		// K
		return nil, bad("message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message")
	}
	*m = next
	return s.messageObject(c, m, true), nil
}

// deleteMessage takes a message of the bot's away (D: deleteMessage).
func deleteMessage(s *Server, p params) (any, *refusal) {
	c, m, no := s.target(p)
	switch {
	case no != nil:
		return nil, no
	case m == nil:
		return nil, bad("message to delete not found") // K
	case m.from != botID, now()-m.at > 48*60*60:
		return nil, bad("message can't be deleted") // D; the wording is K
	}
	m.deleted = true
	c.gone++
	return true, nil
}

// query is a press that waits for its answer.
type query struct {
	answered bool
	text     string
	alert    bool
}

func answerCallbackQuery(s *Server, p params) (any, *refusal) {
	q := s.queries[p["callback_query_id"]]
	switch {
	case q == nil || q.answered:
		return nil, bad("query is too old and response timeout expired or query ID is invalid") // K
	case len(units(p["text"])) > maxAnswer:
		return nil, bad("MESSAGE_TOO_LONG") // D: answerCallbackQuery; the wording is K
	}
	q.answered, q.text, q.alert = true, p["text"], p.flag("show_alert")
	return true, nil
}

// Command is one entry of the bot's menu.
type Command struct {
	Command     string `json:"command"`
	Description string `json:"description"`
}

var commandName = regexp.MustCompile(`^[a-z0-9_]{1,32}$`)

func setMyCommands(s *Server, p params) (any, *refusal) {
	var all []Command
	if json.Unmarshal([]byte(p["commands"]), &all) != nil {
		return nil, bad("can't parse commands: expected an Array") // K
	}
	for _, c := range all {
		switch n := len(units(c.Description)); {
		case !commandName.MatchString(c.Command):
			return nil, bad("BOT_COMMAND_INVALID") // D: BotCommand; the wording is K
		case n < 1 || n > maxDescription:
			return nil, bad("BOT_COMMAND_DESCRIPTION_INVALID")
		}
	}
	if len(all) > maxCommands {
		return nil, bad("BOT_COMMANDS_TOO_MUCH") // P: hermes, openclaw
	}
	scope, no := s.scopeOf(p)
	if no != nil {
		return nil, no
	}
	if s.commands == nil {
		s.commands = map[string][]Command{}
	}
	s.commands[scope] = all
	return true, nil
}

func getMyCommands(s *Server, p params) (any, *refusal) {
	scope, no := s.scopeOf(p)
	if no != nil {
		return nil, no
	}
	return append([]Command{}, s.commands[scope]...), nil
}

// scopeOf is whom a menu is for: the id of a chat, or empty for all (D: BotCommandScope).
func (s *Server) scopeOf(p params) (string, *refusal) {
	if p["scope"] == "" {
		return "", nil
	}
	var scope struct {
		Type string `json:"type"`
		Chat int64  `json:"chat_id"`
	}
	switch err := json.Unmarshal([]byte(p["scope"]), &scope); {
	case err != nil:
		return "", bad("can't parse BotCommandScope") // K
	case scope.Type == "default":
		return "", nil
	case scope.Type != "chat":
		return "", bad("Unsupported type of BotCommandScope specified") // K; the others are not played
	case s.chats[scope.Chat] == nil:
		return "", bad("chat not found")
	}
	return strconv.FormatInt(scope.Chat, 10), nil
}

func sendChatAction(s *Server, p params) (any, *refusal) {
	if p["message_thread_id"] == strconv.Itoa(general) {
		p = maps.Clone(p) // here alone General is named (P: openclaw docs, telegram/threads-and-sessions)
		delete(p, "message_thread_id")
	}
	c, _, no := s.sendTo(p)
	if no == nil {
		c.action = p["action"]
	}
	return no == nil, no
}

func deleteWebhook(s *Server, p params) (any, *refusal) {
	s.webhook = false
	if p.flag("drop_pending_updates") {
		s.updates = nil
	}
	return true, nil
}
