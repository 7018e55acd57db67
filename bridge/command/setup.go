package command

import (
	"context"
	"errors"
)

// byHand says how places are made where a bot cannot make them.
var byHand = map[string]string{
	"slack":    "On Slack: make a channel, type /invite and the bot's name in it, and then /office link and the name of the office's channel.",
	"telegram": "On Telegram: make a group, or a topic in one, add the bot to it, and type /link and the name of the office's channel there.",
	Console:    "Type it on Discord, where it makes the office's channels and roles. On Slack and Telegram invite the bot to a place and type link and the channel's name there.",
}

var _ = add(Command{
	Root: ChannelRoot, Direct: true, Name: "setup", Group: People, Right: Admins, Changes: true, Only: []string{"discord", "slack", "telegram", Console},
	Help: "Make the office's channels and roles on a Discord server, or say how it is done elsewhere.",
	More: "What is there stays.",
	Run: func(ctx context.Context, c Call) (Answer, error) {
		if how, ok := byHand[c.From]; ok {
			return Answer{Text: how}, nil
		}
		if c.Build == nil {
			return Answer{}, errors.New("nothing can be set up from here")
		}
		text, err := c.Build(ctx, c.From)
		return Answer{Text: text}, err
	},
})
