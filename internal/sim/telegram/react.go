package telegram

import (
	"encoding/json"
	"slices"
	"strings"
)

// reactions are the emoji that a bot may react with (D: ReactionTypeEmoji).
var reactions = strings.Fields(`❤ 👍 👎 🔥 🥰 👏 😁 🤔 🤯 😱 🤬 😢 🎉 🤩 🤮 💩 🙏 👌 🕊 🤡 🥱 🥴 😍 🐳 ❤‍🔥 🌚 🌭 💯 🤣 ⚡ 🍌 🏆
	💔 🤨 😐 🍓 🍾 💋 🖕 😈 😴 😭 🤓 👻 👨‍💻 👀 🎃 🙈 😇 😨 🤝 ✍ 🤗 🫡 🎅 🎄 ☃ 💅 🤪 🗿 🆒 💘 🙉 🦄 😘 💊 🙊 😎 👾 🤷‍♂ 🤷 🤷‍♀ 😡`)

// setMessageReaction sets the one reaction that a bot may have on a message, or takes it away (D).
func setMessageReaction(s *Server, p params) (any, *refusal) {
	_, m, no := s.target(params{"chat_id": p["chat_id"], "message_id": p["message_id"]})
	var list []struct{ Type, Emoji string }
	switch {
	case no != nil:
		return nil, no
	case m == nil:
		return nil, bad("message to react not found") // K
	case p["reaction"] != "" && json.Unmarshal([]byte(p["reaction"]), &list) != nil:
		return nil, bad("can't parse reaction types JSON object") // K
	case len(list) > 1:
		return nil, bad("REACTIONS_TOO_MANY") // D: one for a bot; the wording is K
	case len(list) == 0:
		m.reaction = ""
		return true, nil
	case list[0].Type != "emoji" || !slices.Contains(reactions, list[0].Emoji):
		return nil, bad("REACTION_INVALID") // D: ReactionTypeEmoji; the wording is K
	}
	m.reaction = list[0].Emoji
	return true, nil
}
