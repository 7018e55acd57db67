package tool

import (
	"context"
	"encoding/json"
	"errors"

	"bullpen/office"
	"bullpen/office/model"
)

// bossHolds are the tools that the boss holds beside those that are its alone.
var bossHolds = map[string]bool{
	"office_post": true, "office_dm": true, "office_read": true, "office_colleagues": true, "office_channels": true,
	"office_pause": true, "office_interrupt": true, "office_compact": true, "office_configure": true,
	"office_channel_create": true, "office_channel_delete": true, "office_channel_members": true, "ask_user": true,
	"read": true, "write": true, "edit": true, "ls": true, "find": true, "grep": true, "bash": true,
}

// bossTools are held by nobody but the boss.
func bossTools() []Tool {
	tool := func(name, description, schema string, run func(ctx context.Context, env Env, args json.RawMessage) (string, error)) Tool {
		return Tool{
			Tool:  model.Tool{Name: name, Description: description, Schema: json.RawMessage(schema)},
			Class: office.OfficeCall, BossOnly: true, Run: run,
		}
	}
	const colleague = `{"type":"object","additionalProperties":false,"required":["colleague"],"properties":{` +
		`"colleague":{"type":"string","description":"Its name."}`
	const temporary = `"temporary":{"type":"boolean","description":"Not written to office.yaml; it stays until it is dismissed."}`
	return []Tool{
		tool("office_hire", "Hire a new colleague. It learns in a turn of its own how it takes part; nothing is posted.",
			`{"type":"object","additionalProperties":false,"required":["name"],"properties":{`+
				`"name":{"type":"string"},"role":{"type":"string","enum":["member","leader"],"description":"Left out: leader while somebody reports to it."},`+
				`"description":{"type":"string","description":"What it is for, on one line of at most 1024 characters."},`+
				`"model":{"type":"string","description":"provider:model-id; its manager's, or the front desk's, unless given."},`+
				`"reports_to":{"type":"string","description":"Its manager's name."},`+
				`"prompt":{"type":"string","description":"How it is to work; added to its prompt."},`+temporary+`}}`, hire),
		tool("office_adopt", "Bring a dismissed colleague back, with its contexts and its workspace, or make a colleague of a folder agents/NAME.",
			colleague+`,"folder":{"type":"boolean","description":"It is a folder's name, not that of somebody dismissed."},`+temporary+`}}`, adopt),
		tool("office_dismiss", "Dismiss a colleague. Its running turn is cut off and what waits for it is dropped; the result says what that was. Its messages, contexts and workspace are kept.",
			colleague+`}}`, dismiss),
		tool("office_rename", "Rename the office.",
			`{"type":"object","additionalProperties":false,"required":["name"],"properties":{"name":{"type":"string","description":"One line of at most 80 characters."}}}`, renameOffice),
		{
			Tool: model.Tool{
				Name: "office_roster", Description: "The roster as JSON: each colleague's settings, status and channels.",
				Schema: json.RawMessage(`{"type":"object","additionalProperties":false,"properties":{}}`),
			},
			Class: office.OfficeCall, BossOnly: true, Verb: plainVerb(office.RosterCall{}),
		},
		{
			Tool: model.Tool{
				Name: "office_list", Description: "List the offices that you may act on, by id and name.",
				Schema: json.RawMessage(`{"type":"object","additionalProperties":false,"properties":{}}`),
			},
			Class: office.PureCall, BossOnly: true, Run: listOffices,
		},
	}
}

func hire(ctx context.Context, env Env, args json.RawMessage) (string, error) {
	var a struct {
		Name        string `json:"name"`
		Role        string `json:"role"`
		Description string `json:"description"`
		Model       string `json:"model"`
		ReportsTo   string `json:"reports_to"`
		Prompt      string `json:"prompt"`
		Temporary   bool   `json:"temporary"`
	}
	if err := decode(args, &a); err != nil {
		return "", err
	}
	return amend(ctx, env, office.HireCall{Ephemeral: a.Temporary, Setup: office.ColleagueSetup{
		Name: a.Name, Role: office.Role(a.Role), Description: a.Description, Model: a.Model, ReportsTo: a.ReportsTo, Prompt: a.Prompt,
	}})
}

func adopt(ctx context.Context, env Env, args json.RawMessage) (string, error) {
	var a struct {
		Colleague string `json:"colleague"`
		Folder    bool   `json:"folder"`
		Temporary bool   `json:"temporary"`
	}
	if err := decode(args, &a); err != nil {
		return "", err
	}
	if a.Folder {
		res, err := env.Office.AmendFolder(ctx, env.Turn, env.branch, a.Colleague, a.Temporary)
		if err != nil {
			return "", err
		}
		env.show(res)
		return "[office] " + res.Text, nil
	}
	return amend(ctx, env, office.AdoptCall{Name: a.Colleague, Ephemeral: a.Temporary})
}

func dismiss(ctx context.Context, env Env, args json.RawMessage) (string, error) {
	var a struct {
		Colleague string `json:"colleague"`
	}
	if err := decode(args, &a); err != nil {
		return "", err
	}
	return amend(ctx, env, office.DismissCall{Name: a.Colleague})
}

func renameOffice(ctx context.Context, env Env, args json.RawMessage) (string, error) {
	var a struct {
		Name string `json:"name"`
	}
	if err := decode(args, &a); err != nil {
		return "", err
	}
	if a.Name == "" {
		return "", errors.New("name is missing; give the office's new name")
	}
	return amend(ctx, env, office.RenameOfficeCall{Name: a.Name})
}
