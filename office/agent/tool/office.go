package tool

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

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
					`"contains":{"type":"string"},"sender":{"type":"string"},` +
					`"mentions":{"type":"string","description":"Only what woke, or was mailed to, this one: a name, or me."},` +
					`"since":{"type":"string","description":"Not before this time: RFC 3339, like 2026-11-30T09:00:00Z."},"until":{"type":"string"},` +
					`"thread":{"type":"integer","description":"Only the thread that begins with this number."}}}`),
			},
			Class: office.PureCall, Run: read,
		},
		{
			Tool: model.Tool{
				Name:        "office_colleagues",
				Description: "List the colleagues: role, status and since when, model, permission, channels, what is queued and held, and the people.",
				Schema:      json.RawMessage(`{"type":"object","additionalProperties":false,"properties":{}}`),
			},
			Class: office.OfficeCall, Verb: plainVerb(office.ColleaguesCall{}),
		},
		{
			Tool: model.Tool{
				Name:        "office_read_notifications",
				Description: "Take at once what is held or queued for you, instead of at your turn's end. Persons' questions from elsewhere are only listed: each gets a turn of its own.",
				Schema:      json.RawMessage(`{"type":"object","additionalProperties":false,"properties":{}}`),
			},
			Class: office.OfficeCall, Verb: plainVerb(office.NotificationsCall{}),
		},
		{
			Tool: model.Tool{
				Name:        "office_do_not_disturb",
				Description: "Be woken by nothing until you release it, write to somebody, or its time is up (4 h at most). Everybody who writes to you is told the note.",
				Schema: json.RawMessage(`{"type":"object","additionalProperties":false,"required":["enabled"],"properties":{` +
					`"enabled":{"type":"boolean"},"note":{"type":"string","description":"Why, at most 500 characters; with enabled: true only."},` +
					`"minutes":{"type":"integer","description":"For how long; as long as the office allows unless given."}}}`),
			},
			Class: office.OfficeCall, Verb: disturbVerb,
		},
		{
			Tool: model.Tool{
				Name:        "office_channels",
				Description: "List the channels, who is in each, and what it is for. It wakes nobody.",
				Schema:      json.RawMessage(`{"type":"object","additionalProperties":false,"properties":{}}`),
			},
			Class: office.OfficeCall, Verb: plainVerb(office.ChannelsCall{}),
		},
		{
			Tool: model.Tool{
				Name:        "office_pause",
				Description: "Pause the whole office, or resume it. While it is paused nobody is woken; those who work finish what they do.",
				Schema: json.RawMessage(`{"type":"object","additionalProperties":false,"required":["enabled"],"properties":{` +
					`"enabled":{"type":"boolean"},"note":{"type":"string","description":"Why; everybody who writes is told."}}}`),
			},
			Class: office.OfficeCall, Leader: true, Verb: pauseVerb,
		},
		{
			Tool: model.Tool{
				Name:        "office_interrupt",
				Description: "Cancel the turn that a colleague is running, if it reports to you, or to nobody; what waits for it is handed over.",
				Schema: json.RawMessage(`{"type":"object","additionalProperties":false,"required":["colleague"],"properties":{` +
					`"colleague":{"type":"string","description":"Its name."}}}`),
			},
			Class: office.OfficeCall, Leader: true, Verb: interruptVerb,
		},
		{
			Tool: model.Tool{
				Name:        "office_compact",
				Description: "Replace a range of a channel that you can read by a summary that you have written after reading it. The originals are archived, and their anchors lead to the summary.",
				Schema: json.RawMessage(`{"type":"object","additionalProperties":false,"required":["channel","from","to","summary"],"properties":{` +
					`"channel":{"type":"string"},"from":{"type":"integer","description":"First number, inclusive."},"to":{"type":"integer","description":"Last number, inclusive."},` +
					`"summary":{"type":"string","description":"Who asked for what, what was decided and by whom, what is still open."}}}`),
			},
			Class: office.OfficeCall, Leader: true, Verb: compactVerb,
		},
		askTool(),
	}
}

// plainVerb is the verb of a tool without arguments.
func plainVerb(v office.Verb) func(json.RawMessage) (office.Verb, error) {
	return func(args json.RawMessage) (office.Verb, error) { return v, decode(args, &struct{}{}) }
}

func disturbVerb(args json.RawMessage) (office.Verb, error) {
	var a struct {
		Enabled *bool  `json:"enabled"`
		Note    string `json:"note"`
		Minutes int    `json:"minutes"`
	}
	if err := decode(args, &a); err != nil {
		return nil, err
	}
	if a.Enabled == nil {
		return nil, errors.New("enabled is missing; it is true or false")
	}
	return office.DisturbCall{On: *a.Enabled, Note: a.Note, For: time.Duration(a.Minutes) * time.Minute}, nil
}

func pauseVerb(args json.RawMessage) (office.Verb, error) {
	var a struct {
		Enabled *bool  `json:"enabled"`
		Note    string `json:"note"`
	}
	if err := decode(args, &a); err != nil {
		return nil, err
	}
	if a.Enabled == nil {
		return nil, errors.New("enabled is missing; it is true or false")
	}
	return office.PauseCall{On: *a.Enabled, Note: a.Note}, nil
}

func interruptVerb(args json.RawMessage) (office.Verb, error) {
	var a struct {
		Colleague string `json:"colleague"`
	}
	if err := decode(args, &a); err != nil {
		return nil, err
	}
	return office.InterruptCall{Colleague: a.Colleague}, nil
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

func read(ctx context.Context, env Env, args json.RawMessage) (string, error) {
	var a struct {
		Channel  string `json:"channel"`
		From     int64  `json:"from"`
		To       int64  `json:"to"`
		Limit    int    `json:"limit"`
		Contains string `json:"contains"`
		Sender   string `json:"sender"`
		Mentions string `json:"mentions"`
		Since    string `json:"since"`
		Until    string `json:"until"`
		Thread   int64  `json:"thread"`
	}
	if err := decode(args, &a); err != nil {
		return "", err
	}
	since, err := timeOf("since", a.Since)
	if err != nil {
		return "", err
	}
	until, err := timeOf("until", a.Until)
	if err != nil {
		return "", err
	}
	if a.Channel == "" {
		return "", errors.New("channel is missing; name one, like #general")
	}
	res, err := env.Office.Read(ctx, office.Reader{Colleague: env.Colleague.ID, Person: env.Person},
		office.ReadCall{
			Channel: a.Channel, From: a.From, To: a.To, Limit: a.Limit, Contains: a.Contains, Sender: a.Sender,
			Mentions: a.Mentions, Since: since, Until: until, Thread: a.Thread,
		})
	env.show(res)
	return res.Text, err
}

func compactVerb(args json.RawMessage) (office.Verb, error) {
	var a struct {
		Channel string `json:"channel"`
		From    int64  `json:"from"`
		To      int64  `json:"to"`
		Summary string `json:"summary"`
	}
	if err := decode(args, &a); err != nil {
		return nil, err
	}
	return office.CompactCall{Channel: a.Channel, From: a.From, To: a.To, Summary: a.Summary}, nil
}

// timeOf reads a time that a call gives; zero if it gives none.
func timeOf(what, s string) (time.Time, error) {
	if s == "" {
		return time.Time{}, nil
	}
	t, err := time.Parse(time.RFC3339, s)
	if err != nil {
		return time.Time{}, fmt.Errorf("%s is %q; write a time like 2026-11-30T09:00:00Z", what, s)
	}
	return t, nil
}
