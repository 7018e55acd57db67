package tool

import (
	"context"
	"encoding/json"
	"errors"

	"bullpen/office"
	"bullpen/office/model"
)

// leadersTools change the office: what is declared in office.yaml.
func leadersTools() []Tool {
	tool := func(name, description, schema string, run func(ctx context.Context, env Env, args json.RawMessage) (string, error)) Tool {
		return Tool{
			Tool:  model.Tool{Name: name, Description: description, Schema: json.RawMessage(schema)},
			Class: office.OfficeCall, Leader: true, Run: run,
		}
	}
	return []Tool{
		tool("office_configure", "Change the role or the description of another colleague. It holds from its next step on.",
			`{"type":"object","additionalProperties":false,"required":["colleague"],"properties":{`+
				`"colleague":{"type":"string","description":"Its name."},`+
				`"role":{"type":"string","enum":["member","leader"]},`+
				`"description":{"type":"string","description":"What it is for, on one line of at most 1024 characters."},`+
				`"reports_to":{"type":"string","description":"Its manager's name, or empty for none. Only the boss may change it."}}}`, configure),
		tool("office_channel_create", "Make a channel for a group of colleagues. It wakes nobody.",
			`{"type":"object","additionalProperties":false,"required":["channel","members"],"properties":{`+
				`"channel":{"type":"string","description":"Its name, like dev."},`+
				`"members":{"type":"array","items":{"type":"string"},"description":"The colleagues who read it, by name."},`+
				`"topic":{"type":"string","description":"What it is for, on one line of at most 250 characters."}}}`, createChannel),
		tool("office_channel_delete", "Delete a group channel. Its messages stay in the record; nobody writes there any more.",
			`{"type":"object","additionalProperties":false,"required":["channel"],"properties":{`+
				`"channel":{"type":"string","description":"Its name."}}}`, deleteChannel),
		tool("office_channel_members", "Change who reads a group channel: add some, remove some, or set all.",
			`{"type":"object","additionalProperties":false,"required":["channel"],"properties":{`+
				`"channel":{"type":"string","description":"Its name."},`+
				`"add":{"type":"array","items":{"type":"string"}},"remove":{"type":"array","items":{"type":"string"}},`+
				`"set":{"type":"array","items":{"type":"string"},"description":"All of them, in the place of those who are in it now."}}}`, channelMembers),
	}
}

func configure(ctx context.Context, env Env, args json.RawMessage) (string, error) {
	var a struct {
		Colleague   string  `json:"colleague"`
		Role        *string `json:"role"`
		Description *string `json:"description"`
		ReportsTo   *string `json:"reports_to"`
	}
	if err := decode(args, &a); err != nil {
		return "", err
	}
	fields := map[string]any{}
	if a.Role != nil {
		fields["role"] = *a.Role
	}
	if a.Description != nil {
		fields["description"] = *a.Description
	}
	if a.ReportsTo != nil {
		fields["reports_to"] = *a.ReportsTo
	}
	return amend(ctx, env, office.ConfigureCall{Colleague: a.Colleague, Fields: fields})
}

func createChannel(ctx context.Context, env Env, args json.RawMessage) (string, error) {
	var a struct {
		Channel string   `json:"channel"`
		Members []string `json:"members"`
		Topic   string   `json:"topic"`
	}
	if err := decode(args, &a); err != nil {
		return "", err
	}
	if a.Members == nil {
		return "", errors.New("members is missing; list those who are to read the channel, or [] for nobody")
	}
	return amend(ctx, env, office.ChannelCreateCall{Channel: office.ChannelSetup{Name: a.Channel, Members: a.Members, Topic: a.Topic}})
}

func deleteChannel(ctx context.Context, env Env, args json.RawMessage) (string, error) {
	var a struct {
		Channel string `json:"channel"`
	}
	if err := decode(args, &a); err != nil {
		return "", err
	}
	return amend(ctx, env, office.ChannelDeleteCall{Name: a.Channel})
}

func channelMembers(ctx context.Context, env Env, args json.RawMessage) (string, error) {
	var a struct {
		Channel string   `json:"channel"`
		Add     []string `json:"add"`
		Remove  []string `json:"remove"`
		Set     []string `json:"set"`
	}
	if err := decode(args, &a); err != nil {
		return "", err
	}
	return amend(ctx, env, office.ChannelMembersCall{Name: a.Channel, Set: a.Set, Add: a.Add, Remove: a.Remove})
}

func amend(ctx context.Context, env Env, a office.Amendment) (string, error) {
	var res office.Result
	var err error
	if env.branch != "" {
		res, err = env.Office.AmendBranch(ctx, env.branch, a)
	} else {
		res, err = env.Office.Amend(ctx, env.Turn, a)
	}
	if err != nil {
		return "", err
	}
	env.show(res)
	return "[office] " + res.Text, nil
}
