package tool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"bullpen/office"
	"bullpen/office/model"
)

const wakeSchema = `{"type":"array","items":{"type":"string"},"description":"Whom it wakes: names like [\"@alice\",\"@bob\"], or one level like [\"$leader\"], or one channel like [\"#dev\"], or [] to wake nobody. @user puts a copy in the user's mailbox."}`

const notifySchema = `{"type":"string","enum":["step-end","turn-end"],"description":"When somebody who is working reads it: at the next step (default), or in a turn of its own afterwards."}`

// officeTools are the office's own verbs.
func officeTools() []Tool {
	return []Tool{
		{
			Tool: model.Tool{
				Name: "office_post",
				Description: "Post a message in a channel. It wakes exactly whom wake names. Silence is a normal answer: never post an acknowledgement or thanks. " +
					"Answer where you were asked.",
				Schema: json.RawMessage(`{"type":"object","additionalProperties":false,"required":["text","wake"],"properties":{` +
					`"text":{"type":"string"},"wake":` + wakeSchema + `,` +
					`"channel":{"type":"string","description":"The channel, like #general. Without it: where this turn's messages came from."},` +
					`"root":{"type":"string","enum":["none"],"description":"none: at the channel's top level instead of this turn's thread."},` +
					`"notify":` + notifySchema + `}}`),
			},
			Class: office.OfficeCall, Verb: postVerb,
		},
		{
			Tool: model.Tool{
				Name:        "office_dm",
				Description: "Send a direct message to exactly one colleague, which wakes it, or mail to one person (@user is the user), which waits in their mailbox.",
				Schema: json.RawMessage(`{"type":"object","additionalProperties":false,"required":["text","wake"],"properties":{` +
					`"text":{"type":"string"},"wake":{"type":"array","items":{"type":"string"},"description":"Exactly one name, like [\"@alice\"] or [\"@user\"]."},` +
					`"notify":` + notifySchema + `}}`),
			},
			Class: office.OfficeCall, Verb: dmVerb,
		},
		{
			Tool: model.Tool{
				Name:        "office_read",
				Description: "Read earlier messages of a channel you are in, or of your direct channel with somebody. It wakes nobody.",
				Schema: json.RawMessage(`{"type":"object","additionalProperties":false,"required":["channel"],"properties":{` +
					`"channel":{"type":"string","description":"#general, #dev, a colleague's name for your direct channel, or * for all you may read."},` +
					`"from":{"type":"integer","description":"First number, inclusive."},"to":{"type":"integer","description":"Last number, inclusive."},` +
					`"limit":{"type":"integer","description":"20 unless given, at most 100; the newest are kept."},` +
					`"contains":{"type":"string"},"sender":{"type":"string"}}}`),
			},
			Class: office.PureCall, Run: read,
		},
		{
			Tool: model.Tool{
				Name:        "office_colleagues",
				Description: "List the colleagues with role, status, channels and what waits for them, and the people.",
				Schema:      json.RawMessage(`{"type":"object","additionalProperties":false,"properties":{}}`),
			},
			Class: office.OfficeCall, Verb: colleaguesVerb,
		},
	}
}

func postVerb(args json.RawMessage) (office.Verb, error) {
	var a struct {
		Text    string   `json:"text"`
		Wake    []string `json:"wake"`
		Channel string   `json:"channel"`
		Root    string   `json:"root"`
		Notify  string   `json:"notify"`
	}
	if err := decode(args, &a); err != nil {
		return nil, err
	}
	if a.Root != "" && a.Root != "none" {
		return nil, fmt.Errorf("root is %q; it can only be none", a.Root)
	}
	notify, err := notifyOf(a.Notify)
	if err != nil {
		return nil, err
	}
	return office.PostCall{Channel: a.Channel, Text: a.Text, Wake: a.Wake, NoRoot: a.Root == "none", Notify: notify}, nil
}

func dmVerb(args json.RawMessage) (office.Verb, error) {
	var a struct {
		Text   string   `json:"text"`
		Wake   []string `json:"wake"`
		Notify string   `json:"notify"`
	}
	if err := decode(args, &a); err != nil {
		return nil, err
	}
	notify, err := notifyOf(a.Notify)
	if err != nil {
		return nil, err
	}
	return office.DMCall{Wake: a.Wake, Text: a.Text, Notify: notify}, nil
}

func notifyOf(s string) (office.Notify, error) {
	switch n := office.Notify(s); n {
	case "":
		return office.StepEnd, nil
	case office.StepEnd, office.TurnEnd:
		return n, nil
	default:
		return "", fmt.Errorf("notify is %q; it can be step-end or turn-end", s)
	}
}

func colleaguesVerb(args json.RawMessage) (office.Verb, error) {
	if err := decode(args, &struct{}{}); err != nil {
		return nil, err
	}
	return office.ColleaguesCall{}, nil
}

func read(ctx context.Context, env Env, args json.RawMessage) (string, error) {
	var a struct {
		Channel  string `json:"channel"`
		From     int64  `json:"from"`
		To       int64  `json:"to"`
		Limit    int    `json:"limit"`
		Contains string `json:"contains"`
		Sender   string `json:"sender"`
	}
	if err := decode(args, &a); err != nil {
		return "", err
	}
	if a.Channel == "" {
		return "", errors.New("channel is missing; name one, like #general")
	}
	return env.Office.Read(ctx, office.Reader{Colleague: env.Colleague.ID, Person: env.Person},
		office.ReadCall{Channel: a.Channel, From: a.From, To: a.To, Limit: a.Limit, Contains: a.Contains, Sender: a.Sender})
}
