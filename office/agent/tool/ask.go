package tool

import (
	"encoding/json"
	"time"

	"bullpen/office"
	"bullpen/office/model"
)

// askTool is ask_user, the one call that waits for a person.
func askTool() Tool {
	return Tool{
		Tool: model.Tool{
			Name: "ask_user",
			Description: "Ask the person you work for a question that you cannot go on without, and wait for the answer, up to 15 minutes. " +
				"If nobody answers in time, the answer comes later as a message. Ask one thing, give options where you can.",
			Schema: json.RawMessage(`{"type":"object","additionalProperties":false,"required":["question"],"properties":{` +
				`"question":{"type":"string"},` +
				`"options":{"type":"array","items":{"type":"string"},"description":"Up to 5 answers to choose from, each at most 40 characters."},` +
				`"free_text":{"type":"boolean","description":"Whether an answer in the person's own words counts as well; always, if there are no options."},` +
				`"minutes":{"type":"integer","description":"How long to wait; 15 unless given, which is the most."}}}`),
		},
		Class: office.OfficeCall, Asks: true, Verb: askVerb,
	}
}

func askVerb(args json.RawMessage) (office.Verb, error) {
	var a struct {
		Question string   `json:"question"`
		Options  []string `json:"options"`
		FreeText bool     `json:"free_text"`
		Minutes  int      `json:"minutes"`
	}
	if err := decode(args, &a); err != nil {
		return nil, err
	}
	return office.AskCall{Text: a.Question, Options: a.Options, Free: a.FreeText, Wait: time.Duration(a.Minutes) * time.Minute}, nil
}
